"""All games of a part of a PGN file, in columns: the usual form at the speed of bytes, anything else by the lexer.

A game takes the quick way only when that provably gives what the lexer gives: a header of plain tags, one marker that
is the Result tag's, comments that do not nest, nothing but moves between them. Single moves are not looked at. May
import: anchorhold.importers.pgn.*.
"""

from __future__ import annotations

import re
from typing import BinaryIO

from anchorhold.importers.pgn.columns import NOT_COUNTED, Columns, Row
from anchorhold.importers.pgn.judge import judge
from anchorhold.importers.pgn.lexer import LexedGame, NeedsMore, lex_game
from anchorhold.importers.pgn.plain import HEADER, NEXT_HEADER, lex_plain
from anchorhold.importers.pgn.usual import TIME_TAGS, Shape, is_usual, next_header

CHUNK = 1 << 18
LONGEST_GAME = 1 << 22
"""Bytes; no game of chess needs more with its comments, and a file made to fill memory must not."""
MOST_SHAPES = 32
_MOST_NAMES = 10_000
"""Names of engines that are kept once each; beyond, keeping them costs more than it saves."""

_SPACE = re.compile(rb"[\r\n ]*")
_POINTS = {b"1-0": 2, b"1/2-1/2": 1, b"0-1": 0}
_NO_TIMES = b"|".join(b"" for _ in TIME_TAGS)


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
        self._shapes: list[Shape] = []
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
        end = next_header(data, begin)
        if not end:
            if not self._final:
                return 0
            end = len(data)
        white, black, round_, tag, fen, termination, pair, stage, *times = shape.values(header)
        moves = data[begin : end - 2] if data.endswith(b"\n\n", begin, end) else data[begin:end].rstrip()
        names = self._names
        white, black = names.get(white, b"") or self._name(white), names.get(black, b"") or self._name(black)
        if not is_usual(moves, white=white, black=black, tag=tag, termination=termination):
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

    def _learn(self, data: bytes, at: int) -> tuple[Shape, re.Match[bytes]] | None:
        """Make a pattern of the header here, for the games that follow it."""
        header = HEADER.match(data, at)
        if header is None:
            return None
        shape = Shape(header.group())
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


def _end_of_space(data: bytes, at: int) -> int:
    match = _SPACE.match(data, at)
    assert match is not None
    return match.end()


def _opening(fen: bytes) -> bytes:
    """Return the position without its counters, which programs write differently."""
    return b" ".join(fen.split()[:4])
