"""Recipes: how the engines that Debian and PyPI carry are run so that they play fairly, each on one thread.

One file per engine in the package's ``data/engines``; each is tried on the real engine by a test. May import:
anchorhold.canonical, errors, domain.
"""

from __future__ import annotations

import os
import shutil
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Literal, cast

from anchorhold.canonical import nearest
from anchorhold.domain.engines import OptionValue, Protocol
from anchorhold.domain.limits import Limit
from anchorhold.domain.project import EngineTemplate
from anchorhold.errors import BadInput

LimitKind = Literal["nodes", "depth", "movetime", "clock"]
LIMIT_KINDS: tuple[LimitKind, ...] = ("nodes", "depth", "movetime", "clock")
GAMES = "/usr/games"
"""Debian puts games where root's PATH does not look."""
INSTALL = {"debian": "apt-get install --no-install-recommends", "pypi": "pip install"}


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one engine is found, installed and run."""

    name: str
    program: str
    """Its file's name."""
    package: str
    """Of ``archive``."""
    archive: Literal["debian", "pypi"]
    protocol: Protocol
    arguments: tuple[str, ...]
    options: tuple[tuple[str, OptionValue], ...]
    setup: tuple[str, ...]
    depth_command: str
    restart: Literal["never", "pair"]
    obeys: tuple[LimitKind, ...]
    """Limits that it keeps, measured by real searches."""
    first_limit: Limit
    """A modest limit to begin with, beside the six anchors whose ratings the package has."""
    family: str
    """Engines of one family descend from one another, so that they are no strangers to each other."""
    setboard: bool
    """Whether it can play from a position; else books must be move lists."""
    traits: tuple[str, ...]
    """What one should know, in sentences."""

    def template(self, program: Path | str) -> EngineTemplate:
        """Return how the program that was found is run."""
        return EngineTemplate(
            command=(str(program), *self.arguments),
            protocol=self.protocol,
            options=self.options,
            setup=self.setup,
            depth_command=self.depth_command,
            restart=self.restart,
        )


@dataclass(frozen=True, slots=True)
class Found:
    """A recipe whose program is on this machine."""

    recipe: Recipe
    program: Path

    @property
    def template(self) -> EngineTemplate:
        """How it is run here."""
        return self.recipe.template(self.program)


def read_recipes() -> tuple[Recipe, ...]:
    """Read all recipes of the package, by name."""
    folder = Path(str(resources.files("anchorhold") / "data" / "engines"))
    return tuple(sorted((_read(path) for path in folder.glob("*.toml")), key=lambda recipe: recipe.name.lower()))


def _read(path: Path) -> Recipe:
    members = tomllib.loads(path.read_text(encoding="utf-8"))
    return Recipe(
        name=members["name"],
        program=members["program"],
        package=members["package"],
        archive=members["archive"],
        protocol=members["protocol"],
        arguments=tuple(members.get("arguments", ())),
        options=tuple(cast(dict[str, OptionValue], members.get("options", {})).items()),
        setup=tuple(members.get("setup", ())),
        depth_command=members.get("depth_command", "sd"),
        restart=members.get("restart", "never"),
        obeys=tuple(members["obeys"]),
        first_limit=Limit.from_json(members["first_limit"]),
        family=members.get("family", members["name"]),
        setboard=members.get("setboard", True),
        traits=tuple(members.get("traits", ())),
    )


def find(recipes: Iterable[Recipe], *, path: str) -> tuple[Found, ...]:
    """Return those whose program is on this machine; ``path`` is a search path as in the environment."""
    places = f"{path}{os.pathsep}{GAMES}"
    return tuple(
        Found(recipe, Path(place)) for recipe in recipes if (place := shutil.which(recipe.program, path=places))
    )


def named(recipes: Sequence[Recipe], name: str) -> Recipe:
    """Return the recipe of an engine by its name, program or package, whatever the case.

    Raises
    ------
    BadInput
        There is none.
    """
    for recipe in recipes:
        if name.lower() in {recipe.name.lower(), recipe.program.lower(), recipe.package.lower()}:
            return recipe
    raise BadInput(
        f"there is no recipe for {name!r}",
        next_step=nearest(name, [recipe.name for recipe in recipes])
        or f"Recipes are there for {', '.join(recipe.name for recipe in recipes)}",
    )


def install_lines(recipes: Iterable[Recipe]) -> list[str]:
    """Return the command lines that would install these engines, one for each archive."""
    packages: dict[str, list[str]] = {}
    for recipe in recipes:
        packages.setdefault(recipe.archive, []).append(recipe.package)
    return [f"{INSTALL[archive]} {' '.join(names)}" for archive, names in packages.items()]
