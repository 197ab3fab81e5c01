"""Opening books that are lists of positions: EPD and FEN, one a line.

May import: anchorhold.domain, anchorhold.matches.book_entries, book_files.
"""

from __future__ import annotations

from array import array

from anchorhold.domain.games import Opening, Variant
from anchorhold.matches.book_entries import Entries, Entry, engine_fen, epd_to_fen, legal_board, playable
from anchorhold.matches.book_files import Content

_MARK = b"\xef\xbb\xbf"
_BLANK = bytes(range(33))


class Positions(Entries):
    """Lines of an EPD or FEN list; only where they begin is held in memory."""

    def __init__(self, content: Content, *, name: str, variant: Variant) -> None:
        self._content = content
        self._name = name
        self._variant = variant
        # Half the memory of the usual integers, as long as the book is no larger.
        kind = "I" if content.size < 2**32 else "Q"
        self._starts, self._numbers = array(kind), array(kind)
        number = 0
        for begin, block in content.blocks():
            start = begin
            for line in block.removesuffix(b"\n").split(b"\n"):
                number += 1
                # Empty lines are no entries: they need no warning and take no number.
                if line.strip(_BLANK):
                    self._starts.append(start)
                    self._numbers.append(number)
                start += len(line) + 1

    def __len__(self) -> int:
        return len(self._numbers)

    def place(self, index: int) -> str:
        """Where an entry stands."""
        return f"{self._name}:{self._numbers[index]}"

    def read(self, index: int) -> Entry:
        """Return the opening, or raise Unplayable."""
        end = int(self._starts[index + 1]) if index + 1 < len(self._starts) else self._content.size
        line = self._content.part(int(self._starts[index]), end).partition(b"\n")[0].removeprefix(_MARK)
        board = legal_board(epd_to_fen(line.decode("utf-8", "replace")), self._variant)
        return playable(Opening(fen=engine_fen(board), moves=(), source=self.place(index)), board)
