"""All games of a part of a PGN file, in columns: the usual form at the speed of bytes, anything else by the lexer.

A game takes the quick way only when that provably gives what the lexer gives: a header of plain tags, one marker that
is the Result tag's, comments that do not nest, nothing but moves between them. Single moves are not looked at. May
import: anchorhold.importers.pgn.*.
"""

from __future__ import annotations

import re
from typing import BinaryIO

from anchorhold.importers.pgn.columns import NOT_COUNTED, Columns, Row
from anchorhold.importers.pgn.judge import UNFINISHED, ending_result, judge
from anchorhold.importers.pgn.lexer import LexedGame, NeedsMore, lex_game
from anchorhold.importers.pgn.plain import COMMENT, HEADER, NEXT_HEADER, lex_plain

CHUNK = 1 << 18
LONGEST_GAME = 1 << 22
"""Bytes; no game of chess needs more with its comments, and a file made to fill memory must not."""
MOST_SHAPES = 32
_MOST_NAMES = 10_000
"""Names of engines that are kept once each; beyond, keeping them costs more than it saves."""

_SPACE = re.compile(rb"[\r\n ]*")
_TAG_NAMES = re.compile(rb'^\[(\w+) "', re.MULTILINE)
_SPECIAL = frozenset(b"{}()[];%<>*$-/") | frozenset(range(128, 256)) | (frozenset(range(32)) - frozenset(b"\n\r\t "))
_ORDINARY = bytes(sorted(set(range(256)) - _SPECIAL))
_POINTS = {b"1-0": 2, b"1/2-1/2": 1, b"0-1": 0}
_SIGNS = {b"1-0": b"-", b"0-1": b"-", b"1/2-1/2": b"/-/"}
_CASTLING_DASHES = {2: 1, 3: 2, 4: 2, 5: 3, 6: 4}
"""Dashes of one or two castlings by their letters: O-O has two and one, O-O-O three and two."""
TIME_TAGS = (b"Date", b"Time", b"UTCDate", b"UTCTime", b"GameStartTime", b"GameEndTime")
"""Tags that differ between two games which only look alike."""
_NO_TIMES = b"|".join(b"" for _ in TIME_TAGS)
_NEEDED = (b"White", b"Black", b"Round", b"Result", b"FEN", b"Termination", b"Pair", b"Stage", *TIME_TAGS)
_NOBODY = (b"", b"?")
_TAIL = 1000
"""Bytes behind which nothing speaks of the result: the last move, its comment and the marker stand in them."""


def scan_part(stream: BinaryIO, *, start: int, stop: int | None, quick: bool = True) -> Columns:
    """Read every game that begins in [start, stop) of a seekable file; ``stop`` None means its end.

    ``quick`` False lets the lexer read every game, which gives the same in fifty times the time.

    Memory is bounded by LONGEST_GAME: what is longer becomes a flaw, and reading goes on with the next header.
    """
    return _Scanner(stream, start=start, stop=stop, quick=quick).run()


class _Scanner:
    def __init__(self, stream: BinaryIO, *, start: int, stop: int | None, quick: bool) -> None:
        self._stream = stream
        self._stop = stop
        self._may_be_quick = quick
        self._base = start
        """Offset in the file of the first byte of ``_data``."""
        self._data = b""
        self._final = False
        self._columns = Columns()
        self._names: dict[bytes, bytes] = {}
        self._shapes: list[_Shape] = []
        self._rows: list[Row] = []

    def run(self) -> Columns:
        columns = self._columns
        self._stream.seek(self._base)
        at = 0
        while True:
            at = self._take(at)
            reached = self._base + at
            if self._stop is not None and reached >= self._stop:
                break
            if self._final and at >= len(self._data):
                break
            self._base, self._data = reached, self._data[at:]
            at = 0
            self._flush()
            if len(self._data) > LONGEST_GAME:
                at = self._skip_long()
            more = self._stream.read(CHUNK)
            self._final = not more
            self._data += more
        columns.stopped = self._base + at
        self._flush()
        return columns

    def _flush(self) -> None:
        self._columns.take(self._rows)
        self._rows.clear()

    def _take(self, at: int) -> int:
        """Take games off the buffer; return where the first one begins that is not whole in it."""
        data, base, final = self._data, self._base, self._final
        stop = len(data) if self._stop is None else self._stop - base
        quick = self._quick
        while at < len(data):
            if data[at] in b"\r\n ":
                at = _end_of_space(data, at)
                continue
            if at >= stop and data.startswith(b"[", at):
                return at
            if self._may_be_quick and (end := quick(data, at)):
                at = end
                continue
            if not final and data.find(NEXT_HEADER, at + 1) < 0:
                return at
            try:
                game = lex_plain(data, at, final=final) if self._may_be_quick else None
                game = game or lex_game(data, at, final=final)
            except NeedsMore:
                return at
            if game is None:
                return len(data)
            if game.start >= stop and data.startswith(b"[", game.start):
                return game.start
            self._record(game)
            at = game.end
        return at

    def _quick(self, data: bytes, at: int) -> int:
        """Take the game at ``at`` if it has the usual form; return where it ends, 0 when it is to be lexed."""
        for shape in self._shapes:
            if header := shape.match(data, at):
                break
        else:
            found = self._learn(data, at)
            if found is None:
                return 0
            shape, header = found
        begin = header.end()
        end = _next_header(data, begin)
        if not end:
            if not self._final:
                return 0
            end = len(data)
        white, black, round_, tag, fen, termination, pair, stage, *times = shape.values(header)
        signs = _SIGNS.get(tag)
        moves = data[begin : end - 2] if data.endswith(b"\n\n", begin, end) else data[begin:end].rstrip()
        if signs is None or not moves.endswith(tag):
            return 0
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
                return 0
        # All that is said of the result stands at the end.
        before = moves[-_TAIL:][: -len(tag)]
        if before and before[-1:] not in b" \n\r\t}":
            return 0
        if termination and termination != b"normal" and _is_odd(termination.strip().lower(), tag):
            return 0
        if b"#" in moves and not _mate_agrees(before, tag):
            return 0
        before = before.rstrip()
        names = self._names
        white, black = names.get(white, b"") or self._name(white), names.get(black, b"") or self._name(black)
        if white == black or white in _NOBODY or black in _NOBODY:
            return 0
        if before.endswith(b"}"):
            comment = before[before.rfind(b"{") + 1 : -1]
            if comment[-1:] != b"s" or comment[-2:-1] not in b"0123456789":
                said = ending_result(comment, white, black)
                if (said and said != tag) or b"{" not in before:
                    return 0
        base = self._base
        self._rows.append(
            (
                base + at,
                base + end,
                white,
                black,
                round_.strip(),
                fen and _opening(fen),
                pair,
                stage,
                b"|".join(times),
                _POINTS[tag],
            )
        )
        return end

    def _learn(self, data: bytes, at: int) -> tuple[_Shape, re.Match[bytes]] | None:
        """Make a pattern of the header here, for the games that follow it."""
        header = HEADER.match(data, at)
        if header is None:
            return None
        shape = _Shape(header.group())
        again = shape.match(data, at)
        if not shape.usable or again is None:
            return None
        if len(self._shapes) < MOST_SHAPES:
            self._shapes.append(shape)
        return shape, again

    def _name(self, name: bytes) -> bytes:
        kept = name.strip()
        if len(self._names) >= _MOST_NAMES:
            return kept
        return self._names.setdefault(name, self._names.setdefault(kept, kept))

    def _record(self, game: LexedGame) -> None:
        base, tags = self._base, game.tags
        unread = self._columns.unread
        for flaw in game.flaws:
            unread.add(base + flaw.offset, "flaw", flaw.what, flaw.text)
        if not (tags or game.moves or game.marker):
            if game.strange:  # text that belongs to no game: one flaw for the whole of it
                text = b" ".join(flaw.text for flaw in game.strange[:20])
                unread.add(base + game.strange[0].offset, "flaw", "text that belongs to no game", text)
            return
        judged = judge(game)
        round_ = tags.get(b"Round", b"").strip()
        start = base + game.start
        if judged.why_not is not None:
            unread.add(start, judged.why_not, judged.message)
        elif judged.remark:
            unread.add(start, "remark", judged.remark)
        times = b"|".join([tags.get(name, b"") for name in TIME_TAGS])
        self._rows.append(
            (
                start,
                base + game.end,
                self._name(tags.get(b"White", b"")),
                self._name(tags.get(b"Black", b"")),
                round_,
                _opening(tags.get(b"FEN", b"")),
                tags.get(b"Pair", b""),
                tags.get(b"Stage", b""),
                times if times != _NO_TIMES else _NO_TIMES,
                NOT_COUNTED if judged.white_points is None else judged.white_points,
            )
        )

    def _skip_long(self) -> int:
        """Give up the game at the start of the buffer; return where the next header begins, or the buffer's end."""
        text = self._data[:100]
        self._columns.unread.add(self._base, "flaw", f"more than {LONGEST_GAME} bytes without an end", text)
        found = self._data.find(NEXT_HEADER, 1)
        while found < 0:
            kept = self._data[-len(NEXT_HEADER) :]
            self._base += len(self._data) - len(kept)
            more = self._stream.read(CHUNK)
            self._data = kept + more
            if not more:
                self._final = True
                return len(self._data)
            found = self._data.find(NEXT_HEADER)
        return found + 1


class _Shape:
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


def _is_odd(termination: bytes, tag: bytes) -> bool:
    return termination in UNFINISHED or (tag == b"1/2-1/2" and termination == b"time forfeit")


def _next_header(data: bytes, begin: int) -> int:
    """Return where the first header at or behind ``begin`` is, 0 without one."""
    # A search for one byte takes a tenth of the time, and most games have no other bracket.
    bracket = data.find(b"[", begin)
    if data.startswith(NEXT_HEADER, bracket - 1):
        return bracket
    return 0 if bracket < 0 else data.find(NEXT_HEADER, begin - 1) + 1


def _end_of_space(data: bytes, at: int) -> int:
    match = _SPACE.match(data, at)
    assert match is not None
    return match.end()


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


def _opening(fen: bytes) -> bytes:
    """Return the position without its counters, which programs write differently."""
    return b" ".join(fen.split()[:4])
