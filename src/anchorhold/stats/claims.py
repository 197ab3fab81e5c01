"""The sum of claims after stopped tests, corrected for stopping: Σ of median-unbiased estimates.

Unbiased in the median over passes and fails together; still biased upwards given a pass, and medians do not add:
the sum is a better figure than the naive one, not an unbiased one. Elo is logistic. Source: SPEC section 4.
May import: numpy, anchorhold.errors, anchorhold.stats.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anchorhold.errors import AnchorholdError
from anchorhold.stats.outcomes import Pentanomial, Trinomial
from anchorhold.stats.sprt import BoundsModel
from anchorhold.stats.stopped import median_unbiased
from anchorhold.stats.stopped_many import median_unbiased_many

MANY = 30
"""Tests from which on they are estimated together; fewer take no time one by one."""


@dataclass(frozen=True, slots=True)
class StoppedTest:
    """A passed test with all that its stopping rule needs."""

    label: str
    """How a message names it."""
    sample: Pentanomial | Trinomial
    games: Trinomial | None
    """The same games one by one, where they are known: BayesElo bounds need their draws."""
    bounds: tuple[float, float]
    model: BoundsModel
    alpha: float
    beta: float


class NotRecomputable(ValueError):
    """A test whose counts do not agree with having passed its bounds."""


@dataclass(frozen=True, slots=True)
class StoppedSum:
    """Σ of median-unbiased estimates with its 95 % interval, in logistic Elo."""

    value: float
    low: float
    high: float


def median_unbiased_sum(tests: Sequence[StoppedTest]) -> StoppedSum:
    """Σ of the median-unbiased estimates of passed tests.

    Raises
    ------
    NotRecomputable
        A test's recomputed LLR does not agree with having passed, or its bounds make no test.

    Notes
    -----
    The tests' own intervals are added in quadrature, upwards and downwards apart. That covers the sum of what the
    single estimates are medians of; it knows nothing of the selection of passes, which shifts all of them upwards.
    """
    together = _estimated_together(tests) if len(tests) >= MANY else {}
    estimates = [together.get(place) or _estimated(test) for place, test in enumerate(tests)]
    value = math.fsum(one.elo for one in estimates)
    return StoppedSum(
        value=value,
        low=value - math.hypot(*(one.elo - one.low for one in estimates)),
        high=value + math.hypot(*(one.high - one.elo for one in estimates)),
    )


@dataclass(frozen=True, slots=True)
class _Estimate:
    """Median-unbiased Elo of one passed test, with the ends of its 95 % interval."""

    elo: float
    low: float
    high: float


def _estimated(test: StoppedTest) -> _Estimate:
    try:
        found = median_unbiased(
            test.sample, bounds=test.bounds, model=test.model, alpha=test.alpha, beta=test.beta, games=test.games
        )
    except AnchorholdError as reason:
        raise NotRecomputable(f"{test.label}: {reason.what}") from reason
    if not found.passed:
        raise NotRecomputable(f"{test.label}: its recomputed LLR {found.llr:.2f} is a fail")
    return _Estimate(found.elo, found.low, found.high)


def _estimated_together(tests: Sequence[StoppedTest]) -> Mapping[int, _Estimate]:
    """Estimate the tests of each kind at once, by their places; of one that is not there, ``_estimated`` tells why."""
    alike: dict[tuple[type, BoundsModel], list[int]] = defaultdict(list)
    for place, test in enumerate(tests):
        if test.model != "bayeselo":
            alike[type(test.sample), test.model].append(place)
    estimates: dict[int, _Estimate] = {}
    for (_, model), places in alike.items():
        chosen = [tests[place] for place in places]
        found = median_unbiased_many(
            np.array([test.sample.counts() for test in chosen], dtype=np.float64),
            np.array([test.bounds for test in chosen], dtype=np.float64),
            model=model,
            alpha=np.array([test.alpha for test in chosen]),
            beta=np.array([test.beta for test in chosen]),
        )
        for row in np.flatnonzero(found.known & found.passed).tolist():
            estimates[places[row]] = _Estimate(float(found.elo[row]), float(found.low[row]), float(found.high[row]))
    return estimates
