"""The sum of claims corrected for selection: empirical Bayes over all gain tests, passed and rejected.

Only passed tests are summed, so the sum holds the luck of those that passed. When *all* tests are known, the spread of
true gains can be estimated from them, and each passed test is drawn towards it by as much as it was uncertain. Needs:
every test was kept, the true gains are about normally distributed, the log-likelihood ratio (LLR) moves as a Brownian
motion. Source: SPEC section 4, ``s_selection_corrected``.
May import: numpy, scipy, anchorhold.errors, anchorhold.stats.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from anchorhold.errors import BadInput
from anchorhold.stats.border import expect
from anchorhold.stats.elo import NELO_PER_SIGMA, elo_of_score
from anchorhold.stats.outcomes import Pentanomial, Trinomial
from anchorhold.stats.passage import first_passage
from anchorhold.stats.sprt import BoundsModel, Sprt, logistic_bounds, observe
from anchorhold.stats.vectors import Vector

STOP_TOLERANCE = 0.05
"""A test counts as decided when its LLR is within this share of a bound; servers stop a little before it."""
BOOTSTRAPS = 400
_SPREADS = 40
"""Points of the first, coarse search for the spread of true gains."""
_CELLS = 500_000
"""Simulated tests that are held at a time: a few tens of megabytes."""
_MANY, _SURE = 1_000, 8.0
"""From so many tests on, with a variance so many of its standard errors above 0, the interval is the limit law's."""
_GOLDEN, _SECTIONS = (math.sqrt(5.0) - 1.0) / 2.0, 24
"""Share of a bracket that one golden section keeps; sections that narrow two coarse steps to a part in 10⁵."""


@dataclass(frozen=True, slots=True)
class EndedTest:
    """A gain test at its end, in units of one game's standard deviation (normalized Elo / ``NELO_PER_SIGMA``)."""

    games: float
    t0: float
    t1: float
    """H0 and H1."""
    lower: float
    upper: float
    """Bounds of the LLR."""
    llr: float
    """Where it ended: at a bound, or between them when its games ran out."""
    elo_per_nelo: float
    """Its own ratio of logistic to normalized Elo."""
    counted: bool
    """Is it one of those that are summed?"""

    def __post_init__(self) -> None:
        expect(0.0 < self.games < 1e15, f"the test has {self.games} games, expected a number above 0")
        expect(
            -100.0 <= self.t0 < self.t1 <= 100.0 and self.t1 - self.t0 > 1e-9,
            f"the hypotheses are {self.t0} and {self.t1}, expected the lower first, the higher second",
        )
        expect(
            -1e3 <= self.lower < -1e-9 and 1e-9 < self.upper <= 1e3,
            f"the bounds are {self.lower} and {self.upper}, expected one below 0 and one above",
        )
        expect(abs(self.llr) < 1e9, f"the LLR is {self.llr}, expected a finite number")
        expect(0.0 < self.elo_per_nelo < 1e6, f"Elo per normalized Elo is {self.elo_per_nelo}, expected above 0")

    @property
    def passed(self) -> bool:
        """Did it end at the upper bound?"""
        return self.llr >= self.upper

    @property
    def decided(self) -> bool:
        """Did it end at a bound?"""
        return not self.lower < self.llr < self.upper


@dataclass(frozen=True, slots=True)
class TrueGains:
    """Normal distribution of the true gains of all tests, in normalized Elo."""

    mean: float
    deviation: float


@dataclass(frozen=True, slots=True)
class SelectionCorrected:
    """The corrected sum, in logistic Elo."""

    value: float
    low: float
    high: float
    """Ends of the 95 % interval for the sum of the true gains."""
    gains: TrueGains
    tests: int
    """How many it rests on."""


# Every check of a register rests on all tests before it: the same tests are read again and again.
@lru_cache(maxsize=1 << 17)
def ended_test(
    sample: Pentanomial | Trinomial,
    *,
    bounds: tuple[float, float],
    model: BoundsModel,
    alpha: float,
    beta: float,
    counted: bool,
    games: Trinomial | None = None,
) -> EndedTest:
    """Read a test at its end.

    Parameters
    ----------
    sample : Pentanomial or Trinomial
        Counts at the end; pairs where they are known.
    bounds, model, alpha, beta
        As in ``stats.sprt.Sprt``; logistic and BayesElo bounds are taken over σ of one game of these counts.
    counted : bool
        Is it one of those that are summed?
    games : Trinomial, optional
        The same games one by one; BayesElo bounds take their draw Elo from it.

    Raises
    ------
    BadInput
        Bounds or rates that make no test, counts without spread.
    """
    test = Sprt(*bounds, model=model, alpha=alpha, beta=beta)
    llr = test.llr(sample, games=games)
    observed = observe(sample)
    sigma = observed.game_sigma
    if model == "normalized":
        t0, t1 = (bound / NELO_PER_SIGMA for bound in bounds)
    else:
        # Near 0 Elo the score moves by ln 10 / 1600 per logistic Elo.
        per_elo = math.log(10.0) / 1600.0 / sigma
        t0, t1 = (elo * per_elo for elo in logistic_bounds(sample, bounds, model, games))
    wald = test.bounds
    if llr >= (1.0 - STOP_TOLERANCE) * wald.upper:
        llr = wald.upper
    elif llr <= (1.0 - STOP_TOLERANCE) * wald.lower:
        llr = wald.lower
    return EndedTest(
        games=observed.n * observed.games_per_unit,
        t0=t0,
        t1=t1,
        lower=wald.lower,
        upper=wald.upper,
        llr=llr,
        elo_per_nelo=_elo_per_nelo(observed.mean, sigma),
        counted=counted,
    )


def _elo_per_nelo(mean: float, sigma: float) -> float:
    at_zero = 1600.0 / math.log(10.0) * sigma / NELO_PER_SIGMA
    nelo = (mean - 0.5) / sigma * NELO_PER_SIGMA
    return elo_of_score(mean) / nelo if abs(nelo) > 1e-6 else at_zero


def selection_corrected_sum(tests: Sequence[EndedTest], *, seed: int) -> SelectionCorrected:
    """Σ of the posterior means of the counted tests, in logistic Elo, with a 95 % interval.

    Parameters
    ----------
    tests : sequence of EndedTest
        *All* gain-bounded tests that reached the long stage, the rejected ones too; with passes alone the figure is
        worthless, and nothing in the numbers would show it.
    seed : int
        Of the bootstrap.

    Raises
    ------
    BadInput
        No tests at all, a seed below 0.

    Notes
    -----
    With a = LLR/(t₁ − t₀) at the end, ν = t − (t₀ + t₁)/2 and N games, the density of the end is exp(νa − ν²N/2) times
    a factor without ν [1]_: at a bound as between the bounds. So a test speaks about t as a normal observation a/N with
    variance 1/N would, the marginal likelihood of a normal prior is normal too, and its spread is found by a search in
    one dimension. An estimate of 0 spread is an answer: then every test is drawn to the common mean.
    The interval is a parametric bootstrap: true gains and tests are simulated from the fit, the fit is repeated, and
    the error of the repeated sum against its own true gains is taken off. Tests whose games ran out stay as observed.
    Of 1,000 tests or more, whose fitted variance lies eight standard errors or more above 0, the bootstrap's limit is
    taken instead of it: the posterior variance of the sum and what the fit's own error adds to it, by the observed
    information of mean and variance [2]_. A bootstrap of 400 repeats differs from it by its own error, some 4 %, and
    would take minutes in a register of thousands of tests.
    Simulated coverage of the 95 % interval: 0.989 in 10,000 registers of some 90 tests (``anchorhold calibrate
    --gains 15 --selected-sums 10000``); 100 registers each gave 0.93 with 60 tests, 0.96 with 200, 0.89 with 100 whose
    true gains spread as widely as the bounds.

    References
    ----------
    .. [1] A. N. Borodin, P. Salminen, Handbook of Brownian Motion, 2nd ed., part II, section 2.3 (Cameron–Martin).
    .. [2] R. E. Kass, D. Steffey, Approximate Bayesian inference in conditionally independent hierarchical models,
       Journal of the American Statistical Association 84 (1989), 717-726.
    """
    if not tests:
        raise BadInput("there are no tests to fit true gains to")
    expect(seed >= 0, f"the seed is {seed}, expected a whole number from 0 on")
    ends = _Ends.of(tests)
    means, variances = _fit(ends)
    mean, variance = float(means[0]), float(variances[0])
    value = float(_corrected(ends, means, variances)[0])
    reach = _limit_reach(ends, mean, variance) if len(tests) >= _MANY else None
    if reach is not None:
        low, high = -reach, reach
    else:
        low, high = _bootstrap_range(ends, mean, variance, seed=seed)
    return SelectionCorrected(
        value=value,
        low=value - high,
        high=value - low,
        gains=TrueGains(mean=mean * NELO_PER_SIGMA, deviation=math.sqrt(variance) * NELO_PER_SIGMA),
        tests=len(tests),
    )


@dataclass(frozen=True, slots=True)
class _Ends:
    """All tests of registers as arrays of shape (registers, tests); ``position`` is the LLR divided by t₁ − t₀."""

    games: Vector
    middle: Vector
    position: Vector
    low: Vector
    high: Vector
    elo_per_t: Vector
    passed: npt.NDArray[np.bool_]
    decided: npt.NDArray[np.bool_]
    counted: npt.NDArray[np.bool_]

    @staticmethod
    def of(tests: Sequence[EndedTest]) -> _Ends:
        """Return one register."""
        step = np.array([[test.t1 - test.t0 for test in tests]])
        return _Ends(
            games=np.array([[test.games for test in tests]]),
            middle=np.array([[(test.t0 + test.t1) / 2.0 for test in tests]]),
            position=np.array([[test.llr for test in tests]]) / step,
            low=np.array([[test.lower for test in tests]]) / step,
            high=np.array([[test.upper for test in tests]]) / step,
            elo_per_t=np.array([[test.elo_per_nelo for test in tests]]) * NELO_PER_SIGMA,
            passed=np.array([[test.passed for test in tests]]),
            decided=np.array([[test.decided for test in tests]]),
            counted=np.array([[test.counted for test in tests]]),
        )

    def observation(self) -> Vector:
        """Where each test sees t, with variance 1/games."""
        return self.position / self.games + self.middle


def _profile(games: Vector, seen: Vector, variance: Vector) -> tuple[Vector, Vector]:
    """Best mean and log marginal likelihood of each register for its supposed variance of the true gains."""
    spread = 1.0 + variance[:, None] * games
    weight = games / spread
    mean = (weight * seen).sum(axis=1) / weight.sum(axis=1)
    squares = (weight * (mean[:, None] - seen) ** 2).sum(axis=1)
    return mean, -(np.log(spread).sum(axis=1) + squares) / 2.0


def _fit(ends: _Ends) -> tuple[Vector, Vector]:
    """Mean and variance of the true gains by maximum marginal likelihood, one of each per register."""
    games, seen = ends.games, ends.observation()
    low, high = math.log(1e-3 / games.max()), math.log(1e4 / games.min())
    steps = np.linspace(low, high, _SPREADS)
    likelihood = np.array([_profile(games, seen, np.full(len(games), value))[1] for value in (0.0, *np.exp(steps))])
    best = likelihood.argmax(axis=0)
    none = best == 0
    # Golden section between the neighbours of the best point, for all registers at once.
    below, above = steps[np.maximum(best - 2, 0)], steps[np.minimum(best, _SPREADS - 1)]
    inner = [above - _GOLDEN * (above - below), below + _GOLDEN * (above - below)]
    at = [_profile(games, seen, np.exp(point))[1] for point in inner]
    for _ in range(_SECTIONS):
        left = at[0] > at[1]
        below, above = np.where(left, below, inner[0]), np.where(left, inner[1], above)
        kept, kept_at = np.where(left, inner[0], inner[1]), np.where(left, at[0], at[1])
        new = np.where(left, above - _GOLDEN * (above - below), below + _GOLDEN * (above - below))
        new_at = _profile(games, seen, np.exp(new))[1]
        inner = [np.where(left, new, kept), np.where(left, kept, new)]
        at = [np.where(left, new_at, kept_at), np.where(left, kept_at, new_at)]
    variance = np.where(none, 0.0, np.exp((below + above) / 2.0))
    return _profile(games, seen, variance)[0], variance


def _corrected(ends: _Ends, mean: Vector, variance: Vector) -> Vector:
    """Σ of the posterior means of the passed and counted tests of each register, in logistic Elo."""
    share = variance[:, None] * ends.games / (1.0 + variance[:, None] * ends.games)
    posterior = mean[:, None] + share * (ends.observation() - mean[:, None])
    return np.asarray((posterior * ends.elo_per_t * (ends.counted & ends.passed)).sum(axis=1))


def _limit_reach(ends: _Ends, mean: float, variance: float) -> float | None:
    """95 % half-width of the corrected sum in the limit of many tests; None when the fit is too near a spread of 0."""
    games, off = ends.games[0], ends.observation()[0] - mean
    per_t = ends.elo_per_t[0] * (ends.counted & ends.passed)[0]
    spread = 1.0 + variance * games
    weight = games / spread
    of_both = float((weight**2 * off).sum())
    of_variance = float((weight**3 * off**2 - weight**2 / 2.0).sum())
    of_mean = float(weight.sum())
    determinant = of_mean * of_variance - of_both**2
    if not (variance > 0.0 and determinant > 0.0 and variance**2 * determinant >= _SURE**2 * of_mean):
        return None
    by_mean, by_variance = float((per_t / spread).sum()), float((per_t * off * weight / spread).sum())
    fitted = (by_mean**2 * of_variance - 2.0 * by_mean * by_variance * of_both + by_variance**2 * of_mean) / determinant
    posterior = float((per_t**2 * variance / spread).sum())
    return NormalDist().inv_cdf(0.975) * math.sqrt(posterior + fitted)


def _bootstrap_range(ends: _Ends, mean: float, variance: float, *, seed: int) -> tuple[float, float]:
    """Middle 95 % of the errors of repeated sums."""
    rng = np.random.default_rng(seed)
    at_once = max(1, _CELLS // ends.games.shape[1])
    errors = np.concatenate(
        [
            _bootstrap_errors(ends, mean, variance, times=min(at_once, BOOTSTRAPS - done), rng=rng)
            for done in range(0, BOOTSTRAPS, at_once)
        ]
    )
    low, high = np.quantile(errors, (0.025, 0.975))
    return float(low), float(high)


def _bootstrap_errors(ends: _Ends, mean: float, variance: float, *, times: int, rng: np.random.Generator) -> Vector:
    """Corrected sums of registers that the fit makes, less their own true sums."""
    truth, again = _simulated(ends, mean, variance, times=times, rng=rng)
    summed = again.counted & again.passed
    return np.asarray(_corrected(again, *_fit(again)) - (truth * again.elo_per_t * summed).sum(axis=1))


def _simulated(
    ends: _Ends, mean: float, variance: float, *, times: int, rng: np.random.Generator
) -> tuple[Vector, _Ends]:
    """Draw true gains, and for each test that was decided a new end under the gain that was drawn, so many times."""
    shape = (times, ends.games.shape[1])
    wide = {name: np.broadcast_to(getattr(ends, name), shape) for name in ends.__dataclass_fields__}
    truth = rng.normal(mean, math.sqrt(variance), shape)
    drawn = first_passage((truth - wide["middle"]).ravel(), low=wide["low"].ravel(), high=wide["high"].ravel(), rng=rng)
    passed, games = drawn[0].reshape(shape), drawn[1].reshape(shape)
    decided = wide["decided"]
    passed = np.where(decided, passed, wide["passed"])
    again = replace(
        _Ends(**wide),
        games=np.where(decided, games, wide["games"]),
        position=np.where(decided, np.where(passed, wide["high"], wide["low"]), wide["position"]),
        passed=passed,
        # What was rejected might have passed, and would have been summed then.
        counted=wide["counted"] | ~wide["passed"],
    )
    return truth, again
