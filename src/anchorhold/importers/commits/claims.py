"""A pass that a sentence claims for other bounds, on games that another report counts.

It is no test of its own and no valid sequential test, but somebody let a change in because of it. May import:
anchorhold.importers.commits.fields, anchorhold.importers.commits.labels, anchorhold.importers.commits.numbers.
"""

from __future__ import annotations

import re

from anchorhold.importers.commits.fields import Fields
from anchorhold.importers.commits.labels import bounds_in
from anchorhold.importers.commits.numbers import NUMBER, number
from anchorhold.importers.patterns import Pattern

_WORD = Pattern(r"\b(?:pass|passes|passed|passing|accepted)\b", re.IGNORECASE)
_FAILS = Pattern(r"\b(?:fail|fails|failed|rejected)\b", re.IGNORECASE)
_LLR = (
    Pattern(rf"\bLLR\b\s*(?:of|is|was|at|=|:)?\s*({NUMBER})(?![\w%])(?!\s*[\[({{<])", re.IGNORECASE),
    Pattern(rf"(?<![\w.])({NUMBER})\s+LLR\b", re.IGNORECASE),
)


def claim_in(text: str) -> Fields | None:
    """Read a sentence that gives a verdict, bounds and an LLR; None when one of the three is missing."""
    if "LLR" not in text or not (_WORD.search(text) or _FAILS.search(text)):
        return None
    found = next((match for pattern in _LLR if (match := pattern.search(text))), None)
    if found is None or found.start() == 0:
        return None
    bounds, bracket = bounds_in(text)
    if bounds is None:
        return None
    return Fields(
        family="claim",
        llr=number(found.group(1)),
        elo_bounds=bounds,
        bracket=bracket,
        accepted=bool(_WORD.search(text)),
    )
