"""The Monte-Carlo band of R = ΔA/S: how far chance alone could have moved it.

Errors are two-sided half-widths at one level. Source: SPEC section 4. May import: numpy,
anchorhold.stats.border.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from anchorhold.stats.border import expect, finite


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
    for value in (increase, claimed, halt_below, continue_from):
        finite(value, "a figure")
    for error in (increase_error, claimed_error):
        expect(0.0 <= error < math.inf, f"a half-width is {error}, expected a number of at least 0")
    expect(1e-3 < z < 1e3, f"z is {z}, expected a quantile of the normal distribution above 0")
    expect(0.0 < coverage < 1.0, f"the coverage is {coverage}, expected a number between 0 and 1")
    expect(0.0 <= s_not_positive_limit < 1.0, f"the limit is {s_not_positive_limit}, expected a share below 1")
    expect(
        1 <= draws <= 10_000_000 and seed >= 0, f"{draws} draws from seed {seed}: expected 1 to 10,000,000, and 0 up"
    )
    expect(0 <= decimals <= 15, f"{decimals} decimals, expected 0 to 15")
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
