"""ΔA beside the rule: what its error really is, the increase with equal weights, and whether the anchors agree.

All figures are logistic Elo, all errors two-sided half-widths at one level (its z is an argument where variances are
needed). Arrays run over the anchors in one order. Source: SPEC section 4.
May import: numpy, scipy, anchorhold.errors, anchorhold.stats.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from anchorhold.errors import BadInput
from anchorhold.stats.absolute import Pool
from anchorhold.stats.elo import EDITION_7, EstimateRule, elo_per_score, moments
from anchorhold.stats.outcomes import PAIR_SCORES, JointTable
from anchorhold.stats.vectors import Vector


def normalised(weights: Vector) -> Vector:
    """Weights divided by their sum.

    Raises
    ------
    BadInput
        None, one below 0, only such of 0, or too large to be added up.
    """
    total = float(weights.sum()) if weights.size and float(weights.max()) < 1e300 else math.nan
    if not (0.0 < total < math.inf and float(weights.min()) >= 0.0):
        raise BadInput("the weights have no sum to be divided by: expected finite numbers of at least 0, one above")
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def increase_error_weighted(
    *, old: Pool, new: Pool, error_old: Vector, error_new: Vector, rating_error: Vector
) -> float:
    """Half-width that ΔA's weighted mean really has from sampling, anchor errors cancelling where weights agree.

    √Σ(w̃²_old h²_old + w̃²_new h²_new + (w̃_new − w̃_old)² h_L²), w̃ normalised per endpoint. U(ΔA) of the rule is not
    that: it leaves T out and counts anchor errors that cancel; by design it is too wide or too narrow, by factors.
    """
    _alike(error_old, error_new, rating_error)
    if not len(old.weights) == len(new.weights) == error_old.size:
        raise BadInput(f"{len(old.weights)} and {len(new.weights)} weights for {error_old.size} half-widths")
    share_old, share_new = normalised(np.array(old.weights)), normalised(np.array(new.weights))
    terms = (share_old * error_old) ** 2 + (share_new * error_new) ** 2 + ((share_new - share_old) * rating_error) ** 2
    return math.sqrt(float(terms.sum()))


def joint_increase_variance(table: JointTable, *, rule: EstimateRule = EDITION_7) -> float:
    """Variance of δ(new) − δ(old) against one anchor where both met it on the same openings.

    The population variance over the table of k_new·x_new − k_old·x_old, divided by its n; x the pair scores, k the
    slope of Elo in the score at each endpoint's regularised mean. Exactly 0 when every occupied cell has one value.
    """
    counts: Vector = np.array(table.rows, dtype=np.float64)
    if counts.shape != (5, 5) or not float(counts.min()) >= 0.0 or not counts.any():
        raise BadInput("a joint table has five rows of five counts, none below 0, and at least one pair")
    scores: Vector = np.array(PAIR_SCORES)
    slope_old = elo_per_score(moments(table.old().counts(), PAIR_SCORES, zero_count=rule.zero_count).mean)
    slope_new = elo_per_score(moments(table.new().counts(), PAIR_SCORES, zero_count=rule.zero_count).mean)
    difference = slope_new * scores[np.newaxis, :] - slope_old * scores[:, np.newaxis]
    occupied = difference[counts > 0]
    if float(np.ptp(occupied)) <= 1e-9 * (slope_old + slope_new):
        return 0.0
    n = float(counts.sum())
    mean = float((counts * difference).sum()) / n
    return float((counts * (difference - mean) ** 2).sum()) / n / n


def independent_increase_variance(*, error_old: float, error_new: float, z: float) -> float:
    """Variance of δ(new) − δ(old) when the two were measured apart: (h²_old + h²_new)/z².

    Raises
    ------
    BadInput
        A half-width below 0 or too large, a z that is none.
    """
    if not (0.0 <= error_old < 1e100 and 0.0 <= error_new < 1e100 and 1e-3 < z < 1e3):
        raise BadInput(f"the half-widths are {error_old} and {error_new}, z is {z}: expected half-widths of at least 0")
    return (error_old**2 + error_new**2) / z**2


def _alike(*vectors: Vector) -> None:
    """Refuse vectors that do not run over the same anchors, or hold what is no number."""
    if len({one.shape for one in vectors}) > 1 or vectors[0].ndim != 1:
        raise BadInput(f"the figures run over different anchors: {', '.join(str(one.shape) for one in vectors)}")
    if not all(bool((np.abs(one) < 1e100).all()) for one in vectors) or not vectors[0].size:
        raise BadInput("a figure of an anchor is missing, no number or beyond all measure")


@dataclass(frozen=True, slots=True)
class PairedIncrease:
    """The increase with equal weights at both endpoints."""

    value: float
    """Σ ŵᵢ(δᵢ(new) − δᵢ(old))."""
    error: float | None
    """Half-width; None when some anchor's variance is 0, so that none can be told."""


def paired_increase(*, increase: Vector, variance: Vector, weights: Vector, z: float) -> PairedIncrease:
    """Weighted mean of the anchors' increases with its half-width.

    Parameters
    ----------
    increase, variance : Vector
        δᵢ(new) − δᵢ(old) and its variance.
    weights : Vector
        Mean of the two endpoints' weights; normalised here.
    """
    _alike(increase, variance)
    if weights.shape != increase.shape:
        raise BadInput(f"there are {weights.size} weights for {increase.size} increases")
    if not (0.0 < z < 1e3 and float(variance.min()) >= 0.0):
        raise BadInput(f"z is {z} and the variances {variance}: expected z above 0, and none below 0")
    share = normalised(weights)
    error = None if bool((variance == 0).any()) else z * math.sqrt(float((share**2 * variance).sum()))
    return PairedIncrease(value=float(share @ increase), error=error)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Heterogeneity of the anchors' increases."""

    q: float
    p: float
    i2: float
    tau: float


def heterogeneity(*, increase: Vector, variance: Vector) -> Disagreement | None:
    """Cochran's Q with its p, I² and the DerSimonian-Laird τ (an Elo standard deviation).

    None with fewer than two anchors, a variance of 0, or one so near to 0 that the figures leave what can be stored.

    References
    ----------
    .. [1] W. G. Cochran, Biometrics 10 (1954) 101; R. DerSimonian and N. Laird, Controlled Clinical Trials 7
       (1986) 177; J. P. T. Higgins and S. G. Thompson, Statistics in Medicine 21 (2002) 1539.
    """
    _alike(increase, variance)
    if increase.size < 2 or bool((variance == 0).any()):
        return None
    if not float(variance.min()) > 0.0:
        raise BadInput(f"the variances are {variance}, expected none below 0")
    from scipy.special import chdtrc  # slow to load, and the gate, which decides without it, must answer at once

    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        precision = np.asarray(1.0 / variance, dtype=np.float64)
        if not float(precision.max()) < 1e300:
            return None
        share = normalised(precision)
        q = float(precision @ (increase - share @ increase) ** 2)
        # Σw − Σw²/Σw as a sum of products: with one precision far above the others the difference would cancel.
        others = (1.0 - np.eye(increase.size)) @ precision
        scale = float(share @ others)
    freedom = increase.size - 1
    if not (math.isfinite(q) and 0.0 < scale < math.inf):
        return None
    excess = max(0.0, q - freedom)
    return Disagreement(
        q=q,
        p=float(chdtrc(freedom, q)),
        i2=excess / q if q > 0 else 0.0,
        tau=math.sqrt(excess / scale),
    )
