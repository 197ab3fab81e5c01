"""One game played over on a board: are its moves possible, and does the last position agree with the result?

May import: chess, anchorhold.importers.pgn.lexer.
"""

from __future__ import annotations

import chess

from anchorhold.importers.pgn.lexer import LexedGame

_FREE_VARIANTS = {"chess960", "chess 960", "fischerandom", "fischerrandom", "frc", "dfrc"}
_USUAL_VARIANTS = {"", "standard", "chess", "normal", "from position"}
_ILLEGAL_LAST = {"rules infraction", "illegal move"}


def board_contradiction(game: LexedGame) -> str:
    """Why the board and the game's words cannot both be right; empty when they can, or when no board tells.

    Variants other than standard chess and Chess960 are not played over.
    """
    variant = _tag(game, b"Variant").lower()
    if variant not in _FREE_VARIANTS | _USUAL_VARIANTS:
        return ""
    fen = _tag(game, b"FEN")
    try:
        board = chess.Board(fen or chess.STARTING_FEN, chess960=variant in _FREE_VARIANTS)
    except ValueError:
        return f"the FEN {fen[:100]!r} is no position"
    termination = _tag(game, b"Termination").lower()
    for number, word in enumerate(game.moves, start=1):
        text = word.decode("ascii", "replace").rstrip("!?").replace("0-0", "O-O").replace("O-O-0", "O-O-O")
        move = _move(board, text)
        if move is None:
            if number == len(game.moves) and termination in _ILLEGAL_LAST:
                break
            return f"half-move {number}, {text}, is not possible on the board"
        board.push(move)
    return _last_position(board, game, termination)


def _last_position(board: chess.Board, game: LexedGame, termination: str) -> str:
    marker = game.marker.decode()
    if board.is_checkmate():
        won = "0-1" if board.turn == chess.WHITE else "1-0"
        return "" if marker in (won, "*") else f"the last position is a mate ({won}), marker {marker}"
    drawn = board.is_stalemate() or board.is_insufficient_material()
    if drawn and marker in ("1-0", "0-1") and termination in ("", "normal"):
        what = "stalemate" if board.is_stalemate() else "drawn by insufficient material"
        return f"the last position is {what}, marker {marker}"
    return ""


def _move(board: chess.Board, text: str) -> chess.Move | None:
    for parse in (board.parse_san, board.parse_uci):
        try:
            return parse(text)
        except ValueError:
            continue
    return None


def _tag(game: LexedGame, name: bytes) -> str:
    return game.tags.get(name, b"").decode("utf-8", "replace").strip()
