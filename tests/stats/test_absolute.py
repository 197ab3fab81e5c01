import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.errors import BadInput
from anchorhold.stats.absolute import Pool, pool, weight_of

elo = st.floats(min_value=-10_000, max_value=10_000)
width = st.floats(min_value=1e-3, max_value=10_000)
measured = st.lists(st.tuples(elo, elo, width, width), min_size=1, max_size=12)


def test_equal_anchors_give_the_plain_mean_and_the_root_n_law() -> None:
    found = pool(
        rating=[2900, 2910, 2920, 2930, 2940, 2950],
        delta=[100, 90, 80, 70, 60, 50],
        error=[8.0] * 6,
        rating_error=[6.0] * 6,
        model_uncertainty=36.9,
        transfer_band=51.0,
    )
    assert found.value == pytest.approx(3000.0)
    assert found.error == pytest.approx(10.0 / math.sqrt(6))
    assert found.total_band == pytest.approx(math.hypot(found.error, 51.0))


def test_the_model_uncertainty_enters_the_weights_and_not_sigma() -> None:
    def pooled(model_uncertainty: float) -> Pool:
        return pool(
            rating=[3000, 3000],
            delta=[0, 10],
            error=[1, 30],
            rating_error=[0, 0],
            model_uncertainty=model_uncertainty,
            transfer_band=51.0,
        )

    even, sharp = pooled(10_000.0), pooled(0.0)
    assert even.value == pytest.approx(3005.0, abs=0.01)
    assert sharp.value == pytest.approx(3000.0, abs=0.02)
    assert even.error == sharp.error


@given(measured, st.floats(min_value=0, max_value=1_000))
def test_it_is_the_weighted_mean_that_numpy_gives(anchors: list[tuple[float, ...]], model_uncertainty: float) -> None:
    rating, delta, error, rating_error = map(list, zip(*anchors, strict=True))
    found = pool(
        rating=rating,
        delta=delta,
        error=error,
        rating_error=rating_error,
        model_uncertainty=model_uncertainty,
        transfer_band=51.0,
    )
    squares = np.square(error) + np.square(rating_error)
    weights = 1 / (squares + model_uncertainty**2)
    assert found.value == pytest.approx(np.average(np.add(rating, delta), weights=weights), rel=1e-12, abs=1e-8)
    assert found.error == pytest.approx(1 / np.sqrt(np.sum(1 / squares)), rel=1e-12)
    assert found.weights == pytest.approx(weights, rel=1e-12)


def test_squares_that_cannot_be_stored_are_refused() -> None:
    def pooled(width: float, model_uncertainty: float) -> Pool:
        return pool(
            rating=[3000, 3100],
            delta=[100, -50],
            error=[width, 5],
            rating_error=[0, 5],
            model_uncertainty=model_uncertainty,
            transfer_band=51.0,
        )

    with pytest.raises(BadInput, match="have no weight"):
        weight_of(error=1e-200, rating_error=0, model_uncertainty=0)
    for width, model_uncertainty in ((1e-200, 0.0), (1.0, 1e200)):
        with pytest.raises(BadInput):
            pooled(width, model_uncertainty)
