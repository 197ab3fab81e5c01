"""One line of a report: which forms it may have, tried in order.

A row is read by its own marks, not by its neighbours; what rows belong together is another question. May import:
anchorhold.importers.commits.exact, anchorhold.importers.commits.fields, anchorhold.importers.commits.row_forms.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from anchorhold.importers.commits.exact import exact_row
from anchorhold.importers.commits.fields import Fields
from anchorhold.importers.commits.row_figures import integers
from anchorhold.importers.commits.row_forms import (
    bounds_row,
    cutechess_row,
    fastchess_head,
    fishtest_row,
    page_row,
    script_row,
    signed_row,
    table_row,
)
from anchorhold.importers.commits.spelling import table_rows, usual_numbers
from anchorhold.importers.patterns import Pattern

_I = re.IGNORECASE
_PAIRS_ONLY = Pattern(r"^(?P<list>\d+(?:\s*,\s*\d+){0,4})\s*[\])}]?$")
_COLOURS = Pattern(r"\bplaying\s+(?:White|Black)\b|\bWhite\s+vs\.?\s+Black\b", _I)
_ACCEPTED = Pattern(r"\bH([01])\b\s*(?:was|is)?\s*accepted", _I)
_NEUTRAL = Pattern(
    r"^(?:Elo(?: difference)?\s*[:|]\s*[-+]?(?:inf|nan)|nElo|Norm\w* Pair|LOS|DrawRatio|PairsRatio"
    r"|Draw ratio|WL/DD|Score\s*:|Sensitivity\s*:|2\*\(W-L\)|BayesElo"
    r"|DrawElo|Stats:|White advantage|Distr|Gamepairs|Ptnml:\s+\D|Player:|Timeouts?:|Crashed:|Finished (?:match|game)"
    r"|Started game|Total Time|Time:|Warning:|SPRT\s*\(|\.\.\.|[-=_~^.*#|+:\s]*$|\d+ of \d+ games|Saved results"
    r"|Loading opening|Result\b\s*:|\|?\s*:?-{3,}|Points\s*:|Mean\b\s*:|Pairs:)",
    _I,
)
_DIGIT = Pattern(r"\d")
_SIGN = Pattern(r"[|=<>\[({:+)\]-]")
_MARK = Pattern(r"[|=<>\[({]\s*[-+.\d]|\d\s*[-)\]]|[:=+]\s?[-+]?\s*\d")
_MARK_PARTS = ("elo", "llr", "sprt", "tnml", "win", "loss", "draw", "games", "w ", "/ww", "wdl", "wld")
_MARK_WORD = Pattern(r"[Ee][Ll][Oo]|LLR|llr|SPRT|tnml|[Ww]ins?\b|[Ll]oss|[Dd]raw|Games|W \d|/WW|WDL|WLD")
_NEVER = Pattern(r"(?:bench|closes?|fix(?:es)?|resolves?|signed-off-by|co-authored-by)\b", _I)
_DATA_WORDS = Pattern(
    r"^\W*LLR\b\D{0,4}[-+]?\d|\bLLR\b\s*[:|]\s*[-+]?\d|\bPtnml|\bPenta\b\s*[|:]|\bW\s*:\s*\d"
    r"|Elo difference\s*:\s*[-+\d]|\bScore of\b.*\d+\s*-\s*\d+\s*-\s*\d|\blbound\b"
    r"|^\s*(?:ELO|GAMES|LLR|CONF|SPRT)\s*\|\s*\S",
    _I,
)
_DATA_PARTS = ("lr", "ptnml", "penta", ":", "elo", "score", "lbound", "|")


def has_digit(text: str) -> bool:
    """Whether a text has any figure; a row without one is the head of a report at most."""
    return _DIGIT.search(text) is not None


def looks_like_data(text: str) -> bool:
    """Whether a line has the marks of a report; one that is in none must not get lost."""
    if _DIGIT.search(text) is None:
        return False
    alike = text.casefold()
    if not any(part in alike for part in _DATA_PARTS):
        return False
    return bool(_DATA_WORDS.search(text)) and not _COLOURS.search(text)


def is_neutral(text: str) -> bool:
    """Whether a line may stand inside a report without saying anything that is read."""
    return _NEUTRAL.match(text) is not None or (("laying" in text or "White" in text) and bool(_COLOURS.search(text)))


def read_row(text: str) -> Fields | None:
    """Read one normalised line; None when it is no row of a report."""
    if (exact := exact_row(text)) is not None:
        return exact
    if "esults of" in text and (header := fastchess_head(text)) is not None:
        return header
    if not may_be_row(text):
        return None
    text = usual_numbers(text)
    alike = text.casefold()
    if ("play" in alike or "wh" in alike) and _COLOURS.search(text):
        return None
    for read, parts in _READERS:
        if parts and not any(part in alike for part in parts):
            continue
        row = read(text)
        if row is not None:
            if "accept" in alike and (found := _ACCEPTED.search(text)) is not None:
                row.accepted = found.group(1) == "1"
            return row
        if read is table_row and len(table_rows(text)) > 1:
            return None  # two reports on one line: not to be put together, so the line is listed
    return None


def may_be_row(text: str) -> bool:
    """Whether a line has a digit and one of the marks that every row has; prose is passed over at once."""
    if _DIGIT.search(text) is None or _NEVER.match(text) is not None:
        return False
    if _SIGN.search(text) is not None and _MARK.search(text) is not None:
        return True
    alike = text.lower()
    return any(part in alike for part in _MARK_PARTS) and _MARK_WORD.search(text) is not None


def continues_pairs(text: str, so_far: tuple[int, ...]) -> Fields | None:
    """Read the rest of a list of pairs that was broken over two lines."""
    found = _PAIRS_ONLY.match(text)
    if not found:
        return None
    pairs = so_far + integers(found.group("list"))
    return Fields(pentanomial=pairs) if len(pairs) <= 5 else None


# In this order, each with what stands in every row of its form (casefolded); most lines have none of it.
_READERS: tuple[tuple[Callable[[str], Fields | None], tuple[str, ...]], ...] = (
    (table_row, ("|",)),
    (cutechess_row, ("score", "lbound", "[")),
    (page_row, ()),
    (script_row, ("--w",)),
    (signed_row, ("=", "elo")),
    (fishtest_row, ()),
    (bounds_row, ("bound", "[", "(", "<", "{", "h0", "h1")),
)
