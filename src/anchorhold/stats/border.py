"""What a figure must be before anything is computed from it: one clear line instead of NaN at the end of the way.

May import: anchorhold.errors.
"""

from __future__ import annotations

import math

from anchorhold.errors import BadInput


def expect(holds: bool, what: str) -> None:
    """Refuse what does not hold.

    Raises
    ------
    BadInput
        It does not; ``what`` says what was expected.
    """
    if not holds:
        raise BadInput(what)


def finite(value: float, name: str) -> float:
    """Return a finite number as it is.

    Raises
    ------
    BadInput
        NaN or infinity.
    """
    if not math.isfinite(value):
        raise BadInput(f"{name} is {value}, expected a finite number")
    return value
