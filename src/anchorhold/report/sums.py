"""How sure the corrected forms of S are: their 95 % intervals, which the result document states in words only.

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
    """Read the interval of the selection-corrected sum from its note: nowhere else does a result have it."""
    for note in result.notes:
        if note.code == "selection_corrected" and (found := _SELECTION.search(note.message)):
            return float(found[1]), float(found[2])
    return None


def sum_intervals(result: Result, document: Document | None, *, contract: Contract) -> dict[str, Interval]:
    """Return the intervals of the corrected sums that the result has, as far as they are known.

    That of the median-unbiased sum is computed again from the claims' counts; it takes the document.
    """
    found: dict[str, Interval] = {}
    if document is not None and result.s_median_unbiased is not None:
        read = read_window(
            document.register_, document.window, contract=contract, problems=Problems(), short_problems=Problems()
        )
        try:
            total = median_unbiased_claims(read.counted)
        except NoSum:
            total = None
        if total is not None and abs(total.value - result.s_median_unbiased) < 1e-6:
            found["s_median_unbiased"] = (total.low, total.high)
    if result.s_selection_corrected is not None and (interval := selection_interval(result)) is not None:
        found["s_selection_corrected"] = interval
    return found
