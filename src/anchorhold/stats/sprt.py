"""The sequential test: generalised log-likelihood ratio (GSPRT) of counts, Wald's bounds, the decision.

Counts are seen from the first engine (the candidate). ``llr`` is a natural logarithm, positive when the counts speak
for the upper Elo bound H1. May import: anchorhold.errors, anchorhold.stats.elo, outcomes, overshoot.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from anchorhold.errors import BadInput
from anchorhold.stats.elo import NELO_PER_SIGMA, score_of_elo
from anchorhold.stats.outcomes import GAME_SCORES, PAIR_SCORES, Pentanomial, Trinomial
from anchorhold.stats.overshoot import MOST

BoundsModel = Literal["normalized", "logistic", "bayeselo"]
BOUNDS_MODELS: tuple[str, ...] = get_args(BoundsModel)
Decision = Literal["passed", "failed", "undecided"]

ZERO_COUNT = 0.001
"""What a count of zero is replaced by, so that every class keeps some probability."""
LARGEST_BOUND = 200.0
"""Elo; beyond it a bound is a slip of the pen, and the normalized model has left the range it is meant for."""

Floats = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Wald:
    """Where a sequential test stops: at or below ``lower`` it fails, at or above ``upper`` it passes."""

    lower: float
    upper: float


def wald_bounds(alpha: float, beta: float) -> Wald:
    """Wald's bounds of the log-likelihood ratio: ln(β/(1 − α)) and ln((1 − β)/α).

    Parameters
    ----------
    alpha, beta : float
        Chance to pass at the lower Elo bound, and to fail at the upper one; each in (0, 1), together below 1.

    Raises
    ------
    BadInput
        Values for which no test exists.

    Examples
    --------
    >>> bounds = wald_bounds(0.05, 0.05)
    >>> f"{bounds.lower:.3f} {bounds.upper:.3f}"
    '-2.944 2.944'
    """
    if not (0.0 < alpha < 1.0 and 0.0 < beta < 1.0 and alpha + beta < 1.0):
        raise BadInput(
            f"alpha is {alpha} and beta is {beta}; each must lie between 0 and 1, and their sum below 1",
            next_step="The field's usual value is 0.05 for both.",
        )
    return Wald(lower=math.log(beta) - math.log1p(-alpha), upper=math.log1p(-beta) - math.log(alpha))


@dataclass(frozen=True, slots=True)
class Sprt:
    """One sequential test: two Elo bounds in their model, and the two error rates.

    Raises
    ------
    BadInput
        Bounds that are not finite, not in rising order or beyond ±200 Elo; an unknown model; rates without a test.
    """

    elo0: float
    elo1: float
    model: BoundsModel = "normalized"
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if self.model not in BOUNDS_MODELS:
            raise BadInput(f"the bounds' model is {self.model!r}; known are {', '.join(BOUNDS_MODELS)}")
        if not -LARGEST_BOUND <= self.elo0 < self.elo1 <= LARGEST_BOUND:
            raise BadInput(
                f"the bounds are {self.elo0} and {self.elo1}; expected the lower first, the higher second, "
                f"both within ±{LARGEST_BOUND:g}"
            )
        wald_bounds(self.alpha, self.beta)

    @property
    def bounds(self) -> Wald:
        """Where the log-likelihood ratio stops the test."""
        return wald_bounds(self.alpha, self.beta)

    @property
    def wants_gain(self) -> bool:
        """Whether the bounds ask for a gain (their middle is above 0) or only for no loss."""
        return self.elo0 + self.elo1 > 0

    def llr(self, sample: Pentanomial | Trinomial, *, games: Trinomial | None = None) -> float:
        """Log-likelihood ratio of the counts; see :func:`log_likelihood_ratio`."""
        return log_likelihood_ratio(sample, bounds=(self.elo0, self.elo1), model=self.model, games=games)

    def decide(self, llr: float, *, overshoot: tuple[float, float] = (0.0, 0.0)) -> Decision:
        """Say what a log-likelihood ratio decides: at the upper bound or above it passed, at the lower or below failed.

        Parameters
        ----------
        overshoot : tuple of float
            By how much the lower and the upper bound are moved inwards (``stats.overshoot``); each counts up to 10 %
            of its bound.
        """
        bounds = self.bounds
        low, high = overshoot
        if llr >= bounds.upper - min(high, MOST * bounds.upper):
            return "passed"
        return "failed" if llr <= bounds.lower + min(low, -MOST * bounds.lower) else "undecided"


def log_likelihood_ratio(
    sample: Pentanomial | Trinomial,
    *,
    bounds: tuple[float, float],
    model: BoundsModel,
    games: Trinomial | None = None,
) -> float:
    """Generalised log-likelihood ratio of H1 (Elo = bounds[1]) to H0 (Elo = bounds[0]).

    Parameters
    ----------
    sample : Pentanomial or Trinomial
        Counts of pairs (the pair is the unit), or of games where only those are known.
    bounds : tuple of float
        Elo of H0 and of H1, in the unit of ``model``.
    model : {"normalized", "logistic", "bayeselo"}
        Unit of the bounds. BayesElo is for reading old data only.
    games : Trinomial, optional
        The same games one by one: BayesElo bounds need the draw Elo, which pairs alone do not show.

    Returns
    -------
    float
        Natural logarithm, 0.0 for no observations; always finite.

    Raises
    ------
    BadInput
        Negative counts, bounds that ``Sprt`` refuses, or BayesElo bounds without games.

    Notes
    -----
    Both hypotheses leave the distribution over the classes free but for one constraint, and each is represented by its
    maximum-likelihood distribution under that constraint [1]_: an expected score for logistic bounds; for normalized
    bounds (expected score − ½)/σ, with σ the standard deviation of the unit (a pair's is one game's over √2) [2]_.
    Zero counts are replaced by 0.001. Agrees with fishtest's server (commit b8eecff) to 1e-3, see tests/golden.

    References
    ----------
    .. [1] M. Van den Bergh, https://www.cantate.be/Fishtest/GSPRT_approximation.pdf
    .. [2] M. Van den Bergh, https://www.cantate.be/Fishtest/normalized_elo_practical.pdf

    Examples
    --------
    >>> sample = Pentanomial(ll=61, ld=2691, dd_wl=6215, wd=2979, ww=74)
    >>> f"{log_likelihood_ratio(sample, bounds=(0.5, 2.5), model='normalized'):.3f}"
    '2.959'
    """
    Sprt(*bounds, model=model)
    observed = observe(sample)
    if observed.n == 0:
        return 0.0
    if model == "normalized":
        # A pair's mean score varies √2 times less than one game's score, so its t-value is √2 times larger.
        per_unit = math.sqrt(observed.games_per_unit) / NELO_PER_SIGMA
        h0, h1 = (most_likely_with_t(observed, elo * per_unit) for elo in bounds)
    else:
        h0, h1 = (
            most_likely_with_mean(observed, score_of_elo(elo)) for elo in logistic_bounds(sample, bounds, model, games)
        )
    return observed.n * sum(
        share * (math.log(one) - math.log(zero)) for share, zero, one in zip(observed.shares, h0, h1, strict=True)
    )


@dataclass(frozen=True, slots=True)
class Observed:
    """Regularised counts as a distribution over scores: what the constrained fits start from."""

    n: float
    """Observations, the replaced zeros included; 0 when nothing was observed."""
    scores: Floats
    """Score of each class in [0, 1]."""
    shares: Floats
    """Probability of each class; positive, sum 1."""
    games_per_unit: float
    """2 for pairs, 1 for games."""

    @property
    def mean(self) -> float:
        """Mean score of one unit."""
        return sum(share * score for share, score in zip(self.shares, self.scores, strict=True))

    @property
    def game_sigma(self) -> float:
        """Standard deviation of one game: √2 times that of a pair's mean score."""
        mean = self.mean
        variance = sum(share * (score - mean) ** 2 for share, score in zip(self.shares, self.scores, strict=True))
        return math.sqrt(self.games_per_unit * variance)


def observe(sample: Pentanomial | Trinomial) -> Observed:
    """Regularise counts: each zero becomes 0.001, so that no class is impossible.

    Raises
    ------
    BadInput
        A negative count.
    """
    if isinstance(sample, Pentanomial):
        counts: tuple[int, ...] = sample.as_tuple()
        scores: tuple[float, ...] = PAIR_SCORES
        games_per_unit = 2.0
    else:
        counts = (sample.losses, sample.draws, sample.wins)
        scores, games_per_unit = GAME_SCORES, 1.0
    if min(counts) < 0:
        raise BadInput(f"the counts {counts} contain a negative number")
    if sum(counts) == 0:
        return Observed(n=0.0, scores=scores, shares=(1.0 / len(counts),) * len(counts), games_per_unit=games_per_unit)
    replaced = [float(count) if count else ZERO_COUNT for count in counts]
    n = math.fsum(replaced)
    return Observed(
        n=n,
        scores=scores,
        shares=tuple(count / n for count in replaced),
        games_per_unit=games_per_unit,
    )


def most_likely_with_mean(observed: Observed, mean: float) -> Floats:
    """Return the maximum-likelihood distribution whose expected score is ``mean``.

    Raises
    ------
    BadInput
        A mean that is not between 0 and 1.
    """
    if not 1e-12 < mean < 1.0 - 1e-12:
        raise BadInput(f"the expected score is {mean}, expected one between 0 and 1")
    return _tilted(observed.shares, tuple(score - mean for score in observed.scores))


def most_likely_with_t(observed: Observed, t: float) -> Floats:
    """Return the maximum-likelihood distribution with (expected score − ½)/σ = ``t``, σ of one unit.

    Raises
    ------
    BadInput
        The iteration does not settle: a bound too far out for these counts.

    Notes
    -----
    The constraint is curved, so its tangent at the present mean and σ is used, and the fit repeated until both stay;
    five rounds are usual. It starts from the uniform distribution: counts of one class only would give σ near 0.
    """
    shares: Floats = (1.0 / len(observed.scores),) * len(observed.scores)
    for _ in range(200):
        mean = sum(share * score for share, score in zip(shares, observed.scores, strict=True))
        sigma = math.sqrt(
            sum(share * (score - mean) ** 2 for share, score in zip(shares, observed.scores, strict=True))
        )
        if sigma < 1e-9:
            break
        tangent = tuple(
            score - 0.5 - t * sigma * (1.0 + ((score - mean) / sigma) ** 2) / 2.0 for score in observed.scores
        )
        if not min(tangent) < 0.0 < max(tangent):
            break
        fitted = _tilted(observed.shares, tangent)
        moved = max(abs(new - old) for new, old in zip(fitted, shares, strict=True))
        shares = fitted
        if moved < 1e-12:
            return shares
    raise BadInput(
        f"no distribution with a normalized Elo of {t * NELO_PER_SIGMA / math.sqrt(observed.games_per_unit):.1f} "
        "could be fitted to these counts",
        next_step="Choose bounds nearer to 0.",
    )


def _tilted(shares: Floats, values: Floats) -> Floats:
    """Maximum-likelihood distribution under which ``values`` have expectation 0.

    By Lagrange it is share/(1 + x·value). With the extreme value e on the other side of 0 than the present expectation,
    u = 1 + x·e lies in [share of e, 1], for no probability exceeds 1; solving for u instead of x keeps every digit when
    that share is tiny.
    """
    expectation = sum(share * value for share, value in zip(shares, values, strict=True))
    extreme = (min if expectation > 0.0 else max)(range(len(values)), key=values.__getitem__)
    ratios = [value / values[extreme] for value in values]

    terms = [(share * ratio, 1.0 - ratio, ratio) for share, ratio in zip(shares, ratios, strict=True)]

    def excess(u: float) -> tuple[float, float]:
        value = slope = 0.0
        for weight, rest, ratio in terms:
            inverse = 1.0 / (rest + u * ratio)
            value += weight * inverse
            slope -= weight * ratio * inverse * inverse
        return value, slope

    u = _falling_root(excess, shares[extreme], 1.0)
    tilted = [share / ((1.0 - ratio) + u * ratio) for share, ratio in zip(shares, ratios, strict=True)]
    total = math.fsum(tilted)
    return tuple(share / total for share in tilted)


def _falling_root(function: Callable[[float], tuple[float, float]], low: float, high: float) -> float:
    """Root of a falling function, given with its slope, between two positive ends, or the end that is nearest to it.

    Newton's steps from the upper end, where the fits of nearby bounds lie; a bisection whenever one leaves the bracket
    or gains less than half.
    """
    if function(low)[0] <= 0.0:
        return low
    value, slope = function(high)
    if value >= 0.0:
        return high
    x = high
    for _ in range(200):
        width = high - low
        step = x - value / slope
        x = step if low < step < high and abs(step - x) <= 0.5 * width else 0.5 * (low + high)
        value, slope = function(x)
        if value > 0.0:
            low = x
        else:
            high = x
        if value == 0.0 or abs(value) <= 4e-16 * abs(slope) * x or high - low <= 4e-16 * high:
            return x
    return 0.5 * (low + high)


def draw_elo(games: Trinomial) -> float:
    """Draw Elo of the BayesElo model that games show: 200·log10((1 − l)/l · (1 − w)/w).

    Zero counts are replaced by 0.001.

    Raises
    ------
    BadInput
        No games.
    """
    observed = observe(games)
    if observed.n == 0:
        raise BadInput("no games from which a draw Elo could be estimated")
    loss, drawn, win = observed.shares
    # 1 − loss as a sum: the difference would be 0 where nearly all is lost.
    return 200.0 * math.log10((drawn + win) / loss * (drawn + loss) / win)


def logistic_of_bayeselo(elo: float, *, draw: float) -> float:
    """Logistic Elo of a BayesElo difference at a given draw Elo.

    Raises
    ------
    BadInput
        A difference so large that its score cannot be told from 0 or 1.
    """
    win, loss = score_of_elo(elo - draw), score_of_elo(-elo - draw)
    score = 0.5 + (win - loss) / 2.0
    if not 0.0 < score < 1.0:
        raise BadInput(f"a BayesElo difference of {elo:g} is too large for a score")
    return -400.0 * math.log10(1.0 / score - 1.0)


def logistic_bounds(
    sample: Pentanomial | Trinomial,
    bounds: tuple[float, float],
    model: BoundsModel,
    games: Trinomial | None = None,
) -> tuple[float, float]:
    """Bounds in logistic Elo: as they are, through σ of one game (normalized), or through the draw Elo (BayesElo).

    Raises
    ------
    BadInput
        Bounds that ``Sprt`` refuses; BayesElo bounds and no games to take the draw Elo from; normalized bounds beyond
        a score of 0 or 1.
    """
    Sprt(*bounds, model=model)
    if model == "logistic":
        return bounds
    if model == "bayeselo":
        source = games if games is not None else sample
        if not isinstance(source, Trinomial):
            raise BadInput(
                "BayesElo bounds need the draw Elo, which pair counts alone do not show",
                next_step="Give wins, draws and losses beside the pentanomial.",
            )
        draw = draw_elo(source)
        return logistic_of_bayeselo(bounds[0], draw=draw), logistic_of_bayeselo(bounds[1], draw=draw)
    sigma = observe(sample).game_sigma
    scores = [0.5 + elo / NELO_PER_SIGMA * sigma for elo in bounds]
    if not 0.0 < scores[0] < scores[1] < 1.0:
        raise BadInput(f"the normalized bounds {bounds[0]} and {bounds[1]} are no expected scores at these counts")
    low, high = (-400.0 * math.log10(1.0 / score - 1.0) for score in scores)
    return low, high
