"""Brownian motion from 0 between two absorbing barriers: which one it meets, when, and where it is until then.

The log-likelihood ratio of a sequential test moves so, nearly. Time is counted in any unit; ``lower < 0 < upper``.
Source: A. N. Borodin, P. Salminen, Handbook of Brownian Motion, 2nd ed., part II, section 2.3; A. Wald, Sequential
Analysis, 1947, section A.3. May import: numpy, scipy, anchorhold.errors,
anchorhold.stats.vectors.
"""

from __future__ import annotations

import math

import numpy as np

from anchorhold.errors import BadInput
from anchorhold.stats.vectors import Vector

_IMAGES = np.arange(-8, 9)
_WAVES = np.arange(1, 25)
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(24)
_SMALLEST, _LARGEST = 1e-20, 1e20
_SHORT = 0.4
"""Up to this spread, in squares of the span, images converge faster than waves."""


def reach_upper_first(drift: float, variance: float, *, lower: float, upper: float, time: float) -> float:
    """Chance that Brownian motion from 0 reaches ``upper`` by ``time`` without having met ``lower``.

    Parameters
    ----------
    drift, variance : float
        Per unit of time; variance > 0.
    lower, upper : float
        Absorbing barriers, lower < 0 < upper.
    time : float
        Positive.

    Notes
    -----
    Two series for the same probability, each used where it converges within a few terms: reflected first-passage times
    (short times), and the chance ever to get there less the eigenfunction tail (long times). In between both give the
    same to 1e-12.
    """
    _check(drift, variance, lower=lower, upper=upper, time=time)
    span = upper - lower
    tilt = drift / variance
    spread = variance * time
    if spread < _SHORT * span * span:
        probability = _by_reflection(tilt, spread, upper=upper, span=span)
    else:
        probability = _by_eigenfunctions(tilt, spread, lower=lower, upper=upper, span=span)
    return min(max(probability, 0.0), 1.0)


def _by_reflection(tilt: float, spread: float, *, upper: float, span: float) -> float:
    """First passage by the method of images; exponents are joined before exp, so nothing overflows."""
    from scipy.special import log_ndtr  # slow to load, and the gate, which decides without it, must answer at once

    distance = upper + 2.0 * span * _IMAGES
    reach, root, size = np.abs(distance), math.sqrt(spread), abs(tilt)
    with_drift = np.exp(tilt * upper - size * reach + log_ndtr((size * spread - reach) / root))
    against = np.exp(tilt * upper + size * reach + log_ndtr(-(size * spread + reach) / root))
    return float(np.sign(distance) @ (with_drift + against))


def _by_eigenfunctions(tilt: float, spread: float, *, lower: float, upper: float, span: float) -> float:
    """Chance ever to reach ``upper`` first, less what is still on its way at ``time``."""
    order = _WAVES
    rate = (order * math.pi / span) ** 2 + tilt * tilt
    wave = order * np.where(order % 2 == 1, 1.0, -1.0) * np.sin(order * math.pi * (-lower) / span)
    tail = float((2.0 * math.pi / span**2) * (wave / rate) @ np.exp(tilt * upper - rate * spread / 2.0))
    return ever_upper_first(tilt, lower=lower, upper=upper) - tail


def ever_upper_first(tilt: float, *, lower: float, upper: float) -> float:
    """Chance to meet ``upper`` before ``lower``, at any time; ``tilt`` is drift over variance."""
    _check(tilt, 1.0, lower=lower, upper=upper)
    span = upper - lower
    if abs(tilt) * span < 1e-9:  # to first order; the next term is below 1e-18
        return -lower / span * (1.0 + tilt * upper)
    size = abs(tilt)
    downhill = math.exp(-2.0 * size * upper) if tilt < 0.0 else 1.0
    return downhill * math.expm1(2.0 * size * lower) / math.expm1(-2.0 * size * span)


def still_between(
    drift: float, variance: float, *, lower: float, upper: float, time: float, low: float, high: float
) -> float:
    """Chance that the motion has met neither barrier at ``time`` and is between ``low`` and ``high`` then.

    Both within the barriers. Integrated by 24 points of Gauss and Legendre, exact to 1e-9 for the parts near a barrier
    that a stopped test needs.
    """
    _check(drift, variance, lower=lower, upper=upper, time=time)
    if not lower <= low <= high <= upper:
        raise BadInput(f"{low} and {high} do not rise, or do not lie between the barriers {lower} and {upper}")
    half = (high - low) / 2.0
    place = (low + high) / 2.0 + half * _NODES
    return max(
        float(half * _WEIGHTS @ _density(drift, variance, lower=lower, upper=upper, time=time, place=place)), 0.0
    )


def _density(drift: float, variance: float, *, lower: float, upper: float, time: float, place: Vector) -> Vector:
    span, tilt, spread = upper - lower, drift / variance, variance * time
    if spread < _SHORT * span * span:
        shift = 2.0 * span * _IMAGES[:, None]
        # Exponents are joined before exp, so nothing overflows.
        lift = tilt * place - tilt * tilt * spread / 2.0
        straight = np.exp(lift - (place - shift) ** 2 / (2.0 * spread))
        mirrored = np.exp(lift - (place - 2.0 * upper - shift) ** 2 / (2.0 * spread))
        return np.asarray((straight - mirrored).sum(axis=0) / math.sqrt(2.0 * math.pi * spread))
    order = _WAVES[:, None] * math.pi / span
    decay = np.exp(tilt * place - (order**2 + tilt * tilt) * spread / 2.0)
    return np.asarray((2.0 / span * np.sin(order * -lower) * np.sin(order * (place - lower)) * decay).sum(axis=0))


def mean_time(drift: float, variance: float, *, lower: float, upper: float) -> float:
    """Mean time until a barrier is met (Wald's identity)."""
    _check(drift, variance, lower=lower, upper=upper)
    tilt = drift / variance
    if abs(tilt) * (upper - lower) < 1e-4:  # the next term is of the order of the square
        return -lower * upper / variance * (1.0 + tilt * (upper + lower) / 3.0)
    return (lower + (upper - lower) * ever_upper_first(tilt, lower=lower, upper=upper)) / drift


def time_quantile(drift: float, variance: float, *, lower: float, upper: float, share: float) -> float:
    """Time by which a share, in (0, 1), of all motions has met a barrier."""
    _check(drift, variance, lower=lower, upper=upper)
    if not 1e-9 < share < 1.0 - 1e-9:
        raise BadInput(f"the share is {share}, expected a number between 0 and 1")

    def met(time: float) -> float:
        up = reach_upper_first(drift, variance, lower=lower, upper=upper, time=time)
        return up + reach_upper_first(-drift, variance, lower=-upper, upper=-lower, time=time)

    low, high = 0.0, (upper - lower) ** 2 / variance
    while met(high) < share:
        low, high = high, 2.0 * high
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (middle, high) if met(middle) < share else (low, middle)
    return high


def _check(drift: float, variance: float, *, lower: float, upper: float, time: float = 1.0) -> None:
    """Refuse what is no motion between two barriers, and figures whose squares and ratios leave what can be stored."""
    if not (_SMALLEST < variance < _LARGEST and _SMALLEST < time < _LARGEST and abs(drift) < _LARGEST):
        raise BadInput(
            f"drift {drift}, variance {variance} and time {time} are no motion: expected a variance and a time above 0"
        )
    if not (-_LARGEST < lower < -_SMALLEST and _SMALLEST < upper < _LARGEST):
        raise BadInput(f"the barriers are {lower} and {upper}, expected one below 0 and one above")
