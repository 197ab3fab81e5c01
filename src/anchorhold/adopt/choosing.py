"""Which of the engines on a machine become anchors. May import: anchorhold.adopt.lineup, recipes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anchorhold.adopt.lineup import Lineup
from anchorhold.adopt.recipes import Found, Recipe


@dataclass(frozen=True, slots=True)
class Choice:
    """The engines that were chosen, and what could be added."""

    anchors: tuple[Found, ...]
    missing: int
    """How many are still wanted."""
    installable: tuple[Recipe, ...]
    """Recipes whose programs are not here, those with a measured rating first."""


def choose(found: Sequence[Found], recipes: Sequence[Recipe], lineup: Lineup, *, wanted: int, main: str) -> Choice:
    """Choose anchors: those with measured ratings first, one of each family, none of main's own family.

    Parameters
    ----------
    main : str
        The project's name or program: an engine is no stranger to itself.
    """
    own = {recipe.family for recipe in recipes if _is_main(recipe, main)}

    def rank(recipe: Recipe) -> tuple[bool, str]:
        return recipe.name not in lineup.anchors, recipe.name.lower()

    chosen: list[Found] = []
    families = set(own)
    for one in sorted(found, key=lambda one: rank(one.recipe)):
        if len(chosen) < wanted and one.recipe.family not in families:
            chosen.append(one)
            families.add(one.recipe.family)
    here = {one.recipe.name for one in found}
    return Choice(
        anchors=tuple(chosen),
        missing=wanted - len(chosen),
        installable=tuple(
            recipe for recipe in sorted(recipes, key=rank) if recipe.name not in here and recipe.family not in families
        ),
    )


def _is_main(recipe: Recipe, main: str) -> bool:
    name = main.lower()
    return any(word.lower() in name for word in (recipe.name, recipe.package))
