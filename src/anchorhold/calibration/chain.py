"""The rule for many checks at once: counts → δ → A → ΔA → R → verdict, with the intervals beside R.

The same formulas as ``law.evaluation``, over arrays; a test holds the two against each other. Source: SPEC sections 2
to 4. May import: numpy, anchorhold.domain.contract, anchorhold.stats.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anchorhold.domain.contract import Parameters
from anchorhold.stats.elo import EstimateRule
from anchorhold.stats.outcomes import PAIR_SCORES
from anchorhold.stats.vectors import Vector

_SCORES = np.array(PAIR_SCORES)
_LN10 = math.log(10.0)
_NODES, _NODE_WEIGHTS = np.polynomial.legendre.leggauss(64)


@dataclass(frozen=True, slots=True)
class Range:
    """Intervals of many checks; NaN where unbounded."""

    low: Vector
    high: Vector

    def covers(self, truth: Vector) -> npt.NDArray[np.bool_]:
        """Whether each holds its truth; one that is unbounded does not."""
        with np.errstate(invalid="ignore"):
            return np.asarray((self.low <= truth) & (truth <= self.high))


@dataclass(frozen=True, slots=True)
class Checks:
    """Many checks judged; every array has one value per check."""

    r: Vector
    """NaN where a measurement carries no estimate or S is not positive: a GAP."""
    delta_a: Vector
    delta_a_error: Vector
    delta_a_error_weighted: Vector
    paired: Vector
    paired_error: Vector
    """From the joint tables: old and new played the same openings."""
    independent_error: Vector
    """The paired increase's half-width, had the openings not been paired."""
    shares: Vector
    """Normalised weights of the paired increase, shape (checks, anchors)."""
    s: Vector
    s_error: Vector
    fieller: Range
    """By the contract's U(ΔA)."""
    fieller_weighted: Range
    """By the sampling error that ΔA really has."""


def judge(
    joint: Vector,
    *,
    rating: Vector,
    rating_error: Vector,
    claimed: Vector,
    error: Vector,
    rule: EstimateRule,
    parameters: Parameters,
) -> Checks:
    """Judge checks by the rule.

    Parameters
    ----------
    joint : Vector
        Joint tables of pair scores, old by new, shape (checks, anchors, 5, 5).
    rating, rating_error : Vector
        Of the anchors, shape (anchors,), or (checks, anchors) where each check has its own.
    claimed, error : Vector
        The counted gains and their half-widths, shape (checks, gains).
    """
    old_delta, old_h, old_mean = _estimates(joint.sum(axis=-1), rule)
    new_delta, new_h, new_mean = _estimates(joint.sum(axis=-2), rule)
    old_weight, new_weight = (1.0 / (h**2 + rating_error**2 + parameters.model_uncertainty**2) for h in (old_h, new_h))
    old_share, new_share = (weight / weight.sum(axis=1, keepdims=True) for weight in (old_weight, new_weight))
    delta_a = ((rating + new_delta) * new_share).sum(axis=1) - ((rating + old_delta) * old_share).sum(axis=1)
    sigma = [(1.0 / (h**2 + rating_error**2)).sum(axis=1) ** -0.5 for h in (old_h, new_h)]
    delta_a_error = np.hypot(*sigma)
    weighted = np.sqrt(
        ((old_share * old_h) ** 2 + (new_share * new_h) ** 2 + ((new_share - old_share) * rating_error) ** 2).sum(
            axis=1
        )
    )
    mean_weight = (old_weight + new_weight) / 2.0
    shares = mean_weight / mean_weight.sum(axis=1, keepdims=True)
    variance = _joint_variance(joint, old_mean, new_mean)
    s, s_error = claimed.sum(axis=1), np.sqrt((error**2).sum(axis=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        r = np.where(s > 0.0, np.round(delta_a / s, 9), np.nan)
    return Checks(
        r=r,
        delta_a=delta_a,
        delta_a_error=delta_a_error,
        delta_a_error_weighted=weighted,
        paired=((new_delta - old_delta) * shares).sum(axis=1),
        paired_error=rule.z * np.sqrt((shares**2 * variance).sum(axis=1)),
        independent_error=np.sqrt((shares**2 * (old_h**2 + new_h**2)).sum(axis=1)),
        shares=shares,
        s=s,
        s_error=s_error,
        fieller=_fieller(delta_a, delta_a_error, s, s_error),
        fieller_weighted=_fieller(delta_a, weighted, s, s_error),
    )


def place_in_band(checks: Checks, ratio: Vector, *, z: float, parameters: Parameters) -> Vector:
    """Share of the Monte-Carlo band's draws that lie below a ratio, were there endless draws.

    Parameters
    ----------
    ratio : Vector
        One per check.

    Returns
    -------
    Vector
        In [0, 1]; the band covers the ratio when its tails both hold less. NaN where the band has no ends, since too
        many sums are not positive.

    Notes
    -----
    The integral of Φ((ratio·s − ΔA)·z/U(ΔA)) over the normal law of S* at s > 0, by 64 points of Gauss and Legendre.
    The contract's 100,000 draws give the same but for their noise (``stats.ratio.ratio_band``).
    """
    from scipy.special import ndtr  # slow to load

    deviation = checks.s_error / z
    low, high = np.maximum(checks.s - 8.5 * deviation, 0.0), checks.s + 8.5 * deviation
    half = (high - low) / 2.0
    sums = (low + half)[:, None] + half[:, None] * _NODES
    with np.errstate(divide="ignore", invalid="ignore"):
        law = np.exp(-(((sums - checks.s[:, None]) / deviation[:, None]) ** 2) / 2.0) * _NODE_WEIGHTS
        below = ndtr((ratio[:, None] * sums - checks.delta_a[:, None]) * z / checks.delta_a_error[:, None])
        place = (law * below).sum(axis=1) / law.sum(axis=1)
        bounded = ndtr(-checks.s / deviation) <= parameters.band_s_not_positive_limit
    return np.where(bounded, place, np.nan)


def _fieller(delta_a: Vector, delta_a_error: Vector, s: Vector, s_error: Vector) -> Range:
    """Fieller's interval of ΔA/S, as ``stats.ratio.fieller``."""
    with np.errstate(divide="ignore", invalid="ignore"):
        leading = np.where(s > s_error, s**2 - s_error**2, np.nan)
        root = np.sqrt(delta_a_error**2 * leading + s_error**2 * delta_a**2)
        return Range(low=(delta_a * s - root) / leading, high=(delta_a * s + root) / leading)


def _estimates(counts: Vector, rule: EstimateRule) -> tuple[Vector, Vector, Vector]:
    """δ, h and the regularised mean score; NaN where counts carry no estimate."""
    replaced = np.where(counts > 0, counts, rule.zero_count)
    n = replaced.sum(axis=-1)
    mean = replaced @ _SCORES / n
    variance = (replaced * (_SCORES - mean[..., None]) ** 2).sum(axis=-1) / n
    reach = rule.z * np.sqrt(variance / n)
    inside = (mean - reach >= rule.lowest_score) & (mean + reach <= 1.0 - rule.lowest_score)
    inside &= (counts > 0).sum(axis=-1) > 1
    with np.errstate(divide="ignore", invalid="ignore"):
        delta, low, high = (-400.0 * np.log10(1.0 / at - 1.0) for at in (mean, mean - reach, mean + reach))
    return np.where(inside, delta, np.nan), np.where(inside, (high - low) / 2.0, np.nan), mean


def _joint_variance(joint: Vector, old_mean: Vector, new_mean: Vector) -> Vector:
    slope_old, slope_new = (400.0 / (_LN10 * mean * (1.0 - mean)) for mean in (old_mean, new_mean))
    difference = slope_new[..., None, None] * _SCORES[None, :] - slope_old[..., None, None] * _SCORES[:, None]
    n = joint.sum(axis=(-1, -2))
    mean = (joint * difference).sum(axis=(-1, -2)) / n
    return np.asarray((joint * (difference - mean[..., None, None]) ** 2).sum(axis=(-1, -2)) / n / n)
