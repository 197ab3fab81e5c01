"""Which lines of a message are worth a closer look: a quick screen that lets no row of a report through unseen.

Nine lines in ten of a history are prose, addresses and bench figures. Every form that ``rows``, ``claims`` or
``tables`` reads has one of the marks here; a line without any is words, whatever stands around it. May import:
anchorhold.importers.commits.exact, anchorhold.importers.commits.tables.
"""

from __future__ import annotations

import re

from anchorhold.importers.commits.exact import is_exact_row
from anchorhold.importers.commits.tables import may_head_table

_DIGIT = re.compile(r"\d")
_PLAIN = re.compile(
    r"(?:https?://[\w./?=&%#-]+|[Bb]ench(?:mark)?\s?:? ?\d+|(?:[Cc]loses|[Ff]ixes|[Rr]esolves) (?:https?://[\w./-]+|#\d+)"
    r"|#\d+)$"
)
"""An address, a bench figure, the number of an issue: a line with nothing else."""
_PARTS = (
    "lr", "elo", "game", "total", "score", "sprt", "tnml", "enta", "draw", "loss", "lost", "win", "won", "bound", "|",
    "h0", "h1", "ww", "distr", "results of",
)  # fmt: skip
"""In small letters."""
_COUNTS = re.compile(
    r"(?<![A-Za-z])[WLDwld]\s*[:=]|\b[Ww]\s+\d|\d\s*[-/|,]\s*\d[\d,'_]*\s*[-/|,]\s*\d|[+=-]\s?\d[\d,'_]*[\s,;]+[+=-]\s?\d"
)
"""Counts that letters, order or signs tell apart."""
_BRACKET_FIRST = re.compile(r"[\W_]*[\[({<]\s*[-+\d.]")
_DRESSED = re.compile(r"[`*<]|__")
"""Marks that may stand inside a word and are taken out before a row is read."""


def may_be_more(raw: str, following: str) -> bool:
    """Whether a line, as it stands in the message, may be more than words; ``following`` is the next one."""
    if "LLR" in following and not is_exact_row(following):
        return True  # a claim, or the head of a report, may begin here
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
    return _COUNTS.search(raw) is not None or _BRACKET_FIRST.match(raw) is not None or may_head_table(raw)
