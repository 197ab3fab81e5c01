"""Draws of the bound that a Brownian motion meets first, and of the time when: what a sequential test does, simulated.

Time is counted in games. May import: numpy, anchorhold.errors, anchorhold.stats.vectors.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from anchorhold.errors import BadInput
from anchorhold.stats.vectors import Vector

_TIMES = 800
"""Points of time in a table, log-spaced, 1.4 % apart; between them times are interpolated."""
_FIRST, _LAST = 1e-4, 8.0
"""Its ends, in squares of the distance between the bounds: what lies outside has a chance below 1e-15."""
_STEEPEST, _SPACING = 64.0, 0.25
"""Drifts in a table, per distance between the bounds; beyond the steepest the other bound is out of sight."""


def first_passage(
    drift: Vector, *, low: Vector, high: Vector, rng: np.random.Generator
) -> tuple[npt.NDArray[np.bool_], Vector]:
    """Draw at which bound, and when, Brownian motions from 0 with variance 1 per unit of time leave (low, high).

    Parameters
    ----------
    drift : Vector
        Per unit of time, shape (motions,).
    low, high : Vector
        Bounds, low < 0 < high, of the same shape.

    Returns
    -------
    passed : array of bool
        Was it the upper bound?
    time : Vector
        When; positive.

    Raises
    ------
    BadInput
        Bounds that do not lie on both sides of 0, or what is not finite.

    Notes
    -----
    The bound is drawn by its probability, which has a closed form. Given the bound, the density of the time without
    drift is a series in time/(high − low)² that depends on the start alone, and drift ν multiplies it by
    exp(−ν²·time/2), times a factor without time [1]_. It is tabled for drifts 0.25 apart in 1/(high − low) and mixed
    between them; beyond 64 it is the inverse Gaussian law of the one bound.

    References
    ----------
    .. [1] A. N. Borodin, P. Salminen, Handbook of Brownian Motion, 2nd ed., part II, section 2.3.
    """
    if not drift.shape == low.shape == high.shape == (drift.size,):
        raise BadInput(f"drifts and bounds have the shapes {drift.shape}, {low.shape} and {high.shape}")
    if not (np.isfinite(drift).all() and np.isfinite(low).all() and np.isfinite(high).all()):
        raise BadInput("a drift or a bound is not finite")
    if not ((low < 0.0).all() and (high > 0.0).all()):
        raise BadInput("a bound lies on the wrong side of 0: expected low < 0 < high")
    width = high - low
    scaled = drift * width
    passed = rng.random(len(drift)) < _upper_chance(scaled, -low / width)
    way = np.where(passed, high, -low) / width
    time = np.empty(len(drift))
    steep = np.abs(scaled) > _STEEPEST
    if steep.any():
        # The scale of a Wald law is the square of the way; its mean the way over the drift.
        time[steep] = rng.wald(way[steep] / np.abs(scaled[steep]), way[steep] ** 2)
    # Bounds from the same error rates differ in the last digits only.
    starts = np.round(way, 12)
    for one in np.unique(starts[~steep]):
        alike = np.flatnonzero((starts == one) & ~steep)
        time[alike] = _drawn(float(one), np.abs(scaled[alike]), rng)
    return passed, time * width**2


def _upper_chance(scaled: Vector, start: Vector) -> Vector:
    """Chance to leave (0, 1) at 1 from ``start``; no exponent is above 0."""
    size = np.abs(scaled)
    with np.errstate(invalid="ignore"):
        up = np.expm1(-2.0 * size * start) / np.expm1(-2.0 * size)
        down = np.expm1(-2.0 * size * (1.0 - start)) / np.expm1(-2.0 * size)
    return np.asarray(np.where(size < 1e-9, start, np.where(scaled > 0.0, up, 1.0 - down)))


def _drawn(way: float, size: Vector, rng: np.random.Generator) -> Vector:
    """Times at which motions with drifts of this size leave (0, 1) at the bound that lies ``way`` from them."""
    log_times, chances, stacked = _table(way)
    place = size / _SPACING
    row = np.minimum((place + rng.random(len(size))).astype(np.int64), len(chances) - 1)
    level = rng.random(len(size))
    cell = np.searchsorted(stacked, level + 2.0 * row) - row * chances.shape[1]
    cell = np.clip(cell, 1, chances.shape[1] - 1)
    before, after = chances[row, cell - 1], chances[row, cell]
    share = (level - before) / np.maximum(after - before, 1e-300)
    return np.asarray(np.exp(log_times[cell - 1] + np.clip(share, 0.0, 1.0) * (log_times[1] - log_times[0])))


@lru_cache(maxsize=64)
def _table(way: float) -> tuple[Vector, Vector, Vector]:
    """Logarithms of times, the chance of each drift to have left by then, and these rows in one with steps of 2.

    In one, so that a single search finds the time in the row of any drift.
    """
    log_times = np.linspace(math.log(_FIRST), math.log(_LAST), _TIMES)
    time = np.exp(log_times)
    drift = np.arange(0.0, _STEEPEST + _SPACING, _SPACING)[:, None]
    with np.errstate(divide="ignore"):
        law = np.log(_exit_density(time, 1.0 - way)) + log_times - drift**2 * time / 2.0
    law = np.exp(law - law.max(axis=1, keepdims=True))
    chances = np.zeros_like(law)
    np.cumsum((law[:, 1:] + law[:, :-1]) / 2.0, axis=1, out=chances[:, 1:])
    chances /= chances[:, -1:]
    return log_times, chances, (chances + 2.0 * np.arange(len(chances))[:, None]).ravel()


def _exit_density(time: Vector, start: float) -> Vector:
    """Density of the time at which driftless motion from ``start`` leaves (0, 1) at 1."""
    n = np.arange(1, 60)[:, None]
    waves = math.pi * np.sum(
        n * (-1.0) ** (n + 1) * np.sin(n * math.pi * start) * np.exp(-((n * math.pi) ** 2) * time / 2), axis=0
    )
    away = 2.0 * np.arange(-8, 9)[:, None] + 1.0 - start
    images = np.sum(away * np.exp(-(away**2) / (2.0 * time)), axis=0) / np.sqrt(2.0 * math.pi * time**3)
    return np.asarray(np.maximum(np.where(time < 0.3, images, waves), 0.0), dtype=np.float64)
