"""How likely a planned measurement is missing: so few pairs, or an anchor so far away, that no estimate comes of it.

Distances are main minus anchor, in logistic Elo. Source: SPEC section 2 (a measurement is missing when only one class
is occupied, or μ or one of μ ± z√(v/n) leaves the clip).
May import: numpy, anchorhold.errors, anchorhold.stats.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from anchorhold.stats.border import expect
from anchorhold.stats.elo import EDITION_7, EstimateRule, score_of_elo
from anchorhold.stats.elo_many import elos_from_pentanomials
from anchorhold.stats.power import LARGEST_DISTANCE, game_chances

SAMPLES = 4_000
"""Measurements that are drawn: a chance of 1 % is met within 0.3 %."""
MOST_PAIRS = 1_000_000
"""Where the search for a number of pairs ends."""
_SEED = 20_261_016


@lru_cache(maxsize=1024)
def missing_chance(pairs: int, distance: float, *, draws: float, rule: EstimateRule = EDITION_7) -> float:
    """Chance that pairs against an anchor at this distance carry no estimate, which makes the check a GAP.

    By simulation with a fixed seed; the two games of a pair are independent, as in ``power.pair_variance``.

    Parameters
    ----------
    pairs : int
        Against this anchor, for one version.
    draws : float
        Effective share of draws between equals, in [0, 1).

    Raises
    ------
    BadInput
        No pairs, more than a million, an anchor further away than any design may have.

    Examples
    --------
    >>> missing_chance(10, 382.0, draws=0.5) > 0.4  # a score of 0.90
    True
    >>> missing_chance(60, 382.0, draws=0.5) < 0.001
    True
    """
    expect(1 <= pairs <= MOST_PAIRS, f"the number of pairs is {pairs}, expected 1 to {MOST_PAIRS}")
    win, draw, loss = game_chances(distance, draws=draws)
    shares = np.array([loss * loss, 2 * loss * draw, draw * draw + 2 * win * loss, 2 * win * draw, win * win])
    counts = np.random.default_rng(_SEED).multinomial(pairs, shares / shares.sum(), size=SAMPLES)
    return 1.0 - float(elos_from_pentanomials(counts.astype(np.float64), rule=rule).known.mean())


def pairs_for_estimate(
    distance: float, *, draws: float, risk: float = 0.01, rule: EstimateRule = EDITION_7
) -> int | None:
    """Pairs from which on a measurement at this distance is missing with at most ``risk``; None: no number does.

    Raises
    ------
    BadInput
        As of ``missing_chance``, or a risk outside (0, 1).
    """
    _expect_risk(risk)
    low, high = 0, 1
    while missing_chance(high, distance, draws=draws, rule=rule) > risk:
        low, high = high, 2 * high
        if high > MOST_PAIRS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if missing_chance(middle, distance, draws=draws, rule=rule) > risk else (low, middle)
    return high


def farthest_score(pairs: int, *, draws: float, risk: float = 0.01, rule: EstimateRule = EDITION_7) -> float | None:
    """Greatest score of main at which pairs are missing with at most ``risk``; None: not even at one half.

    The least score is its counterpart, 1 − that.

    Raises
    ------
    BadInput
        As of ``missing_chance``, or a risk outside (0, 1).
    """
    _expect_risk(risk)
    low, high = 0.0, LARGEST_DISTANCE
    if missing_chance(pairs, low, draws=draws, rule=rule) > risk:
        return None
    while high - low > 1.0:
        middle = (low + high) / 2.0
        low, high = (middle, high) if missing_chance(pairs, middle, draws=draws, rule=rule) <= risk else (low, middle)
    return score_of_elo(low)


def _expect_risk(risk: float) -> None:
    expect(0.0 < risk < 1.0, f"the risk is {risk}, expected a number between 0 and 1")
