"""What one game says about its result, and whether its tag, marker, termination, last comment and last move agree.

Source: SPEC section 12, and the decisions that docs/howto/import.md names: a game whose record is cut or contradicts
itself is not counted. May import: anchorhold.importers.pgn.lexer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from anchorhold.importers.pgn.lexer import RESULTS, LexedGame

WhyNot = Literal["unfinished", "cut", "contradiction", "no engines", "duplicate"]

_WHITE_POINTS = {b"1-0": 2, b"1/2-1/2": 1, b"0-1": 0}
_MISSING = {b"", b"?"}
UNFINISHED = {b"unterminated"}
_DRAWN_END = re.compile(rb"^draw(?:n)?(?: by|$|:)|^stalemate$|^(?:1/2-1/2|game drawn)", re.IGNORECASE)
_WON = re.compile(rb"(?:mates|wins(?: by .*)?|wins on time|won(?: by .*)?)", re.IGNORECASE)
_LOST = re.compile(
    rb"(?:'s connection stalls|loses(?: on time.*)?|disconnects.*|resigns|is checkmated|makes an illegal move.*|"
    rb"forfeits.*|stalls|lost(?: on time.*)?)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Judged:
    """One game with what is made of it."""

    white_points: int | None
    """Half points of White: 0, 1, 2; None when the game is not counted."""
    result: bytes
    """``1-0``, ``0-1``, ``1/2-1/2``, ``*``, or ``conflict``."""
    why_not: WhyNot | None = None
    message: str = ""
    """Why it is not counted, in words; empty for a game that is, or that is merely unfinished."""
    remark: str = ""
    """What is odd about a counted game."""


def judge(game: LexedGame) -> Judged:
    """Say what a game's result is, from everything in it that speaks of the result."""
    tags = game.tags
    white, black = tags.get(b"White", b"").strip(), tags.get(b"Black", b"").strip()
    tag = tags.get(b"Result", b"").strip()
    from_tag = RESULTS.get(tag, tag)
    if not game.marker:
        what = "the record ends before a result stands behind the moves" if tags else "moves without a header"
        return Judged(None, from_tag, "cut", what)
    if white in _MISSING or black in _MISSING:
        side = "White" if white in _MISSING else "Black"
        return Judged(None, game.marker, "no engines", f"the {side} tag is missing or unknown")
    if white == black:
        return Judged(None, game.marker, "no engines", "both sides have the same name")
    found = contradiction(game, white, black, tag, from_tag)
    if found:
        return Judged(None, b"conflict", "contradiction", found)
    if game.marker == b"*":
        return Judged(None, b"*", "unfinished")
    remark = ""
    if game.spelled != game.marker or (tag not in _MISSING and tag != from_tag):
        spelled = game.spelled if game.spelled != game.marker else tag
        remark = f"the result {_text(spelled)} is read as {_text(game.marker)}"
    elif tag in _MISSING:
        remark = ""  # the marker says it; nothing is lost
    elif tags.get(b"Termination", b"").strip().lower() == b"time forfeit" and game.marker == b"1/2-1/2":
        remark = "a time forfeit that was scored as a draw"
    return Judged(_WHITE_POINTS[game.marker], game.marker, remark=remark)


def contradiction(game: LexedGame, white: bytes, black: bytes, tag: bytes, from_tag: bytes) -> str:
    """Why the game's own words about its result cannot all be true; empty when they can."""
    marker = game.marker
    if twice := [name for name in game.contradicting_tags if name in (b"Result", b"White", b"Black", b"Round", b"FEN")]:
        return f"the tag {_text(twice[0])} stands twice with different values"
    if tag not in _MISSING and from_tag != marker:
        return f"tag {_text(tag)}, marker {_text(game.spelled)}"
    termination = game.tags.get(b"Termination", b"").strip().lower()
    if termination in UNFINISHED and marker != b"*":
        return f"Termination {_text(termination)}, marker {_text(marker)}"
    if marker == b"*":
        return ""
    if (mated := mate_result(game)) and mated != marker:
        return f"the last move mates ({_text(mated)}), marker {_text(marker)}"
    if (said := ending_result(game.ending, white, black)) and said != marker:
        return f"the last comment says {_text(game.ending.strip())}, marker {_text(marker)}"
    return ""


def mate_result(game: LexedGame) -> bytes:
    """Return the result that a mate sign on the last move stands for; empty without one."""
    if not game.moves or not game.moves[-1].rstrip(b"!?").endswith(b"#"):
        return b""
    fields = game.tags.get(b"FEN", b"").split()
    black_begins = len(fields) > 1 and fields[1] == b"b"
    white_moved_last = (len(game.moves) % 2 == 1) != black_begins
    return b"1-0" if white_moved_last else b"0-1"


def ending_result(comment: bytes, white: bytes, black: bytes) -> bytes:
    """Return the result that the comment after the last move states in one of the runners' forms; empty if none."""
    for part in (comment.strip(), comment.rpartition(b", ")[2].strip()):
        if _DRAWN_END.match(part):
            return b"1/2-1/2"
        for names, won, lost in (((white, b"White"), b"1-0", b"0-1"), ((black, b"Black"), b"0-1", b"1-0")):
            for name in names:
                if not part.startswith(name):
                    continue
                rest = part[len(name) :].strip()
                if _WON.fullmatch(rest):
                    return won
                if _LOST.fullmatch(rest):
                    return lost
    return b""


def _text(value: bytes) -> str:
    return value[:100].decode("utf-8", "replace")
