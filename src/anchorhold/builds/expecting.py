"""What is expected of a program that was built: its bench, and the name that it gives itself.

May import: anchorhold.domain, anchorhold.errors, anchorhold.builds.
"""

from __future__ import annotations

import re

from anchorhold.builds.examining import Said, bench_in_message
from anchorhold.builds.git import Commit
from anchorhold.domain.builds import BuildRecipe
from anchorhold.errors import BadInput, BadState


def require_expected(said: Said, commit: Commit, recipe: BuildRecipe, *, bench: int | None) -> None:
    """Refuse a program that has another bench or name than is expected.

    Parameters
    ----------
    bench : int, optional
        That was asked for; by default the one that the commit message names, if it does.

    Raises
    ------
    BadState
        It is another.
    BadInput
        A bench was asked for, and none is run.
    """
    expected, origin = bench, "asked for"
    if expected is None:
        expected, origin = bench_in_message(commit.message), "in the commit message"
    if expected is not None and said.bench is None and bench is not None:
        raise BadInput("no bench is run", next_step='Set main.build.bench, such as "{program} bench"')
    if expected is not None and said.bench is not None and said.bench != expected:
        raise BadState(
            f"the bench of {commit.name} is {said.bench}, expected {expected} ({origin})",
            next_step="Look whether compiler and flags are right, or name another revision",
        )
    if recipe.id is not None and not re.fullmatch(recipe.id, said.name or ""):
        found = "gives itself no name" if said.name is None else f"calls itself {said.name!r}"
        raise BadState(
            f"the program of {commit.name} {found}, expected {recipe.id!r} (main.build.id)",
            next_step="Look at what is built, or at main.build.id",
        )
