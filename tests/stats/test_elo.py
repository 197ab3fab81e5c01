import math
from contextlib import suppress

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from anchorhold.stats.elo import (
    EDITION_7,
    EstimateRule,
    NoEstimate,
    elo_from_pentanomial,
    elo_from_trinomial,
    elo_of_score,
    elo_per_score,
    near_elo,
    score_of_elo,
)
from anchorhold.stats.outcomes import GAME_SCORES, PAIR_SCORES, Pentanomial, Trinomial

counts = st.integers(min_value=0, max_value=20_000)
pentanomials = st.builds(Pentanomial, ll=counts, ld=counts, dd_wl=counts, wd=counts, ww=counts)
trinomials = st.builds(Trinomial, wins=counts, draws=counts, losses=counts)


# Elo ± 95 % and normalized Elo ± 95 % of pair counts, as fishtest's LLRcalc (b8eecff) gives them (first two), and as
# fastchess (74deac2) prints them in the block "Results of" for games of this pentanomial (third); two decimals each.
GOLDEN = [
    ((61, 2691, 6215, 2979, 74), 4.54, 2.23, 8.93, 4.39),
    ((31, 1322, 3103, 1508, 38), 5.79, 3.16, None, None),
    ((20, 130, 180, 150, 20), 6.95, 14.29, 10.49, 21.53),
]


@pytest.mark.parametrize(("pairs", "elo", "error", "nelo", "nelo_error"), GOLDEN)
def test_pairs_give_the_elo_that_other_programs_print(
    pairs: tuple[int, int, int, int, int], elo: float, error: float, nelo: float | None, nelo_error: float | None
) -> None:
    found = elo_from_pentanomial(Pentanomial(*pairs))
    assert found.elo == pytest.approx(elo, abs=0.006)
    assert found.error == pytest.approx(error, abs=0.006)
    if nelo is not None:
        assert found.nelo == pytest.approx(nelo, abs=0.006)
        assert found.nelo_error == pytest.approx(nelo_error, abs=0.006)


@given(pentanomials)
def test_swapping_the_engines_flips_the_sign_and_keeps_the_width(sample: Pentanomial) -> None:
    try:
        found = elo_from_pentanomial(sample)
    except NoEstimate:
        with pytest.raises(NoEstimate):
            elo_from_pentanomial(sample.swapped())
        return
    swapped = elo_from_pentanomial(sample.swapped())
    assert swapped.elo == pytest.approx(-found.elo, abs=1e-6)
    assert swapped.error == pytest.approx(found.error, rel=1e-6)
    assert swapped.nelo == pytest.approx(-found.nelo, abs=1e-6)


@given(trinomials)
def test_an_estimate_from_games_is_finite_with_a_positive_width_or_there_is_none(sample: Trinomial) -> None:
    try:
        found = elo_from_trinomial(sample)
    except NoEstimate:
        return
    assert all(math.isfinite(value) for value in (found.elo, found.nelo, found.nelo_error))
    assert 0 < found.error < math.inf


@given(pentanomials, trinomials)
def test_the_near_elo_is_that_of_the_estimate(pairs: Pentanomial, games: Trinomial) -> None:
    near = {"pairs": near_elo(pairs.counts(), PAIR_SCORES), "games": near_elo(games.counts(), GAME_SCORES)}
    with suppress(NoEstimate):
        assert near["pairs"] == pytest.approx(elo_from_pentanomial(pairs).elo, abs=1e-9)
    with suppress(NoEstimate):
        assert near["games"] == pytest.approx(elo_from_trinomial(games).elo, abs=1e-9)


@given(pentanomials, st.integers(min_value=2, max_value=9))
def test_more_of_the_same_pairs_narrow_the_half_width(sample: Pentanomial, times: int) -> None:
    assume(0 not in sample.as_tuple())
    more = Pentanomial(*(times * count for count in sample.as_tuple()))
    try:
        few = elo_from_pentanomial(sample)
    except NoEstimate:
        return
    assert elo_from_pentanomial(more).error < few.error


@pytest.mark.parametrize("sample", [(0, 0, 0, 0, 0), (0, 0, 10, 0, 0), (0, 0, 0, 0, 50), (0, 0, 0, 1, 4000)])
def test_one_class_or_a_score_at_the_rim_carries_no_estimate(sample: tuple[int, int, int, int, int]) -> None:
    with pytest.raises(NoEstimate):
        elo_from_pentanomial(Pentanomial(*sample))


def test_the_clip_binds_at_both_ends() -> None:
    assert elo_of_score(0.0) == elo_of_score(0.001) == pytest.approx(-elo_of_score(1.0))


@given(st.floats(min_value=-1000, max_value=1000))
def test_score_and_elo_are_inverse_within_the_clip(elo: float) -> None:
    assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo, abs=1e-6)


def test_the_slope_is_the_derivative_of_elo_in_the_score() -> None:
    step = 1e-6
    numeric = (elo_of_score(0.6 + step) - elo_of_score(0.6 - step)) / (2 * step)
    assert elo_per_score(0.6) == pytest.approx(numeric, rel=1e-6)


def test_a_wider_level_gives_a_wider_half_width() -> None:
    sample = Pentanomial(40, 410, 1100, 520, 65)
    wide = elo_from_pentanomial(sample, rule=EstimateRule(level=0.99))
    assert wide.error > elo_from_pentanomial(sample, rule=EDITION_7).error
