import math

import numpy as np
import pytest

from anchorhold.stats.elo import NELO_PER_SIGMA, elo_from_pentanomial
from anchorhold.stats.outcomes import Pentanomial
from anchorhold.stats.passage import first_passage
from anchorhold.stats.selection import (
    EndedTest,
    _bootstrap_range,
    _Ends,
    _fit,
    _limit_reach,
    ended_test,
    selection_corrected_sum,
)

LOWER, UPPER = math.log(0.05 / 0.95), math.log(0.95 / 0.05)
BOUNDS = (0.0, 2.0)


def simulated_tests(*, mean: float, deviation: float, count: int, seed: int) -> tuple[list[EndedTest], np.ndarray]:
    """Tests of true gains from a normal distribution in normalized Elo; with the true gains."""
    rng = np.random.default_rng(seed)
    t0, t1 = (bound / NELO_PER_SIGMA for bound in BOUNDS)
    truth = rng.normal(mean, deviation, count) / NELO_PER_SIGMA
    wide = np.full(count, 1.0 / (t1 - t0))
    passed, games = first_passage(truth - (t0 + t1) / 2, low=LOWER * wide, high=UPPER * wide, rng=rng)
    tests = [
        EndedTest(
            games=float(n),
            t0=t0,
            t1=t1,
            lower=LOWER,
            upper=UPPER,
            llr=UPPER if ok else LOWER,
            elo_per_nelo=0.5,
            counted=bool(ok),
        )
        for ok, n in zip(passed, games, strict=True)
    ]
    return tests, truth * NELO_PER_SIGMA


def test_the_fit_finds_the_distribution_that_made_the_tests() -> None:
    tests, _ = simulated_tests(mean=0.4, deviation=1.1, count=20_000, seed=1)
    (mean,), (variance,) = _fit(_Ends.of(tests))
    assert mean * NELO_PER_SIGMA == pytest.approx(0.4, abs=0.03)
    assert math.sqrt(variance) * NELO_PER_SIGMA == pytest.approx(1.1, abs=0.04)


def test_the_corrected_sum_is_nearer_the_truth_than_the_naive_one() -> None:
    tests, truth = simulated_tests(mean=-0.2, deviation=0.9, count=400, seed=2)
    passed = np.array([test.passed for test in tests])
    true_sum = 0.5 * truth[passed].sum()
    naive = sum(
        0.5 * NELO_PER_SIGMA * (test.llr / (test.t1 - test.t0) / test.games + (test.t0 + test.t1) / 2)
        for test in tests
        if test.passed
    )
    found = selection_corrected_sum(tests, seed=3)
    assert abs(found.value - true_sum) < abs(naive - true_sum) / 3
    assert found.low < true_sum < found.high
    assert found.low < found.value < found.high


@pytest.mark.parametrize(("mean", "deviation"), [(-0.2, 0.9), (0.4, 1.1), (-1.0, 2.0), (0.0, 4.0)])
def test_the_interval_of_many_tests_is_what_the_bootstrap_comes_to(mean: float, deviation: float) -> None:
    tests, _ = simulated_tests(mean=mean, deviation=deviation, count=1_500, seed=4)
    ends = _Ends.of(tests)
    (fitted,), (variance,) = _fit(ends)
    low, high = _bootstrap_range(ends, float(fitted), float(variance), seed=1)
    # 400 repeats know half the length of their middle 95 % to some 4 %.
    assert _limit_reach(ends, float(fitted), float(variance)) == pytest.approx((high - low) / 2, rel=0.12)
    found = selection_corrected_sum(tests, seed=1)
    assert found.high - found.value == pytest.approx(found.value - found.low)


def test_many_tests_without_a_spread_to_speak_of_are_left_to_the_bootstrap() -> None:
    tests, _ = simulated_tests(mean=0.5, deviation=0.05, count=1_000, seed=6)
    ends = _Ends.of(tests)
    (mean,), (variance,) = _fit(ends)
    assert _limit_reach(ends, float(mean), float(variance)) is None


def test_an_ended_test_is_read_with_its_own_ratio_of_the_two_elos() -> None:
    sample = Pentanomial(214, 7743, 17343, 8086, 230)
    read = ended_test(sample, bounds=BOUNDS, model="normalized", alpha=0.05, beta=0.05, counted=True)
    assert read.passed
    assert read.llr == read.upper
    assert read.games == 2 * 33616
    estimate = elo_from_pentanomial(sample)
    assert estimate.nelo is not None
    assert read.elo_per_nelo == pytest.approx(estimate.elo / estimate.nelo, rel=1e-6)


def test_logistic_bounds_meet_normalized_ones_near_zero() -> None:
    sample = Pentanomial(214, 7743, 17343, 8086, 230)
    nelo = ended_test(sample, bounds=(0.0, 2.0), model="normalized", alpha=0.05, beta=0.05, counted=True)
    per = nelo.elo_per_nelo
    elo = ended_test(sample, bounds=(0.0, 2.0 * per), model="logistic", alpha=0.05, beta=0.05, counted=True)
    assert (elo.t0, elo.t1) == pytest.approx((nelo.t0, nelo.t1), rel=1e-3)


def test_a_test_that_ran_out_of_games_stays_where_it_ended() -> None:
    read = ended_test(
        Pentanomial(20, 130, 180, 132, 21), bounds=(0.0, 5.0), model="normalized", alpha=0.05, beta=0.05, counted=False
    )
    assert not read.decided
    assert not read.passed
