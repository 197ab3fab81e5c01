import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.stats.figures import draw_ratio, likelihood_of_superiority, pairs_ratio
from anchorhold.stats.outcomes import Pentanomial

counts = st.integers(0, 10_000)
samples = st.builds(Pentanomial, ll=counts, ld=counts, dd_wl=counts, wd=counts, ww=counts)


def test_the_figures_of_a_small_match_are_those_worked_out_by_hand() -> None:
    sample = Pentanomial(ll=20, ld=130, dd_wl=180, wd=150, ww=20)
    # n = 500, mean 0.51, variance (20·0.51² + 130·0.26² + 180·0.01² + 150·0.24² + 20·0.49²)/500 = 0.0549.
    z = 0.01 / math.sqrt(0.0549 / 500)
    assert likelihood_of_superiority(sample) == pytest.approx(0.5 * (1 + math.erf(z / math.sqrt(2))), abs=1e-12)
    assert draw_ratio(sample) == 0.36
    assert pairs_ratio(sample) == pytest.approx(170 / 150)


@given(samples)
def test_seen_from_the_other_side_the_likelihoods_add_up_to_one(sample: Pentanomial) -> None:
    one, other = likelihood_of_superiority(sample), likelihood_of_superiority(sample.swapped())
    if one is None or other is None:
        assert one is other is None
    else:
        assert one + other == pytest.approx(1.0)


@given(samples)
def test_no_figure_is_ever_a_nan_or_an_infinity(sample: Pentanomial) -> None:
    for figure in (likelihood_of_superiority(sample), draw_ratio(sample), pairs_ratio(sample)):
        assert figure is None or math.isfinite(figure)


@pytest.mark.parametrize("sample", [Pentanomial(0, 0, 0, 0, 0), Pentanomial(0, 0, 0, 0, 9)])
def test_what_does_not_exist_is_none(sample: Pentanomial) -> None:
    assert likelihood_of_superiority(sample) is None
    assert pairs_ratio(sample) is None
    assert draw_ratio(sample) == (0.0 if sample.pairs else None)
