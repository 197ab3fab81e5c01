"""What ``anchorhold engines add`` writes: the engine that a name and a command line mean, and an anchor's rating.

May import: anchorhold.adopt, anchorhold.canonical, anchorhold.config, anchorhold.domain, anchorhold.errors,
anchorhold.cli.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from anchorhold.cli.known import search_path
from anchorhold.cli.limit_words import parse_limit

if TYPE_CHECKING:
    from anchorhold.adopt.anchor_text import Rating
    from anchorhold.adopt.known import KnownEngine
    from anchorhold.adopt.recipes import Recipe
    from anchorhold.config.record import Config
    from anchorhold.domain.limits import Limit


def engine_to_add(name: str, command: str | None) -> KnownEngine:
    """Return the engine of a command line, or without one that of the recipe of this name.

    Raises
    ------
    BadInput
        There is no such program or recipe here.
    """
    from dataclasses import replace

    from anchorhold.adopt.known import KnownEngine, command_engine
    from anchorhold.adopt.recipes import find, install_lines, named, read_recipes
    from anchorhold.errors import BadInput

    recipes = read_recipes()
    if command is not None:
        return replace(command_engine(command, recipes, path=search_path()), name=name)
    recipe = named(recipes, name)
    here = next(iter(find([recipe], path=search_path())), None)
    if here is None:
        raise BadInput(
            f"{recipe.name} is not on this machine: there is no program {recipe.program}",
            next_step=f"Install it: {install_lines([recipe])[0]}; or give its place with --command",
        )
    return KnownEngine(recipe.name, "recipe", here.template, None, recipe)


def refuse_known(name: str, loaded: Config) -> None:
    """Refuse a name that an engine of the project has already."""
    from anchorhold.errors import BadInput

    if name in loaded.engines or any(anchor.name == name for anchor in loaded.anchors):
        raise BadInput(f"there is an engine {name!r} already", where=str(loaded.path), next_step="Choose another name")


def rating_to_add(
    engine: KnownEngine,
    *,
    limit: str | None,
    rating: float | None,
    error: float | None,
    source: str | None,
    loaded: Config,
) -> Rating:
    """Return the rating that an anchor gets: the one given, else the package's at that limit, else a place for one.

    Raises
    ------
    BadInput
        Half a rating, or a limit that the engine does not obey.
    """
    from anchorhold.adopt.anchor_text import Rating, rating_of
    from anchorhold.adopt.lineup import read_lineup
    from anchorhold.canonical import file_sha256
    from anchorhold.errors import BadInput

    own = None if limit is None else parse_limit(limit)
    if (rating is None) != (error is None):
        raise BadInput("--rating and --rating-error belong together", next_step="Give both, or none")
    if rating is not None and error is not None:
        held = Rating(rating, error, source or "given by hand", own)
    else:
        name = engine.name if engine.recipe is None else engine.recipe.name
        held = rating_of(name, Path(engine.template.command[0]), read_lineup(), digest_of=file_sha256, limit=own)
    if engine.recipe is not None:
        _refuse_disobedience(engine.recipe, held.limit or loaded.long.limit)
    return held


def _refuse_disobedience(recipe: Recipe, limit: Limit) -> None:
    from anchorhold.adopt.limits import kinds_of
    from anchorhold.errors import BadInput

    for kind in kinds_of(limit):
        if kind not in recipe.obeys:
            raise BadInput(
                f"{recipe.name} does not obey a limit of {kind}",
                next_step=f"Give it a limit of its own with --limit: it obeys {', '.join(recipe.obeys)}",
            )
