import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.stats.ratio import RatioDraws, fieller, ratio_band, rounded

elo = st.floats(min_value=-500, max_value=500)
width = st.floats(min_value=0.01, max_value=300)


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


def test_rounding_is_half_to_even_and_knows_no_minus_zero() -> None:
    assert rounded(0.3999999999999999, decimals=9) == 0.4
    assert math.copysign(1.0, rounded(-1e-12, decimals=9)) == 1.0


@given(elo, width, elo, width)
def test_fiellers_ends_solve_its_equation(d: float, u_d: float, s: float, u_s: float) -> None:
    found = fieller(numerator=d, numerator_error=u_d, denominator=s, denominator_error=u_s)
    if s <= u_s:
        assert found is None
        return
    if found is None:
        return
    for r in (found.low, found.high):
        terms = [(s * s - u_s * u_s) * r * r, -2 * d * s * r, d * d - u_d * u_d]
        assert math.fsum(terms) == pytest.approx(0.0, abs=1e-6 * (1 + max(abs(term) for term in terms)))
    assert found.low <= d / s <= found.high


def test_an_exact_sum_of_claims_gives_the_plain_interval() -> None:
    found = fieller(numerator=9, numerator_error=3, denominator=20, denominator_error=0)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((6 / 20, 12 / 20))


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
