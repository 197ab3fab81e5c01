"""Rows of a report that are set in an unusual way, as they are usually set.

May import: anchorhold.importers.commits.numbers.
"""

from __future__ import annotations

import re

from anchorhold.importers.commits.numbers import COUNT
from anchorhold.importers.patterns import Pattern

_COMMA_DECIMAL = Pattern(
    r"\b(?:LLR|Elo(?:\s+difference)?|lbound)\s*[:=|]?\s*[-+]?\d+,\d+(?![\d,])|\d\s*[\[(][01],\d{2,4}[\])]",
    re.IGNORECASE,
)
_COMMA = Pattern(r"(?<=\d),(?=\d)")
_SPACED = Pattern(r"(?<=: )\d{1,3}(?: \d{3})+(?![\d.,])")
_COUNTS = Pattern(rf"\bW\s?: {COUNT}[ .]", re.IGNORECASE)
_DOTTED = Pattern(r"(?<=[:\s])\d{1,3}(?:\.\d{3})+(?![\d.,])")
_NAMES = Pattern(r"\b(?:ELO|SPRT|CONF|LLR|GAMES?|PENTA)\s*\|", re.IGNORECASE)


def usual_numbers(text: str) -> str:
    """Put a point where a locale put a comma, and close up ``41 200`` and ``41.200`` among counts.

    A line with a decimal point of its own has no comma for one: ``(-2.94,2.94)`` is two numbers.
    """
    if "," in text and _COMMA_DECIMAL.search(text) and not re.search(r"(?<![\w.])\d+\.\d", text):
        text = _COMMA.sub(".", text)
    if _COUNTS.search(text):
        text = _SPACED.sub(lambda found: found.group().replace(" ", ""), text)
        text = _DOTTED.sub(lambda found: found.group().replace(".", ""), text)
    return text


def table_rows(text: str) -> list[str]:
    """Cut a line at the names of OpenBench's rows; what stands before the first stays with it."""
    starts = [found.start() for found in _NAMES.finditer(text)]
    if len(starts) < 2:
        return [text]
    return [
        text[0 if at == 0 else start : end].strip()
        for at, (start, end) in enumerate(zip(starts, [*starts[1:], None], strict=True))
    ]
