"""Engines by name: those of the project's settings, and the recipes whose programs are on this machine.

May import: anchorhold.canonical, config, domain, errors, anchorhold.adopt.recipes, greeting.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from anchorhold.adopt.greeting import detect_protocol
from anchorhold.adopt.recipes import GAMES, Found, Recipe
from anchorhold.canonical import nearest
from anchorhold.config.record import Config
from anchorhold.domain.builds import PROGRAM
from anchorhold.domain.limits import Limit
from anchorhold.domain.project import EngineTemplate
from anchorhold.errors import BadInput

Role = Literal["main", "anchor", "engine", "recipe", "command"]


@dataclass(frozen=True, slots=True)
class KnownEngine:
    """One engine that can be played by name."""

    name: str
    role: Role
    """``engine``: of [engines.NAME]; ``command``: given as a command line."""
    template: EngineTemplate
    limit: Limit | None
    """Its own limit; None: the stage's."""
    recipe: Recipe | None
    """The recipe of its program, if there is one."""


def known_engines(config: Config | None, found: Sequence[Found]) -> tuple[KnownEngine, ...]:
    """List main's versions, the anchors, the named engines, and the recipes here that are none of them."""
    known: list[KnownEngine] = []
    recipes = [one.recipe for one in found]
    if config is not None:
        main = dict(config.main.versions)
        if config.main.template is not None and not _has_place(config.main.template):
            main.setdefault("main", config.main.template)
        known += [
            KnownEngine(name, "main", one, config.long.limit, recipe_of(one, recipes)) for name, one in main.items()
        ]
        known += [
            KnownEngine(one.name, "anchor", one.engine, one.limit, recipe_of(one.engine, recipes))
            for one in config.anchors
        ]
        known += [
            KnownEngine(name, "engine", one, None, recipe_of(one, recipes)) for name, one in config.engines.items()
        ]
    used = {one.recipe.name for one in known if one.recipe is not None}
    return (
        *known,
        *(
            KnownEngine(one.recipe.name, "recipe", one.template, None, one.recipe)
            for one in found
            if one.recipe.name not in used
        ),
    )


def _has_place(template: EngineTemplate) -> bool:
    return any(place in word for word in template.command for place in ("{version}", PROGRAM))


def recipe_of(template: EngineTemplate, recipes: Sequence[Recipe]) -> Recipe | None:
    """Return the recipe of a template's program."""
    program = Path(template.command[0]).name
    return next((recipe for recipe in recipes if recipe.program == program), None)


def of_name(name: str, known: Sequence[KnownEngine]) -> KnownEngine:
    """Return the engine of a name, whatever its capitals; a recipe's program and package name it, too.

    Raises
    ------
    BadInput
        No engine has that name.
    """
    for one in known:
        names = {one.name.lower()}
        if one.role == "recipe" and one.recipe is not None:
            names |= {one.recipe.program.lower(), one.recipe.package.lower()}
        if name.lower() in names:
            return one
    raise BadInput(
        f"no engine is called {name!r}",
        next_step=nearest(name, [one.name for one in known]) or "'anchorhold engines list' shows those known",
    )


def resolve(text: str, config: Config | None, found: Sequence[Found], *, path: str) -> KnownEngine:
    """Return the engine that a name or a command line stands for; its protocol is found out by talking to it.

    Raises
    ------
    BadInput
        It is neither the name of an engine nor a command that is there.
    """
    known = known_engines(config, found)
    try:
        return of_name(text, known)
    except BadInput:
        return command_engine(text, [one.recipe for one in found], path=path, names=[one.name for one in known])


def command_engine(text: str, recipes: Sequence[Recipe], *, path: str, names: Sequence[str] = ()) -> KnownEngine:
    """Return the engine of a command line; a program that has a recipe is run by it, unless it is given arguments.

    Raises
    ------
    BadInput
        There is no such program, or it is no engine.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadInput(f"is not a command line: {error}", where=text) from error
    if not words:
        raise BadInput("an empty command line", next_step="Name an engine, or give its command")
    program = shutil.which(words[0], path=f"{path}:{GAMES}")
    if program is None:
        raise BadInput(
            f"{words[0]!r} is neither an engine known here nor a program",
            next_step=nearest(text, names) or "'anchorhold engines list' shows those known",
        )
    # A relative path is this directory's; it must not change its meaning with where it is written down.
    command = (str(Path(program).absolute()), *words[1:])
    recipe = recipe_of(EngineTemplate(command=command), recipes)
    if recipe is not None and tuple(words[1:]) in ((), recipe.arguments):
        return KnownEngine(Path(words[0]).name, "command", recipe.template(command[0]), None, recipe)
    template = EngineTemplate(command=command, protocol=detect_protocol(command))
    return KnownEngine(Path(words[0]).name, "command", template, None, recipe)
