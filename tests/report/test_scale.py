"""The R scale: zones, point and band always lie where they can be seen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.domain.contract import edition
from anchorhold.report.scale import Thresholds, scale_for

LAW = Thresholds.of(edition(7).parameters)
ratios = st.floats(min_value=-1e5, max_value=1e5)


def test_thresholds_are_the_contracts() -> None:
    assert LAW.as_tuple() == (0.40, 0.75)


@given(r=st.none() | ratios, ends=st.none() | st.tuples(ratios, ratios).map(sorted))
def test_point_zones_and_band_lie_on_the_scale_in_order(r: float | None, ends: list[float] | None) -> None:
    low, high = ends or (None, None)
    scale = scale_for(r, band_low=low, band_high=high, thresholds=LAW)
    places = [scale.place(x) for x in (scale.low, *LAW.as_tuple(), scale.high)]
    assert places == sorted(places)
    assert [places[0], places[-1]] == pytest.approx([0, 1])
    assert all(zone.high > zone.low for zone in scale.zones)
    if r is not None:
        assert 0 < scale.place(r) < 1
    if scale.band is not None:
        assert low is not None
        assert high is not None
        assert scale.low <= scale.band.low <= scale.band.high <= scale.high
        assert scale.band.beyond_low == (low < scale.low)
        assert scale.band.beyond_high == (high > scale.high)
    assert all(scale.low <= tick <= scale.high for tick in scale.ticks)


@pytest.mark.parametrize(
    ("r", "logarithmic"), [(0.45, False), (-1.2, False), (2.4, False), (275.4, True), (-9.0, True)]
)
def test_the_scale_is_linear_unless_r_is_far_away(r: float, logarithmic: bool) -> None:
    scale = scale_for(r, band_low=None, band_high=None, thresholds=LAW)
    assert scale.logarithmic == logarithmic
    assert scale.band is None


def test_a_band_that_leaves_the_scale_says_on_which_side() -> None:
    scale = scale_for(0.5, band_low=-30.0, band_high=1.0, thresholds=LAW)
    assert scale.band is not None
    assert (scale.band.beyond_low, scale.band.beyond_high) == (True, False)


def test_a_scale_has_room_for_a_contract_with_other_thresholds() -> None:
    scale = scale_for(2.0, band_low=None, band_high=None, thresholds=Thresholds(halt_below=1.5, continue_from=4.0))
    assert not scale.logarithmic
    assert scale.high > 4.0
