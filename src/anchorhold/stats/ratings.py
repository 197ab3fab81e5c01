"""Ratings of a pool of engines from game pairs among them: Bradley-Terry by maximum likelihood, with its covariance.

Ratings and half-widths are logistic Elo, half-widths at 95 %. A draw is half a win and half a loss.
May import: numpy, anchorhold.errors, anchorhold.stats.elo, anchorhold.stats.outcomes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anchorhold.errors import BadInput
from anchorhold.stats.elo import EDITION_7
from anchorhold.stats.outcomes import PAIR_SCORES, Pentanomial
from anchorhold.stats.vectors import Vector

PER_ELO = math.log(10.0) / 400.0
"""Slope of the log-odds in Elo."""


@dataclass(frozen=True, slots=True)
class PairedResult:
    """All pairs between two engines, seen from the first."""

    first: str
    second: str
    pairs: Pentanomial


@dataclass(frozen=True, slots=True)
class Rating:
    """One engine's rating."""

    name: str
    rating: float
    error: float
    """95 % half-width; 0 for an engine that is held fixed."""
    games: int


@dataclass(frozen=True, slots=True)
class Difference:
    """How much stronger one engine is than another."""

    elo: float
    error: float
    """95 % half-width; smaller than the two ratings' half-widths suggest when they vary together."""


@dataclass(frozen=True, slots=True)
class PoolRatings:
    """The ratings of a pool, strongest first."""

    ratings: tuple[Rating, ...]
    covariance: tuple[tuple[float, ...], ...]
    """Of the ratings, in Elo², rows and columns in the order of ``ratings``."""

    def of(self, name: str) -> Rating:
        """Return one engine's rating.

        Raises
        ------
        KeyError
            No such engine in the pool.
        """
        return self.ratings[self._place(name)]

    def difference(self, first: str, second: str) -> Difference:
        """Return how much stronger ``first`` is than ``second``, with what the two have in common taken out."""
        i, j = self._place(first), self._place(second)
        variance = self.covariance[i][i] + self.covariance[j][j] - 2.0 * self.covariance[i][j]
        return Difference(
            elo=self.ratings[i].rating - self.ratings[j].rating,
            error=EDITION_7.z * math.sqrt(max(variance, 0.0)),
        )

    def _place(self, name: str) -> int:
        for place, rating in enumerate(self.ratings):
            if rating.name == name:
                return place
        raise KeyError(name)


def rate_pool(
    results: Sequence[PairedResult],
    *,
    mean: float | None = None,
    fixed: tuple[str, float] | None = None,
) -> PoolRatings:
    """Rate a pool of engines from the pairs that they played among themselves.

    Parameters
    ----------
    results : Sequence of PairedResult
        Any number per two engines; those of the same two are added up.
    mean : float
        What the ratings' mean is set to, in Elo.
    fixed : tuple of str and float
        Instead of ``mean``: an engine and the rating that it keeps.

    Returns
    -------
    PoolRatings
        Ratings with 95 % half-widths, strongest first, and their covariance.

    Raises
    ------
    BadInput
        No pairs; an engine against itself; groups that never met; engines that took all points or none from the rest
        of the pool; pairs that all ended alike, so that nothing says how far they scatter; neither or both of ``mean``
        and ``fixed``.

    Notes
    -----
    Maximises the Bradley-Terry likelihood of the game scores by Newton steps. The covariance is H⁻JH⁻ [1]_: H the
    information of the likelihood, J the observed scatter of whole pairs about the fit, so that the two games of one
    opening do not count as independent, and draws narrow the half-widths as much as they really do. H⁻ is the
    pseudo-inverse: only differences are estimated, the mean (or the fixed engine) is an agreement without error.

    References
    ----------
    .. [1] H. White, Maximum likelihood estimation of misspecified models, Econometrica 50 (1982), 1-25.

    Examples
    --------
    >>> pool = rate_pool([PairedResult("a", "b", Pentanomial(5, 20, 40, 25, 10)),
    ...                   PairedResult("b", "c", Pentanomial(10, 20, 40, 20, 10)),
    ...                   PairedResult("c", "a", Pentanomial(12, 24, 40, 18, 6))], mean=0.0)
    >>> [f"{r.name} {r.rating:.1f} ± {r.error:.1f}" for r in pool.ratings]
    ['a 19.2 ± 16.7', 'b -8.7 ± 17.0', 'c -10.4 ± 17.3']
    """
    names = sorted({name for result in results for name in (result.first, result.second)})
    if (mean is None) == (fixed is None):
        raise BadInput("give either the mean of the ratings or one engine's fixed rating")
    if fixed is not None and fixed[0] not in names:
        raise BadInput(f"the engine {fixed[0]!r}, whose rating is to be fixed, has no result")
    reference = mean if fixed is None else fixed[1]
    if reference is None or not math.isfinite(reference):
        raise BadInput(f"the mean or fixed rating is {reference}, expected a number")
    counts = _added_up(results, {name: place for place, name in enumerate(names)})
    _require_estimable(counts, names)

    strengths = _fit(counts, len(names))
    inverse, scatter = _inverse_information(counts, strengths), _scatter(counts, strengths)
    if not scatter.any():
        raise BadInput(
            "all pairs between the same two engines ended alike, so nothing says how far results scatter",
            next_step="Play more pairs, from different openings.",
        )
    covariance = inverse @ scatter @ inverse
    # Move the agreement from the mean to the fixed engine: subtract its column and row.
    if fixed is None:
        ratings = strengths - strengths.mean() + reference
    else:
        place = names.index(fixed[0])
        ratings = strengths - strengths[place] + reference
        shift = np.eye(len(names))
        shift[:, place] -= 1.0
        covariance = shift @ covariance @ shift.T
    games = [sum(2 * int(c.sum()) for key, c in counts.items() if place in key) for place in range(len(names))]
    order = sorted(range(len(names)), key=lambda place: (-ratings[place], names[place]))
    return PoolRatings(
        ratings=tuple(
            Rating(
                name=names[place],
                rating=float(ratings[place]),
                error=EDITION_7.z * math.sqrt(max(float(covariance[place, place]), 0.0)),
                games=games[place],
            )
            for place in order
        ),
        covariance=tuple(tuple(float(covariance[i, j]) for j in order) for i in order),
    )


Counts = dict[tuple[int, int], Vector]
"""Pentanomial counts by the places of both engines, seen from the one that comes first."""


def _added_up(results: Sequence[PairedResult], place: dict[str, int]) -> Counts:
    counts: Counts = {}
    for result in results:
        if result.first == result.second:
            raise BadInput(f"the engine {result.first!r} cannot be rated by playing itself")
        pairs = result.pairs
        if min(pairs.as_tuple()) < 0:
            raise BadInput(f"{result.first} against {result.second}: the counts contain a negative number")
        i, j = place[result.first], place[result.second]
        if i > j:
            i, j, pairs = j, i, pairs.swapped()
        counts[i, j] = counts.get((i, j), np.zeros(5)) + pairs.counts()
    return {key: count for key, count in counts.items() if count.any()}


def _require_estimable(counts: Counts, names: Sequence[str]) -> None:
    """A maximum exists exactly when everyone can be reached from everyone over engines that took points (Ford 1957)."""
    if not counts:
        raise BadInput("there are no pairs to rate engines from", next_step="Play a round robin first.")
    size = len(names)
    met, took_points = np.eye(size, dtype=bool), np.eye(size, dtype=bool)
    for (i, j), count in counts.items():
        met[i, j] = met[j, i] = True
        score = float(count @ PAIR_SCORES)
        took_points[i, j] |= score > 0.0
        took_points[j, i] |= score < count.sum()
    _name_split(
        _reachable(met)[:, 0],
        names,
        "the pool falls into groups that never met: {one} and {other}",
        "Let an engine of each group play one of the other, or rate them apart.",
    )
    reach = _reachable(took_points)
    for place in range(size):
        _name_split(
            reach[:, place],
            names,
            "no finite ratings exist: {one} took every point from {other}",
            "Play more pairs, or leave out engines that are too far apart.",
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


def _expected(strengths: Vector, i: int, j: int) -> float:
    return 1.0 / (1.0 + math.exp(-PER_ELO * float(strengths[i] - strengths[j])))


def _fit(counts: Counts, size: int) -> Vector:
    """Maximum-likelihood strengths with mean 0, by Newton steps that are cut where they overshoot."""
    strengths: Vector = np.zeros(size)
    for _ in range(500):
        gradient = np.zeros(size)
        for (i, j), count in counts.items():
            surplus = 2.0 * PER_ELO * float(count @ PAIR_SCORES - count.sum() * _expected(strengths, i, j))
            gradient[i] += surplus
            gradient[j] -= surplus
        step = _inverse_information(counts, strengths) @ gradient
        # The likelihood is concave; capping the step keeps Newton from leaping out of its trust.
        step *= min(1.0, 200.0 / max(float(np.abs(step).max()), 1e-300))
        strengths += step - step.mean()
        if float(np.abs(step).max()) < 1e-9:
            return strengths
    raise BadInput(
        "the ratings do not settle: some engines are too far apart",
        next_step="Leave out engines that scored nearly nothing or nearly everything.",
    )


def _inverse_information(counts: Counts, strengths: Vector) -> Vector:
    information = np.zeros((len(strengths), len(strengths)))
    for (i, j), count in counts.items():
        p = _expected(strengths, i, j)
        weight = 2.0 * float(count.sum()) * PER_ELO**2 * p * (1.0 - p)
        information[i, i] += weight
        information[j, j] += weight
        information[i, j] -= weight
        information[j, i] -= weight
    # A shift of all ratings carries no information: lend it some, which makes the matrix invertible, and take it out.
    size, lent = len(strengths), float(np.trace(information))
    common = np.full((size, size), 1.0 / size)
    inverse: Vector = np.linalg.inv(information + lent * common) - common / lent
    return inverse


def _scatter(counts: Counts, strengths: Vector) -> Vector:
    """Sum over pairs of the squared score contribution: the middle of the sandwich."""
    scatter = np.zeros((len(strengths), len(strengths)))
    for (i, j), count in counts.items():
        residual = 2.0 * PER_ELO * (np.array(PAIR_SCORES) - _expected(strengths, i, j))
        weight = float(count @ residual**2)
        scatter[i, i] += weight
        scatter[j, j] += weight
        scatter[i, j] -= weight
        scatter[j, i] -= weight
    return scatter
