"""Many log-likelihood ratios at once are those of one at a time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.errors import BadInput
from anchorhold.stats.outcomes import Pentanomial, Trinomial
from anchorhold.stats.sprt import BOUNDS_MODELS, draw_elo, log_likelihood_ratio
from anchorhold.stats.sprt_many import log_likelihood_ratios

COUNT = st.integers(0, 20_000)
BOUNDS = st.tuples(st.floats(-10, 5), st.floats(0.1, 10)).map(lambda pair: (pair[0], pair[0] + pair[1]))


def one(sample: Pentanomial | Trinomial, bounds: tuple[float, float], model: str, games: Trinomial) -> float | None:
    try:
        return log_likelihood_ratio(sample, bounds=bounds, model=model, games=games)  # type: ignore[arg-type]
    except BadInput:
        return None


@given(st.lists(st.tuples(st.tuples(*[COUNT] * 5), BOUNDS), min_size=1, max_size=5), st.sampled_from(BOUNDS_MODELS))
def test_pairs_agree(tests: list[tuple[tuple[int, ...], tuple[float, float]]], model: str) -> None:
    games = Trinomial(wins=310, draws=400, losses=290)
    found = log_likelihood_ratios(
        np.array([counts for counts, _ in tests], dtype=float),
        np.array([bounds for _, bounds in tests]),
        model=model,  # type: ignore[arg-type]
        draws=np.full(len(tests), draw_elo(games)),
    )
    expected = [one(Pentanomial(*counts), bounds, model, games) for counts, bounds in tests]
    assert list(found.known) == [llr is not None for llr in expected]
    assert list(found.llr) == pytest.approx([llr or 0.0 for llr in expected], rel=1e-8, abs=1e-8)


@given(st.lists(st.tuples(st.tuples(*[COUNT] * 3), BOUNDS), min_size=1, max_size=5), st.sampled_from(BOUNDS_MODELS))
def test_games_agree(tests: list[tuple[tuple[int, ...], tuple[float, float]]], model: str) -> None:
    samples = [Trinomial(losses=counts[0], draws=counts[1], wins=counts[2] + 1) for counts, _ in tests]
    found = log_likelihood_ratios(
        np.array([sample.counts() for sample in samples]),
        np.array([bounds for _, bounds in tests]),
        model=model,  # type: ignore[arg-type]
        draws=np.array([draw_elo(sample) for sample in samples]),
    )
    expected = [one(sample, bounds, model, sample) for sample, (_, bounds) in zip(samples, tests, strict=True)]
    assert list(found.known) == [llr is not None for llr in expected]
    assert list(found.llr) == pytest.approx([llr or 0.0 for llr in expected], rel=1e-8, abs=1e-8)
