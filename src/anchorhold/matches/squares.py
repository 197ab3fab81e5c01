"""Where pieces go on an empty board: tables of squares and ways, made once.

A bitboard has bit 0 for a1, bit 7 for h1, bit 63 for h8, as in python-chess. Kinds of pieces are 1 (pawn) to 6 (king);
colours are 0 (White) and 8 (Black), so that kind plus colour names a piece. May import: chess.
"""

from __future__ import annotations

import chess

WHITE, BLACK = 0, 8
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
NO_SQUARE = 64

BITS: list[int] = list(chess.BB_SQUARES)
KNIGHT_STEPS: list[int] = list(chess.BB_KNIGHT_ATTACKS)
KING_STEPS: list[int] = list(chess.BB_KING_ATTACKS)
STRAIGHT: list[int] = [chess.BB_RANK_ATTACKS[s][0] | chess.BB_FILE_ATTACKS[s][0] for s in chess.SQUARES]
DIAGONAL: list[int] = [chess.BB_DIAG_ATTACKS[s][0] for s in chess.SQUARES]
RAYS: list[int] = [straight | diagonal for straight, diagonal in zip(STRAIGHT, DIAGONAL, strict=True)]
"""What a queen sees on an empty board: what stands elsewhere can neither be pinned to this square nor shield it."""
PAWN_TAKES: dict[int, list[int]] = {
    WHITE: list(chess.BB_PAWN_ATTACKS[chess.WHITE]),
    BLACK: list(chess.BB_PAWN_ATTACKS[chess.BLACK]),
}
"""By colour and square: what a pawn there attacks."""


def squares_of(bits: int) -> list[int]:
    """Return the squares of a bitboard, the lowest first."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def _steps(steps: list[int]) -> list[dict[int, int]]:
    return [dict.fromkeys(squares_of(bits), 0) for bits in steps]


def _slides(seen: list[int]) -> list[dict[int, int]]:
    return [{to: chess.between(square, to) for to in squares_of(bits)} for square, bits in enumerate(seen)]


def _both(first: list[dict[int, int]], second: list[dict[int, int]]) -> list[dict[int, int]]:
    return [{**a, **b} for a, b in zip(first, second, strict=True)]


_BISHOP, _ROOK = _slides(DIAGONAL), _slides(STRAIGHT)
WAYS: list[list[dict[int, int]]] = [
    [],
    [],
    _steps(KNIGHT_STEPS),
    _BISHOP,
    _ROOK,
    _both(_BISHOP, _ROOK),
    _steps(KING_STEPS),
]
"""By kind, from, to: the squares between, which must be empty. Castling is not among them, nor are pawns."""


def _pushes(colour: int) -> list[dict[int, int]]:
    step, second_rank = (8, 1) if colour == WHITE else (-8, 6)
    pushes: list[dict[int, int]] = [{} for _ in chess.SQUARES]
    for square in range(8, 56):
        one, two = square + step, square + 2 * step
        pushes[square][one] = BITS[one]
        if square // 8 == second_rank:
            pushes[square][two] = BITS[one] | BITS[two]
    return pushes


PUSHES: dict[int, list[dict[int, int]]] = {WHITE: _pushes(WHITE), BLACK: _pushes(BLACK)}
"""By colour, from, to: the squares that must be empty for a pawn to get there without taking."""
