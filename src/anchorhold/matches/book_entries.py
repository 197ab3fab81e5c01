"""What the formats of opening books share: the candidate entries of a book, and when a position can be played.

May import: chess, numpy, anchorhold.domain.
"""

from __future__ import annotations

import hashlib
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import chess

from anchorhold.domain.games import Opening, Variant

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Sequence = npt.NDArray[np.uint32]

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_CLOCK_OPERATION = re.compile(r"(?:^|[;\s])(hmvc|fmvn)\s+(\d{1,4})\s*(?:;|$)")
_WHOLE_NUMBER = re.compile(r"\d{1,4}")


class Unplayable(ValueError):
    """Why one entry cannot be played; becomes a BookProblem."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One opening that can be played."""

    opening: Opening
    position: int
    """Equal for equal positions after the opening's moves, whatever their move counters say."""


class Entries(ABC):
    """The candidate entries of one book, in the book's own order, not yet checked."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def place(self, index: int) -> str:
        """Where an entry stands: file with line or game."""

    @abstractmethod
    def read(self, index: int) -> Entry:
        """Return the opening, or raise Unplayable."""

    def shuffled(self, *, seed: int) -> Sequence:
        """Return the order of play that belongs to a seed."""
        return shuffled(len(self), seed=seed)


def shuffled(count: int, *, seed: int) -> Sequence:
    """Return 0 … count − 1 sorted by the first 8 bytes of SHA-256 of ``seed:index`` in decimal.

    Depends on no random generator, so that every version and every program can make the same order.
    """
    import numpy as np  # slow to load, and a book in its own order needs none of it

    return np.argsort(shuffle_keys(count, seed=seed), kind="stable").astype(np.uint32)


def shuffle_keys(count: int, *, seed: int) -> npt.NDArray[np.uint64]:
    """Return for each of 0 … count − 1 the first 8 bytes of SHA-256 of ``seed:index``."""
    import numpy as np

    sha256 = hashlib.sha256
    head = f"{seed}:".encode()
    keys = np.empty(count, dtype=np.uint64)
    # In blocks: a list of all digests would be many times as large as the keys.
    for start in range(0, count, 1 << 16):
        stop = min(start + (1 << 16), count)
        block = b"".join([sha256(head + b"%d" % index).digest()[:8] for index in range(start, stop)])
        keys[start:stop] = np.frombuffer(block, dtype=">u8")
    return keys


def playable(opening: Opening, board: chess.Board) -> Entry:
    """Return the entry of an opening that has led to ``board``.

    Raises
    ------
    Unplayable
        The game is over there.
    """
    if why := finished(board):
        raise Unplayable(why)
    return Entry(opening, _position(board))


def finished(board: chess.Board) -> str:
    """Why no game can be played from here; empty when one can."""
    if not any(board.generate_legal_moves()):
        return "the game is over: mate" if board.is_check() else "the game is over: stalemate"
    if board.is_insufficient_material():
        return "the game is over: insufficient material"
    if board.halfmove_clock >= 100:
        return f"the game is over: {board.halfmove_clock} half-moves without capture or pawn move"
    return ""


def _position(board: chess.Board) -> int:
    passant = board.ep_square if board.has_legal_en_passant() else None
    pieces = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    return hash((*pieces, board.occupied_co[chess.WHITE], board.turn, board.clean_castling_rights(), passant))


def legal_board(fen: str, variant: Variant) -> chess.Board:
    """Return the position of a FEN of six fields.

    Raises
    ------
    Unplayable
        No position, or none that a game can reach.
    """
    try:
        board = chess.Board(fen, chess960=variant == "chess960")
    except ValueError as error:
        raise Unplayable(f"not a position: {error}") from error
    status = board.status()
    if status != chess.STATUS_VALID:
        words = ", ".join(flag.name.lower().replace("_", " ") for flag in chess.Status if flag & status and flag.name)
        raise Unplayable(f"not a legal position: {words}")
    return board


def engine_fen(board: chess.Board) -> str | None:
    """Return the position in the form that engines get; None for the usual start."""
    if board.fen() == chess.STARTING_FEN:
        return None
    # Shredder-FEN names the rooks' files, which X-FEN leaves open for inner rooks.
    return board.fen(shredder=board.chess960)


def epd_to_fen(line: str) -> str:
    """Turn an EPD or FEN line into a FEN of six fields; of the operations hmvc and fmvn count, the clocks.

    Raises
    ------
    Unplayable
        Fewer than four fields.
    """
    fields = line.split(None, 4)
    if len(fields) < 4:
        raise Unplayable(f"not a position: {len(fields)} fields, expected at least 4")
    clocks = {"hmvc": "0", "fmvn": "1"}
    rest = fields[4] if len(fields) > 4 else ""
    numbers = rest.replace(";", " ").split()
    if len(numbers) >= 2 and _WHOLE_NUMBER.fullmatch(numbers[0]) and _WHOLE_NUMBER.fullmatch(numbers[1]):
        clocks = {"hmvc": numbers[0], "fmvn": numbers[1]}
    else:
        operations = _QUOTED.sub("", rest)
        # One search per operation: a pattern that eats the semicolon would hide the operation after it.
        for name in clocks:
            for found in _CLOCK_OPERATION.finditer(operations.replace(";", " ; ")):
                if found[1] == name:
                    clocks[name] = found[2]
    return f"{fields[0]} {fields[1]} {fields[2]} {fields[3].rstrip(';')} {clocks['hmvc']} {clocks['fmvn']}"
