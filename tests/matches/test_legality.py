"""The short cuts of legality against the chess library."""

import random

import chess
import pytest

from anchorhold.matches.legality import bound_pieces, has_legal_move, is_insufficient_material, plain_move

TEXTS = [
    a + b + promotion
    for a in chess.SQUARE_NAMES
    for b in chess.SQUARE_NAMES
    for promotion in ("", "q", "p")
    if not promotion or b[1] in "18"
]
ODD = ["", "0000", "e2", "e2e9", "E2E4", "e7e8Q", "e7e8k", "P@e4", "Nf3", "O-O", "e2e4 "]


def check(board: chess.Board) -> None:
    """Compare every answer for one position."""
    bound = bound_pieces(board)
    assert has_legal_move(board, bound=bound) == any(board.legal_moves), board.fen()
    assert is_insufficient_material(board) == board.is_insufficient_material(), board.fen()
    legal = {move.uci() for move in board.legal_moves}
    for text in [*random.Random(board.fen()).sample(TEXTS, 40), *ODD, *legal]:
        move = plain_move(board, text, bound=bound)
        assert move is None or (move.uci() == text and text in legal), (board.fen(), text)


@pytest.mark.parametrize("seed", range(12))
def test_on_random_games_the_short_cuts_never_contradict_the_library(seed: int) -> None:
    rng = random.Random(seed)
    board = chess.Board() if seed % 2 else chess.Board.from_chess960_pos(rng.randrange(960))
    while not board.is_game_over() and board.ply() < 240:
        check(board)
        # Taking is preferred, so that endings with few pieces come.
        board.push(rng.choice(list(board.generate_legal_captures()) or list(board.legal_moves)))
    check(board)


@pytest.mark.parametrize(
    "fen",
    [
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",  # stalemate
        "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",  # mate
        "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",  # en passant would open the rank
        "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1",  # a pinned knight
        "7k/8/8/8/8/5b2/6P1/7K w - - 0 1",  # a pinned pawn that may take
        "8/8/8/8/8/5k1p/7P/7K w - - 0 1",  # a blocked pawn alone
        "4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1",  # a pinned knight on a diagonal
        "4k3/8/8/8/8/3n4/3N4/4K3 w - - 0 1",  # check by a knight
        "4k3/8/8/8/8/8/3p4/4K2N w - - 0 1",  # check by a pawn
        "4k3/8/8/8/8/8/8/2B1K1b1 w - - 0 1",
        "4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1",
        "4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1",
    ],
)
def test_pins_mates_and_bare_boards_are_seen_as_the_library_sees_them(fen: str) -> None:
    check(chess.Board(fen))


def test_most_moves_of_a_usual_game_are_told_at_a_glance() -> None:
    board = chess.Board()
    told = [plain_move(board, text, bound=bound_pieces(board)) for text in ("g1f3", "e1e2", "a2a4")]
    assert [move and move.uci() for move in told] == ["g1f3", None, "a2a4"]
