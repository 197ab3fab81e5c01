"""Whether a move is legal, and whether there is one at all, at a fraction of the usual cost.

Exact: what cannot be told at a glance is asked of the chess library. Out of check every pseudo-legal move of a piece
that is not pinned is legal, taking the king and en passant apart. May import: chess.
"""

from __future__ import annotations

import functools

import chess

_STRAIGHT = [chess.BB_RANK_ATTACKS[square][0] | chess.BB_FILE_ATTACKS[square][0] for square in chess.SQUARES]
_DIAGONAL = [chess.BB_DIAG_ATTACKS[square][0] for square in chess.SQUARES]
_FORMS = 4096
"""More than there are moves in UCI notation: only so many strings are kept as they were read."""


@functools.lru_cache(maxsize=_FORMS)
def parsed_move(text: str) -> chess.Move:
    """Read a move in UCI notation, legal or not; it is shared, so that nobody may change it; ValueError: it is none."""
    return chess.Move.from_uci(text)


def bound_pieces(board: chess.Board) -> chess.Bitboard:
    """Return the squares whose pieces cannot move freely: the king and what is pinned; in check, all."""
    own, theirs = board.occupied_co[board.turn], board.occupied_co[not board.turn]
    kings = board.kings & own
    king = kings.bit_length() - 1
    if (chess.BB_KNIGHT_ATTACKS[king] & board.knights | chess.BB_PAWN_ATTACKS[board.turn][king] & board.pawns) & theirs:
        return chess.BB_ALL
    bound = kings
    sliders = (
        _STRAIGHT[king] & (board.rooks | board.queens) | _DIAGONAL[king] & (board.bishops | board.queens)
    ) & theirs
    while sliders:
        slider = sliders.bit_length() - 1
        sliders ^= chess.BB_SQUARES[slider]
        between = chess.between(king, slider) & board.occupied
        if not between:
            return chess.BB_ALL
        if not between & (between - 1):
            # One piece alone; if it is not ours, it hurts nobody to say so.
            bound |= between
    return bound


def plain_move(board: chess.Board, text: str, *, bound: chess.Bitboard) -> chess.Move | None:
    """Return the legal move that is written so in UCI notation; None: that cannot be told at a glance."""
    try:
        move = parsed_move(text)
    except ValueError:
        return None
    if chess.BB_SQUARES[move.from_square] & bound or move.to_square == board.ep_square:
        return None
    return move if board.is_pseudo_legal(move) else None


def has_legal_move(board: chess.Board, *, bound: chess.Bitboard) -> bool:
    """Say whether the side to move can move."""
    own = board.occupied_co[board.turn]
    free = own & ~bound
    pawns = board.pawns & free
    if (pawns << 8 if board.turn else pawns >> 8) & ~board.occupied:
        return True
    for square in chess.scan_forward(board.knights & free):
        if chess.BB_KNIGHT_ATTACKS[square] & ~own:
            return True
    return any(board.generate_legal_moves())


def is_insufficient_material(board: chess.Board) -> bool:
    """Say whether no sequence of legal moves can lead to mate by the pieces that are left, as the library counts."""
    return not (board.pawns | board.rooks | board.queens) and board.is_insufficient_material()
