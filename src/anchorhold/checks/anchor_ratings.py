"""Ratings of the anchors from games, on the scale that the project has or is given.

May import: anchorhold.domain, anchorhold.errors, anchorhold.stats.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from anchorhold.errors import BadInput
from anchorhold.stats.rating_checks import Fit, FixedPoint, Meeting, fixed_points, meetings, one_scale
from anchorhold.stats.ratings import PairedResult, PoolRatings, rate_pool

FEW_PAIRS = 20
"""An engine with fewer is named: its rating hangs on single games."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What was agreed upon, since games show differences only."""

    kind: Literal["mean", "kept mean", "fixed"]
    mean: float | None = None
    of: tuple[str, ...] = ()
    """The engines whose mean it is, or that are fixed."""


@dataclass(frozen=True, slots=True)
class AnchorRatings:
    """The ratings, with everything that a reader needs to trust or distrust them."""

    pool: PoolRatings
    scale: Scale
    pairs: int
    meetings: tuple[Meeting, ...]
    """The most surprising first."""
    one_scale: Fit | None
    fixed: tuple[FixedPoint, ...]
    fixed_fit: Fit | None
    few: Mapping[str, int]
    """Engines with fewer than FEW_PAIRS pairs, and how many they have."""


def rate(
    results: Sequence[PairedResult],
    *,
    configured: Mapping[str, float],
    fixed: Mapping[str, float],
    mean: float | None,
    leave_out: Collection[str] = (),
) -> AnchorRatings:
    """Rate every engine that played.

    Parameters
    ----------
    configured : mapping of str to float
        Present ratings of the project's anchors, empty without a project. Without ``fixed`` and ``mean`` the mean of
        those that played is kept; a given mean is theirs, so that a version of main in the pool does not move it.
    fixed : mapping of str to float
        Ratings that are kept.
    leave_out : collection of str
        Engines whose games are not used.

    Raises
    ------
    BadInput
        As ``rate_pool``; no scale; a name that did not play.
    """
    everyone = {name for result in results for name in (result.first, result.second)}
    for name in leave_out:
        if name not in everyone:
            raise BadInput(f"{name!r}, which is to be left out, has no game", next_step=_players(everyone))
    results = [one for one in results if one.pairs.pairs and not {one.first, one.second} & set(leave_out)]
    played = {name for result in results for name in (result.first, result.second)}
    if not played:
        raise BadInput(
            "there are no complete pairs to rate engines from",
            next_step="Play a round robin with --pairs, or look with 'anchorhold import pgn --dry-run'.",
        )
    anchors = tuple(name for name in configured if name in played)
    scale = _scale(anchors or tuple(sorted(played)), configured, fixed, mean)
    pool = (
        rate_pool(results, fixed=fixed)
        if scale.kind == "fixed"
        else rate_pool(results, mean=scale.mean, mean_of=scale.of)
    )
    points, fit = fixed_points(results, fixed)
    return AnchorRatings(
        pool=pool,
        scale=scale,
        pairs=sum(result.pairs.pairs for result in results),
        meetings=tuple(meetings(results, pool)),
        one_scale=one_scale(results, pool),
        fixed=tuple(points),
        fixed_fit=fit,
        few={one.name: one.games // 2 for one in pool.ratings if one.games < 2 * FEW_PAIRS},
    )


def _scale(
    whose: tuple[str, ...], configured: Mapping[str, float], fixed: Mapping[str, float], mean: float | None
) -> Scale:
    if fixed and mean is not None:
        raise BadInput("a mean and fixed ratings were given", next_step="Give --mean, or --fix, not both.")
    if fixed:
        return Scale("fixed", of=tuple(fixed))
    if mean is not None:
        return Scale("mean", mean=mean, of=whose)
    known = [configured[name] for name in whose if name in configured]
    if not known:
        raise BadInput(
            "games show differences of strength only, and nothing says where the scale lies",
            next_step="Give --fix NAME=RATING, once or several times, or --mean RATING.",
        )
    return Scale("kept mean", mean=math.fsum(known) / len(known), of=whose)


def _players(names: Collection[str]) -> str:
    return f"Engines with games: {', '.join(sorted(names)) or 'none'}."
