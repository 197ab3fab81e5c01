"""Changes that are tested in two stages until enough have passed: what is claimed, and what was truly gained.

Elo is normalized inside and logistic in the results. May import: numpy, anchorhold.errors, anchorhold.stats.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from anchorhold.errors import BadInput
from anchorhold.stats.border import expect
from anchorhold.stats.brownian import reach_upper_first
from anchorhold.stats.elo import EDITION_7, NELO_PER_SIGMA
from anchorhold.stats.passage import first_passage
from anchorhold.stats.selection import EndedTest
from anchorhold.stats.sprt import wald_bounds
from anchorhold.stats.vectors import Vector

LARGEST_GAIN = 200.0
"""Normalized Elo of what is tried, and of bounds."""
_MOST_BATCHES = 200


@dataclass(frozen=True, slots=True)
class Stream:
    """What is tried, and how it is tested."""

    mean: float
    """True gains of the changes that are tried: mean and standard deviation, normalized Elo."""
    deviation: float
    bounds_short: tuple[float, float]
    bounds_long: tuple[float, float]
    """Normalized Elo."""
    alpha: float = 0.05
    beta: float = 0.05
    elo_per_nelo: float = 0.5
    """Logistic Elo per normalized Elo, from how drawish the games are."""
    unselected_pairs: int | None = None
    """None: two sequential stages, and only what passes is counted. Else one test of so many pairs for every change,
    and all are counted, whatever came out: claims without the luck of stopping and of selection."""

    def __post_init__(self) -> None:
        expect(
            abs(self.mean) <= LARGEST_GAIN,
            f"the true gains are {self.mean:g} on average, expected within ±{LARGEST_GAIN:g} normalized Elo",
        )
        expect(
            0.01 <= self.deviation <= LARGEST_GAIN,
            f"the true gains deviate by {self.deviation:g}, expected 0.01 to {LARGEST_GAIN:g} normalized Elo",
        )
        for low, high in (self.bounds_short, self.bounds_long):
            expect(
                -LARGEST_GAIN <= low < high <= LARGEST_GAIN,
                f"the bounds are {low:g} and {high:g}, expected the lower one first, within ±{LARGEST_GAIN:g}",
            )
        expect(0.0 < self.alpha < 0.5 and 0.0 < self.beta < 0.5, "alpha and beta must lie between 0 and 0.5")
        expect(0.0 < self.elo_per_nelo <= 10.0, f"{self.elo_per_nelo:g} Elo per normalized Elo, expected up to 10")
        pairs = self.unselected_pairs
        expect(pairs is None or 1 <= pairs <= 10**9, f"{pairs} pairs for each change, expected 1 to 1,000,000,000")


@dataclass(frozen=True, slots=True)
class Passed:
    """The gains that passed both stages: shape (registers, gains), logistic Elo."""

    claimed: Vector
    """What the long stage reports at its end."""
    error: Vector
    """Its 95 % half-width."""
    true: Vector
    median_unbiased: Vector
    """Estimate, lower and upper end of its 95 % interval on the last axis."""


def passed_gains(stream: Stream, *, registers: int, gains: int, rng: np.random.Generator) -> Passed:
    """Try changes until in every register so many have passed, or take all that are tried where none is selected.

    Raises
    ------
    BadInput
        Hardly anything ever passes, so that this would not end.
    """
    if stream.unselected_pairs is not None:
        return _all_counted(stream, pairs=stream.unselected_pairs, shape=(registers, gains), rng=rng)
    seen, spent, truth = np.zeros((3, registers, gains))
    filled = np.zeros(registers, dtype=np.int64)
    for _ in range(_MOST_BATCHES):
        of = np.repeat(np.flatnonzero(filled < gains), 2 * gains)
        if not len(of):
            break
        true = rng.normal(stream.mean, stream.deviation, len(of)) / NELO_PER_SIGMA
        through, _, _ = _stage(true, stream.bounds_short, stream, rng)
        of, true = of[through], true[through]
        through, value, games = _stage(true, stream.bounds_long, stream, rng)
        of, true, value, games = of[through], true[through], value[through], games[through]
        # Each register takes its passes in their order, as many as it lacks.
        place = filled[of] + np.arange(len(of)) - np.searchsorted(of, of)
        wanted = place < gains
        at = of[wanted], place[wanted]
        seen[at], spent[at], truth[at] = value[wanted], games[wanted], true[wanted]
        filled = np.minimum(filled + np.bincount(of, minlength=registers), gains)
    else:
        raise BadInput(
            f"of true gains around {stream.mean:g} ± {stream.deviation:g} normalized Elo hardly any passes both stages",
            next_step="Take larger true gains or lower bounds.",
        )
    return Passed(
        claimed=seen * stream.elo_per_nelo,
        error=NELO_PER_SIGMA * EDITION_7.z / np.sqrt(spent) * stream.elo_per_nelo,
        true=truth * NELO_PER_SIGMA * stream.elo_per_nelo,
        median_unbiased=median_unbiased_of_passes(stream, spent) * stream.elo_per_nelo,
    )


def _all_counted(stream: Stream, *, pairs: int, shape: tuple[int, int], rng: np.random.Generator) -> Passed:
    """Test every change over a fixed number of pairs; the estimate of such a test is median-unbiased as it is."""
    true = rng.normal(stream.mean, stream.deviation, shape) * stream.elo_per_nelo
    deviation = NELO_PER_SIGMA / math.sqrt(2.0 * pairs) * stream.elo_per_nelo
    claimed = rng.normal(true, deviation)
    error = np.full(shape, EDITION_7.z * deviation)
    return Passed(
        claimed=claimed,
        error=error,
        true=true,
        median_unbiased=np.stack([claimed, claimed - error, claimed + error], axis=-1),
    )


@dataclass(frozen=True, slots=True)
class LongTests:
    """All tests of one register that reached the long stage, in their order."""

    ended: tuple[EndedTest, ...]
    true: Vector
    """Logistic Elo."""


def long_tests(stream: Stream, *, passes: int, counted: int, rng: np.random.Generator) -> LongTests:
    """Try changes until so many have passed both stages; the last ``counted`` passes are those that are summed.

    Raises
    ------
    BadInput
        Hardly anything ever passes.
    """
    wald = wald_bounds(stream.alpha, stream.beta)
    t0, t1 = (bound / NELO_PER_SIGMA for bound in stream.bounds_long)
    truths, ends = [], []
    for _ in range(_MOST_BATCHES):
        truth = rng.normal(stream.mean, stream.deviation, 8 * passes) / NELO_PER_SIGMA
        through, _, _ = _stage(truth, stream.bounds_short, stream, rng)
        truth = truth[through]
        passed, _, games = _stage(truth, stream.bounds_long, stream, rng)
        truths.append(truth)
        ends.append(np.stack([passed, games], axis=-1))
        if sum(end[:, 0].sum() for end in ends) >= passes:
            break
    else:
        raise BadInput("hardly any change passes both stages", next_step="Take larger true gains or lower bounds.")
    table, all_true = np.concatenate(ends), np.concatenate(truths)
    so_far = table[:, 0].cumsum()
    last = int(np.searchsorted(so_far, passes)) + 1
    return LongTests(
        ended=tuple(
            EndedTest(
                games=float(table[place, 1]),
                t0=t0,
                t1=t1,
                lower=wald.lower,
                upper=wald.upper,
                llr=wald.upper if table[place, 0] else wald.lower,
                elo_per_nelo=stream.elo_per_nelo,
                counted=bool(table[place, 0]) and so_far[place] > passes - counted,
            )
            for place in range(last)
        ),
        true=all_true[:last] * NELO_PER_SIGMA * stream.elo_per_nelo,
    )


def median_unbiased_of_passes(stream: Stream, games: Vector) -> Vector:
    """Median-unbiased estimate and 95 % interval of long-stage passes after so many games, in normalized Elo.

    Read from a table over the games; a pass says no more than how long it took.
    """
    at, table = _passes_table(stream.bounds_long, stream.alpha, stream.beta)
    return np.stack([np.interp(np.log(games), at, table[:, column]) for column in range(3)], axis=-1)


@lru_cache(maxsize=8)
def _passes_table(bounds: tuple[float, float], alpha: float, beta: float) -> tuple[Vector, Vector]:
    from scipy.optimize import brentq  # slow to load

    t0, t1 = (bound / NELO_PER_SIGMA for bound in bounds)
    wald = wald_bounds(alpha, beta)
    span = (wald.upper - wald.lower) ** 2 / (t1 - t0) ** 2
    games = span * np.exp(np.linspace(math.log(1e-3), math.log(8.0), 60))

    def surplus(t: float, after: float, level: float) -> float:
        drift = (t1 - t0) * (t - (t0 + t1) / 2.0)
        return reach_upper_first(drift, (t1 - t0) ** 2, lower=wald.lower, upper=wald.upper, time=after) - level

    reach = 400.0 * (t1 - t0)
    table = [[brentq(surplus, -reach, reach, args=(after, level)) for level in (0.5, 0.025, 0.975)] for after in games]
    return np.log(games), np.array(table) * NELO_PER_SIGMA


def _stage(
    truth: Vector, bounds: tuple[float, float], stream: Stream, rng: np.random.Generator
) -> tuple[npt.NDArray[np.bool_], Vector, Vector]:
    """Test every change once: which pass, the normalized Elo where each stopped, and after how many games."""
    t0, t1 = (bound / NELO_PER_SIGMA for bound in bounds)
    middle, step = (t0 + t1) / 2.0, t1 - t0
    wald = wald_bounds(stream.alpha, stream.beta)
    low, high = np.full(len(truth), wald.lower / step), np.full(len(truth), wald.upper / step)
    passed, games = first_passage(truth - middle, low=low, high=high, rng=rng)
    return passed, (np.where(passed, high, low) / games + middle) * NELO_PER_SIGMA, games
