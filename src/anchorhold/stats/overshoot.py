"""How far a log-likelihood ratio (LLR) jumps over its bound: estimated on the way, so that a test may stop earlier.

An LLR moves by jumps, so it ends beyond Wald's bounds, and the test errs more rarely than alpha and beta say while it
takes longer. May import: anchorhold.stats.border.
"""

from __future__ import annotations

from dataclasses import dataclass

from anchorhold.stats.border import finite

MOST = 0.1
"""Share of a bound that a correction may take; more is no estimate, but a test of a few pairs."""


@dataclass(slots=True)
class Overshoot:
    """The field's dynamic correction: mean overshoot from the sizes of the new records that the LLR sets [1]_.

    A new record at height δ above the last one comes from a ladder whose mean excess over a far bound is E δ²/(2 E δ).
    ``update`` must hear every pair, in order. fishtest (commit b8eecff, ``update_SPRT``) does the same with the same
    formula, without the limit of 10 % of the bound.

    References
    ----------
    .. [1] D. Siegmund, Sequential Analysis, 1985, corollary 8.33.

    Examples
    --------
    >>> seen = Overshoot()
    >>> for llr in (0.1, 0.0, 0.3, -0.2):
    ...     seen.update(llr)
    >>> f"{seen.low:.3f} {seen.high:.3f}"
    '0.100 0.083'
    """

    _low_record: float = 0.0
    _high_record: float = 0.0
    _low_sum: float = 0.0
    _low_squares: float = 0.0
    _high_sum: float = 0.0
    _high_squares: float = 0.0

    def update(self, llr: float) -> None:
        """Take the LLR after one more pair."""
        finite(llr, "the log-likelihood ratio")
        if llr < self._low_record:
            step = self._low_record - llr
            self._low_sum += step
            self._low_squares += step * step
            self._low_record = llr
        if llr > self._high_record:
            step = llr - self._high_record
            self._high_sum += step
            self._high_squares += step * step
            self._high_record = llr

    @property
    def low(self) -> float:
        """Mean overshoot below the lower bound; 0 before the first record."""
        return self._low_squares / self._low_sum / 2.0 if self._low_sum else 0.0

    @property
    def high(self) -> float:
        """Mean overshoot above the upper bound; 0 before the first record."""
        return self._high_squares / self._high_sum / 2.0 if self._high_sum else 0.0
