import itertools
import json
import math
import operator
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from anchorhold.calibration.games import advantages, opening_biases, pair_shares
from anchorhold.errors import BadInput
from anchorhold.stats.elo import elo_from_pentanomial, score_of_elo
from anchorhold.stats.outcomes import PAIR_SCORES, Pentanomial
from anchorhold.stats.power import draw_elo_of
from anchorhold.stats.rating_checks import fixed_points, meetings, one_scale
from anchorhold.stats.ratings import PairedResult, PoolRatings, Rating, rate_pool

GOLDEN = Path(__file__).parent.parent / "golden" / "ratings"
TRUTH = {"a": 150.0, "b": 80.0, "c": 20.0, "d": -30.0, "e": -90.0, "f": -130.0}
"""With mean 0."""

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


def pools(*, pairs: int, worlds: int, seed: int) -> Iterator[list[PairedResult]]:
    """Round robins of six engines over openings of uneven bias."""
    generator = np.random.default_rng(seed)
    draw_elo, (bias, weights) = draw_elo_of(0.4), opening_biases(80.0)
    shares = {}
    for i, j in itertools.combinations(TRUTH, 2):
        advantage = advantages(np.array([TRUTH[i] - TRUTH[j]]), bias_deviation=80.0, draw_elo=draw_elo)
        shares[i, j] = weights @ pair_shares(advantage, bias=bias, draw_elo=draw_elo)[0]
    for _ in range(worlds):
        yield [
            PairedResult(i, j, Pentanomial(*map(int, generator.multinomial(pairs, one / one.sum()))))
            for (i, j), one in shares.items()
        ]


@pytest.mark.parametrize("pairs", [8, 60])
def test_half_widths_cover_the_true_ratings_and_the_covariance_is_the_spread(pairs: int) -> None:
    # 10,000 worlds each by the same code: 0.952 (10 pairs a meeting) and 0.950 (50) of all ratings.
    worlds = 500
    inside, ratings, covariances = 0, [], []
    for results in pools(pairs=pairs, worlds=worlds, seed=11):
        pool = rate_pool(results, mean=0.0)
        found = [pool.of(name) for name in TRUTH]
        inside += sum(abs(one.rating - TRUTH[one.name]) <= one.error for one in found)
        ratings.append([one.rating for one in found])
        places = [pool.place(name) for name in TRUTH]
        covariances.append(np.array(pool.covariance)[np.ix_(places, places)])
    assert inside / (worlds * len(TRUTH)) == pytest.approx(0.95, abs=0.012)
    spread, said = np.cov(np.array(ratings).T), np.mean(covariances, axis=0)
    assert np.diag(spread) == pytest.approx(np.diag(said), rel=0.25)
    assert np.trace(spread) == pytest.approx(np.trace(said), rel=0.08)
    # A variance over 500 worlds scatters by 6 %, a correlation by 0.045.
    deviation = np.sqrt(np.diag(said))
    assert spread / np.outer(deviation, deviation) == pytest.approx(said / np.outer(deviation, deviation), abs=0.2)


def test_the_covariance_is_the_spread_of_a_bootstrap() -> None:
    (results,) = pools(pairs=300, worlds=1, seed=3)
    pool = rate_pool(results, mean=0.0)
    generator = np.random.default_rng(4)
    again = []
    for _ in range(500):
        drawn = [
            PairedResult(
                one.first,
                one.second,
                Pentanomial(
                    *map(int, generator.multinomial(one.pairs.pairs, np.array(one.pairs.counts()) / one.pairs.pairs))
                ),
            )
            for one in results
        ]
        other = rate_pool(drawn, mean=0.0)
        again.append([other.of(rating.name).rating for rating in pool.ratings])
    spread = np.cov(np.array(again).T)
    assert np.trace(spread) == pytest.approx(np.trace(np.array(pool.covariance)), rel=0.1)
    deviation = np.sqrt(np.diag(np.array(pool.covariance)))
    outer = np.outer(deviation, deviation)
    assert spread / outer == pytest.approx(np.array(pool.covariance) / outer, abs=0.2)


def ordo_pools() -> list[dict[str, Any]]:
    lineup = json.loads((GOLDEN / "ordo-lineup.json").read_text(encoding="utf-8"))
    return [{"name": "lineup", **lineup}, *json.loads((GOLDEN / "ordo-pools.json").read_text(encoding="utf-8"))]


@pytest.mark.parametrize("golden", ordo_pools(), ids=operator.itemgetter("name"))
def test_ratings_are_those_of_ordo_on_the_same_games(golden: dict[str, Any]) -> None:
    pool = rate_pool(
        [PairedResult(one["first"], one["second"], Pentanomial(*one["pentanomial"])) for one in golden["pairs"]],
        mean=2000.0,
    )
    assert {name for name, _, _ in golden["ratings"]} == {one.name for one in pool.ratings}
    scale = 202.0 / (400.0 * math.log10(0.76 / 0.24))  # what Ordo calls 202
    for name, rating, error in golden["ratings"]:
        assert 2000.0 + scale * (pool.of(name).rating - 2000.0) == pytest.approx(rating, abs=0.05)
        assert pool.of(name).rating == pytest.approx(rating, abs=error)


def test_a_mean_may_be_that_of_some_engines_only() -> None:
    (results,) = pools(pairs=40, worlds=1, seed=5)
    pool = rate_pool(results, mean=2000.0, mean_of=["a", "b"])
    assert (pool.of("a").rating + pool.of("b").rating) / 2 == pytest.approx(2000.0)
    whole = rate_pool(results, mean=0.0)
    assert pool.difference("a", "f").elo == pytest.approx(whole.difference("a", "f").elo)
    assert pool.difference("a", "f").error == pytest.approx(whole.difference("a", "f").error)
    assert pool.of("a").error == pytest.approx(pool.of("b").error)


def test_several_fixed_engines_are_kept_and_their_agreement_is_tested() -> None:
    (results,) = pools(pairs=400, worlds=1, seed=6)
    right = {name: TRUTH[name] + 3000.0 for name in "acf"}
    pool = rate_pool(results, fixed=right)
    assert [(pool.of(name).rating, pool.of(name).error, pool.of(name).held) for name in right] == [
        (rating, 0.0, True) for rating in right.values()
    ]
    one_alone = rate_pool(results, fixed={"a": right["a"]})
    assert pool.of("b").error < one_alone.of("b").error  # three fixed points leave less to be estimated
    points, fit = fixed_points(results, right)
    assert fit is not None
    assert (fit.degrees, fit.p > 0.01) == (2, True)
    points, fit = fixed_points(results, {**right, "c": right["c"] + 100.0})
    assert fit is not None
    assert fit.p < 1e-6
    wrong = points[1]
    assert wrong.by_the_others is not None
    assert abs(wrong.by_the_others.rating - right["c"]) < 2 * wrong.by_the_others.error
    assert fixed_points(results, {"a": 0.0})[1] is None


def test_groups_that_never_met_are_joined_by_fixed_engines() -> None:
    results = [PairedResult("a", "b", Pentanomial(1, 2, 3, 2, 1)), PairedResult("c", "d", Pentanomial(2, 2, 3, 2, 1))]
    pool = rate_pool(results, fixed={"a": 100.0, "c": 0.0})
    assert pool.of("b").rating == pytest.approx(100.0)
    assert pool.of("d").rating > 0.0
    points, fit = fixed_points(results, {"a": 100.0, "c": 0.0})
    assert fit is None
    assert all(point.by_the_others is None for point in points)


def test_engines_that_beat_each_other_in_a_circle_do_not_fit_one_scale() -> None:
    strong = Pentanomial(5, 20, 40, 60, 25)
    circle = [PairedResult("a", "b", strong), PairedResult("b", "c", strong), PairedResult("c", "a", strong)]
    found = one_scale(circle, rate_pool(circle, mean=0.0))
    assert found is not None
    assert (found.degrees, found.p < 1e-6) == (1, True)
    (results,) = pools(pairs=100, worlds=1, seed=8)
    fit = one_scale(results, rate_pool(results, mean=0.0))
    assert fit is not None
    assert (fit.degrees, fit.p > 0.01) == (10, True)
    assert one_scale(circle[:2], rate_pool(circle[:2], mean=0.0)) is None


def test_a_single_pair_does_not_pass_for_exact() -> None:
    many = PairedResult("a", "b", Pentanomial(10, 40, 100, 40, 10))
    pool = rate_pool([many, PairedResult("b", "c", Pentanomial(0, 0, 0, 1, 0))], mean=0.0)
    assert pool.of("c").error > 8 * pool.difference("a", "b").error


def test_a_billion_games_and_very_uneven_engines_have_finite_ratings() -> None:
    huge = rate_pool([PairedResult("a", "b", Pentanomial(10**8, 10**8, 10**8, 10**8, 10**8 + 7))], mean=0.0)
    assert 0.0 < huge.difference("a", "b").error < 0.1
    far = rate_pool([PairedResult("a", "b", Pentanomial(0, 1, 0, 0, 10**6))], mean=0.0)
    assert math.isfinite(far.of("a").error)
    assert far.difference("a", "b").elo > 2000.0


def test_given_ratings_too_far_apart_for_any_result_are_refused() -> None:
    results = [
        PairedResult("a", "c", Pentanomial(0, 0, 0, 0, 1000)),
        PairedResult("a", "d", Pentanomial(1000, 0, 0, 0, 0)),
        PairedResult("b", "c", Pentanomial(84, 252, 110, 158, 285)),
        PairedResult("c", "d", Pentanomial(0, 0, 0, 0, 1)),
    ]
    with pytest.raises(BadInput, match="do not settle: some engines are too far apart"):
        rate_pool(results, fixed={"a": 10_000.0, "b": -10_000.0})


def test_results_that_nowhere_scatter_have_no_surprising_meeting_and_no_test_of_given_ratings() -> None:
    far = [PairedResult("a", "c", Pentanomial(0, 0, 0, 0, 1)), PairedResult("b", "c", Pentanomial(5, 0, 0, 0, 0))]
    found = meetings(far, PoolRatings((rating("a", 1e4), rating("c", 0.0), rating("b", -1e4)), ((0.0,) * 3,) * 3, 1.96))
    assert [one.deviations for one in found] == [0.0, 0.0]
    drawn = [
        PairedResult("a", "b", Pentanomial(0, 0, 2**53, 0, 0)),
        PairedResult("a", "c", Pentanomial(94, 145, 237, 188, 226)),
    ]
    assert fixed_points(drawn, {"a": -20.0, "b": -43.0})[1] is None


def rating(name: str, value: float) -> Rating:
    return Rating(name=name, rating=value, error=0.0, games=2)


def test_a_fixed_engine_keeps_its_rating_without_error() -> None:
    results = [
        PairedResult("a", "b", Pentanomial(3, 5, 20, 8, 6)),
        PairedResult("b", "c", Pentanomial(3, 9, 20, 4, 2)),
    ]
    free, held = rate_pool(results, mean=0.0), rate_pool(results, fixed={"b": 2900.0})
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
    variance = (0.2 * 0.25**2) / 99  # one of 100 pairs pays for the rating
    slope = 400 / (math.log(10) * 0.25)
    assert even.difference("a", "b").error == pytest.approx(t.ppf(0.975, 99) * slope * math.sqrt(variance))


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
        ([PairedResult("a", "b", Pentanomial(0, 1, 0, 0, 0))], "1 pairs rate 2 engines"),
    ],
)
def test_a_pool_without_finite_ratings_is_refused_with_the_reason(results: list[PairedResult], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        rate_pool(results, mean=0.0)


def test_exactly_one_of_mean_and_fixed_engine_is_needed() -> None:
    results = [PairedResult("a", "b", Pentanomial(1, 2, 3, 2, 2))]
    for arguments in (
        {},
        {"mean": 0.0, "fixed": {"a": 0.0}},
        {"fixed": {"z": 0.0}},
        {"mean": 0.0, "mean_of": ["z"]},
        {"mean": math.nan},
    ):
        with pytest.raises(BadInput):
            rate_pool(results, **arguments)
