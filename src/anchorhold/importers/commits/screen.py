"""Which lines of a message are worth a closer look: a quick screen that lets no row of a report through unseen.

Nine lines in ten of a history are prose, addresses and bench figures. Every form that ``rows``, ``claims`` or
``tables`` reads has one of the marks here; a line without any is words, whatever stands around it. May import:
anchorhold.importers.commits.exact, anchorhold.importers.commits.tables.
"""

from __future__ import annotations

from collections.abc import Sequence

from anchorhold.importers.commits.exact import is_exact_row
from anchorhold.importers.commits.tables import may_head_table
from anchorhold.importers.patterns import Pattern

_DIGIT = Pattern(r"\d")
_PLAIN = Pattern(
    r"(?:https?://[\w./?=&%#-]+|[Bb]ench(?:mark)?\s?:? ?\d+|(?:[Cc]loses|[Ff]ixes|[Rr]esolves) (?:https?://[\w./-]+|#\d+)"
    r"|#\d+)$"
)
"""An address, a bench figure, the number of an issue: a line with nothing else."""
_PARTS = (
    "lr", "elo", "game", "total", "score", "sprt", "tnml", "enta", "draw", "loss", "lost", "win", "won", "bound", "|",
    "h0", "h1", "ww", "distr", "results of",
)  # fmt: skip
"""In small letters."""
_COUNTS = Pattern(
    r"(?<![A-Za-z])[WLDwld]\s*[:=]|\b[Ww]\s+\d|\d\s*[-/|,]\s*\d[\d,'_]*\s*[-/|,]\s*\d|[+=-]\s?\d[\d,'_]*[\s,;]+[+=-]\s?\d"
)
"""Counts that letters, order or signs tell apart."""
_BRACKET_FIRST = Pattern(r"[\W_]*[\[({<]\s*[-+\d.]")
_DRESSED = Pattern(r"[`*<]|__")
"""Marks that may stand inside a word and are taken out before a row is read."""


_SURE = ("LLR: ", "Total: ", "Ptnml(0-2): ")
"""Beginnings of rows as fishtest prints them."""


def worth_a_look(raws: Sequence[str]) -> list[int]:
    """Return the indexes of the lines, as they stand in a message, that may be more than words."""
    found: list[int] = []
    before = ""
    for index, raw in enumerate(raws):
        if "LLR" in raw and before and (not found or found[-1] != index - 1) and not is_exact_row(raw):
            found.append(index - 1)  # a claim, or the head of a report, may begin there
        if raw and (raw.startswith(_SURE) or _may_be_more(raw)):
            found.append(index)
        before = raw
    return found


def _may_be_more(raw: str) -> bool:
    if _DIGIT.search(raw) is None:
        return "LLR" in raw or "esults of" in raw or may_head_table(raw)
    if _PLAIN.match(raw) is not None:
        return False
    alike = raw.lower()
    for part in _PARTS:
        if part in alike:
            return True
    if not raw.isascii() or _DRESSED.search(raw) is not None:
        return True
    if (":" in raw or "=" in raw or "w" in alike or _parted(raw)) and _COUNTS.search(raw) is not None:
        return True
    return _BRACKET_FIRST.match(raw) is not None or may_head_table(raw)


def _parted(raw: str) -> bool:
    """Whether a line has enough marks to tell three counts apart."""
    return raw.count("-") + raw.count("/") + raw.count("|") + raw.count(",") + raw.count("+") > 1
