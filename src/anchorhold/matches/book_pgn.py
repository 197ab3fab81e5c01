"""Opening books in PGN: the starting position of each game with its first moves.

May import: chess, numpy, anchorhold.domain, anchorhold.matches.book_entries, book_files.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator

import chess

from anchorhold.domain.games import Opening, Variant
from anchorhold.matches.book_entries import (
    Entries,
    Entry,
    Unplayable,
    engine_fen,
    epd_to_fen,
    finished,
    legal_board,
    playable,
)
from anchorhold.matches.book_files import Content

_MARK = b"\xef\xbb\xbf"
_TAG_LINE = re.compile(rb'^\[\s*[A-Za-z0-9][\w+#=:-]*\s+".*"\s*\]\s*$')
_TAG = re.compile(r'^\[\s*([A-Za-z0-9][\w+#=:-]*)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*$')
_MOVE_NUMBER = re.compile(r"^\d+\.*(?:\u2026)?")
_RESULTS = {"1-0", "0-1", "1/2-1/2", "1/2", "*"}


class Games(Entries):
    """Games of a PGN file; only where they begin is held in memory."""

    def __init__(self, content: Content, *, name: str, plies: int | None, variant: Variant) -> None:
        self._content = content
        self._name = name
        self._plies = plies
        self._variant = variant
        self._starts = array("q")
        self._lines = array("q")
        for start, line in _game_starts(content):
            self._starts.append(start)
            self._lines.append(line)

    def __len__(self) -> int:
        return len(self._starts)

    def place(self, index: int) -> str:
        """Where an entry stands."""
        return f"{self._name} game {index + 1} (line {self._lines[index]})"

    def read(self, index: int) -> Entry:
        """Return the opening, or raise Unplayable."""
        end = self._starts[index + 1] if index + 1 < len(self._starts) else self._content.size
        tags, movetext = _parts(self._content.part(self._starts[index], end))
        board = self._start(tags)
        fen = engine_fen(board)
        moves: list[str] = []
        for token in _main_line(movetext):
            try:
                move = board.parse_san(token)
            except ValueError as error:
                raise Unplayable(f"{token!r} after {len(moves)} half-moves is no legal move: {error}") from error
            if not move:
                raise Unplayable(f"{token!r} after {len(moves)} half-moves is no move")
            if self._plies is None or len(moves) < self._plies:
                if why := finished(board):
                    raise Unplayable(f"{why} before {token!r}")
                moves.append(board.uci(move))
            board.push(move)
        while len(board.move_stack) > len(moves):
            board.pop()
        if not moves and fen is None:
            raise Unplayable("has neither moves nor a position")
        return playable(Opening(fen=fen, moves=tuple(moves), source=self.place(index)), board)

    def _start(self, tags: dict[str, str]) -> chess.Board:
        named = tags.get("Variant", "standard").lower().replace(" ", "").replace("-", "")
        is_960 = named in {"chess960", "fischerandom", "fischerrandom", "freestyle", "frc", "dfrc"}
        if not is_960 and named not in {"standard", "normal", "chess", "fromposition", "?", ""}:
            raise Unplayable(f"the variant {tags['Variant']!r} is not played here")
        if is_960 and self._variant == "standard":
            raise Unplayable("is a game of Chess960, but the match plays standard chess")
        fen = tags.get("FEN")
        if fen is None:
            return chess.Board(chess960=self._variant == "chess960")
        return legal_board(epd_to_fen(fen), self._variant)


def _game_starts(content: Content) -> Iterator[tuple[int, int]]:
    """Yield where each game begins, with its line.

    A game begins at a tag after moves; at an Event tag after an empty line, where the one before has tags alone;
    without any tags after an empty line.
    """
    tagged = moves = gap = False
    number = 0
    for begin, block in content.blocks():
        position = begin
        for line in block.splitlines(keepends=True) if b"\r" not in block else _lines(block):
            number += 1
            text = line.removeprefix(_MARK) if number == 1 else line
            if text.startswith(b"%"):
                pass
            elif text.startswith(b"[") and _TAG_LINE.match(text):
                if moves or not tagged or (gap and text.startswith(b"[Event ")):
                    yield position, number
                tagged, moves, gap = True, False, False
            elif text and not text.isspace():
                if not tagged and not moves:
                    yield position, number
                moves = True
            elif not tagged:
                moves = False
            else:
                gap = True
            position += len(line)


def _lines(block: bytes) -> Iterator[bytes]:
    """Split at line feeds alone: a carriage return is no end of a line here."""
    start = 0
    while (end := block.find(b"\n", start)) >= 0:
        yield block[start : end + 1]
        start = end + 1
    if start < len(block):
        yield block[start:]


def _parts(data: bytes) -> tuple[dict[str, str], str]:
    """Take the tags and the movetext of one game."""
    tags: dict[str, str] = {}
    movetext: list[bytes] = []
    for line in data.removeprefix(_MARK).split(b"\n"):
        if line.startswith(b"%"):
            continue
        if not movetext and line.startswith(b"[") and _TAG_LINE.match(line):
            if found := _TAG.match(line.decode("utf-8", "replace")):
                tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
        elif line and not line.isspace():
            movetext.append(line)
    text = b"\n".join(movetext)
    try:
        return tags, text.decode("utf-8")
    except UnicodeDecodeError:
        return tags, text.decode("latin-1")


def _main_line(movetext: str) -> Iterator[str]:
    """Yield the moves of the main line as they stand there; comments, variations, numbers and NAGs are left out."""
    plain: list[str] = []
    depth = 0
    position = 0
    while position < len(movetext):
        sign = movetext[position]
        if sign == "{":
            end = movetext.find("}", position)
            if end < 0:
                raise Unplayable("a comment is not closed")
            position = end
            plain.append(" ")
        elif sign == ";":
            end = movetext.find("\n", position)
            position = len(movetext) if end < 0 else end
            plain.append(" ")
        elif sign == "(":
            depth += 1
        elif sign == ")":
            if depth == 0:
                raise Unplayable("a variation is closed that was not opened")
            depth -= 1
            plain.append(" ")
        elif depth == 0:
            plain.append(sign)
        position += 1
    if depth:
        raise Unplayable("a variation is not closed")
    tokens = "".join(plain).split()
    for position, token in enumerate(tokens):
        if token in _RESULTS:
            if position + 1 < len(tokens):
                raise Unplayable(f"{tokens[position + 1]!r} stands after the result {token!r}")
            return
        move = _MOVE_NUMBER.sub("", token) if not token.startswith("0-0") else token
        move = move.lstrip(".").rstrip("!?")
        if move and not move.startswith("$"):
            yield move.split("$", 1)[0]
