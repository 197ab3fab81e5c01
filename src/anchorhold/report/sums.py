"""How sure the corrected forms of S are: their 95 % intervals, also of results that do not carry them themselves.

Results that were recorded before they had members for it state one of them in words, and the other not at all.

May import: anchorhold.domain.contract, law, report.*.
"""

from __future__ import annotations

import re

from anchorhold.domain.contract import Contract
from anchorhold.law.corrected import NoSum, median_unbiased_claims
from anchorhold.law.document import Document
from anchorhold.law.problems import Problems
from anchorhold.law.result import Result
from anchorhold.law.window import read_window

_SELECTION = re.compile(r"95 % interval (-?\d+(?:\.\d+)?) to (-?\d+(?:\.\d+)?)")

Interval = tuple[float, float]


def selection_interval(result: Result) -> Interval | None:
    """Return the interval of the selection-corrected sum; that of an older result stands in a note."""
    if (interval := result.s_selection_corrected_interval) is not None:
        return interval.low, interval.high
    for note in result.notes:
        if note.code == "selection_corrected" and (found := _SELECTION.search(note.message)):
            return float(found[1]), float(found[2])
    return None


def sum_intervals(result: Result, document: Document | None, *, contract: Contract) -> dict[str, Interval]:
    """Return the intervals of the corrected sums that the result has, as far as they are known.

    That of an older result's median-unbiased sum is computed again from the claims' counts; it takes the document.
    """
    found: dict[str, Interval] = {}
    if (interval := result.s_median_unbiased_interval) is not None:
        found["s_median_unbiased"] = interval.low, interval.high
    elif document is not None and result.s_median_unbiased is not None:
        read = read_window(
            document.register_, document.window, contract=contract, problems=Problems(), short_problems=Problems()
        )
        try:
            total = median_unbiased_claims(read.counted)
        except NoSum:
            total = None
        if total is not None and abs(total.value - result.s_median_unbiased) < 1e-6:
            found["s_median_unbiased"] = (total.low, total.high)
    if result.s_selection_corrected is not None and (selected := selection_interval(result)) is not None:
        found["s_selection_corrected"] = selected
    return found
