"""The Monte-Carlo band of R = ΔA/S: how far chance alone could have moved it.

Errors are two-sided half-widths at one level. Source: SPEC section 4. May import: numpy.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class RatioDraws:
    """What a Monte-Carlo run of R found; shares of all draws sum to 1."""

    low: float | None
    high: float | None
    halt: float
    warn: float
    go_on: float
    s_not_positive: float
    draws: int
    seed: int


def ratio_band(
    *,
    increase: float,
    increase_error: float,
    claimed: float,
    claimed_error: float,
    z: float,
    halt_below: float,
    continue_from: float,
    decimals: int,
    coverage: float,
    s_not_positive_limit: float,
    draws: int,
    seed: int,
) -> RatioDraws:
    """Distribution of ΔA*/S* with ΔA* ~ N(ΔA, (U(ΔA)/z)²) and S* the sum of independent normal claims.

    Parameters
    ----------
    claimed, claimed_error : float
        S and U(S) = √Σ eⱼ². A sum of independent normals is one normal, so it is drawn as one.
    coverage : float
        ``low`` and ``high`` are its two outer quantiles over the draws with S* > 0.
    s_not_positive_limit : float
        Above this share of draws with S* ≤ 0, ``low`` and ``high`` are None.
    seed : int
        Of numpy's default generator; recorded, so that the run can be repeated.
    """
    generator = np.random.default_rng(seed)
    increases = generator.normal(increase, increase_error / z, draws)
    claims = generator.normal(claimed, claimed_error / z, draws)
    positive = claims > 0
    with np.errstate(over="ignore"):
        ratios = np.round(increases[positive] / claims[positive], decimals)
    ratios = np.nan_to_num(ratios, posinf=np.finfo(np.float64).max, neginf=np.finfo(np.float64).min)
    not_positive = 1.0 - positive.sum() / draws
    low = high = None
    if not_positive <= s_not_positive_limit:
        tail = (1.0 - coverage) / 2.0
        low, high = (float(value) for value in np.quantile(ratios, [tail, 1.0 - tail]))
    return RatioDraws(
        low=low,
        high=high,
        halt=float((ratios < halt_below).sum()) / draws,
        warn=float(((ratios >= halt_below) & (ratios < continue_from)).sum()) / draws,
        go_on=float((ratios >= continue_from).sum()) / draws,
        s_not_positive=float(not_positive),
        draws=draws,
        seed=seed,
    )
