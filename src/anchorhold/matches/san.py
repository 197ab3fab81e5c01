"""Standard algebraic notation of moves that are known to be legal, at a fraction of the usual cost.

May import: chess.
"""

from __future__ import annotations

import chess

_LETTERS = ("", "", "N", "B", "R", "Q", "K")


def san_and_push(board: chess.Board, move: chess.Move) -> str:
    """Play a legal move; return it in SAN.

    Nothing is generated that the move cannot need: other pieces are looked at only where one of the same kind attacks
    the square, legal replies only after a check.
    """
    piece = board.piece_type_at(move.from_square)
    assert piece is not None, "the arbiter has found the move legal"
    target = chess.SQUARE_NAMES[move.to_square]
    if piece == chess.KING and board.is_castling(move):
        text = "O-O" if chess.square_file(move.to_square) > chess.square_file(move.from_square) else "O-O-O"
    elif piece == chess.PAWN:
        text = target
        if chess.square_file(move.from_square) != chess.square_file(move.to_square):
            text = f"{chess.FILE_NAMES[chess.square_file(move.from_square)]}x{target}"
        if move.promotion:
            text += f"={_LETTERS[move.promotion]}"
    else:
        others = board.attackers_mask(board.turn, move.to_square) & board.pieces_mask(piece, board.turn)
        if others & ~chess.BB_SQUARES[move.from_square]:
            return board.san_and_push(move)
        takes = "x" if board.occupied & chess.BB_SQUARES[move.to_square] else ""
        text = f"{_LETTERS[piece]}{takes}{target}"
    board.push(move)
    if board.is_check():
        text += "+" if any(board.generate_legal_moves()) else "#"
    return text
