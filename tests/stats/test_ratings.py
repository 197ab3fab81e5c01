import itertools
import math
import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.errors import BadInput
from anchorhold.stats.elo import EDITION_7, elo_from_pentanomial, score_of_elo
from anchorhold.stats.outcomes import PAIR_SCORES, Pentanomial
from anchorhold.stats.ratings import PairedResult, rate_pool

counts = st.integers(1, 200)
pentanomials = st.builds(Pentanomial, ll=counts, ld=counts, dd_wl=counts, wd=counts, ww=counts)


def test_two_engines_are_rated_by_the_elo_of_their_match() -> None:
    sample = Pentanomial(30, 200, 500, 260, 40)
    pool = rate_pool([PairedResult("a", "b", sample)], mean=0.0)
    match = elo_from_pentanomial(sample)
    found = pool.difference("a", "b")
    assert found.elo == pytest.approx(match.elo, abs=1e-6)
    # The half-width here is that of the tangent, there that of both ends: the same but for curvature.
    assert found.error == pytest.approx(match.error, rel=2e-3)
    assert pool.of("a").rating == pytest.approx(match.elo / 2, abs=1e-6)
    assert pool.of("a").games == 2 * sample.pairs


@given(st.lists(pentanomials, min_size=6, max_size=6), st.floats(-500, 4_000))
def test_the_fitted_ratings_expect_the_points_that_each_engine_took(samples: list[Pentanomial], mean: float) -> None:
    names = ["a", "b", "c", "d"]
    results = [PairedResult(i, j, s) for (i, j), s in zip(itertools.combinations(names, 2), samples, strict=True)]
    pool = rate_pool(results, mean=mean)
    rating = {name: pool.of(name).rating for name in names}
    assert math.fsum(rating.values()) / 4 == pytest.approx(mean, abs=1e-6)
    for name in names:
        surplus = 0.0
        for result in results:
            if name in (result.first, result.second):
                sign = 1.0 if name == result.first else -1.0
                took = math.fsum(map(operator.mul, result.pairs.counts(), PAIR_SCORES))
                expected = result.pairs.pairs * score_of_elo(rating[result.first] - rating[result.second])
                surplus += sign * (took - expected)
        assert surplus == pytest.approx(0.0, abs=1e-6)
    covariance = np.array(pool.covariance)
    assert covariance == pytest.approx(covariance.T)
    assert covariance.sum(axis=0) == pytest.approx(np.zeros(4), abs=1e-6)
    assert all(math.isfinite(r.error) and r.error > 0 for r in pool.ratings)
    assert [r.rating for r in pool.ratings] == sorted((r.rating for r in pool.ratings), reverse=True)


@given(st.lists(pentanomials, min_size=3, max_size=3))
def test_seen_from_the_other_side_results_give_the_same_ratings(samples: list[Pentanomial]) -> None:
    meetings = [("a", "b"), ("b", "c"), ("c", "a")]
    pool = rate_pool([PairedResult(i, j, s) for (i, j), s in zip(meetings, samples, strict=True)], mean=0.0)
    turned = rate_pool([PairedResult(j, i, s.swapped()) for (i, j), s in zip(meetings, samples, strict=True)], mean=0.0)
    for name in "abc":
        assert turned.of(name).rating == pytest.approx(pool.of(name).rating, abs=1e-6)
        assert turned.of(name).error == pytest.approx(pool.of(name).error, rel=1e-6)


def test_half_widths_cover_the_true_ratings_in_simulated_pools() -> None:
    generator = np.random.default_rng(7)
    truth = {"a": 60.0, "b": 10.0, "c": -20.0, "d": -50.0}
    inside = total = 0
    for _ in range(150):
        results = []
        for i, j in itertools.combinations(truth, 2):
            score = score_of_elo(truth[i] - truth[j])
            # Pairs of one opening: an opening advantage makes both games of a pair end against each other.
            lean = np.clip(generator.normal(score, 0.18, 60), 0.02, 0.98)
            halves = generator.binomial(4, lean)
            results.append(PairedResult(i, j, Pentanomial(*(int((halves == n).sum()) for n in range(5)))))
        pool = rate_pool(results, mean=0.0)
        # Against the truth that the simulation really has: its mean score, not the nominal one, hence differences only.
        for i, j in itertools.combinations(truth, 2):
            found = pool.difference(i, j)
            inside += abs(found.elo - (truth[i] - truth[j])) <= found.error
            total += 1
    assert 0.90 <= inside / total <= 0.99


def test_a_fixed_engine_keeps_its_rating_without_error() -> None:
    results = [
        PairedResult("a", "b", Pentanomial(3, 5, 20, 8, 6)),
        PairedResult("b", "c", Pentanomial(3, 9, 20, 4, 2)),
    ]
    free, held = rate_pool(results, mean=0.0), rate_pool(results, fixed=("b", 2900.0))
    assert held.of("b").rating == 2900.0
    assert held.of("b").error == 0.0
    assert held.difference("a", "c").elo == pytest.approx(free.difference("a", "c").elo)
    assert held.difference("a", "c").error == pytest.approx(free.difference("a", "c").error)
    assert held.of("a").error == pytest.approx(free.difference("a", "b").error)


def test_results_of_the_same_two_engines_are_added_up() -> None:
    one = [PairedResult("a", "b", Pentanomial(3, 5, 20, 8, 6)), PairedResult("b", "a", Pentanomial(1, 2, 3, 4, 5))]
    both = [PairedResult("a", "b", Pentanomial(8, 9, 23, 10, 7))]
    assert rate_pool(one, mean=0.0) == rate_pool(both, mean=0.0)


def test_uneven_pairs_widen_what_even_ones_narrow() -> None:
    even = rate_pool([PairedResult("a", "b", Pentanomial(0, 10, 80, 10, 0))], mean=0.0)
    uneven = rate_pool([PairedResult("a", "b", Pentanomial(40, 5, 10, 5, 40))], mean=0.0)
    assert uneven.of("a").error > 3 * even.of("a").error
    variance = (0.2 * 0.25**2) / 100
    slope = 400 / (math.log(10) * 0.25)
    assert even.difference("a", "b").error == pytest.approx(EDITION_7.z * slope * math.sqrt(variance))


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ([], "no pairs"),
        ([PairedResult("a", "a", Pentanomial(1, 2, 3, 2, 1))], "playing itself"),
        ([PairedResult("a", "b", Pentanomial(1, -2, 3, 2, 1))], "negative"),
        ([PairedResult("a", "b", Pentanomial(0, 0, 20, 0, 0))], "ended alike"),
        (
            [PairedResult("a", "b", Pentanomial(0, 0, 0, 0, 9)), PairedResult("b", "c", Pentanomial(1, 2, 3, 2, 1))],
            "a took every point from b, c",
        ),
        (
            [PairedResult("a", "b", Pentanomial(1, 2, 3, 2, 1)), PairedResult("c", "d", Pentanomial(1, 2, 3, 2, 1))],
            "a, b and c, d",
        ),
        ([PairedResult("a", "b", Pentanomial(0, 1, 0, 0, 10**12))], "do not settle"),
    ],
)
def test_a_pool_without_finite_ratings_is_refused_with_the_reason(results: list[PairedResult], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        rate_pool(results, mean=0.0)


def test_exactly_one_of_mean_and_fixed_engine_is_needed() -> None:
    results = [PairedResult("a", "b", Pentanomial(1, 2, 3, 2, 2))]
    for arguments in ({}, {"mean": 0.0, "fixed": ("a", 0.0)}, {"fixed": ("z", 0.0)}, {"mean": math.nan}):
        with pytest.raises(BadInput):
            rate_pool(results, **arguments)
