import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.errors import BadInput
from anchorhold.stats.elo import elo_from_pentanomial, elo_per_score, score_of_elo
from anchorhold.stats.outcomes import Pentanomial
from anchorhold.stats.power import (
    Design,
    claims_needed,
    distance_cost,
    draw_elo_of,
    draws_of,
    half_widths,
    increase_deviation,
    pair_variance,
    pairs_needed,
    verdict_chances,
)

DESIGN = Design(pairs=1000, distances=(-120.0, -60.0, 0.0, 30.0, 80.0, 150.0), rating_errors=(9.5,) * 6, draws=0.45)


def played(distance: float, *, draws: float, pairs: int, rng: np.random.Generator) -> Pentanomial:
    """Pairs of two independent games: wins and losses on the logistic curve, shifted by the draw Elo."""
    shift = draw_elo_of(draws)
    low, high = -2000.0, 2000.0
    for _ in range(60):
        middle = (low + high) / 2
        score = (1 + score_of_elo(middle - shift) - score_of_elo(-middle - shift)) / 2
        low, high = (middle, high) if score < score_of_elo(distance) else (low, middle)
    win, loss = score_of_elo(low - shift), score_of_elo(-low - shift)
    points = rng.choice([0, 1, 2], p=[loss, 1 - win - loss, win], size=(pairs, 2)).sum(axis=1)
    return Pentanomial(*(int(count) for count in np.bincount(points, minlength=5)))


@pytest.mark.parametrize("distance", [-200.0, 0.0, 90.0])
@pytest.mark.parametrize("draws", [0.2, 0.6])
def test_the_half_width_planned_is_the_one_that_games_have(distance: float, draws: float) -> None:
    sample = played(distance, draws=draws, pairs=20_000, rng=np.random.default_rng(1))
    planned = half_widths(Design(pairs=20_000, distances=(distance,), rating_errors=(0.0,), draws=draws))
    assert elo_from_pentanomial(sample).error == pytest.approx(float(planned[0]), rel=0.02)
    assert draws_of(sample) == pytest.approx(draws, abs=0.02)


def test_verdicts_come_as_often_as_planned() -> None:
    rng = np.random.default_rng(2)
    claims, ratio, runs = 20.0, 0.6, 20_000
    shares = 1 / (half_widths(DESIGN) ** 2 + 9.5**2 + 36.9**2)
    shares /= shares.sum()
    deviation = np.array(
        [elo_per_score(score_of_elo(at)) * math.sqrt(pair_variance(at, draws=0.45) / 1000) for at in DESIGN.distances]
    )
    increase = ratio * claims + (rng.normal(0, deviation, (2, runs, 6)) * [[[1]], [[-1]]] @ shares).sum(axis=0)
    (chances,) = verdict_chances(DESIGN, claims=claims, ratios=[ratio])
    halted = increase / claims < 0.40
    allowed = 4 * math.sqrt(0.25 / runs)
    assert halted.mean() == pytest.approx(chances.halt, abs=allowed)
    assert (increase / claims >= 0.75).mean() == pytest.approx(chances.proceed, abs=allowed)


@given(st.floats(-2, 3), st.floats(0.5, 200), st.integers(1, 10**6))
def test_the_chances_of_all_verdicts_add_up(ratio: float, claims: float, pairs: int) -> None:
    design = Design(pairs=pairs, distances=DESIGN.distances, rating_errors=DESIGN.rating_errors, draws=0.45)
    (chances,) = verdict_chances(design, claims=claims, ratios=[ratio])
    assert chances.halt + chances.warn + chances.proceed == pytest.approx(1.0)
    assert min(chances.halt, chances.warn, chances.proceed) >= 0.0


@given(st.floats(1.0, 500.0), st.floats(0.01, 0.3), st.floats(0.01, 0.3))
def test_so_many_pairs_suffice_and_one_less_does_not(claims: float, alpha: float, beta: float) -> None:
    needed = pairs_needed(DESIGN, claims=claims, alpha=alpha, beta=beta)
    assert needed is not None

    def enough(pairs: int) -> bool:
        design = Design(pairs=pairs, distances=DESIGN.distances, rating_errors=DESIGN.rating_errors, draws=0.45)
        return claims_needed(design, alpha=alpha, beta=beta) <= claims

    assert enough(needed)
    assert needed == 1 or not enough(needed - 1)


def test_a_quarter_of_the_claims_takes_about_sixteen_times_the_pairs() -> None:
    at_20, at_5 = (pairs_needed(DESIGN, claims=claims) for claims in (20.0, 5.0))
    assert at_20 is not None
    assert at_5 is not None
    assert at_5 / at_20 == pytest.approx(16, rel=0.05)


def test_paired_openings_save_as_many_games_as_they_correlate() -> None:
    correlated = Design(
        pairs=1000, distances=DESIGN.distances, rating_errors=DESIGN.rating_errors, draws=0.45, correlation=0.36
    )
    assert increase_deviation(correlated) == pytest.approx(0.8 * increase_deviation(DESIGN))


def test_a_distant_anchor_costs_more_games_both_ways() -> None:
    assert distance_cost(0.0, draws=0.5) == pytest.approx(1.0)
    assert 1.0 < distance_cost(100.0, draws=0.5) < distance_cost(200.0, draws=0.5)
    assert distance_cost(-200.0, draws=0.5) == pytest.approx(distance_cost(200.0, draws=0.5))


def test_what_makes_no_plan_is_refused() -> None:
    with pytest.raises(BadInput, match="S is 0"):
        verdict_chances(DESIGN, claims=0.0, ratios=[0.5])
    with pytest.raises(BadInput, match="do not rise"):
        claims_needed(DESIGN, low=0.75, high=0.4)
    with pytest.raises(BadInput, match="error rates"):
        pairs_needed(DESIGN, claims=20.0, alpha=0.5)
    with pytest.raises(BadInput, match="a distance and a rating error for each"):
        Design(pairs=10, distances=(0.0,), rating_errors=(), draws=0.5)
    with pytest.raises(BadInput, match="lie in"):
        Design(pairs=10, distances=(0.0,), rating_errors=(1.0,), draws=1.0)
