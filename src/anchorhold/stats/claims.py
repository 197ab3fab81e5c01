"""The sum of claims after stopped tests, corrected for stopping: Σ of median-unbiased estimates.

Unbiased in the median over passes and fails together; still biased upwards given a pass, and medians do not add:
the sum is a better figure than the naive one, not an unbiased one. Elo is logistic. Source: SPEC section 4.
May import: anchorhold.errors, anchorhold.stats.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from anchorhold.errors import AnchorholdError
from anchorhold.stats.outcomes import Pentanomial, Trinomial
from anchorhold.stats.sprt import BoundsModel
from anchorhold.stats.stopped import StoppedEstimate, median_unbiased


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
    estimates: list[StoppedEstimate] = []
    for test in tests:
        try:
            found = median_unbiased(
                test.sample,
                bounds=test.bounds,
                model=test.model,
                alpha=test.alpha,
                beta=test.beta,
                games=test.games,
            )
        except AnchorholdError as reason:
            raise NotRecomputable(f"{test.label}: {reason.what}") from reason
        if not found.passed:
            raise NotRecomputable(f"{test.label}: its recomputed LLR {found.llr:.2f} is a fail")
        estimates.append(found)
    value = math.fsum(one.elo for one in estimates)
    return StoppedSum(
        value=value,
        low=value - math.hypot(*(one.elo - one.low for one in estimates)),
        high=value + math.hypot(*(one.high - one.elo for one in estimates)),
    )
