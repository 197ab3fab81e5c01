"""The games of PGN files read again: their bytes, their moves, the lines they stand in.

May import: anchorhold.importers.base, anchorhold.importers.sources, anchorhold.importers.pgn.*.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

from anchorhold.importers.base import Place
from anchorhold.importers.pgn.columns import Columns
from anchorhold.importers.pgn.lexer import LexedGame, lex_game
from anchorhold.importers.pgn.plain import lex_plain
from anchorhold.importers.sources import PlainFile


class Texts:
    """Files one behind the other, with the games that were found in them."""

    def __init__(self, files: Sequence[PlainFile], bases: Sequence[int], columns: Columns) -> None:
        self._files = files
        self._bases = bases
        """Offset of each file in the row of all files."""
        self._columns = columns

    def games(self, indices: Iterable[int]) -> Iterator[tuple[int, LexedGame]]:
        """Read games again, moves and all."""
        for index in indices:
            text = self.text(index)
            game = lex_plain(text, 0, final=True) or lex_game(text, 0, final=True)
            assert game is not None  # the same bytes gave a game before
            yield index, game

    def text(self, index: int) -> bytes:
        """Return the bytes of a game."""
        start, end = self._columns.starts[index], self._columns.ends[index]
        number = bisect.bisect_right(self._bases, start) - 1
        with self._files[number].path.open("rb") as stream:
            stream.seek(start - self._bases[number])
            return stream.read(end - start)

    def place(self, offset: int) -> Place:
        """Return file and line of an offset; reads the file up to it."""
        return next(self.places([offset]))[1]

    def places(self, offsets: Iterable[int]) -> Iterator[tuple[int, Place]]:
        """Return file and line of offsets, in rising order; each file is read once."""
        opened, stream, line, at = -1, None, 1, 0
        try:
            for offset in sorted(set(offsets)):
                number = bisect.bisect_right(self._bases, offset) - 1
                if number != opened:
                    if stream is not None:
                        stream.close()
                    opened, stream = number, self._files[number].path.open("rb")
                    line, at = 1, self._bases[number]
                assert stream is not None
                line += _line_ends(stream, offset - at)
                at = offset
                yield offset, Place(self._files[number].name, line)
        finally:
            if stream is not None:
                stream.close()


def _line_ends(stream: BinaryIO, count: int) -> int:
    found = 0
    while count > 0 and (block := stream.read(min(count, 1 << 20))):
        found += block.count(b"\n")
        count -= len(block)
    return found
