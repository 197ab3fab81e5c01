"""ΔA beside the rule: what its error really is, the increase with equal weights, and whether the anchors agree.

All figures are logistic Elo, all errors two-sided half-widths at one level (its z is an argument where variances are
needed). Arrays run over the anchors in one order. Source: SPEC section 4.
May import: numpy, scipy, anchorhold.stats.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from anchorhold.stats.absolute import Pool
from anchorhold.stats.elo import EDITION_7, EstimateRule, elo_per_score, moments
from anchorhold.stats.outcomes import PAIR_SCORES, JointTable
from anchorhold.stats.vectors import Vector


def normalised(weights: Vector) -> Vector:
    """Weights divided by their sum."""
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def increase_error_weighted(
    *, old: Pool, new: Pool, error_old: Vector, error_new: Vector, rating_error: Vector
) -> float:
    """Half-width that ΔA's weighted mean really has from sampling, anchor errors cancelling where weights agree.

    √Σ(w̃²_old h²_old + w̃²_new h²_new + (w̃_new − w̃_old)² h_L²), w̃ normalised per endpoint. U(ΔA) of the rule is not
    that: it leaves T out and counts anchor errors that cancel; by design it is too wide or too narrow, by factors.
    """
    share_old, share_new = normalised(np.array(old.weights)), normalised(np.array(new.weights))
    terms = (share_old * error_old) ** 2 + (share_new * error_new) ** 2 + ((share_new - share_old) * rating_error) ** 2
    return math.sqrt(float(terms.sum()))


def joint_increase_variance(table: JointTable, *, rule: EstimateRule = EDITION_7) -> float:
    """Variance of δ(new) − δ(old) against one anchor where both met it on the same openings.

    The population variance over the table of k_new·x_new − k_old·x_old, divided by its n; x the pair scores, k the
    slope of Elo in the score at each endpoint's regularised mean. Exactly 0 when every occupied cell has one value.
    """
    counts: Vector = np.array(table.rows, dtype=np.float64)
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
    """Variance of δ(new) − δ(old) when the two were measured apart: (h²_old + h²_new)/z²."""
    return (error_old**2 + error_new**2) / z**2


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

    None with fewer than two anchors or a variance of 0. A variance near 0 may carry the figures beyond what can be
    stored: infinite or no number then.

    References
    ----------
    .. [1] W. G. Cochran, Biometrics 10 (1954) 101; R. DerSimonian and N. Laird, Controlled Clinical Trials 7
       (1986) 177; J. P. T. Higgins and S. G. Thompson, Statistics in Medicine 21 (2002) 1539.
    """
    if increase.size < 2 or bool((variance == 0).any()):
        return None
    from scipy.special import chdtrc  # slow to load, and the gate, which decides without it, must answer at once

    with np.errstate(over="ignore", invalid="ignore"):
        precision = np.asarray(1.0 / variance, dtype=np.float64)
        share = normalised(precision)
        q = float(precision @ (increase - share @ increase) ** 2)
        # Σw − Σw²/Σw as a sum of products: with one precision far above the others the difference would cancel.
        others = (1.0 - np.eye(increase.size)) @ precision
        scale = float(share @ others)
    freedom = increase.size - 1
    excess = max(0.0, q - freedom)
    return Disagreement(
        q=q,
        p=float(chdtrc(freedom, q)),
        i2=excess / q if q > 0 else 0.0,
        tau=math.sqrt(excess / scale),
    )
