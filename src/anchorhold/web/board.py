"""The last position of a game, drawn on a board. May import: chess, anchorhold.domain.games."""

from __future__ import annotations

import chess
import chess.svg

from anchorhold.domain.games import GameRecord, Opening, PairRecord, Variant

SIDE = 300
_COLOURS = {
    "square light": "#e9edf2",
    "square dark": "#9db0c8",
    "square light lastmove": "#f3e2a5",
    "square dark lastmove": "#d9bd5c",
    "margin": "#5a6473",
    "coord": "#ffffff",
}


def board_svg(record: PairRecord, game: GameRecord) -> str:
    """Draw where a game ended, with its last move."""
    board = _start(record.opening, record.variant)
    last = None
    for uci in (*record.opening.moves, *(move.uci for move in game.moves)):
        move = _move(board, uci)
        if move is None:
            break  # the move that lost the game by the rules
        board.push(move)
        last = move
    return chess.svg.board(
        board, size=SIDE, lastmove=last, check=board.king(board.turn) if board.is_check() else None, colors=_COLOURS
    )


def _start(opening: Opening, variant: Variant) -> chess.Board:
    return chess.Board(opening.fen or chess.STARTING_FEN, chess960=variant == "chess960")


def _move(board: chess.Board, uci: str) -> chess.Move | None:
    try:
        return board.parse_uci(uci)
    except ValueError:
        return None
