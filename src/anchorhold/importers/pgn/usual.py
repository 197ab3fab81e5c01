"""The usual form of a game, known without looking at its single moves: its header, its marks, what its end says.

A game has it only when the lexer would provably give the same: a header of plain tags, one marker that is the Result
tag's, comments that do not nest, nothing but moves between them. May import: anchorhold.importers.pgn.judge,
anchorhold.importers.pgn.plain.
"""

from __future__ import annotations

import re

from anchorhold.importers.pgn.judge import UNFINISHED, ending_result
from anchorhold.importers.pgn.plain import COMMENT, NEXT_HEADER

_TAG_NAMES = re.compile(rb'^\[(\w+) "', re.MULTILINE)
_SPECIAL = frozenset(b"{}()[];%<>*$-/") | frozenset(range(128, 256)) | (frozenset(range(32)) - frozenset(b"\n\r\t "))
_ORDINARY = bytes(sorted(set(range(256)) - _SPECIAL))
_SIGNS = {b"1-0": b"-", b"0-1": b"-", b"1/2-1/2": b"/-/"}
_CASTLING_DASHES = {2: 1, 3: 2, 4: 2, 5: 3, 6: 4}
"""Dashes of one or two castlings by their letters: O-O has two and one, O-O-O three and two."""
TIME_TAGS = (b"Date", b"Time", b"UTCDate", b"UTCTime", b"GameStartTime", b"GameEndTime")
"""Tags that differ between two games which only look alike."""
_NEEDED = (b"White", b"Black", b"Round", b"Result", b"FEN", b"Termination", b"Pair", b"Stage", *TIME_TAGS)
_NOBODY = (b"", b"?")
_TAIL = 1000
"""Bytes behind which nothing speaks of the result: the last move, its comment and the marker stand in them."""


class Shape:
    """A sequence of tags that the games of a file share, as a pattern."""

    def __init__(self, header: bytes) -> None:
        names = _TAG_NAMES.findall(header)
        end = b"\r\n" if b"\r\n" in header else b"\n"
        needed = [name for name in names if name in _NEEDED]
        self.usable = len(set(names)) == len(names) and {b"White", b"Black", b"Result"} <= set(names)
        parts = [
            rb"\[" + name + rb' "' + (b'([^"\\\\\r\n]*)' if name in _NEEDED else b'[^"\\\\\r\n]*') + rb'"\]' + end
            for name in names
        ]
        # The empty group at the end stands for every tag that these games do not have.
        self.match = re.compile(b"".join(parts) + end + b"()").match
        self._groups = [needed.index(name) + 1 if name in needed else len(needed) + 1 for name in _NEEDED]

    def values(self, header: re.Match[bytes]) -> tuple[bytes, ...]:
        """Return White, Black, Round, Result, FEN, Termination, Pair, Stage and the times; empty where absent."""
        return header.group(*self._groups)


def is_usual(moves: bytes, *, white: bytes, black: bytes, tag: bytes, termination: bytes) -> bool:
    """Whether a game counts as its Result tag says; False also when only the lexer can tell.

    Parameters
    ----------
    moves : bytes
        All behind the header, without blank lines at the end.
    tag, termination : bytes
        The Result and Termination tags; the latter is empty where there is none.
    """
    signs = _SIGNS.get(tag)
    if signs is None or not moves.endswith(tag):
        return False
    structure = moves.translate(None, _ORDINARY)
    left = structure.replace(b"{-/}", b"").replace(b"{/}", b"").replace(b"{}", b"")
    if left != signs and b"{" in left:
        left = COMMENT.sub(b"", left)  # other signs in comments, such as those of {[%clk 0:01:02]}
    if left != signs:
        # Castling has dashes, too; any other sign that is left belongs to something unusual.
        dashes = len(left) - len(signs)
        if left != b"-" * dashes + signs or (
            dashes != _CASTLING_DASHES.get(moves.count(b"O"))
            and dashes != _CASTLING_DASHES.get(COMMENT.sub(b" ", moves).count(b"O"))
        ):
            return False
    if white == black or white in _NOBODY or black in _NOBODY:
        return False
    if termination and termination != b"normal" and _is_odd(termination.strip().lower(), tag):
        return False
    # All that is said of the result stands at the end.
    before = moves[-_TAIL:][: -len(tag)]
    if before and before[-1:] not in b" \n\r\t}":
        return False
    if b"#" in moves and not _mate_agrees(before, tag):
        return False
    before = before.rstrip()
    if not before.endswith(b"}"):
        return True
    comment = before[before.rfind(b"{") + 1 : -1]
    if comment[-1:] == b"s" and comment[-2:-1] in b"0123456789":
        return True
    said = ending_result(comment, white, black)
    return (not said or said == tag) and b"{" in before


def next_header(data: bytes, begin: int) -> int:
    """Return where the first header at or behind ``begin`` is, 0 without one."""
    # A search for one byte takes a tenth of the time, and most games have no other bracket.
    bracket = data.find(b"[", begin)
    if data.startswith(NEXT_HEADER, bracket - 1):
        return bracket
    return 0 if bracket < 0 else data.find(NEXT_HEADER, begin - 1) + 1


def _is_odd(termination: bytes, tag: bytes) -> bool:
    return termination in UNFINISHED or (tag == b"1/2-1/2" and termination == b"time forfeit")


def _mate_agrees(before: bytes, tag: bytes) -> bool:
    """Whether a mate by the last move, if it is one, is that of the marker; False also when that is not clear."""
    tail = before
    opening, closing = tail.find(b"{"), tail.find(b"}")
    if closing >= 0 and (opening < 0 or closing < opening):
        tail = tail[closing + 1 :]
    words = COMMENT.sub(b" ", tail).split()
    if len(words) < 3:
        return False
    if b"#" not in words[-1]:
        return True
    if b"." in words[-1]:
        return False
    white_moved = words[-2].endswith(b".") and not words[-2].endswith(b"..")
    return tag == (b"1-0" if white_moved else b"0-1")
