import math
from operator import attrgetter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.errors import BadInput
from anchorhold.stats.elo import score_of_elo
from anchorhold.stats.outcomes import PAIR_SCORES, Pentanomial, Trinomial
from anchorhold.stats.sprt import (
    BoundsModel,
    Sprt,
    draw_elo,
    log_likelihood_ratio,
    logistic_bounds,
    logistic_of_bayeselo,
    most_likely_with_mean,
    most_likely_with_t,
    observe,
    wald_bounds,
)
from stats.quoted import SELECTION, WINDOW, Quoted, quoted

# fishtest, server/fishtest/stats/LLRcalc.py at commit b8eecff: LLR_normalized(elo0, elo1, pentanomial).
NORMALIZED = [
    ((379, 10170, 21828, 10640, 343), (0.0, 2.0), 2.94550),
    ((61, 2691, 6215, 2979, 74), (0.5, 2.5), 2.95913),
    ((31, 1322, 3103, 1508, 38), (0.0, 3.0), 2.94744),
    ((120, 4687, 10670, 4998, 125), (0.0, 2.0), 2.94907),
    ((20, 130, 180, 150, 20), (0.0, 5.0), 0.32997),
    ((0, 0, 0, 0, 50), (0.0, 2.0), 0.40539),
    ((0, 0, 10, 0, 0), (0.0, 2.0), -0.00035),
]

counts = st.one_of(st.integers(0, 3), st.integers(0, 20_000), st.integers(0, 10**12))
pentanomials = st.builds(Pentanomial, ll=counts, ld=counts, dd_wl=counts, wd=counts, ww=counts)
models = st.sampled_from(["normalized", "logistic"])
bounds = st.tuples(st.floats(-100, 99), st.floats(0.1, 100)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@pytest.mark.parametrize(("pairs", "between", "llr"), NORMALIZED)
def test_normalized_bounds_give_the_llr_that_fishtest_computes(
    pairs: tuple[int, int, int, int, int], between: tuple[float, float], llr: float
) -> None:
    found = log_likelihood_ratio(Pentanomial(*pairs), bounds=between, model="normalized")
    assert found == pytest.approx(llr, abs=2e-5)


@pytest.mark.parametrize("test", quoted(SELECTION) + quoted(WINDOW), ids=attrgetter("name"))
def test_counts_of_a_real_history_give_the_llr_that_was_quoted(test: Quoted) -> None:
    found = log_likelihood_ratio(test.pairs, bounds=test.bounds, model=test.model, games=test.games)
    assert found == pytest.approx(test.llr, abs=0.01)
    assert found == pytest.approx(test.llr_recomputed, abs=1e-5)


@given(pentanomials, bounds, models)
def test_the_llr_is_finite_and_swapping_engines_and_bounds_turns_its_sign(
    sample: Pentanomial, between: tuple[float, float], model: BoundsModel
) -> None:
    found = log_likelihood_ratio(sample, bounds=between, model=model)
    swapped = log_likelihood_ratio(sample.swapped(), bounds=(-between[1], -between[0]), model=model)
    assert math.isfinite(found)
    assert swapped == pytest.approx(-found, rel=1e-7, abs=1e-7)


@given(pentanomials, bounds, models)
def test_a_better_pair_never_lowers_the_llr_below_that_of_a_worse_one(
    sample: Pentanomial, between: tuple[float, float], model: BoundsModel
) -> None:
    small = Pentanomial(*(1 + count % 50 for count in sample.as_tuple()))
    ratios = [log_likelihood_ratio(small.plus(points), bounds=between, model=model) for points in (0, 4)]
    assert ratios[0] < ratios[1]


@given(pentanomials, st.floats(-300, 300))
def test_the_fitted_distribution_has_the_asked_mean_and_beats_its_neighbours(sample: Pentanomial, elo: float) -> None:
    observed = observe(sample)
    mean = score_of_elo(elo)
    fitted = most_likely_with_mean(observed, mean)
    assert math.fsum(fitted) == pytest.approx(1.0)
    assert math.fsum(share * score for share, score in zip(fitted, PAIR_SCORES, strict=True)) == pytest.approx(mean)
    # Any way to move probability that keeps sum and mean: the likelihood must not rise.
    step = 1e-3 * min(fitted)
    before = _log_likelihood(observed.shares, fitted)
    for direction in ((1, -2, 1, 0, 0), (0, 1, -2, 1, 0), (0, 0, 1, -2, 1)):
        for sign in (step, -step):
            moved = [share + sign * part for share, part in zip(fitted, direction, strict=True)]
            assert _log_likelihood(observed.shares, moved) <= before + 1e-12


def _log_likelihood(shares: tuple[float, ...], fitted: list[float] | tuple[float, ...]) -> float:
    return math.fsum(share * math.log(other) for share, other in zip(shares, fitted, strict=True))


@given(pentanomials, st.floats(-0.6, 0.6))
def test_the_fitted_distribution_has_the_asked_t_value(sample: Pentanomial, t: float) -> None:
    fitted = most_likely_with_t(observe(sample), t)
    mean = math.fsum(share * score for share, score in zip(fitted, PAIR_SCORES, strict=True))
    sigma = math.sqrt(math.fsum(s * (score - mean) ** 2 for s, score in zip(fitted, PAIR_SCORES, strict=True)))
    assert (mean - 0.5) / sigma == pytest.approx(t, abs=1e-6)


def test_nothing_observed_says_nothing() -> None:
    assert log_likelihood_ratio(Pentanomial(0, 0, 0, 0, 0), bounds=(0, 2), model="normalized") == 0.0


def test_games_one_by_one_can_be_tested_too() -> None:
    games = Trinomial(wins=6162, draws=12030, losses=5848)
    found = log_likelihood_ratio(games, bounds=(0.5, 2.5), model="logistic")
    # Normal approximation of the same ratio: N (s1 - s0)(mean - (s0 + s1)/2)/variance.
    s0, s1 = score_of_elo(0.5), score_of_elo(2.5)
    mean = (6162 + 12030 / 2) / 24040
    variance = (6162 + 12030 / 4) / 24040 - mean**2
    assert found == pytest.approx(24040 * (s1 - s0) * (mean - (s0 + s1) / 2) / variance, rel=1e-3)


def test_bayeselo_bounds_shrink_by_the_draw_elo_that_games_show() -> None:
    # The model's own probabilities at draw Elo 200 and no difference: exactly these games.
    lost = 1.0 / (1.0 + 10.0**0.5)
    games = Trinomial(wins=round(1e7 * lost), draws=round(1e7 * (1 - 2 * lost)), losses=round(1e7 * lost))
    assert draw_elo(games) == pytest.approx(200.0, abs=1e-4)
    low, high = logistic_bounds(games, (-1.5, 4.5), "bayeselo")
    assert high == pytest.approx(-3 * low, rel=1e-3)
    assert high == pytest.approx(logistic_of_bayeselo(4.5, draw=200.0), rel=1e-4)
    assert 0 < high < 4.5


def test_bayeselo_bounds_without_single_games_are_refused() -> None:
    with pytest.raises(BadInput, match="Give wins, draws and losses"):
        log_likelihood_ratio(Pentanomial(1, 2, 3, 2, 2), bounds=(0, 5), model="bayeselo")


def test_wald_bounds_are_those_of_the_field() -> None:
    bounds = wald_bounds(0.05, 0.1)
    assert bounds.lower == pytest.approx(math.log(0.1 / 0.95))
    assert bounds.upper == pytest.approx(math.log(0.9 / 0.05))


@pytest.mark.parametrize(("alpha", "beta"), [(0.0, 0.05), (0.05, 1.0), (0.6, 0.4), (math.nan, 0.05)])
def test_error_rates_without_a_test_are_refused(alpha: float, beta: float) -> None:
    with pytest.raises(BadInput, match="alpha"):
        wald_bounds(alpha, beta)


@pytest.mark.parametrize(("elo0", "elo1"), [(2.0, 0.0), (1.0, 1.0), (0.0, 500.0), (math.nan, 2.0), (0.0, math.inf)])
def test_bounds_that_are_none_are_refused(elo0: float, elo1: float) -> None:
    with pytest.raises(BadInput, match="bounds"):
        Sprt(elo0, elo1)


def test_an_unknown_model_is_refused() -> None:
    with pytest.raises(BadInput, match="bayeselo"):
        Sprt(0.0, 2.0, model="elo")  # type: ignore[arg-type]


def test_negative_counts_are_refused() -> None:
    with pytest.raises(BadInput, match="negative"):
        log_likelihood_ratio(Pentanomial(1, -1, 3, 2, 2), bounds=(0, 5), model="normalized")


def test_a_test_passes_at_its_upper_bound_and_fails_at_its_lower_one() -> None:
    test = Sprt(0.0, 2.0, alpha=0.05, beta=0.05)
    upper = math.log(19)
    decisions = [test.decide(llr) for llr in (-upper, -upper + 1e-9, upper - 1e-9, upper)]
    assert decisions == ["failed", "undecided", "undecided", "passed"]


@pytest.mark.parametrize(("between", "gain"), [((0.0, 2.0), True), ((-0.5, 1.5), True), ((-1.75, 0.25), False)])
def test_bounds_ask_for_a_gain_when_their_middle_is_above_zero(between: tuple[float, float], gain: bool) -> None:
    assert Sprt(*between).wants_gain is gain


@pytest.mark.parametrize("games", [Trinomial(wins=2**53, draws=0, losses=0), Trinomial(wins=0, draws=0, losses=2**53)])
def test_more_games_than_a_share_of_one_can_tell_from_all_have_a_draw_elo(games: Trinomial) -> None:
    assert math.isfinite(draw_elo(games))
    assert math.isfinite(log_likelihood_ratio(games, bounds=(0.0, 2.0), model="bayeselo"))
