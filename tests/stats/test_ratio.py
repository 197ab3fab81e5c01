import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.stats.ratio import fieller, rounded

elo = st.floats(min_value=-500, max_value=500)
width = st.floats(min_value=0.01, max_value=300)


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
