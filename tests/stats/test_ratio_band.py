import numpy as np
import pytest

from anchorhold.stats.ratio import fieller
from anchorhold.stats.ratio_band import RatioDraws, ratio_band


def band(*, increase: float, increase_error: float, claimed: float, claimed_error: float, seed: int = 7) -> RatioDraws:
    return ratio_band(
        increase=increase,
        increase_error=increase_error,
        claimed=claimed,
        claimed_error=claimed_error,
        z=1.959963984540054,
        halt_below=0.4,
        continue_from=0.75,
        decimals=9,
        coverage=0.95,
        s_not_positive_limit=0.025,
        draws=100_000,
        seed=seed,
    )


def test_the_shares_of_a_band_sum_to_one() -> None:
    found = band(increase=9, increase_error=7, claimed=20, claimed_error=18)
    assert found.halt + found.warn + found.go_on + found.s_not_positive == pytest.approx(1.0)


def test_the_band_of_an_exact_sum_is_the_normal_interval() -> None:
    found = band(increase=9, increase_error=7, claimed=20, claimed_error=1e-9)
    assert found.low == pytest.approx((9 - 7) / 20, abs=0.01)
    assert found.high == pytest.approx((9 + 7) / 20, abs=0.01)


def test_the_band_comes_near_fieller_when_claims_are_sharp() -> None:
    drawn = band(increase=9, increase_error=3, claimed=20, claimed_error=4)
    exact = fieller(numerator=9, numerator_error=3, denominator=20, denominator_error=4)
    assert drawn.low is not None
    assert exact is not None
    assert drawn.low == pytest.approx(exact.low, abs=0.02)


def test_too_many_draws_without_claims_leave_no_ends() -> None:
    found = band(increase=9, increase_error=7, claimed=1, claimed_error=10)
    assert (found.low, found.high) == (None, None)
    assert found.s_not_positive > 0.025


def test_a_seed_repeats_the_band_and_another_stays_within_its_error() -> None:
    first, again, other = (band(increase=9, increase_error=7, claimed=20, claimed_error=5, seed=s) for s in (1, 1, 2))
    assert first == again
    assert first.low is not None
    assert other.low == pytest.approx(first.low, abs=5 * 0.35 / np.sqrt(100_000) * 5)
