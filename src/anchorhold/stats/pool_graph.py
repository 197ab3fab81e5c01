"""Which pools have ratings at all: who met whom, and who took points from whom.

May import: numpy, anchorhold.errors, anchorhold.stats.outcomes, anchorhold.stats.vectors.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from anchorhold.errors import BadInput
from anchorhold.stats.outcomes import PAIR_SCORES
from anchorhold.stats.vectors import Vector

Counts = Mapping[tuple[int, int], Vector]
"""Pentanomial counts by the places of both engines, seen from the one that comes first."""


def require_estimable(counts: Counts, names: Sequence[str], *, held: Collection[int]) -> None:
    """Refuse a pool without finite ratings, and say which engines are the reason and what to play.

    Parameters
    ----------
    held : collection of int
        Places of the engines whose ratings are given: they are joined without having played each other.

    Raises
    ------
    BadInput
        No pairs; groups that never met; engines that took every point, or none, from the rest.

    Notes
    -----
    A maximum of the likelihood exists exactly when everyone can be reached from everyone over engines that took points
    from the next one [1]_.

    References
    ----------
    .. [1] L. R. Ford, Solution of a ranking problem from binary comparisons, Amer. Math. Monthly 64 (1957), 28-33.
    """
    if not counts:
        raise BadInput("there are no pairs to rate engines from", next_step="Play a round robin first.")
    size = len(names)
    met, took_points = np.eye(size, dtype=bool), np.eye(size, dtype=bool)
    for one in held:
        for other in held:
            met[one, other] = took_points[one, other] = True
    for (i, j), count in counts.items():
        met[i, j] = met[j, i] = True
        score = float(count @ PAIR_SCORES)
        took_points[i, j] |= score > 0.0
        took_points[j, i] |= score < count.sum()
    _name_split(
        _reachable(met)[:, 0],
        names,
        "the pool falls into groups that never met: {one} and {other}",
        "Let an engine of each group play one of the other, or rate the groups apart.",
    )
    reach = _reachable(took_points)
    for place in range(size):
        _name_split(
            reach[:, place],
            names,
            "no finite ratings exist: {one} took every point from {other}",
            "Play more pairs between them, let both play an engine in between, or leave one side out.",
        )


def _name_split(inside: npt.NDArray[np.bool_], names: Sequence[str], what: str, next_step: str) -> None:
    if inside.all():
        return
    one = ", ".join(name for name, belongs in zip(names, inside, strict=True) if belongs)
    other = ", ".join(name for name, belongs in zip(names, inside, strict=True) if not belongs)
    raise BadInput(what.format(one=one, other=other), next_step=next_step)


def _reachable(step: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Whether row reaches column over any number of steps."""
    reach = step
    for _ in range(len(step)):
        reach = reach | (reach.astype(np.int64) @ step.astype(np.int64) > 0)
    return reach
