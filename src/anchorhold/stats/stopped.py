"""What a stopped sequential test says: the median-unbiased Elo and its interval, from the Brownian model of the LLR.

A test that stops when its log-likelihood ratio (LLR) reaches a bound stops, by construction, at a lucky moment: the
Elo of its counts is biased. Here the outcome itself (passed or failed, and after how many pairs) is the observation.
Elo is logistic and seen from the first engine. Source: SPEC section 4, ``s_median_unbiased``.
May import: scipy, anchorhold.errors, anchorhold.stats.brownian, elo, outcomes, sprt.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from anchorhold.errors import AnchorholdError, BadInput
from anchorhold.stats.brownian import reach_upper_first, still_between
from anchorhold.stats.elo import score_of_elo
from anchorhold.stats.outcomes import Pentanomial, Trinomial
from anchorhold.stats.sprt import BoundsModel, Sprt, Wald, logistic_bounds, observe

STOP_TOLERANCE = 0.05
"""A test counts as stopped when its recomputed LLR is within this share of a bound: the field's servers correct for the
overshoot and stop a little before the bound itself (2.81 to 2.94 of 2.944 in the quoted tests of a real history)."""
LARGEST_ELO = 1199.0
"""Where the search for an estimate ends; the clip of SPEC section 2 lies just beyond."""


class NotStopped(AnchorholdError):
    """Counts, bounds and rates that are no stopped test, or none that this model can read.

    The recomputed LLR has reached neither bound, bounds or rates make no test, BayesElo bounds stand without single
    games, or the estimate would lie beyond ±1199 Elo.
    """


@dataclass(frozen=True, slots=True)
class StoppedEstimate:
    """The median-unbiased estimate of a stopped test, in logistic Elo."""

    elo: float
    """The Elo at which a worse outcome than the observed one has probability ½."""
    low: float
    high: float
    """Ends of the two-sided interval at the asked confidence."""
    llr: float
    """Recomputed log-likelihood ratio of the counts, before the overshoot is cut back."""
    passed: bool


def median_unbiased(
    sample: Pentanomial | Trinomial,
    *,
    bounds: tuple[float, float],
    model: BoundsModel,
    alpha: float,
    beta: float,
    confidence: float = 0.95,
    games: Trinomial | None = None,
) -> StoppedEstimate:
    """Median-unbiased logistic Elo of a sequential test that has stopped, with its interval.

    Parameters
    ----------
    sample : Pentanomial or Trinomial
        Counts at the stop.
    bounds : tuple of float
        Elo of H0 and H1, in the unit of ``model``.
    model : {"normalized", "logistic", "bayeselo"}
        Unit of the bounds.
    alpha, beta : float
        The test's error rates.
    confidence : float
        Coverage of the two-sided interval, in (0, 1).
    games : Trinomial, optional
        The same games one by one; BayesElo bounds take their draw Elo from it.

    Returns
    -------
    StoppedEstimate
        elo, low, high in logistic Elo; low ≤ elo ≤ high.

    Raises
    ------
    NotStopped
        The recomputed LLR is more than 5 % away from either bound; bounds, rates or counts make no test; the estimate
        lies beyond ±1199 Elo.
    BadInput
        A confidence outside (0, 1).

    Notes
    -----
    Outcomes are ordered from worst to best: fast fail … slow fail, slow pass … fast pass. The estimate is the Elo at
    which an outcome worse than the observed one has probability ½; the interval's ends are where it has
    (1 ± confidence)/2.
    The LLR is modelled as a Brownian motion with drift (s₁ − s₀)(s − (s₀ + s₁)/2)/v and variance (s₁ − s₀)²/v per unit:
    s is the supposed expected score, s₀ and s₁ the bounds as expected scores, v the observed variance of one unit's
    score. Overshoot is cut back to the bound along the LLR's slope, and the number of units with it. Normalized bounds
    go through σ of one game, BayesElo bounds through the draw Elo. Unbiased in the median over passes and fails
    together; still biased upwards when only passes are kept. Meant for small differences, as the Brownian model is.
    A test that stopped a little before its bound (servers correct for overshoot) is compared with those that stood
    lower at that time.

    Simulated on real GSPRTs (``bench/stopped.py --tests 10000 --seed 1``: bounds 0 and 30 normalized, here 0 and 21
    Elo, half the games drawn): over passes and fails together 49 to 51 % of the estimates lie below the truth, and the
    95 % interval covers 95.0 to 95.8 %, for true Elo of -10 to 32; up to 96.7 % in tests that end after 50 pairs. Given
    a pass the estimate is too high by 3 to 4 Elo at 21 and 32, by 10 at 10, by 24 at 0 (naive: 7, 13 and 27), and at 0
    the interval covers 55 % of the passes.

    The first-passage probability of Brownian motion between two absorbing barriers is standard [1]_ and taken exactly.
    fishtest (commit b8eecff) gives the same within 1e-3 Elo for all 2,948 stopped tests of a real history; most of
    what is left comes from an approximation to which it changes (|drift/variance| · span > 15; 3.178 for 3.177 in the
    example).

    References
    ----------
    .. [1] A. N. Borodin, P. Salminen, Handbook of Brownian Motion, 2nd ed., part II, section 2.3.

    Examples
    --------
    >>> e = median_unbiased(Pentanomial(214, 7743, 17343, 8086, 230), bounds=(0, 2), model="normalized",
    ...                     alpha=0.05, beta=0.05)
    >>> f"{e.elo:.3f} in [{e.low:.3f}, {e.high:.3f}]"
    '1.767 in [0.333, 3.177]'
    """
    if not 0.0 < confidence < 1.0:
        raise BadInput(f"the confidence is {confidence}, expected a number between 0 and 1")
    found = _read(sample, bounds=bounds, model=model, alpha=alpha, beta=beta, games=games)

    def elo_with(probability: float) -> float:
        return _where_falls_to(
            found.worse, probability, centre=(found.elo0 + found.elo1) / 2.0, scale=found.elo1 - found.elo0
        )

    return StoppedEstimate(
        elo=elo_with(0.5),
        low=elo_with(0.5 + confidence / 2.0),
        high=elo_with(0.5 - confidence / 2.0),
        llr=found.llr,
        passed=found.stop.passed,
    )


def chance_of_worse(
    sample: Pentanomial | Trinomial,
    *,
    elo: float,
    bounds: tuple[float, float],
    model: BoundsModel,
    alpha: float,
    beta: float,
    games: Trinomial | None = None,
) -> float:
    """Chance of a worse outcome than the observed one, were the true logistic Elo ``elo``; see ``median_unbiased``.

    Below ½ when the estimate lies below ``elo``; the interval at a confidence c covers ``elo`` when it is within
    (1 ± c)/2. So a coverage is simulated without a search for each estimate.

    Raises
    ------
    NotStopped
        As for the estimate.
    """
    return _read(sample, bounds=bounds, model=model, alpha=alpha, beta=beta, games=games).worse(elo)


@dataclass(frozen=True, slots=True)
class _Stopped:
    """A stopped test as the model sees it."""

    elo0: float
    elo1: float
    """Bounds in logistic Elo."""
    llr: float
    wald: Wald
    motion: _LlrMotion
    stop: _Stop

    def worse(self, elo: float) -> float:
        """Chance of a worse outcome at a true Elo."""
        drift, variance = self.motion.drift_and_variance(score_of_elo(elo))
        return self.stop.probability_of_worse(drift, variance, self.wald)


def _read(
    sample: Pentanomial | Trinomial,
    *,
    bounds: tuple[float, float],
    model: BoundsModel,
    alpha: float,
    beta: float,
    games: Trinomial | None,
) -> _Stopped:
    try:
        test = Sprt(*bounds, model=model, alpha=alpha, beta=beta)
        llr = test.llr(sample, games=games)
        elo0, elo1 = logistic_bounds(sample, bounds, model, games)
    except BadInput as error:
        raise NotStopped(error.what, where=error.where, next_step=error.next_step) from error
    wald = test.bounds
    if (1.0 - STOP_TOLERANCE) * wald.lower < llr < (1.0 - STOP_TOLERANCE) * wald.upper:
        raise NotStopped(
            f"the recomputed LLR is {llr:.3f}, which reaches neither {wald.lower:.3f} nor {wald.upper:.3f}",
            next_step="Compare the counts, the bounds and their model with the original test.",
        )
    observed = observe(sample)
    motion = _LlrMotion(
        n=observed.n,
        mean=observed.mean,
        variance=observed.game_sigma**2 / observed.games_per_unit,
        score0=score_of_elo(elo0),
        score1=score_of_elo(elo1),
    )
    stop = motion.stop(wald, passed=llr > 0.0)
    return _Stopped(elo0=elo0, elo1=elo1, llr=llr, wald=wald, motion=motion, stop=stop)


@dataclass(frozen=True, slots=True)
class _LlrMotion:
    """How the LLR of a test for an expected score moves with every pair (or game), to second order in the scores."""

    n: float
    mean: float
    """Observed score of one unit."""
    variance: float
    """Observed variance of one unit's score."""
    score0: float
    score1: float
    """Expected scores under H0 and H1."""

    def drift_and_variance(self, score: float) -> tuple[float, float]:
        """Mean and variance of one unit's contribution when ``score`` is the true expected score."""
        step = self.score1 - self.score0
        return step * (score - (self.score0 + self.score1) / 2.0) / self.variance, step * step / self.variance

    def stop(self, bounds: Wald, *, passed: bool) -> _Stop:
        """Return where the LLR stood at the end; one beyond its bound is cut back to it, and the units with it."""
        slope = self.drift_and_variance(self.mean)[0]
        bound = bounds.upper if passed else bounds.lower
        beyond = slope * self.n / bound
        if beyond >= 1.0:
            return _Stop(passed=passed, units=self.n / beyond, llr=bound)
        return _Stop(passed=passed, units=self.n, llr=slope * self.n)


@dataclass(frozen=True, slots=True)
class _Stop:
    """A test's outcome: passed or failed, after how many units, at or a little before its bound."""

    passed: bool
    units: float
    llr: float

    def probability_of_worse(self, drift: float, variance: float, bounds: Wald) -> float:
        """Chance of a faster fail, or, for a pass, of a slower pass or any fail.

        A test that stopped a little before its bound is compared with those that stood lower when it stopped.
        """
        if self.passed:
            better = reach_upper_first(drift, variance, lower=bounds.lower, upper=bounds.upper, time=self.units)
            return 1.0 - better - self._between(drift, variance, bounds, self.llr, bounds.upper)
        worse = reach_upper_first(-drift, variance, lower=-bounds.upper, upper=-bounds.lower, time=self.units)
        return worse + self._between(drift, variance, bounds, bounds.lower, self.llr)

    def _between(self, drift: float, variance: float, bounds: Wald, low: float, high: float) -> float:
        if low >= high:
            return 0.0
        return still_between(
            drift, variance, lower=bounds.lower, upper=bounds.upper, time=self.units, low=low, high=high
        )


def _where_falls_to(function: Callable[[float], float], level: float, *, centre: float, scale: float) -> float:
    """Elo at which a falling function of Elo takes a level; the search widens from the bounds until it is enclosed."""
    from scipy.optimize import brentq  # slow to load, and the gate, which decides without it, must answer at once

    reach = 4.0 * scale
    while True:
        low, high = max(centre - reach, -LARGEST_ELO), min(centre + reach, LARGEST_ELO)
        if function(low) > level > function(high):
            return float(brentq(lambda elo: function(elo) - level, low, high, xtol=1e-9, rtol=1e-13))
        if low == -LARGEST_ELO and high == LARGEST_ELO:
            raise NotStopped(
                f"the estimate of the stopped test lies beyond ±{LARGEST_ELO:g} Elo",
                next_step="These counts are no test of a small difference; measure it by a match of fixed length.",
            )
        reach *= 3.0
