"""The rule for many checks at once: counts → δ → A → ΔA → R → verdict, with the intervals beside R.

The same formulas as ``law.evaluation``, over arrays; a test holds the two against each other. Source: SPEC sections 2
to 4. May import: numpy, anchorhold.domain.contract, anchorhold.stats.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from anchorhold.domain.contract import Parameters
from anchorhold.stats.elo import EstimateRule
from anchorhold.stats.outcomes import PAIR_SCORES
from anchorhold.stats.vectors import Vector

_SCORES = np.array(PAIR_SCORES)
_LN10 = math.log(10.0)


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
    fieller_low: Vector
    fieller_high: Vector
    """NaN where unbounded."""


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
        Of the anchors, shape (anchors,).
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
        leading = s**2 - s_error**2
        root = np.sqrt(delta_a_error**2 * leading + s_error**2 * delta_a**2)
        bounded = s > s_error
        low = np.where(bounded, (delta_a * s - root) / leading, np.nan)
        high = np.where(bounded, (delta_a * s + root) / leading, np.nan)
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
        fieller_low=low,
        fieller_high=high,
    )


def bands(checks: Checks, *, z: float, draws: int, rng: np.random.Generator) -> tuple[Vector, Vector]:
    """Monte-Carlo bands of R with so many draws each; NaN where more than 2.5 % of the sums are not positive."""
    low, high = np.full(len(checks.r), np.nan), np.full(len(checks.r), np.nan)
    for place in range(len(checks.r)):
        sums = rng.normal(checks.s[place], checks.s_error[place] / z, draws)
        increases = rng.normal(checks.delta_a[place], checks.delta_a_error[place] / z, draws)
        positive = sums > 0.0
        if positive.mean() >= 0.975:
            low[place], high[place] = np.quantile(increases[positive] / sums[positive], (0.025, 0.975))
    return low, high


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
