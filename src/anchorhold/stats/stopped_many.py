"""What many stopped sequential tests say: the formulas of ``stats.stopped``, one row per test.

A register's verification recomputes tens of thousands of them. Elo is logistic and seen from the first engine. Source:
SPEC section 4, ``s_median_unbiased``. May import: numpy, scipy, anchorhold.errors, anchorhold.stats.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anchorhold.errors import BadInput
from anchorhold.stats.elo import NELO_PER_SIGMA
from anchorhold.stats.outcomes import GAME_SCORES, PAIR_SCORES
from anchorhold.stats.sprt import ZERO_COUNT, BoundsModel
from anchorhold.stats.sprt_many import log_likelihood_ratios
from anchorhold.stats.stopped import STOP_TOLERANCE
from anchorhold.stats.vectors import Vector

_IMAGES = np.arange(-4, 5)
_WAVES = np.arange(1, 9)
_SHORT = 0.4
"""Up to this spread, in squares of the span, images converge faster than waves: of either the next is below 1e-30."""
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)
_WIDEST = 1000.0
"""Tilt, in distances between the hypotheses: estimates beyond it are left to ``stats.stopped``."""
_CLEAR = 1e-6
"""Distance of an LLR from where a test counts as stopped, from which on rounding decides nothing."""
_SETTLED = 1e-12
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class StoppedEstimates:
    """Median-unbiased estimates in logistic Elo, each array of shape (tests,)."""

    elo: Vector
    low: Vector
    high: Vector
    """Ends of the two-sided intervals."""
    passed: Flags
    known: Flags
    """False where only ``median_unbiased`` can tell, which may refuse; the figures are NaN there."""


def median_unbiased_many(
    counts: Vector,
    bounds: Vector,
    *,
    model: BoundsModel,
    alpha: Vector,
    beta: Vector,
    confidence: float = 0.95,
) -> StoppedEstimates:
    """Median-unbiased logistic Elo of sequential tests that have stopped, with their intervals.

    Parameters
    ----------
    counts : Vector
        Shape (tests, 5), pairs in the order of ``PAIR_SCORES``, or (tests, 3), games in that of ``GAME_SCORES``.
    bounds : Vector
        Shape (tests, 2), Elo of H0 and H1 in the unit of ``model``.
    model : {"normalized", "logistic"}
        Unit of all the bounds.
    alpha, beta : Vector
        Shape (tests,), the error rates.
    confidence : float
        Coverage of the intervals, in (0, 1).

    Returns
    -------
    StoppedEstimates
        Agree with ``median_unbiased`` to 1e-8.

    Raises
    ------
    BadInput
        Another model, or a confidence outside (0, 1); arrays that ``log_likelihood_ratios`` refuses.
    """
    if model not in ("normalized", "logistic"):
        raise BadInput(f"the bounds' model is {model!r}, expected normalized or logistic")
    if not 0.0 < confidence < 1.0:
        raise BadInput(f"the confidence is {confidence}, expected a number between 0 and 1")
    ratios = log_likelihood_ratios(counts, bounds, model=model)
    stops = _stops(counts, bounds, ratios.llr, model=model, alpha=alpha, beta=beta)
    known = ratios.known & stops.known
    levels = (0.5, 0.5 + confidence / 2.0, 0.5 - confidence / 2.0)
    rows = np.flatnonzero(known)
    found = np.full((len(levels), len(counts)), np.nan)
    for place, level in enumerate(levels):
        found[place, rows] = stops.at(rows).elo_where_worse_has(level)
    known &= np.isfinite(found).all(axis=0)
    elo, low, high = np.where(known, found, np.nan)
    return StoppedEstimates(elo=elo, low=low, high=high, passed=stops.passed, known=known)


@dataclass(frozen=True, slots=True)
class _Stops:
    """Outcomes of tests, seen so that the bound at which each stopped is the upper one."""

    passed: Flags
    lower: Vector
    upper: Vector
    spread: Vector
    """Variance of the LLR over the whole test."""
    llr: Vector
    """Where it stood at the end: at the upper bound, or a little before it."""
    middle: Vector
    step: Vector
    """Expected score halfway between the hypotheses, and the distance of the two."""
    known: Flags

    def at(self, rows: npt.NDArray[np.intp]) -> _Stops:
        """Return some of them."""
        return _Stops(
            passed=self.passed[rows],
            lower=self.lower[rows],
            upper=self.upper[rows],
            spread=self.spread[rows],
            llr=self.llr[rows],
            middle=self.middle[rows],
            step=self.step[rows],
            known=self.known[rows],
        )

    def elo_where_worse_has(self, probability: float) -> Vector:
        """Elo at which a worse outcome has this probability; NaN where it lies too far out."""
        better = np.where(self.passed, 1.0 - probability, probability)
        tilt = _rising_roots(lambda rows, x: self.at(rows).reached_by(x) - better[rows], len(better))
        score = self.middle + np.where(self.passed, tilt, -tilt) * self.step
        with np.errstate(all="ignore"):
            elo = -400.0 * np.log10(1.0 / score - 1.0)
        return np.asarray(np.where((score > 0.001) & (score < 0.999), elo, np.nan))

    def reached_by(self, tilt: Vector) -> Vector:
        """Chance to have reached the upper bound, or to stand above ``llr`` at the end; rises with the tilt."""
        found = np.empty(len(tilt))
        short = self.spread < _SHORT * (self.upper - self.lower) ** 2
        for rows, series in ((np.flatnonzero(short), _by_reflection), (np.flatnonzero(~short), _by_eigenfunctions)):
            if len(rows):
                part = self.at(rows)
                found[rows] = series(tilt[rows], part.spread, lower=part.lower, upper=part.upper)
        rows = np.flatnonzero(self.llr < self.upper)
        if len(rows):
            found[rows] += self.at(rows)._between(tilt[rows], short[rows])
        return found

    def _between(self, tilt: Vector, short: Flags) -> Vector:
        half = (self.upper - self.llr) / 2.0
        place = ((self.upper + self.llr) / 2.0)[:, None] + half[:, None] * _NODES
        density = np.empty_like(place)
        for rows, series in ((np.flatnonzero(short), _density_by_images), (np.flatnonzero(~short), _density_by_waves)):
            if len(rows):
                part = self.at(rows)
                density[rows] = series(tilt[rows], part.spread, part.lower, part.upper, place[rows])
        return np.asarray(np.maximum(half * (density @ _WEIGHTS), 0.0))


def _stops(counts: Vector, bounds: Vector, llr: Vector, *, model: BoundsModel, alpha: Vector, beta: Vector) -> _Stops:
    """Read how tests ended; an LLR beyond its bound is cut back to it along its slope, and the units with it."""
    scores = np.array(PAIR_SCORES if counts.shape[1] == len(PAIR_SCORES) else GAME_SCORES)
    games_per_unit = 2.0 if counts.shape[1] == len(PAIR_SCORES) else 1.0
    replaced = np.where(counts > 0.0, counts, ZERO_COUNT)
    n = replaced.sum(axis=1)
    mean = replaced @ scores / n
    variance = (replaced * (scores - mean[:, None]) ** 2).sum(axis=1) / n
    with np.errstate(all="ignore"):
        if model == "normalized":
            expected = 0.5 + bounds / NELO_PER_SIGMA * np.sqrt(games_per_unit * variance)[:, None]
        else:
            expected = 1.0 / (1.0 + 10.0 ** (-bounds / 400.0))
        step, middle = expected[:, 1] - expected[:, 0], expected.mean(axis=1)
        lower = np.log(beta) - np.log1p(-alpha)
        upper = np.log1p(-beta) - np.log(alpha)
        passed = llr > 0.0
        bound = np.where(passed, upper, -lower)
        reached = np.abs(llr) - (1.0 - STOP_TOLERANCE) * bound
        stood = np.where(passed, 1.0, -1.0) * step * (mean - middle) / variance * n
        spread = step**2 / variance * n / np.maximum(stood / bound, 1.0)
    known = (
        (reached > _CLEAR)
        & (expected > 0.0).all(axis=1)
        & (expected < 1.0).all(axis=1)
        & (step > 0.0)
        & (stood > 0.0)
        & (spread > 0.0)
        & np.isfinite(spread)
    )
    return _Stops(
        passed=passed,
        lower=np.where(passed, lower, -upper),
        upper=bound,
        spread=spread,
        llr=np.minimum(stood, bound),
        middle=middle,
        step=step,
        known=known,
    )


def _by_reflection(tilt: Vector, spread: Vector, *, lower: Vector, upper: Vector) -> Vector:
    """First passage by the method of images; exponents are joined before exp, so nothing overflows."""
    from scipy.special import log_ndtr  # slow to load, and most who load this module have few tests

    distance = upper[:, None] + 2.0 * (upper - lower)[:, None] * _IMAGES
    reach, root, size = np.abs(distance), np.sqrt(spread)[:, None], np.abs(tilt)[:, None]
    drifted, lift = size * spread[:, None], (tilt * upper)[:, None]
    with_drift = np.exp(lift - size * reach + log_ndtr((drifted - reach) / root))
    against = np.exp(lift + size * reach + log_ndtr(-(drifted + reach) / root))
    return np.asarray((np.sign(distance) * (with_drift + against)).sum(axis=1))


def _by_eigenfunctions(tilt: Vector, spread: Vector, *, lower: Vector, upper: Vector) -> Vector:
    """Chance ever to reach ``upper`` first, less what is still on its way at the end."""
    span, size = upper - lower, np.abs(tilt)
    order = _WAVES * np.pi
    rate = (order / span[:, None]) ** 2 + (tilt**2)[:, None]
    wave = _WAVES * np.where(_WAVES % 2 == 1, 1.0, -1.0) * np.sin(order * (-lower / span)[:, None])
    decay = np.exp((tilt * upper)[:, None] - rate * spread[:, None] / 2.0)
    tail = 2.0 * np.pi / span**2 * (wave / rate * decay).sum(axis=1)
    with np.errstate(invalid="ignore"):
        downhill = np.where(tilt < 0.0, np.exp(-2.0 * size * upper), 1.0)
        ever = downhill * np.expm1(2.0 * size * lower) / np.expm1(-2.0 * size * span)
    return np.asarray(np.where(size * span < 1e-9, -lower / span * (1.0 + tilt * upper), ever) - tail)


def _density_by_images(tilt: Vector, spread: Vector, lower: Vector, upper: Vector, place: Vector) -> Vector:
    """Density of the LLR at the end at each place, shape (tests, places)."""
    shift = (2.0 * (upper - lower))[:, None, None] * _IMAGES
    twice = (2.0 * spread)[:, None, None]
    lift = (tilt[:, None] * place - (tilt**2 * spread / 2.0)[:, None])[:, :, None]
    here = place[:, :, None] - shift
    straight = np.exp(lift - here**2 / twice)
    mirrored = np.exp(lift - (here - 2.0 * upper[:, None, None]) ** 2 / twice)
    return np.asarray((straight - mirrored).sum(axis=2) / np.sqrt(2.0 * np.pi * spread)[:, None])


def _density_by_waves(tilt: Vector, spread: Vector, lower: Vector, upper: Vector, place: Vector) -> Vector:
    order = (np.pi / (upper - lower))[:, None, None] * _WAVES
    rate = order**2 + (tilt**2)[:, None, None]
    decay = np.exp((tilt[:, None] * place)[:, :, None] - rate * spread[:, None, None] / 2.0)
    waves = np.sin(order * -lower[:, None, None]) * np.sin(order * (place - lower[:, None])[:, :, None]) * decay
    return np.asarray(2.0 / (upper - lower)[:, None] * waves.sum(axis=2))


def _rising_roots(function: Callable[[npt.NDArray[np.intp], Vector], Vector], count: int) -> Vector:
    """Roots of many rising functions of a tilt; NaN where none lies within ±``_WIDEST``.

    Inverse quadratic steps where they are safe, else halves (T. R. Chandrupatla, Adv. Eng. Softw. 28, 1997).
    """
    every = np.arange(count)
    low, high = np.full(count, -4.0), np.full(count, 4.0)
    at_low, at_high = function(every, low), function(every, high)
    for ends, values, sign in ((low, at_low, 1.0), (high, at_high, -1.0)):
        while len(rows := np.flatnonzero((sign * values > 0.0) & (np.abs(ends) < _WIDEST))):
            ends[rows] *= 3.0
            values[rows] = function(rows, ends[rows])
    roots = np.where(at_low == 0.0, low, np.where(at_high == 0.0, high, np.nan))
    todo = np.flatnonzero((at_low < 0.0) & (at_high > 0.0))
    a, b, fa, fb = low[todo], high[todo], at_low[todo], at_high[todo]
    share = np.full(len(todo), 0.5)
    while len(todo):
        x = a + share * (b - a)
        fx = function(todo, x)
        same = (fx > 0.0) == (fa > 0.0)
        c, fc = np.where(same, a, b), np.where(same, fa, fb)
        b, fb = np.where(same, b, a), np.where(same, fb, fa)
        a, fa = x, fx
        best = np.where(np.abs(fa) < np.abs(fb), a, b)
        least = (4e-16 * np.abs(best) + 0.5 * _SETTLED) / np.abs(b - a)
        done = (least > 0.5) | (fa == 0.0)
        roots[todo[done]] = np.where(fa == 0.0, a, best)[done]
        with np.errstate(all="ignore"):
            xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
            inverse = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
            safe = (phi**2 < xi) & ((1.0 - phi) ** 2 < 1.0 - xi) & np.isfinite(inverse)
        share = np.clip(np.where(safe, inverse, 0.5), np.minimum(least, 0.5), np.maximum(1.0 - least, 0.5))
        going = ~done
        todo, a, b, fa, fb, share = todo[going], a[going], b[going], fa[going], fb[going], share[going]
    return roots
