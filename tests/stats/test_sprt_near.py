"""The ratio to second order: near the exact one where it answers, silent where it might not be."""

from hypothesis import given
from hypothesis import strategies as st

from anchorhold.stats.outcomes import Pentanomial, Trinomial
from anchorhold.stats.sprt import draw_elo, log_likelihood_ratio
from anchorhold.stats.sprt_near import NEAR, near_llr

elo = st.floats(-10, 5)
widths = st.floats(0.3, 10)


@given(
    st.lists(st.integers(0, 100_000), min_size=5, max_size=5), elo, widths, st.sampled_from(["normalized", "logistic"])
)
def test_pairs(counts: list[int], low: float, width: float, model: str) -> None:
    bounds = low, low + width
    near = near_llr(counts, bounds, model=model)  # type: ignore[arg-type]
    exact = log_likelihood_ratio(Pentanomial(*counts), bounds=bounds, model=model)  # type: ignore[arg-type]
    assert near is None or abs(exact) > 12.0 or abs(near - exact) < NEAR


@given(st.integers(1, 50_000), st.integers(-300, 300), st.integers(1, 100_000), elo, widths)
def test_games_under_bayeselo(losses: int, more: int, draws: int, low: float, width: float) -> None:
    games = Trinomial(wins=max(1, losses + more), draws=draws, losses=losses)
    bounds = low, low + width
    near = near_llr((games.losses, games.draws, games.wins), bounds, model="bayeselo", draws=draw_elo(games))
    exact = log_likelihood_ratio(games, bounds=bounds, model="bayeselo", games=games)
    assert near is None or abs(exact) > 12.0 or abs(near - exact) < NEAR


def test_it_answers_for_an_ordinary_test_and_not_for_a_handful_of_games() -> None:
    usual = near_llr((120, 4687, 10670, 4998, 125), (0.0, 2.0), model="normalized")
    assert usual is not None
    assert abs(usual - 2.94907) < 0.001
    assert near_llr((58, 14, 6, 1, 0), (0.0, 10.0), model="normalized") is None
    assert near_llr((0, 0, 0, 0, 0), (0.0, 10.0), model="normalized") is None
