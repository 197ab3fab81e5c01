"""Ratings of a pool of engines from game pairs among them: Bradley-Terry by maximum likelihood, with its covariance.

Ratings and half-widths are logistic Elo, half-widths at 95 %. A draw is half a win and half a loss.
May import: numpy, scipy, anchorhold.canonical, anchorhold.errors, anchorhold.stats.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anchorhold.canonical import nearest
from anchorhold.errors import BadInput
from anchorhold.stats.elo import EDITION_7
from anchorhold.stats.outcomes import PAIR_SCORES, Pentanomial
from anchorhold.stats.pool_graph import Counts, require_estimable
from anchorhold.stats.vectors import Vector

PER_ELO = math.log(10.0) / 400.0
"""Slope of the log-odds in Elo."""
WEIGHT_OF_POOL = 10.0
"""Pairs that the pool's scatter counts for beside a meeting's own."""
LARGEST_RATING = 10_000.0
"""Elo; what the rule takes as a rating at all (SPEC section 9)."""


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
    """In pairs."""
    held: bool = False
    """Given, not estimated."""


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
    reach: float
    """Half-width over standard deviation: Student's t at 95 %, 1.96 with many pairs."""

    def of(self, name: str) -> Rating:
        """Return one engine's rating.

        Raises
        ------
        KeyError
            No such engine in the pool.
        """
        return self.ratings[self.place(name)]

    def difference(self, first: str, second: str) -> Difference:
        """Return how much stronger ``first`` is than ``second``, with what the two have in common taken out."""
        i, j = self.place(first), self.place(second)
        variance = self.covariance[i][i] + self.covariance[j][j] - 2.0 * self.covariance[i][j]
        return Difference(
            elo=self.ratings[i].rating - self.ratings[j].rating,
            error=self.reach * math.sqrt(max(variance, 0.0)),
        )

    def place(self, name: str) -> int:
        """Return where an engine stands in ``ratings`` and in the covariance."""
        for place, rating in enumerate(self.ratings):
            if rating.name == name:
                return place
        raise KeyError(name)


def rate_pool(
    results: Sequence[PairedResult],
    *,
    mean: float | None = None,
    mean_of: Collection[str] | None = None,
    fixed: Mapping[str, float] | None = None,
) -> PoolRatings:
    """Rate a pool of engines from the pairs that they played among themselves.

    Parameters
    ----------
    results : Sequence of PairedResult
        Any number per two engines; those of the same two are added up.
    mean : float
        What the ratings' mean is set to, in Elo.
    mean_of : collection of str, optional
        The engines whose mean that is; by default all of them.
    fixed : mapping of str to float
        Instead of ``mean``: the engines whose ratings are given, and those ratings. With several, all are kept, and
        what the games say about them shows in ``stats.rating_checks``.

    Returns
    -------
    PoolRatings
        Ratings with 95 % half-widths, strongest first, and their covariance.

    Raises
    ------
    BadInput
        No pairs; an engine against itself; groups that never met; engines that took all points or none from the rest
        of the pool; no pair more than there are ratings to estimate, or pairs that all ended alike, so that nothing
        says how far they scatter; neither or both of ``mean`` and ``fixed``.

    Notes
    -----
    Maximises the Bradley-Terry likelihood of the game scores by Newton steps. The covariance is H⁻¹JH⁻¹ [1]_: H the
    information of the likelihood, J the observed scatter of whole pairs about the fit, so that the two games of one
    opening do not count as independent, and draws narrow the half-widths as much as they really do. The scatter of one
    meeting is its own, drawn towards the pool's (as a multiple of p(1 − p)) by the weight of 10 pairs: few pairs do not
    show how far they scatter, and one pair alone would pass for exact. J is raised by N/(N − k) for N pairs and k
    estimated ratings, and half-widths take Student's t with N − k degrees. Only differences are estimated: the mean,
    or the given ratings, are an agreement without error.

    Simulated coverage of the 95 % half-widths, 10,000 pools each (``bench/ratings.py``): 0.949 to 0.951 over all
    engines, each apart 0.944 to 0.956, with 10 to 500 pairs a meeting, within ±35 to ±400 Elo, and nearly all drawn.

    References
    ----------
    .. [1] H. White, Maximum likelihood estimation of misspecified models, Econometrica 50 (1982), 1-25.

    Examples
    --------
    >>> pool = rate_pool([PairedResult("a", "b", Pentanomial(5, 20, 40, 25, 10)),
    ...                   PairedResult("b", "c", Pentanomial(10, 20, 40, 20, 10)),
    ...                   PairedResult("c", "a", Pentanomial(12, 24, 40, 18, 6))], mean=0.0)
    >>> [f"{r.name} {r.rating:.1f} ± {r.error:.1f}" for r in pool.ratings]
    ['a 19.2 ± 16.9', 'b -8.7 ± 17.1', 'c -10.4 ± 17.4']
    """
    names = sorted({name for result in results for name in (result.first, result.second)})
    place_of = {name: place for place, name in enumerate(names)}
    if (mean is None) == (not fixed):
        raise BadInput("give either the mean of the ratings or the ratings of some engines")
    for name in [*(fixed or {}), *(mean_of or ())]:
        if name not in place_of:
            raise BadInput(
                f"the engine {name!r} has no result",
                next_step=nearest(name, names) or f"Engines with results: {', '.join(names) or 'none'}.",
            )
    for value in [mean] if mean is not None else (fixed or {}).values():
        if not abs(value) <= LARGEST_RATING:
            raise BadInput(f"the mean or fixed rating is {value}, expected a number within ±{LARGEST_RATING:g}")
    counts = added_up(results, place_of)
    # Without given ratings the first engine is held while fitting, and the mean agreed upon afterwards.
    held = {place_of[name]: rating for name, rating in fixed.items()} if fixed else {0: 0.0}
    require_estimable(counts, names, held=held)
    strengths = _fit(counts, len(names), held)
    pairs = sum(int(count.sum()) for count in counts.values())
    spare = pairs - (len(names) - len(held))
    scatter = scatter_of(counts, strengths)
    if spare < 1 or not any(scatter.values()):
        raise BadInput(
            f"{pairs} pairs rate {len(names)} engines, and nothing says how far results scatter"
            if spare < 1
            else "all pairs between the same two engines ended alike, so nothing says how far results scatter",
            next_step="Play more pairs, from different openings.",
        )
    covariance = _covariance(counts, strengths, scatter, held) * (pairs / spare)
    if not fixed:
        assert mean is not None
        share = np.array([0.0 if mean_of and name not in mean_of else 1.0 for name in names])
        share /= share.sum()
        shift = np.eye(len(names)) - share
        covariance = shift @ covariance @ shift.T
        strengths = strengths - share @ strengths + mean
    reach = _student(spare)
    games = [sum(2 * int(c.sum()) for key, c in counts.items() if place in key) for place in range(len(names))]
    order = sorted(range(len(names)), key=lambda place: (-strengths[place], names[place]))
    return PoolRatings(
        ratings=tuple(
            Rating(
                name=names[place],
                rating=float(strengths[place]),
                error=reach * math.sqrt(max(float(covariance[place, place]), 0.0)),
                games=games[place],
                held=bool(fixed) and place in held,
            )
            for place in order
        ),
        covariance=tuple(tuple(float(covariance[i, j]) for j in order) for i in order),
        reach=reach,
    )


def _student(degrees: int) -> float:
    """Two-sided 95 % quantile of Student's t; beyond a million degrees the normal one."""
    if degrees > 10**6:
        return EDITION_7.z
    from scipy.special import stdtrit  # slow to load; only where ratings are asked for

    return float(stdtrit(degrees, 0.975))


def added_up(results: Sequence[PairedResult], place: Mapping[str, int]) -> dict[tuple[int, int], Vector]:
    """Add up the pairs of the same two engines, under their places, seen from the one that comes first.

    Raises
    ------
    BadInput
        An engine against itself or one that has no place, or a negative count.
    """
    counts: dict[tuple[int, int], Vector] = {}
    for result in results:
        if result.first == result.second:
            raise BadInput(f"the engine {result.first!r} cannot be rated by playing itself")
        if unknown := {result.first, result.second} - set(place):
            raise BadInput(f"the engine {min(unknown)!r} has no rating in this pool")
        pairs = result.pairs
        if min(pairs.as_tuple()) < 0:
            raise BadInput(f"{result.first} against {result.second}: the counts contain a negative number")
        i, j = place[result.first], place[result.second]
        if i > j:
            i, j, pairs = j, i, pairs.swapped()
        counts[i, j] = counts.get((i, j), np.zeros(5)) + pairs.counts()
    return {key: count for key, count in counts.items() if count.any()}


def expected_score(strengths: Vector, i: int, j: int) -> float:
    """Score that engine ``i`` is expected to take from ``j``."""
    return 1.0 / (1.0 + math.exp(min(-PER_ELO * float(strengths[i] - strengths[j]), 700.0)))


def _fit(counts: Counts, size: int, held: Mapping[int, float]) -> Vector:
    """Maximum-likelihood strengths beside those that are held, by Newton steps that are cut where they overshoot."""
    strengths: Vector = np.full(size, math.fsum(held.values()) / len(held))
    for place, rating in held.items():
        strengths[place] = rating
    free = [place for place in range(size) if place not in held]
    if not free:
        return strengths
    for _ in range(500):
        gradient = np.zeros(size)
        for (i, j), count in counts.items():
            won, p, rest = float(count @ PAIR_SCORES), expected_score(strengths, i, j), expected_score(strengths, j, i)
            # won − n·p without the loss of digits near a score of 1.
            surplus = 2.0 * PER_ELO * (won * rest - (float(count.sum()) - won) * p)
            gradient[i] += surplus
            gradient[j] -= surplus
        try:
            step = np.linalg.solve(_information(counts, strengths)[np.ix_(free, free)], gradient[free])
        except np.linalg.LinAlgError:  # expected scores of 0 and 1 to the last digit carry no information
            break
        # The likelihood is concave; capping the step keeps Newton from leaping out of its trust.
        largest = float(np.abs(step).max())
        strengths[free] += step * min(1.0, 200.0 / max(largest, 1e-300))
        if float(np.abs(strengths).max()) > 10.0 * LARGEST_RATING:
            break
        if largest < 1e-8:
            return strengths
    raise _too_far_apart()


def _too_far_apart() -> BadInput:
    return BadInput(
        "the ratings do not settle: some engines are too far apart",
        next_step="Leave out engines that scored nearly nothing or nearly everything.",
    )


def _laplacian(weights: Mapping[tuple[int, int], float], size: int) -> Vector:
    matrix: Vector = np.zeros((size, size))
    for (i, j), weight in weights.items():
        matrix[i, i] += weight
        matrix[j, j] += weight
        matrix[i, j] -= weight
        matrix[j, i] -= weight
    return matrix


def _information(counts: Counts, strengths: Vector) -> Vector:
    weights = {}
    for (i, j), count in counts.items():
        p, rest = expected_score(strengths, i, j), expected_score(strengths, j, i)
        weights[i, j] = 2.0 * float(count.sum()) * PER_ELO**2 * p * rest
    return _laplacian(weights, len(strengths))


def scatter_of(counts: Counts, strengths: Vector) -> dict[tuple[int, int], float]:
    """Variance of each meeting's summed pair scores about the fit, drawn towards the pool's where pairs are few."""
    own, binomial, pairs = {}, {}, {}
    for (i, j), count in counts.items():
        p, rest = expected_score(strengths, i, j), expected_score(strengths, j, i)
        own[i, j] = float(count @ (np.array(PAIR_SCORES) - p) ** 2)
        pairs[i, j] = float(count.sum())
        binomial[i, j] = p * rest / 2.0
    if not any(count.any() for count in counts.values()):
        raise BadInput("there are no pairs that could scatter")
    pool = math.fsum(own.values()) / math.fsum(pairs[key] * binomial[key] for key in own)
    return {
        key: n * (own[key] + WEIGHT_OF_POOL * pool * binomial[key]) / (n + WEIGHT_OF_POOL) for key, n in pairs.items()
    }


def _covariance(
    counts: Counts, strengths: Vector, scatter: Mapping[tuple[int, int], float], held: Mapping[int, float]
) -> Vector:
    size = len(strengths)
    free = [place for place in range(size) if place not in held]
    covariance: Vector = np.zeros((size, size))
    if free:
        inner = np.ix_(free, free)
        try:
            inverse = np.linalg.inv(_information(counts, strengths)[inner])
        except np.linalg.LinAlgError:
            raise _too_far_apart() from None
        middle = _laplacian({key: (2.0 * PER_ELO) ** 2 * value for key, value in scatter.items()}, size)[inner]
        covariance[inner] = inverse @ middle @ inverse
    return covariance
