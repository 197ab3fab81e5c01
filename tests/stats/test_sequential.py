"""What a sequential test will do, against real sequential tests on simulated pairs."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchorhold.calibration.games import advantages, opening_biases, pair_shares
from anchorhold.calibration.sequential import PlayedTests, play_tests
from anchorhold.errors import BadInput
from anchorhold.stats.brownian import mean_time, reach_upper_first, still_between, time_quantile
from anchorhold.stats.outcomes import Pentanomial
from anchorhold.stats.overshoot import Overshoot
from anchorhold.stats.power import draw_elo_of, draws_of
from anchorhold.stats.sequential import QUANTILES, StageDesign, both_stages, bounds_in_elo, stage_course
from anchorhold.stats.sprt import Sprt
from anchorhold.stats.stopped import median_unbiased
from anchorhold.stats.vectors import Vector

TESTS = 300


def shares_at(elo: float) -> Vector:
    draw_elo, (bias, weights) = draw_elo_of(0.5), opening_biases(80.0)
    advantage = advantages(np.array([elo]), bias_deviation=80.0, draw_elo=draw_elo)
    found = np.maximum(weights @ pair_shares(advantage, bias=bias, draw_elo=draw_elo)[0], 0.0)
    return np.asarray(found / found.sum())


DRAWS = draws_of(Pentanomial(*(round(1e6 * share) for share in shares_at(0.0))))


def played(elo: float, test: Sprt, *, corrected: bool = False, most: int = 3000) -> PlayedTests:
    return play_tests(shares_at(elo), test, tests=TESTS, most=most, rng=np.random.default_rng(9), corrected=corrected)


@pytest.mark.parametrize(("elo", "corrected"), [(0.0, False), (45.0, False), (35.0, True)])
def test_real_tests_pass_as_often_and_last_as_long_as_planned(elo: float, corrected: bool) -> None:
    test = Sprt(0.0, 100.0)
    found = played(elo, test, corrected=corrected)
    course = stage_course(StageDesign(test, DRAWS, 3000, corrected), elo)
    passes = float(np.nanmean(found.passed))
    error = math.sqrt(max(course.passes * (1 - course.passes), 0.01) / TESTS)
    assert passes == pytest.approx(course.passes, abs=3 * error + 0.01)
    assert found.pairs.mean() == pytest.approx(course.mean_pairs, rel=0.15)
    for share, pairs in zip(QUANTILES, course.quantiles, strict=True):
        assert (found.pairs <= pairs).mean() == pytest.approx(share, abs=0.09)


def test_a_limit_of_pairs_leaves_tests_undecided_as_often_as_planned() -> None:
    test, most = Sprt(0.0, 100.0), 50
    found = played(33.0, test, most=most)
    course = stage_course(StageDesign(test, DRAWS, most), 33.0)
    assert np.isnan(found.passed).mean() == pytest.approx(course.undecided, abs=0.08)
    assert found.pairs.mean() == pytest.approx(course.mean_pairs, rel=0.08)
    assert course.quantiles[2] == most


def test_at_the_bounds_a_test_errs_as_alpha_and_beta_say_when_overshoot_is_corrected() -> None:
    design = StageDesign(Sprt(0.5, 2.5, alpha=0.05, beta=0.1), 0.6, 10**9, overshoot_corrected=True)
    low, high = bounds_in_elo(design)
    assert stage_course(design, low).passes == pytest.approx(0.05, abs=1e-3)
    assert stage_course(design, high).passes == pytest.approx(0.9, abs=1e-3)
    without = StageDesign(design.test, 0.6, 10**9)
    assert stage_course(without, low).passes < 0.05
    assert stage_course(without, low).mean_pairs > stage_course(design, low).mean_pairs


def test_both_stages_pass_as_their_product_and_the_second_is_played_only_after_the_first() -> None:
    short, long = StageDesign(Sprt(0.0, 100.0), DRAWS, 10**6), StageDesign(Sprt(10.0, 120.0), DRAWS, 10**6)
    elo = 45.0
    one, other, both = stage_course(short, elo), stage_course(long, elo), both_stages(short, long, elo)
    assert both.passes == pytest.approx(one.passes * other.passes)
    assert both.mean_pairs == pytest.approx(one.mean_pairs + one.passes * other.mean_pairs)
    generator = np.random.default_rng(2)
    first = played(elo, short.test)
    second = play_tests(shares_at(elo), long.test, tests=TESTS, most=3000, rng=generator)
    total = first.pairs + np.where(first.passed == 1.0, second.pairs, 0.0)
    for share, pairs in zip(QUANTILES, both.quantiles, strict=True):
        assert (total <= pairs).mean() == pytest.approx(share, abs=0.09)


@settings(max_examples=25)
@given(
    st.floats(-0.5, 0.5),
    st.floats(0.01, 2.0),
    st.floats(-5.0, -0.5),
    st.floats(0.5, 5.0),
    st.floats(0.02, 0.98),
)
def test_the_time_until_a_barrier_has_the_closed_forms_of_wald(
    drift: float, variance: float, lower: float, upper: float, share: float
) -> None:
    until = time_quantile(drift, variance, lower=lower, upper=upper, share=share)
    up = reach_upper_first(drift, variance, lower=lower, upper=upper, time=until)
    down = reach_upper_first(-drift, variance, lower=-upper, upper=-lower, time=until)
    assert up + down == pytest.approx(share, abs=1e-6)
    # What has met no barrier is somewhere between them.
    middle = (lower + upper) / 2.0
    between = sum(
        still_between(drift, variance, lower=lower, upper=upper, time=until, low=low, high=high)
        for low, high in ((lower, middle), (middle, upper))
    )
    assert up + down + between == pytest.approx(1.0, abs=2e-4)
    # The mean is the integral of the share that is still on its way.
    last = time_quantile(drift, variance, lower=lower, upper=upper, share=0.9999)
    steps = np.linspace(0.0, last, 400)[1:]
    left = [
        1.0
        - reach_upper_first(drift, variance, lower=lower, upper=upper, time=float(time))
        - reach_upper_first(-drift, variance, lower=-upper, upper=-lower, time=float(time))
        for time in steps
    ]
    mean = float(np.trapezoid([1.0, *left], [0.0, *steps]))
    assert mean_time(drift, variance, lower=lower, upper=upper) == pytest.approx(mean, rel=0.01)


def test_the_mean_time_is_steady_where_the_drift_vanishes() -> None:
    at = [mean_time(drift, 1.0, lower=-2.0, upper=3.0) for drift in (-2.1e-5, -1.9e-5, 0.0, 1.9e-5, 2.1e-5)]
    assert at == pytest.approx([6.0] * 5, rel=1e-3)
    assert at == sorted(at)


def test_overshoot_is_the_excess_of_a_random_walk() -> None:
    generator = np.random.default_rng(1)
    seen = Overshoot()
    place = 0.0
    for step in generator.normal(0.02, 1.0, 20_000):
        place += float(step)
        seen.update(place)
    assert seen.high == pytest.approx(0.5826, rel=0.1)
    assert Overshoot().low == Overshoot().high == 0.0


def test_a_corrected_test_stops_before_its_bound_but_never_by_more_than_a_tenth() -> None:
    test = Sprt(0.0, 100.0)
    assert test.decide(2.80) == "undecided"
    assert test.decide(2.80, overshoot=(0.0, 0.2)) == "passed"
    assert test.decide(-2.80, overshoot=(0.2, 0.0)) == "failed"
    assert test.decide(2.60, overshoot=(9.0, 9.0)) == "undecided"


def test_bayeselo_bounds_are_not_for_planning() -> None:
    with pytest.raises(BadInput, match="reading old tests only"):
        stage_course(StageDesign(Sprt(0.0, 5.0, model="bayeselo"), 0.5, 1000), 0.0)


def test_median_unbiased_estimates_of_real_tests_are_right_in_the_median_and_their_intervals_cover() -> None:
    # bench/stopped.py has more tests and more Elo; its figures stand in stats/stopped.py and in
    # docs/explanation/statistics.md.
    test, elo = Sprt(0.0, 100.0), 35.0
    estimates = []
    covered = 0
    for counts in played(elo, test).counts:
        found = median_unbiased(
            Pentanomial(*map(int, counts)), bounds=(0.0, 100.0), model="normalized", alpha=0.05, beta=0.05
        )
        estimates.append(found.elo)
        covered += found.low <= elo <= found.high
    assert np.mean(np.array(estimates) < elo) == pytest.approx(0.5, abs=0.075)
    assert covered / TESTS == pytest.approx(0.95, abs=0.035)
