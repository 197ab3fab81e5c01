"""Whether a pool's results, and the ratings that it was given, fit one scale.

Half-widths are at 95 %, ratings logistic Elo.
May import: numpy, scipy, anchorhold.errors, anchorhold.stats.elo, anchorhold.stats.outcomes, anchorhold.stats.ratings.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anchorhold.errors import BadInput
from anchorhold.stats.outcomes import PAIR_SCORES
from anchorhold.stats.ratings import (
    LARGEST_RATING,
    PairedResult,
    PoolRatings,
    Rating,
    added_up,
    expected_score,
    rate_pool,
    scatter_of,
)

_NO_SPREAD = 1e-10
"""Part of the ratings' variance below which a difference between them passes for exact: it cannot be tested then."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A test of agreement: χ² of what is left over."""

    q: float
    degrees: int
    p: float
    """Chance of so much disagreement, or more, when all is well."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """What two engines scored, beside what their ratings say."""

    first: str
    second: str
    pairs: int
    score: float
    """Of the first, per game, in [0, 1]."""
    expected: float
    deviations: float
    """Score less expectation, in standard deviations of the score."""


@dataclass(frozen=True, slots=True)
class FixedPoint:
    """A given rating, and what the games say about it."""

    name: str
    given: float
    by_the_others: Rating | None
    """From the games and the other given ratings alone; None where these do not reach it."""


def meetings(results: Sequence[PairedResult], pool: PoolRatings) -> list[Meeting]:
    """Return every meeting with its expectation, the most surprising first."""
    names = [rating.name for rating in pool.ratings]
    counts = added_up(results, {name: place for place, name in enumerate(names)})
    strengths = np.array([rating.rating for rating in pool.ratings])
    scatter = scatter_of(counts, strengths)
    found = []
    for (i, j), count in counts.items():
        n = float(count.sum())
        score, expected = float(count @ PAIR_SCORES) / n, expected_score(strengths, i, j)
        found.append(
            Meeting(
                first=names[i],
                second=names[j],
                pairs=int(n),
                score=score,
                expected=expected,
                # Without any scatter about the expectation, the score is the expectation.
                deviations=n * (score - expected) / math.sqrt(scatter[i, j]) if scatter[i, j] else 0.0,
            )
        )
    return sorted(found, key=lambda one: -abs(one.deviations))


def one_scale(results: Sequence[PairedResult], pool: PoolRatings) -> Fit | None:
    """Test whether the meetings agree with one rating per engine; None where no meeting is left over to tell.

    Approximate, for meetings of 20 pairs and more. A small p says that the engines do not line up on one scale
    (non-transitivity), or that openings or conditions differed between the meetings.
    """
    found = meetings(results, pool)
    held = sum(rating.held for rating in pool.ratings)
    degrees = len(found) - (len(pool.ratings) - max(held, 1))
    return _chi_square(math.fsum(one.deviations**2 for one in found), degrees) if degrees > 0 else None


def fixed_points(results: Sequence[PairedResult], fixed: Mapping[str, float]) -> tuple[list[FixedPoint], Fit | None]:
    """Compare given ratings with each other by the games: each as the others see it, and all together.

    Returns
    -------
    points : list of FixedPoint
        In the order of ``fixed``.
    fit : Fit or None
        Whether the given differences agree with the games; None with one point, or where the games alone do not join
        them, or not say how far their results scatter.
    """
    played = {name for result in results for name in (result.first, result.second)}
    points = []
    for name, given in fixed.items():
        if name not in played:
            raise BadInput(f"the engine {name!r} has no result", next_step="Leave its rating out, or let it play.")
        if not abs(given) <= LARGEST_RATING:
            raise BadInput(f"the rating of {name!r} is {given}, expected a number within ±{LARGEST_RATING:g}")
        others = {other: rating for other, rating in fixed.items() if other != name}
        seen = None
        if others:
            try:
                seen = rate_pool(results, fixed=others).of(name)
            except BadInput:  # said as "not joined"; the pool as a whole was rated, so this is no mistake in it
                seen = None
        points.append(FixedPoint(name=name, given=given, by_the_others=seen))
    return points, _joint_fit(results, fixed)


def _joint_fit(results: Sequence[PairedResult], fixed: Mapping[str, float]) -> Fit | None:
    names = list(fixed)
    if len(names) < 2:
        return None
    try:
        free = rate_pool(results, mean=0.0)
    except BadInput:
        return None
    places = [free.place(name) for name in names]
    off = np.array([free.ratings[place].rating - fixed[name] for place, name in zip(places, names, strict=True)])
    covariance = np.array(free.covariance)[np.ix_(places, places)]
    contrast = np.hstack([-np.ones((len(names) - 1, 1)), np.eye(len(names) - 1)])
    left, spread = contrast @ off, contrast @ covariance @ contrast.T
    if np.linalg.eigvalsh(spread).min() <= _NO_SPREAD * np.trace(covariance):
        return None
    return _chi_square(float(left @ np.linalg.solve(spread, left)), len(names) - 1)


def _chi_square(q: float, degrees: int) -> Fit:
    from scipy.special import chdtrc  # slow to load

    return Fit(q=q, degrees=degrees, p=float(chdtrc(degrees, q)))
