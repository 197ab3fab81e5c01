"""What a sequential test will do before it runs: chance to pass, and how many pairs, for a true Elo.

The log-likelihood ratio (LLR) is taken as Brownian motion between Wald's bounds, which has closed forms; the bounds are
moved outwards by the mean overshoot of one pair's jumps. Elo is logistic.
May import: numpy, anchorhold.errors, anchorhold.stats.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from anchorhold.errors import BadInput
from anchorhold.stats.brownian import ever_upper_first, mean_time, reach_upper_first
from anchorhold.stats.elo import NELO_PER_SIGMA, elo_of_score, score_of_elo
from anchorhold.stats.power import pair_variance
from anchorhold.stats.sprt import Sprt
from anchorhold.stats.vectors import Vector

OVERSHOOT = 0.5826
"""Mean excess of a normal random walk over a far bound, in standard deviations of one step (Siegmund 1985)."""
QUANTILES = (0.05, 0.5, 0.95)
_CELLS = 400


@dataclass(frozen=True, slots=True)
class StageDesign:
    """One stage as it is planned."""

    test: Sprt
    draws: float
    """Effective share of draws between equals (``stats.power.draws_of``): the shape of the pair scores."""
    max_pairs: int
    overshoot_corrected: bool = False

    def __post_init__(self) -> None:
        if not 0.0 <= self.draws <= 0.9999:
            raise BadInput(f"the share of draws is {self.draws}, expected a number from 0 to below 1")


@dataclass(frozen=True, slots=True)
class Course:
    """What happens to a stage, or to both, at one true Elo."""

    elo: float
    passes: float
    undecided: float
    """Chance that ``max_pairs`` come first: the test has not passed then."""
    mean_pairs: float
    quantiles: tuple[float, ...]
    """Pairs by which 5 %, 50 % and 95 % have ended."""


@dataclass(frozen=True, slots=True)
class _Ends:
    """Chances to have ended by the ends of equal cells of pairs."""

    cell: float
    passed: Vector
    failed: Vector


def pair_sigma(draws: float) -> float:
    """Standard deviation of one pair's mean score between equals."""
    return math.sqrt(pair_variance(0.0, draws=draws))


def bounds_as_scores(design: StageDesign) -> tuple[float, float]:
    """Expected scores that the two hypotheses stand for.

    Raises
    ------
    BadInput
        BayesElo bounds, which are for reading old data only; bounds beyond a score of 0 or 1.
    """
    test = design.test
    if test.model == "bayeselo":
        raise BadInput(
            "BayesElo bounds are for reading old tests only", next_step="Give normalized or logistic bounds."
        )
    if test.model == "logistic":
        return score_of_elo(test.elo0), score_of_elo(test.elo1)
    game = math.sqrt(2.0) * pair_sigma(design.draws)
    low, high = (0.5 + elo / NELO_PER_SIGMA * game for elo in (test.elo0, test.elo1))
    if not 0.0 < low < high < 1.0:
        raise BadInput(f"the normalized bounds {test.elo0:g} and {test.elo1:g} are no expected scores at these draws")
    return low, high


def bounds_in_elo(design: StageDesign) -> tuple[float, float]:
    """Return the bounds in logistic Elo."""
    low, high = bounds_as_scores(design)
    return elo_of_score(low) + 0.0, elo_of_score(high) + 0.0  # no −0


def _motion(design: StageDesign, elo: float) -> tuple[float, float, float, float]:
    """Drift and variance of the LLR per pair, and the bounds that it meets."""
    low, high = bounds_as_scores(design)
    variance = pair_sigma(design.draws) ** 2
    step = (high - low) ** 2 / variance
    drift = (high - low) * (score_of_elo(elo) - (low + high) / 2.0) / variance
    beyond = 0.0 if design.overshoot_corrected else OVERSHOOT * math.sqrt(step)
    wald = design.test.bounds
    return drift, step, wald.lower - beyond, wald.upper + beyond


def stage_course(design: StageDesign, elo: float) -> Course:
    """Say how one stage ends at a true Elo.

    Notes
    -----
    Drift per pair (s₁ − s₀)(s − (s₀ + s₁)/2)/v and variance (s₁ − s₀)²/v, s the expected score, v the variance of a
    pair's score: the LLR to second order. Simulated GSPRTs on pairs (bounds 0 and 40 normalized, 8,000 tests at each of
    five Elo) pass within 0.015 as often and take within 4 % as many pairs, with and without corrected overshoot.
    """
    ends = _ends(design, elo)
    passes, failed = float(ends.passed[-1]), float(ends.failed[-1])
    undecided = max(1.0 - passes - failed, 0.0)
    drift, variance, lower, upper = _motion(design, elo)
    mean = mean_time(drift, variance, lower=lower, upper=upper) if undecided < 1e-6 else _mean(ends)
    return Course(
        elo=elo,
        passes=passes if undecided >= 1e-6 else ever_upper_first(drift / variance, lower=lower, upper=upper),
        undecided=undecided,
        mean_pairs=mean,
        quantiles=_quantiles(ends.passed + ends.failed, ends.cell),
    )


def both_stages(short: StageDesign, long: StageDesign, elo: float) -> Course:
    """Say how both stages end, the long one played when the short one has passed, at one true Elo for both."""
    first, second = stage_course(short, elo), stage_course(long, elo)
    one, other = _ends(short, elo), _ends(long, elo)
    cell = max(one.cell, other.cell)
    size = 2 * _CELLS
    ended = {name: _regrid(ends, name, cell, size) for ends in (one,) for name in ("passed", "failed")}
    # What the limit of pairs cut off has ended there, as not passed.
    stopped = _regrid_total(one, cell, size) - ended["passed"]
    total = stopped + np.convolve(np.diff(ended["passed"], prepend=0.0), _regrid_total(other, cell, size))[:size]
    return Course(
        elo=elo,
        passes=first.passes * second.passes,
        undecided=first.undecided + first.passes * second.undecided,
        mean_pairs=first.mean_pairs + first.passes * second.mean_pairs,
        quantiles=_quantiles(total, cell),
    )


def course_elos(designs: Sequence[StageDesign]) -> list[float]:
    """True Elo at which to look: the bounds, between them, and as far outside them again."""
    if not designs:
        raise BadInput("there is no stage whose bounds could be looked at")
    low = min(bounds_in_elo(design)[0] for design in designs)
    high = max(bounds_in_elo(design)[1] for design in designs)
    return [low + (high - low) * step / 4.0 for step in range(-2, 7)]


def _ends(design: StageDesign, elo: float) -> _Ends:
    if design.max_pairs < 1:
        raise BadInput(f"the stage has at most {design.max_pairs} pairs, expected at least 1")
    drift, variance, lower, upper = _motion(design, elo)
    # Long enough that nobody is left: the slowest wave decays by exp(-(π/span)²·variance·time/2).
    longest = min(float(design.max_pairs), 7.0 * (upper - lower) ** 2 / variance)
    cell = longest / _CELLS
    times = [cell * (place + 1) for place in range(_CELLS)]
    passed = [reach_upper_first(drift, variance, lower=lower, upper=upper, time=time) for time in times]
    failed = [reach_upper_first(-drift, variance, lower=-upper, upper=-lower, time=time) for time in times]
    return _Ends(cell=cell, passed=np.maximum.accumulate(passed), failed=np.maximum.accumulate(failed))


def _mean(ends: _Ends) -> float:
    """Mean pairs: the integral of the share that is still playing."""
    playing = 1.0 - np.concatenate(([0.0], ends.passed + ends.failed))
    return float(ends.cell * sum((one + other) / 2.0 for one, other in pairwise(playing)))


def _regrid(ends: _Ends, name: str, cell: float, size: int) -> Vector:
    own = ends.cell * np.arange(_CELLS + 1)
    values = np.concatenate(([0.0], ends.passed if name == "passed" else ends.failed))
    return np.asarray(np.interp(cell * np.arange(1, size + 1), own, values))


def _regrid_total(ends: _Ends, cell: float, size: int) -> Vector:
    """Chance to have ended, the limit of pairs counted as an end."""
    total = _regrid(ends, "passed", cell, size) + _regrid(ends, "failed", cell, size)
    return np.where(cell * np.arange(1, size + 1) >= ends.cell * _CELLS - 1e-9, 1.0, total)


def _quantiles(ended: Vector, cell: float) -> tuple[float, ...]:
    """Pairs by which these shares have ended; where the limit of pairs comes first, that limit."""
    steps = np.concatenate(([0.0], np.maximum.accumulate(ended)))
    found = []
    for share in QUANTILES:
        place = int(np.searchsorted(steps, share))
        if place >= len(steps):
            found.append(cell * (len(steps) - 1))
            continue
        below, above = float(steps[place - 1]), float(steps[place])
        found.append(cell * (place - 1 + (share - below) / max(above - below, 1e-300)))
    return tuple(found)
