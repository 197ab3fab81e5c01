"""δ and its half-width: the logistic and normalized Elo that counts of games or pairs give.

Elo is logistic and seen from the first engine; ``error`` is a two-sided half-width at the rule's level. Where counts
cannot carry an estimate the answer is the exception NoEstimate, never a clipped number. Source: SPEC section 2.
May import: anchorhold.errors, anchorhold.stats.border, anchorhold.stats.outcomes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import mul
from statistics import NormalDist

from anchorhold.errors import BadInput
from anchorhold.stats.border import expect, finite
from anchorhold.stats.outcomes import GAME_SCORES, PAIR_SCORES, Pentanomial, Trinomial

NELO_PER_SIGMA = 800.0 / math.log(10.0)
"""Normalized Elo per standard deviation of one game (Van den Bergh, normalized_elo_practical.pdf)."""


_MOST = 1e300
"""No sum of counts is as large; beyond it squares could not be stored."""


class NoEstimate(ValueError):
    """Counts that carry no estimate: one class only, or a score too near to 0 or 1."""


@dataclass(frozen=True, slots=True)
class EstimateRule:
    """How counts become Elo: the parameters of SPEC section 2."""

    zero_count: float = 0.001
    """What a count of zero is replaced by."""
    lowest_score: float = 0.001
    """Scores are clipped to [lowest_score, 1 − lowest_score]."""
    level: float = 0.95
    """Coverage of the two-sided half-widths."""

    def __post_init__(self) -> None:
        expect(0.0 <= self.zero_count <= 1.0, f"a count of zero is replaced by {self.zero_count}, expected 0 to 1")
        expect(1e-12 <= self.lowest_score < 0.5, f"the lowest score is {self.lowest_score}, expected 0 to 0.5")
        expect(0.0 < self.level < 1.0, f"the level is {self.level}, expected a number between 0 and 1")

    @property
    def z(self) -> float:
        """Half-width of a standard normal at the level."""
        return _two_sided(self.level)


@lru_cache(maxsize=64)
def _two_sided(level: float) -> float:
    return NormalDist().inv_cdf(0.5 + level / 2.0)


EDITION_7 = EstimateRule()


@dataclass(frozen=True, slots=True)
class Moments:
    """Mean and population variance of one score, over ``n`` regularised observations."""

    n: float
    mean: float
    variance: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """An Elo difference with its half-width, logistic and normalized."""

    elo: float
    error: float
    nelo: float
    nelo_error: float
    mean: float
    """Mean score in [0, 1] that the estimate rests on (regularised counts)."""


def elo_of_score(score: float, *, lowest: float = EDITION_7.lowest_score) -> float:
    """Logistic Elo of an expected score in [0, 1], clipped to [lowest, 1 − lowest].

    Examples
    --------
    >>> round(elo_of_score(0.75), 3)
    190.849
    """
    finite(score, "the score")
    if not 1e-12 <= lowest < 0.5:
        raise BadInput(f"the lowest score is {lowest}, expected a number above 0 and below 0.5")
    clipped = min(max(score, lowest), 1.0 - lowest)
    return -400.0 * math.log10(1.0 / clipped - 1.0)


def score_of_elo(elo: float) -> float:
    """Expected score of a logistic Elo difference: in (0, 1) as far as a number can tell it from 0 and 1.

    Raises
    ------
    BadInput
        NaN or infinity.
    """
    # Beyond 10^300 a power of ten leaves what can be stored, and the score does not change any more.
    return float(1.0 / (1.0 + 10.0 ** min(-finite(elo, "the Elo") / 400.0, 300.0)))


def moments(counts: Sequence[float], scores: Sequence[float], *, zero_count: float = EDITION_7.zero_count) -> Moments:
    """Mean and population variance of the score, zero counts replaced by ``zero_count``.

    Parameters
    ----------
    counts : Sequence[float]
        One per class, not negative.
    scores : Sequence[float]
        The score of each class in [0, 1].
    """
    if len(counts) != len(scores) or not counts:
        raise BadInput(f"{len(counts)} counts for {len(scores)} scores, expected as many, and at least one")
    replaced = [count if count else zero_count for count in counts]
    n = math.fsum(replaced)
    if not (min(scores) >= 0.0 and max(scores) <= 1.0):
        raise BadInput("a score is not within 0 and 1")
    if not (0.0 < n < _MOST and min(replaced) >= 0.0):
        raise BadInput(f"the counts are {', '.join(map(str, counts))}; expected none below 0, and some above")
    mean = math.fsum(map(mul, replaced, scores)) / n
    variance = math.fsum([count * (score - mean) ** 2 for count, score in zip(replaced, scores, strict=True)]) / n
    return Moments(n=n, mean=mean, variance=variance)


def near_elo(counts: Sequence[int], scores: Sequence[float]) -> float:
    """Logistic Elo of the mean score of counts: what an estimate has without a half-width, at less cost.

    Agrees with ``elo_from_pentanomial`` and ``elo_from_trinomial``, where these give one, to 1e-9.

    Raises
    ------
    BadInput
        No counts, or a sum of them that is not above 0 or cannot be stored.
    """
    replaced = [count or EDITION_7.zero_count for count in counts]
    n = sum(replaced)
    if not 0.0 < n < _MOST:
        raise BadInput(f"the counts are {', '.join(map(str, counts))}; expected none below 0, and some above")
    return elo_of_score(sum(map(mul, replaced, scores)) / n)


def elo_from_pentanomial(sample: Pentanomial, *, rule: EstimateRule = EDITION_7) -> Estimate:
    """Elo of the first engine from game pairs.

    Parameters
    ----------
    sample : Pentanomial
        Counts of pairs; the pair is the unit, so openings shared by two games do not narrow the half-width.
    rule : EstimateRule
        Parameters of the contract.

    Raises
    ------
    NoEstimate
        At most one class is occupied, or μ or μ ± z√(v/n) lies outside the clip.

    Notes
    -----
    δ = elo(μ), half-width (elo(μ + z√(v/n)) − elo(μ − z√(v/n)))/2. Normalized Elo is (μ − ½)/√(2v) · 800/ln 10:
    the variance of one game is taken as twice that of a pair's mean score.

    Examples
    --------
    >>> e = elo_from_pentanomial(Pentanomial(ll=61, ld=2691, dd_wl=6215, wd=2979, ww=74))
    >>> f"{e.elo:.2f} ± {e.error:.2f}, {e.nelo:.2f} ± {e.nelo_error:.2f} nElo"
    '4.54 ± 2.23, 8.93 ± 4.39 nElo'
    """
    return _estimate(sample.counts(), PAIR_SCORES, games_per_unit=2.0, rule=rule)


def elo_from_trinomial(sample: Trinomial, *, rule: EstimateRule = EDITION_7) -> Estimate:
    """Elo of the first engine from single games; wider or narrower than truth when games share openings.

    Raises
    ------
    NoEstimate
        As for pairs.
    """
    return _estimate(sample.counts(), GAME_SCORES, games_per_unit=1.0, rule=rule)


@lru_cache(maxsize=65_536)  # the gate reads every claim twice: as a payload, and as what a verdict rests on
def _estimate(
    counts: tuple[int, ...], scores: tuple[float, ...], *, games_per_unit: float, rule: EstimateRule
) -> Estimate:
    occupied = len(counts) - counts.count(0)
    if occupied <= 1:
        raise NoEstimate("no class is occupied" if occupied == 0 else "only one class is occupied")
    found = moments(counts, scores, zero_count=rule.zero_count)
    if found.variance <= 0.0:
        raise NoEstimate("the counts have no spread")
    reach = rule.z * math.sqrt(found.variance / found.n)
    low, high = found.mean - reach, found.mean + reach
    if not rule.lowest_score <= low <= high <= 1.0 - rule.lowest_score:
        raise NoEstimate(
            f"the score {found.mean:.4f} ± {reach:.4f} leaves [{rule.lowest_score:g}, {1 - rule.lowest_score:g}]"
        )
    lowest = rule.lowest_score
    return Estimate(
        elo=elo_of_score(found.mean, lowest=lowest),
        error=(elo_of_score(high, lowest=lowest) - elo_of_score(low, lowest=lowest)) / 2.0,
        nelo=NELO_PER_SIGMA * (found.mean - 0.5) / math.sqrt(games_per_unit * found.variance),
        nelo_error=NELO_PER_SIGMA * rule.z / math.sqrt(games_per_unit * found.n),
        mean=found.mean,
    )


def elo_per_score(mean: float) -> float:
    """Slope of logistic Elo in the score, in Elo per point of score: 400/(ln 10 · μ(1 − μ)).

    Raises
    ------
    BadInput
        A score that is not between 0 and 1.
    """
    if not 1e-300 < mean < 1.0:
        raise BadInput(f"the score is {mean}, expected one between 0 and 1")
    return 400.0 / (math.log(10.0) * mean * (1.0 - mean))
