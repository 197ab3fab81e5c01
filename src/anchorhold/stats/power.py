"""What a check can tell before it is played: the sampling error of ΔA by design, and how likely each verdict is.

A design is what is fixed beforehand: pairs, the anchors' distances, how drawish games are. Elo is logistic, half-widths
are 95 %, distances are main minus anchor. Source: SPEC sections 1, 2 and 13 (``plan``).
May import: numpy, anchorhold.errors, anchorhold.stats.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from anchorhold.errors import BadInput
from anchorhold.stats.absolute import weight_of
from anchorhold.stats.border import expect
from anchorhold.stats.elo import EDITION_7, elo_of_score, elo_per_score, moments, score_of_elo
from anchorhold.stats.outcomes import PAIR_SCORES, Pentanomial
from anchorhold.stats.pooling import normalised
from anchorhold.stats.vectors import Vector

_NORMAL = NormalDist()
LARGEST_DISTANCE = 2000.0
"""Elo, of an anchor that a design may have."""
MOST_PAIRS = 10**9
"""Where the search for a number of pairs ends."""


@dataclass(frozen=True, slots=True)
class Design:
    """A measurement that is planned, equal for both endpoints."""

    pairs: int
    """Against each anchor, for each version."""
    distances: tuple[float, ...]
    """Main minus anchor, in Elo, one per anchor."""
    rating_errors: tuple[float, ...]
    """h_L of each anchor."""
    draws: float
    """Share of draws between equals, in [0, 1); of pairs: the share that gives their scores' variance."""
    correlation: float = 0.0
    """Between old's and new's pair scores on the same opening, in [0, 1): what paired openings save."""
    model_uncertainty: float = 36.9
    """T of the contract."""

    def __post_init__(self) -> None:
        if self.pairs < 1 or not self.distances or len(self.distances) != len(self.rating_errors):
            raise BadInput("a design needs pairs, and a distance and a rating error for each anchor")
        if not 0.0 <= self.draws < 1.0 or not 0.0 <= self.correlation < 1.0:
            raise BadInput("shares of draws and correlations lie in [0, 1)")
        if not all(abs(distance) <= LARGEST_DISTANCE for distance in self.distances):
            raise BadInput(f"an anchor is further than {LARGEST_DISTANCE:g} Elo away: nothing could be measured there")
        if not all(0.0 <= error <= 10_000.0 for error in (*self.rating_errors, self.model_uncertainty)):
            raise BadInput("half-widths of ratings and T lie in [0, 10,000]")


@dataclass(frozen=True, slots=True)
class Chances:
    """Probability of each verdict at one true ratio."""

    ratio: float
    halt: float
    warn: float
    proceed: float
    """CONTINUE."""


def pair_variance(distance: float, *, draws: float) -> float:
    """Variance of a pair's mean score at an Elo distance.

    The two games of a pair are independent; openings that favour one colour make pairs narrower, which counts as more
    draws (``draws_of``).
    """
    win, draw, _ = game_chances(distance, draws=draws)
    target = score_of_elo(distance)
    return (win + draw / 4.0 - target * target) / 2.0


def game_chances(distance: float, *, draws: float) -> tuple[float, float, float]:
    """Chances of win, draw and loss in a game at an Elo distance, with this share of draws between equals.

    Wins and losses follow the logistic curve shifted by the draw Elo on either side.
    """
    expect(abs(distance) <= LARGEST_DISTANCE, f"the distance is {distance}, expected up to ±{LARGEST_DISTANCE:g} Elo")
    shift = draw_elo_of(draws)
    target = score_of_elo(distance)

    def score(advantage: float) -> float:
        win, loss = score_of_elo(advantage - shift), score_of_elo(-advantage - shift)
        return win + (1.0 - win - loss) / 2.0

    low, high = -10_000.0, 10_000.0
    for _ in range(80):
        middle = (low + high) / 2.0
        low, high = (middle, high) if score(middle) < target else (low, middle)
    win, loss = score_of_elo(low - shift), score_of_elo(-low - shift)
    return win, max(1.0 - win - loss, 0.0), loss


def draw_elo_of(draws: float) -> float:
    """Draw Elo that gives this share of draws between equals.

    Raises
    ------
    BadInput
        A share outside [0, 1).
    """
    expect(0.0 <= draws < 1.0, f"the share of draws is {draws}, expected a number from 0 to below 1")
    return 400.0 * math.log10((1.0 + draws) / (1.0 - draws))


def draws_of(sample: Pentanomial) -> float:
    """Share of draws between equals that gives the variance that a sample of pairs has at its own score.

    An effective share: the two games of a pair share their opening, which makes pairs narrower than their draws alone.
    """
    found = moments(sample.counts(), PAIR_SCORES)
    distance = elo_of_score(found.mean)
    low, high = 0.0, 0.9999
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (middle, high) if pair_variance(distance, draws=middle) > found.variance else (low, middle)
    return low


def correlation_of(tables: Iterable[Sequence[Sequence[int]]]) -> float | None:
    """Correlation between old's and new's pair scores on the same openings.

    The mean over joint tables; a negative one counts as none.

    Parameters
    ----------
    tables : iterable of 5 by 5 counts
        Rows: old's pair score, columns: new's; one table for each anchor.

    Returns
    -------
    float or None
        In [0, 0.99]; None when no table tells anything.
    """
    found = []
    for rows in tables:
        if len(rows) != len(PAIR_SCORES) or any(len(row) != len(PAIR_SCORES) or min(row) < 0 for row in rows):
            raise BadInput("a joint table has five rows of five counts, none below 0")
        table = np.array(rows, dtype=np.float64)
        scores = np.array(PAIR_SCORES)
        total = table.sum()
        if total < 2:
            continue
        old, new = table.sum(axis=1) / total, table.sum(axis=0) / total
        means = float(old @ scores), float(new @ scores)
        spread = float(old @ (scores - means[0]) ** 2) * float(new @ (scores - means[1]) ** 2)
        if spread > 0.0:
            covariance = float((scores - means[0]) @ (table / total) @ (scores - means[1]))
            found.append(covariance / math.sqrt(spread))
    return min(max(math.fsum(found) / len(found), 0.0), 0.99) if found else None


def half_widths(design: Design) -> Vector:
    """Half-width h of each anchor at one endpoint."""
    return np.array(
        [
            EDITION_7.z
            * elo_per_score(score_of_elo(distance))
            * math.sqrt(pair_variance(distance, draws=design.draws) / design.pairs)
            for distance in design.distances
        ]
    )


def increase_deviation(design: Design) -> float:
    """Standard deviation of ΔA that sampling alone gives, in Elo.

    The weights are those of the contract, the same at both endpoints; the anchors' rating errors cancel in the
    difference.
    """
    error = half_widths(design)
    weights = [
        weight_of(error=float(h), rating_error=h_l, model_uncertainty=design.model_uncertainty)
        for h, h_l in zip(error, design.rating_errors, strict=True)
    ]
    share = normalised(np.array(weights))
    variance = 2.0 * (1.0 - design.correlation) * float(((share * error / EDITION_7.z) ** 2).sum())
    return math.sqrt(variance)


def verdict_chances(
    design: Design, *, claims: float, ratios: Sequence[float], halt_below: float = 0.40, continue_from: float = 0.75
) -> list[Chances]:
    """Probability of HALT, WARN and CONTINUE for each true ratio, S being what was claimed.

    Parameters
    ----------
    claims : float
        S, above 0; it is recorded and no longer random. What its own error does to R is the band's matter.
    ratios : sequence of float
        True increase over S.

    Raises
    ------
    BadInput
        S is not above 0.
    """
    deviation = increase_deviation(design) / _positive(claims)
    if not all(map(math.isfinite, (*ratios, halt_below, continue_from))):
        raise BadInput(f"the ratios are {', '.join(map(str, ratios))}, expected finite numbers")
    return [
        Chances(
            ratio=ratio,
            halt=(halt := _NORMAL.cdf((halt_below - ratio) / deviation)),
            warn=_NORMAL.cdf((continue_from - ratio) / deviation) - halt,
            proceed=1.0 - _NORMAL.cdf((continue_from - ratio) / deviation),
        )
        for ratio in ratios
    ]


def pairs_needed(
    design: Design, *, claims: float, low: float = 0.40, high: float = 0.75, alpha: float = 0.05, beta: float = 0.05
) -> int | None:
    """Pairs against each anchor that tell a true R of ``low`` from one of ``high``; None when none suffice.

    So many that a line drawn between the two errs with probability ``alpha`` below and ``beta`` above.

    Raises
    ------
    BadInput
        S is not above 0, the ratios do not rise, error rates outside (0, 0.5).
    """
    allowed = _positive(claims) / claims_needed_per_deviation(low=low, high=high, alpha=alpha, beta=beta)
    return _least_pairs(lambda pairs: increase_deviation(replace(design, pairs=pairs)) <= allowed)


def claims_needed(
    design: Design, *, low: float = 0.40, high: float = 0.75, alpha: float = 0.05, beta: float = 0.05
) -> float:
    """S from which on this design tells a true R of ``low`` from one of ``high``: then the next check is due."""
    return increase_deviation(design) * claims_needed_per_deviation(low=low, high=high, alpha=alpha, beta=beta)


def confusion_chance(design: Design, *, claims: float, low: float = 0.40, high: float = 0.75) -> float:
    """Chance that a true R of ``low`` comes out on the side of ``high``, or the other way round.

    The line between the sides lies half-way, so that both errors are as likely.

    Raises
    ------
    BadInput
        S is not above 0, or the ratios do not rise.

    Examples
    --------
    >>> near = Design(pairs=40, distances=(0.0,) * 6, rating_errors=(10.0,) * 6, draws=0.5)
    >>> f"{confusion_chance(near, claims=20.0):.2f}"
    '0.41'
    """
    if not low < high:
        raise BadInput(f"the ratios to be told apart do not rise: {low:g} and {high:g}")
    return _NORMAL.cdf(-_positive(claims) * (high - low) / (2.0 * increase_deviation(design)))


def claims_needed_per_deviation(*, low: float, high: float, alpha: float, beta: float) -> float:
    """S over the standard deviation of ΔA at which ``low`` and ``high`` are told apart: (z_α + z_β)/(high − low).

    Raises
    ------
    BadInput
        The ratios do not rise, error rates outside (0, 0.5).
    """
    if not low < high:
        raise BadInput(f"the ratios to be told apart do not rise: {low:g} and {high:g}")
    if not (1e-12 <= alpha < 0.5 and 1e-12 <= beta < 0.5):
        raise BadInput(f"the error rates are {alpha:g} and {beta:g}, expected numbers above 0 and below 0.5")
    return (_NORMAL.inv_cdf(1.0 - alpha) + _NORMAL.inv_cdf(1.0 - beta)) / (high - low)


def distance_cost(distance: float, *, draws: float) -> float:
    """How many times as many games an anchor at this distance needs for the half-width of one at 0.

    >>> f"{distance_cost(200.0, draws=0.4):.2f}"
    '1.41'
    """

    def variance(at: float) -> float:
        return elo_per_score(score_of_elo(at)) ** 2 * pair_variance(at, draws=draws)

    return variance(distance) / variance(0.0)


def _positive(claims: float) -> float:
    if not 0.0 < claims <= 1e6:
        raise BadInput(f"S is {claims:g}, expected a sum of claims above 0 and up to 1,000,000 Elo: else there is no R")
    return claims


def _least_pairs(enough: Callable[[int], bool]) -> int | None:
    if not enough(MOST_PAIRS):
        return None
    low, high = 0, MOST_PAIRS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
