"""The moves of one game: from the opening on, in whatever spelling an engine uses.

May import: chess, anchorhold.errors, domain.games, anchorhold.matches.position.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import chess

from anchorhold.domain.games import Opening, Variant
from anchorhold.errors import BadInput
from anchorhold.matches.position import Position

STARTS_KEPT = 64
"""Openings whose positions are kept: both games of a pair begin alike, and so do pairs of several engines."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A legal move that was played."""

    warning: str | None = None
    """About an unusual but unambiguous spelling."""


_PLAIN = Taken()


class Moves:
    """What has been played in a game, and where it has led to.

    Parameters
    ----------
    opening : Opening
        Starting position and book moves.
    variant : Variant
        ``standard`` or ``chess960``.

    Raises
    ------
    BadInput
        The opening's position or one of its moves is not possible.
    """

    def __init__(self, opening: Opening, variant: Variant) -> None:
        start = _start(opening, variant)
        self.start_fen = start.fen
        self.start_shredder_fen = start.shredder_fen
        self.first_turn, self.first_number = start.turn, start.number
        """Who moves first, and the number of that full move."""
        self.position: Position = start.position.copy()
        self.played = list(start.played)
        """All moves in UCI notation, the book moves first."""
        self.sans = list(start.sans)
        """The same in SAN."""
        self.line = " ".join(self.played)
        """The same as ``played``, with blanks between."""
        self._seen = dict(start.seen)
        self._times = start.seen[start.position.key]

    @property
    def occurrences(self) -> int:
        """How often the present position has been on the board."""
        return self._times

    def take(self, text: str, *, san_allowed: bool = False) -> Taken | None:
        """Play the legal move that ``text`` means; None: it means none, and nothing has changed.

        Parameters
        ----------
        text : str
            The move as it was written.
        san_allowed : bool
            SAN is a usual spelling, too.
        """
        san = self.position.play(text)
        if san is not None:
            self._add(text, san)
            return _PLAIN
        board = self.position.board()
        move = _uci_meaning(board, text)
        is_san = not move and san_allowed
        if is_san:
            try:
                move = board.parse_san(text)
            except ValueError:
                return None
        if not move:
            return None
        normal, san = _play(self.position, board, move)
        self._add(normal, san)
        return _PLAIN if is_san or normal == text else Taken(warning=f"writes {text} for {normal}")

    def board(self) -> chess.Board:
        """Return the library's board with the whole history."""
        fen = self.start_shredder_fen or self.start_fen or chess.STARTING_FEN
        board = chess.Board(fen, chess960=self.position.chess960)
        for text in self.played:
            board.push_uci(text)
        return board

    def _add(self, text: str, san: str) -> None:
        self.line = f"{self.line} {text}" if self.played else text
        self.played.append(text)
        self.sans.append(san)
        key = self.position.key
        self._times = self._seen[key] = self._seen.get(key, 0) + 1


@dataclass(frozen=True, slots=True)
class _Start:
    """Where a game begins, after the book moves; nobody changes it."""

    fen: str | None
    """X-FEN of the starting position with both counters; None: the usual one."""
    shredder_fen: str | None
    """The same with castling rights by file, unambiguous in Chess960."""
    turn: chess.Color
    number: int
    position: Position
    """After the book moves."""
    played: tuple[str, ...]
    sans: tuple[str, ...]
    seen: dict[bytes, int]


@lru_cache(maxsize=STARTS_KEPT)
def _start(opening: Opening, variant: Variant) -> _Start:
    chess960 = variant == "chess960"
    try:
        board = chess.Board(opening.fen or chess.STARTING_FEN, chess960=chess960)
    except ValueError as error:
        raise BadInput(f"the opening's position cannot be read: {error}", where=opening.source) from error
    if not board.is_valid():
        raise BadInput(f"the opening's position {opening.fen} is not possible", where=opening.source)
    # The board writes an en passant square only where one can be taken.
    standard = not chess960 and board.fen() == chess.STARTING_FEN
    fen, shredder_fen = (None, None) if standard else (board.fen(), board.shredder_fen())
    position = Position.of(board)
    played: list[str] = []
    sans: list[str] = []
    seen = {position.key: 1}
    for text in opening.moves:
        normal, san = text, position.play(text)
        if san is None:
            normal, san = _play_book_move(position, text, opening.source)
        played.append(normal)
        sans.append(san)
        seen[position.key] = seen.get(position.key, 0) + 1
    return _Start(
        fen=fen,
        shredder_fen=shredder_fen,
        turn=board.turn,
        number=board.fullmove_number,
        position=position,
        played=tuple(played),
        sans=tuple(sans),
        seen=seen,
    )


def _play_book_move(position: Position, text: str, source: str) -> tuple[str, str]:
    board = position.board()
    try:
        move = board.parse_uci(text)
    except ValueError:
        move = chess.Move.null()
    if not move:
        raise BadInput(f"the opening's move {text} is not legal", where=source)
    return _play(position, board, move)


def _play(position: Position, board: chess.Board, move: chess.Move) -> tuple[str, str]:
    """Play a move that the library has found legal on ``board``, which is the position; return it in UCI and SAN."""
    # Only castling has more than one spelling in UCI notation.
    castles = board.is_castling(move)
    text = board.uci(move) if castles else move.uci()
    san = position.castle(move) if castles else position.play(text)
    assert san is not None, "both agree on what is legal"
    return text, san


def _uci_meaning(board: chess.Board, text: str) -> chess.Move:
    """Return the legal move that is written so, or nearly so, in UCI notation; the null move: there is none."""
    for spelling in dict.fromkeys((text, text.lower())):
        try:
            move = board.parse_uci(spelling)
        except ValueError:
            continue
        if move:
            return move
    return _castling_by_target(board, text.lower())


def _castling_by_target(board: chess.Board, text: str) -> chess.Move:
    """Return the castling move of Chess960 whose king's way is ``text``; the null move when there is not exactly one.

    Only asked when ``text`` is no legal move: a king that may step there, steps.
    """
    found = [
        move
        for move in board.generate_castling_moves()
        if text == chess.square_name(move.from_square) + _king_lands(move)
    ]
    return found[0] if len(found) == 1 else chess.Move.null()


def _king_lands(castling: chess.Move) -> str:
    """The square of a king that castles, written as it takes its own rook."""
    side = "g" if castling.to_square > castling.from_square else "c"
    return f"{side}{chess.square_rank(castling.from_square) + 1}"
