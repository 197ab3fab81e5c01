import math

import numpy as np
import pytest

from anchorhold.errors import BadInput
from anchorhold.stats.brownian import ever_upper_first, reach_upper_first
from anchorhold.stats.passage import first_passage

COUNT = 40_000
ONES = np.ones(COUNT)


@pytest.mark.parametrize("drift", [-20.0, -2.0, 0.0, 0.7, 5.0, 90.0])
@pytest.mark.parametrize("low", [-1.0, -0.3])
def test_simulated_first_passages_follow_the_exact_law(drift: float, low: float) -> None:
    passed, time = first_passage(drift * ONES, low=low * ONES, high=ONES, rng=np.random.default_rng(5))
    for until in np.quantile(time, (0.02, 0.2, 0.5, 0.8, 0.99)):
        for side, exact in (
            (passed, reach_upper_first(drift, 1.0, lower=low, upper=1.0, time=until)),
            (~passed, reach_upper_first(-drift, 1.0, lower=-1.0, upper=-low, time=until)),
        ):
            # Between two drifts of the table the law is mixed, which is off by less than 0.002.
            allowed = 4 * math.sqrt(exact * (1 - exact) / COUNT) + 0.002
            assert np.mean(side & (time <= until)) == pytest.approx(exact, abs=allowed)


def test_motions_of_every_drift_and_bound_are_drawn_together() -> None:
    drift, low = np.repeat([-3.0, 0.0, 3.0], COUNT), np.tile([-1.0, -0.5], 3 * COUNT // 2)
    passed, time = first_passage(drift, low=low, high=np.ones(3 * COUNT), rng=np.random.default_rng(6))
    assert (time > 0.0).all()
    for one in (-3.0, 0.0, 3.0):
        for bound in (-1.0, -0.5):
            exact = ever_upper_first(one, lower=bound, upper=1.0)
            found = passed[(drift == one) & (low == bound)]
            assert found.mean() == pytest.approx(exact, abs=5 * math.sqrt(exact * (1 - exact) / len(found)))


@pytest.mark.parametrize(
    ("drift", "low", "high"), [(math.nan, -1.0, 1.0), (0.0, -1.0, math.inf), (0.0, 1.0, 2.0), (0.0, -1.0, 0.0)]
)
def test_bounds_that_enclose_nothing_are_refused(drift: float, low: float, high: float) -> None:
    with pytest.raises(BadInput):
        first_passage(np.array([drift]), low=np.array([low]), high=np.array([high]), rng=np.random.default_rng(1))
