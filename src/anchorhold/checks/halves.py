"""What does not follow in a register, looked for in two halves; of a long one, the second in a process of its own.

May import: anchorhold.forked, anchorhold.checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from anchorhold.checks.following import Difference
from anchorhold.forked import beside


def in_halves(look: Callable[[int], Iterable[Difference]], *, worthwhile: bool) -> list[Difference]:
    """Return the differences of the first half, then those of the second.

    Parameters
    ----------
    look : callable
        Looks at half 0 or 1.
    worthwhile : bool
        Whether the register is long enough for a second process.
    """
    with beside(lambda: [one.to_json() for one in look(1)], worthwhile=worthwhile) as second:
        found = list(look(0))
        found.extend(Difference.from_json(one) for one in second.result())
    return found
