"""R = ΔA/S as a number, and Fieller's interval of a ratio.

Errors are two-sided half-widths at one level. Source: SPEC sections 1 and 4. May import:
anchorhold.stats.border.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from anchorhold.stats.border import expect, finite


def rounded(value: float, *, decimals: int) -> float:
    """Round half to even, never to minus zero.

    Examples
    --------
    >>> rounded(7.9999999999 / 20, decimals=9)
    0.4
    """
    return round(finite(value, "the ratio"), decimals) + 0.0


@dataclass(frozen=True, slots=True)
class Interval:
    """A two-sided interval."""

    low: float
    high: float


def fieller(
    *, numerator: float, numerator_error: float, denominator: float, denominator_error: float
) -> Interval | None:
    """Fieller's interval of numerator/denominator for independent normal errors.

    None ("unbounded") when the denominator is not beyond its own half-width: the set of ratios is then no interval.

    Notes
    -----
    The roots of (S² − U_S²)R² − 2ΔA·S·R + ΔA² − U_A² = 0, all divided by S² so that no square leaves what can be
    stored. The discriminant is written as U_A²(S² − U_S²) + U_S²ΔA², which cannot turn negative by cancellation.

    References
    ----------
    .. [1] E. C. Fieller, Journal of the Royal Statistical Society B 16 (1954) 175.
    """
    for value in (numerator, denominator):
        finite(value, "a figure")
    for error in (numerator_error, denominator_error):
        expect(0.0 <= error < math.inf, f"a half-width is {error}, expected a number of at least 0")
    if denominator <= denominator_error:
        return None
    relative = denominator_error / denominator
    leading = (1.0 - relative) * (1.0 + relative)
    centre = numerator / denominator
    root = math.hypot(numerator_error / denominator * math.sqrt(leading), relative * centre)
    low, high = (centre - root) / leading, (centre + root) / leading
    return Interval(low=low, high=high) if math.isfinite(low) and math.isfinite(high) else None
