"""Opening books in Polyglot's form: moves with weights by position, walked from the usual start.

May import: chess, numpy, anchorhold.errors, anchorhold.domain, anchorhold.matches.book_entries, book_files.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import chess
import chess.polyglot

from anchorhold.domain.games import Opening, Variant
from anchorhold.errors import BadInput
from anchorhold.matches.book_entries import Entries, Entry, Unplayable, playable, shuffle_keys
from anchorhold.matches.book_files import Content

if TYPE_CHECKING:
    from anchorhold.matches.book_entries import Sequence

DEFAULT_PLIES = 8
"""Depth to which a Polyglot book is walked when no number of plies is given."""
MOST_LINES = 300_000
ENTRY = struct.Struct(">QHHI")


@dataclass(slots=True)
class _Line:
    """The first moves that lead to a position."""

    moves: tuple[str, ...]
    weight: float
    """Probability to get to the position, by whatever moves, when each move is chosen by its weight."""


class Polyglot(Entries):
    """Lines from the usual start, all of one length, one for each position they lead to."""

    def __init__(self, content: Content, *, path: Path, plies: int, variant: Variant) -> None:
        if content.size % ENTRY.size or not content.size:
            raise BadInput(
                f"{content.size} bytes are not a whole number of Polyglot entries of {ENTRY.size} bytes",
                where=str(path),
            )
        self._name = path.name
        self._variant = variant
        moves: dict[int, list[tuple[int, int]]] = {}
        for key, raw, weight, _ in ENTRY.iter_unpack(content.part(0, content.size)):
            if weight:
                moves.setdefault(key, []).append((-weight, raw))
        self._moves = {key: [(raw, -weight) for weight, raw in sorted(found)] for key, found in moves.items()}
        self._illegal: list[str] = []
        self._lines = self._walk(plies, path)

    def __len__(self) -> int:
        return len(self._lines) + len(self._illegal)

    def place(self, index: int) -> str:
        """Where an entry stands."""
        return f"{self._name} line {index + 1}"

    def read(self, index: int) -> Entry:
        """Return the opening, or raise Unplayable."""
        if index >= len(self._lines):
            raise Unplayable(self._illegal[index - len(self._lines)])
        board = self._start()
        moves = self._lines[index].moves
        for uci in moves:
            board.push_uci(uci)
        return playable(Opening(fen=None, moves=moves, source=self.place(index)), board)

    def shuffled(self, *, seed: int) -> Sequence:
        """Draw line after line by weight, none of them twice.

        Sorting by −ln(u)/weight does that [1]_; u in (0, 1] is made of the first 8 bytes of SHA-256 of ``seed:index``.

        References
        ----------
        .. [1] P. S. Efraimidis, P. G. Spirakis, Weighted random sampling with a reservoir,
           Information Processing Letters 97 (2006).
        """
        import numpy as np  # slow to load, and a book in its own order needs none of it

        uniform = (shuffle_keys(len(self), seed=seed) >> np.uint64(11)).astype(np.float64) + 1.0
        weights = np.array([line.weight for line in self._lines] + [1.0] * len(self._illegal))
        return np.argsort(-np.log(uniform / 2.0**53) / weights, kind="stable").astype(np.uint32)

    def _start(self) -> chess.Board:
        return chess.Board(chess960=self._variant == "chess960")

    def _walk(self, plies: int, path: Path) -> list[_Line]:
        level = {chess.polyglot.zobrist_hash(self._start()): _Line((), 1.0)}
        for ply in range(plies):
            following: dict[int, _Line] = {}
            for key, line in level.items():
                if key in self._moves:
                    self._step(line, self._moves[key], following)
                if len(following) > MOST_LINES:
                    raise BadInput(
                        f"more than {MOST_LINES} lines of {ply + 1} plies",
                        where=str(path),
                        next_step="Give fewer plies",
                    )
            if not following:
                raise BadInput(
                    f"no line from the usual start has {plies} plies; the longest has {ply}",
                    where=str(path),
                    next_step=f"Give plies={ply} or fewer" if ply else "Give a book that knows the usual start",
                )
            level = following
        return list(level.values())

    def _step(self, line: _Line, known: list[tuple[int, int]], following: dict[int, _Line]) -> None:
        """Add the positions that the book's moves after a line lead to."""
        board = self._start()
        for uci in line.moves:
            board.push_uci(uci)
        total = sum(weight for _, weight in known)
        for raw, weight in known:
            uci = _uci(raw)
            try:
                move = board.parse_uci(uci)
            except ValueError:
                self._illegal.append(f"{uci} is not legal after {' '.join(line.moves) or 'the start'}")
                continue
            written = board.uci(move)
            board.push(move)
            # Transpositions: the line found first, by weight, stands for the position.
            reached = following.setdefault(chess.polyglot.zobrist_hash(board), _Line((*line.moves, written), 0.0))
            reached.weight += line.weight * weight / total
            board.pop()


def _uci(raw: int) -> str:
    promotion = ["", "n", "b", "r", "q", "", "", ""][raw >> 12 & 7]
    return chess.square_name(raw >> 6 & 63) + chess.square_name(raw & 63) + promotion
