"""Starting positions of Chess960 given by number instead of by a book.

Numbers are Scharnagl's, 0 to 959; 518 is the usual start. May import: chess, anchorhold.errors, anchorhold.domain,
anchorhold.matches.book_entries.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

import chess

from anchorhold.domain.games import Opening
from anchorhold.errors import BadInput
from anchorhold.matches.book_entries import Entries, Entry, engine_fen, playable

POSITIONS = 960

_PART = re.compile(r"(?P<white>\d{1,3})(?:-(?P<last>\d{1,3})|/(?P<black>\d{1,3}))?")


class Numbered(Entries):
    """Positions by number, in the order in which they are given.

    Parameters
    ----------
    text : str
        Parts with commas between them: ``518``, ``0-959``, ``all`` (the same), ``17/845`` (White's and Black's pieces
        differ) and ``double`` (all 921,600 of these).

    Raises
    ------
    BadInput
        Another form, or a number above 959.
    """

    def __init__(self, text: str) -> None:
        self._parts = [_part(part.strip(), text) for part in text.split(",")]
        self._ends = list(accumulate(len(part) for part in self._parts))

    def __len__(self) -> int:
        return self._ends[-1]

    def place(self, index: int) -> str:
        """Where an entry stands."""
        white, black = self._numbers(index)
        return f"position {white}" if white == black else f"position {white}/{black}"

    def read(self, index: int) -> Entry:
        """Return the opening, or raise Unplayable."""
        board = double_position(*self._numbers(index))
        return playable(Opening(fen=engine_fen(board), moves=(), source=self.place(index)), board)

    def _numbers(self, index: int) -> tuple[int, int]:
        place = bisect_right(self._ends, index)
        part = self._parts[place]
        code = part[index - (self._ends[place - 1] if place else 0)]
        return divmod(code, POSITIONS)


def double_position(white: int, black: int) -> chess.Board:
    """Return the start in which White's pieces stand as in one position of Chess960, Black's as in another."""
    white_rank = chess.Board.from_chess960_pos(white).board_fen().split("/")[7]
    black_rank = chess.Board.from_chess960_pos(black).board_fen().split("/")[0]
    files = [chess.FILE_NAMES[file] for rank in (white_rank, black_rank) for file in range(8) if rank[file] in "Rr"]
    rights = "".join(files[1::-1]).upper() + "".join(files[:1:-1])
    return chess.Board(f"{black_rank}/pppppppp/8/8/8/8/PPPPPPPP/{white_rank} w {rights} - 0 1", chess960=True)


def _part(text: str, whole: str) -> range:
    """Read one part as the codes 960 · white + black."""
    if text == "all":
        text = "0-959"
    if text == "double":
        return range(POSITIONS * POSITIONS)
    found = _PART.fullmatch(text)
    numbers = [int(number) for number in found.groups() if number is not None] if found else []
    if not found or max(numbers) >= POSITIONS or (found["last"] and numbers[0] > numbers[1]):
        raise BadInput(
            f"positions {whole!r}: {text!r} is no number of a position from 0 to 959",
            next_step="Give numbers as 518, 0-959, 17/845 (White's and Black's), all or double",
        )
    white = numbers[0]
    if found["black"]:
        code = POSITIONS * white + numbers[1]
        return range(code, code + 1)
    last = numbers[1] if found["last"] else white
    return range((POSITIONS + 1) * white, (POSITIONS + 1) * last + 1, POSITIONS + 1)
