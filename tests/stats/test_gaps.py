"""The chance that a planned measurement is missing: against all samples there are, and its two searches."""

import math
from itertools import product

import pytest

from anchorhold.errors import BadInput
from anchorhold.stats.elo import NoEstimate, elo_from_pentanomial, elo_of_score
from anchorhold.stats.gaps import SAMPLES, farthest_score, missing_chance, pairs_for_estimate
from anchorhold.stats.outcomes import Pentanomial
from anchorhold.stats.power import game_chances


@pytest.mark.parametrize(("pairs", "score", "draws"), [(5, 0.7, 0.5), (10, 0.9, 0.5), (10, 0.8, 0.2), (8, 0.5, 0.0)])
def test_the_chance_is_that_of_all_samples_there_are(pairs: int, score: float, draws: float) -> None:
    win, draw, loss = game_chances(elo_of_score(score), draws=draws)
    assert win + draw / 2 == pytest.approx(score)
    shares = (loss**2, 2 * loss * draw, draw**2 + 2 * win * loss, 2 * win * draw, win**2)
    missing = 0.0
    for first in product(range(pairs + 1), repeat=4):
        counts = (*first, pairs - sum(first))
        if counts[-1] < 0:
            continue
        try:
            elo_from_pentanomial(Pentanomial(*counts))
        except NoEstimate:
            ways = math.factorial(pairs) // math.prod(map(math.factorial, counts))
            missing += ways * math.prod(share**count for share, count in zip(shares, counts, strict=True))
    error = math.sqrt(max(missing * (1 - missing), 1 / SAMPLES) / SAMPLES)
    assert missing_chance(pairs, elo_of_score(score), draws=draws) == pytest.approx(missing, abs=4 * error)


def test_it_is_the_same_on_both_sides_and_grows_with_the_distance() -> None:
    at = [missing_chance(20, elo_of_score(score), draws=0.5) for score in (0.5, 0.8, 0.9, 0.95, 0.99)]
    assert at == sorted(at)
    assert missing_chance(20, -400.0, draws=0.5) == pytest.approx(missing_chance(20, 400.0, draws=0.5), abs=0.03)


def test_the_least_number_of_pairs_keeps_the_risk_and_one_fewer_does_not() -> None:
    for score in (0.5, 0.1, 0.9, 0.97):
        distance = elo_of_score(score)
        needed = pairs_for_estimate(distance, draws=0.5)
        assert needed is not None
        assert missing_chance(needed, distance, draws=0.5) <= 0.01 < missing_chance(needed - 1, distance, draws=0.5)
    assert pairs_for_estimate(1500.0, draws=0.5) is None


def test_the_farthest_score_is_one_that_the_pairs_reach() -> None:
    few, many = farthest_score(10, draws=0.5), farthest_score(100, draws=0.5)
    assert few is not None
    assert many is not None
    assert 0.7 < few < 0.8 < 0.95 < many
    assert farthest_score(2, draws=0.5) is None


def test_what_is_no_design_is_refused() -> None:
    with pytest.raises(BadInput, match="number of pairs is 0"):
        missing_chance(0, 0.0, draws=0.5)
    with pytest.raises(BadInput, match="risk is 1"):
        farthest_score(10, draws=0.5, risk=1.0)
