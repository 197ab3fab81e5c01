"""Figures as a result can store them: finite ones, and Fieller's interval of a ratio of two.

May import: law.result, stats.
"""

from __future__ import annotations

import math

from anchorhold.law.result import Range
from anchorhold.stats.ratio import fieller


def finite(value: float) -> float | None:
    """Return the value, or None when it left what can be stored."""
    return value if math.isfinite(value) else None


def fieller_interval(
    numerator: float, numerator_error: float, denominator: float, denominator_error: float
) -> Range | None:
    """Fieller's interval of a ratio as a result has it; None when it is unbounded."""
    found = fieller(
        numerator=numerator,
        numerator_error=numerator_error,
        denominator=denominator,
        denominator_error=denominator_error,
    )
    return None if found is None else Range(low=found.low, high=found.high)
