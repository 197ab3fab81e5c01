import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.stats.absolute import pool
from anchorhold.stats.elo import EDITION_7, elo_from_pentanomial, elo_per_score
from anchorhold.stats.outcomes import JointTable
from anchorhold.stats.pooling import (
    heterogeneity,
    increase_error_weighted,
    independent_increase_variance,
    joint_increase_variance,
    normalised,
    paired_increase,
)
from anchorhold.stats.vectors import Vector


def vector(*values: float) -> Vector:
    return np.array(values, dtype=np.float64)


def test_equal_weights_at_both_endpoints_cancel_the_anchors_own_errors() -> None:
    error, rating_error = vector(8, 8, 8), vector(5, 50, 500)
    pools = [
        pool(
            rating=[0, 0, 0],
            delta=[0, 0, 0],
            error=[8, 8, 8],
            rating_error=[5, 50, 500],
            model_uncertainty=36.9,
            transfer_band=51.0,
        )
        for _ in range(2)
    ]
    found = increase_error_weighted(
        old=pools[0], new=pools[1], error_old=error, error_new=error, rating_error=rating_error
    )
    assert found == pytest.approx(np.sqrt(2 * (normalised(vector(*pools[0].weights)) ** 2 * 64).sum()))


tables = st.lists(
    st.lists(st.integers(min_value=1, max_value=200), min_size=5, max_size=5), min_size=5, max_size=5
).map(lambda rows: JointTable(rows=tuple((r[0], r[1], r[2], r[3], r[4]) for r in rows)))


@given(tables)
def test_independent_endpoints_in_one_table_have_the_sum_of_their_variances(table: JointTable) -> None:
    margins = np.outer(table.old().counts(), table.new().counts())
    independent = JointTable(rows=tuple(tuple(int(cell) for cell in row) for row in margins))  # type: ignore[misc]
    old, new = independent.old(), independent.new()
    expected = 0.0
    for sample in (old, new):
        counts, scores = np.array(sample.counts()), np.linspace(0, 1, 5)
        mean = counts @ scores / counts.sum()
        expected += elo_per_score(mean) ** 2 * (counts @ (scores - mean) ** 2 / counts.sum()) / counts.sum()
    assert joint_increase_variance(independent) == pytest.approx(expected, rel=1e-9)


def test_the_same_result_on_every_opening_leaves_no_variance() -> None:
    diagonal = JointTable(rows=((3, 0, 0, 0, 0), (0, 9, 0, 0, 0), (0, 0, 20, 0, 0), (0, 0, 0, 8, 0), (0, 0, 0, 0, 2)))
    assert joint_increase_variance(diagonal) == 0.0


def test_a_positive_covariance_of_the_openings_saves_games() -> None:
    table = JointTable(
        rows=((9, 3, 1, 0, 0), (3, 40, 12, 2, 0), (1, 12, 90, 14, 1), (0, 2, 14, 42, 4), (0, 0, 1, 4, 9))
    )
    old, new = elo_from_pentanomial(table.old()), elo_from_pentanomial(table.new())
    apart = independent_increase_variance(error_old=old.error, error_new=new.error, z=EDITION_7.z)
    assert joint_increase_variance(table) < 0.6 * apart


def test_the_paired_increase_has_no_width_when_one_anchor_has_none() -> None:
    found = paired_increase(increase=vector(4, 8), variance=vector(1, 0), weights=vector(1, 3), z=1.96)
    assert (found.value, found.error) == (7.0, None)


def test_heterogeneity_agrees_with_a_published_meta_analysis() -> None:
    # The seven trials of aspirin after a heart attack, log odds ratios and variances as in J. L. Fleiss, Statistical
    # Methods in Medical Research 2 (1993) 121, table 1: Q = 9.95 on 6 degrees of freedom, there computed by hand.
    increase = vector(0.3289, 0.3845, 0.2196, 0.2222, 0.2255, -0.1246, 0.1110)
    variance = 1.0 / vector(25.71, 24.29, 48.77, 15.44, 28.41, 103.93, 663.93)
    found = heterogeneity(increase=increase, variance=variance)
    assert found is not None
    assert found.q == pytest.approx(9.95, abs=0.06)
    assert found.p == pytest.approx(0.127, abs=0.003)
    assert found.i2 == pytest.approx((found.q - 6) / found.q)


def test_one_anchor_alone_cannot_disagree() -> None:
    assert heterogeneity(increase=vector(4), variance=vector(1)) is None
