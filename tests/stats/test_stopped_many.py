"""Many stopped tests at once give what each of them gives alone."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.errors import AnchorholdError, BadInput
from anchorhold.stats import claims
from anchorhold.stats.claims import NotRecomputable, StoppedTest, median_unbiased_sum
from anchorhold.stats.elo import score_of_elo
from anchorhold.stats.outcomes import Pentanomial, Trinomial
from anchorhold.stats.sprt import BoundsModel, wald_bounds
from anchorhold.stats.stopped import median_unbiased
from anchorhold.stats.stopped_many import median_unbiased_many

PASSED = Pentanomial(214, 7743, 17343, 8086, 230)
MODELS: tuple[BoundsModel, ...] = ("normalized", "logistic")


@st.composite
def stopped(draw: st.DrawFn) -> StoppedTest:
    """Tests that stopped about a bound: passed or failed, early or late, at it or a little before or beyond it."""
    low = draw(st.sampled_from([-3.0, 0.0, 0.5]))
    high = low + draw(st.floats(0.5, 40.0))
    rates = st.sampled_from([0.05, 0.1, 0.01])
    alpha, beta = draw(rates), draw(rates)
    score0, score1 = score_of_elo(low), score_of_elo(high)
    step, middle = score1 - score0, (score0 + score1) / 2.0
    # The LLR after n units is about tilt · step² · n / v; a tilt near 0 is a test that took long.
    tilt = draw(st.floats(0.02, 2.0)) * draw(st.sampled_from([1.0, -1.0]))
    wald = wald_bounds(alpha, beta)
    stands = draw(st.floats(0.93, 1.2)) * (wald.upper if tilt > 0.0 else wald.lower)
    in_pairs = draw(st.booleans())
    variance, per_win = (0.035, 2.0) if in_pairs else (0.125, 1.0)
    n = stands * variance / (tilt * step**2)
    ahead = round(per_win * n * (middle + tilt * step - 0.5))
    side, end = (round(0.24 * n), round(0.01 * n)) if in_pairs else (round(0.25 * n), 0)
    lost, won = max(side - ahead, 0), max(side + ahead, 0)
    return StoppedTest(
        label="x",
        sample=Pentanomial(end, lost, 2 * side, won, end) if in_pairs else Trinomial(won, 2 * side, lost),
        games=None,
        bounds=(low, high),
        model=draw(st.sampled_from(MODELS)) if in_pairs else "logistic",
        alpha=alpha,
        beta=beta,
    )


@given(stopped())
def test_a_test_gives_the_same_among_many_as_alone(test: StoppedTest) -> None:
    found = median_unbiased_many(
        np.array([test.sample.counts()], dtype=np.float64),
        np.array([test.bounds]),
        model=test.model,
        alpha=np.array([test.alpha]),
        beta=np.array([test.beta]),
    )
    try:
        alone = median_unbiased(test.sample, bounds=test.bounds, model=test.model, alpha=test.alpha, beta=test.beta)
    except AnchorholdError:
        assert not found.known[0]
        return
    if not found.known[0]:
        return
    assert found.passed[0] == alone.passed
    assert (found.elo[0], found.low[0], found.high[0]) == pytest.approx((alone.elo, alone.low, alone.high), abs=1e-8)


def test_a_usual_test_is_among_those_that_are_estimated_together() -> None:
    counts = np.array([PASSED.as_tuple(), PASSED.swapped().as_tuple()], dtype=np.float64)
    found = median_unbiased_many(
        counts, np.array([[0.0, 2.0], [0.0, 2.0]]), model="normalized", alpha=np.full(2, 0.05), beta=np.full(2, 0.05)
    )
    assert found.known.tolist() == [True, True]
    assert found.passed.tolist() == [True, False]
    assert (found.elo[0], found.low[0]) == pytest.approx((1.767, 0.333), abs=1e-3)


@given(st.lists(stopped(), min_size=1, max_size=6))
def test_the_sum_is_the_same_together_and_one_by_one(tests: list[StoppedTest]) -> None:
    def summed(*, many: int) -> tuple[float, float, float] | str:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(claims, "MANY", many)
            try:
                found = median_unbiased_sum(tests)
            except NotRecomputable as reason:
                return str(reason)
        return found.value, found.low, found.high

    together, alone = summed(many=1), summed(many=100)
    if isinstance(alone, str):
        assert together == alone
    else:
        assert together == pytest.approx(alone, abs=1e-7)


def test_bounds_of_another_model_are_refused() -> None:
    with pytest.raises(BadInput, match="bayeselo"):
        median_unbiased_many(
            np.ones((1, 3)), np.array([[0.0, 5.0]]), model="bayeselo", alpha=np.full(1, 0.05), beta=np.full(1, 0.05)
        )
    with pytest.raises(BadInput, match="confidence"):
        median_unbiased_many(
            np.ones((1, 3)),
            np.array([[0.0, 5.0]]),
            model="logistic",
            alpha=np.full(1, 0.05),
            beta=np.full(1, 0.05),
            confidence=math.nan,
        )
