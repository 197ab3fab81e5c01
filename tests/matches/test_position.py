"""A position's own legality, check, repetition and notation against the chess library's."""

import random
from collections.abc import Callable

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchorhold.matches.book_numbers import double_position
from anchorhold.matches.position import Position

TEXTS = [
    a + b + promotion
    for a in chess.SQUARE_NAMES
    for b in chess.SQUARE_NAMES
    for promotion in ("", "q", "p")
    if not promotion or b[1] in "18"
]
ODD = ["", "0000", "e2", "e2e9", "E2E4", "e7e8Q", "e7e8k", "P@e4", "Nf3", "O-O", "e2e4 ", "e2e4qq", "é2e4", "e2e4\n"]


def repetition_key(board: chess.Board) -> object:
    """What must be equal for two positions to be one, from the library's board."""
    square = board.ep_square if board.ep_square is not None and board.has_legal_en_passant() else None
    return board.board_fen(), board.turn, board.clean_castling_rights(), square


def check(board: chess.Board, position: Position) -> None:
    """Compare every answer for one position."""
    fen = board.fen()
    assert position.in_check == board.is_check(), fen
    assert position.can_move == any(board.legal_moves), fen
    assert position.turn == board.turn, fen
    assert position.is_insufficient_material() == board.is_insufficient_material(), fen
    again = position.board()
    assert again.fen() == fen
    assert again.is_valid() == board.is_valid()
    legal = {move.uci() for move in board.legal_moves}
    castles = {move.uci() for move in board.generate_castling_moves()}
    for text in {*random.Random(fen).sample(TEXTS, 60), *ODD, *legal}:
        other = position.copy()
        san = other.play(text)
        if text in legal - castles:
            assert san == board.san(board.parse_uci(text)), (fen, text)
        else:
            assert san is None, (fen, text)
            assert other.key == position.key
    assert position.board().fen() == fen, "what copies play changes nothing"


def push(board: chess.Board, position: Position, move: chess.Move) -> None:
    """Play a legal move on both."""
    expected = board.san(move)
    san = position.castle(move) if board.is_castling(move) else position.play(board.uci(move))
    assert san == expected
    board.push(move)


def play_on(board: chess.Board, choose: Callable[[list[chess.Move]], chess.Move], *, most: int) -> None:
    """Play a game, comparing each position and the positions among themselves."""
    position = Position.of(board)
    keys: dict[bytes, object] = {}
    while not board.is_game_over() and board.ply() < most:
        check(board, position)
        known = keys.setdefault(position.key, repetition_key(board))
        assert known == repetition_key(board)
        push(board, position, choose(sorted(board.legal_moves, key=chess.Move.uci)))
    check(board, position)
    assert len(keys) == len(set(keys.values()))


@pytest.mark.parametrize(
    ("fen", "move", "offered"),
    [
        ("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", "e2e4", False),  # both pawns gone, the rook sees the king
        ("8/8/8/8/R2p3k/8/4P3/4K3 w - - 0 1", "e2e4", False),  # the same from the other side
        ("4k3/4p3/8/K2P3r/8/8/8/8 b - - 0 1", "e7e5", False),  # the same for White
        ("8/8/8/8/k1Pp3R/8/4P3/4K3 w - - 0 1", "e2e4", True),  # a third pawn stands between
        ("8/8/8/2k5/3p4/8/1B2P3/4K3 w - - 0 1", "e2e4", True),  # the bishop's line is another
        ("8/8/1k6/8/3p4/8/4PB2/4K3 w - - 0 1", "e2e4", True),  # pinned, and takes along the line
        ("8/8/5k2/8/3p4/8/1B2P3/4K3 w - - 0 1", "e2e4", False),  # pinned, and would leave the line
        ("3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", "e2e4", False),  # pinned on its file
        ("1k6/8/8/8/5p2/7B/4P3/4K3 w - - 0 1", "e2e4", True),  # what is taken shields nothing
        ("8/1k6/8/8/5p2/8/4P1B1/4K3 w - - 0 1", "e2e4", False),  # what is taken is all that shields the king
        ("8/8/8/3k4/3p4/8/4P3/4K3 w - - 0 1", "e2e4", True),  # it gives check, and can be taken
        ("8/8/8/3k4/3p1p2/8/4P3/4K3 w - - 0 1", "e2e4", True),  # by either of two
        ("3k4/8/8/8/3p1p2/8/4P3/3RK3 w - - 0 1", "e2e4", True),  # one of two is pinned
        ("4k3/8/8/8/3p4/8/4P3/R3K3 w - - 0 1", "e2e3", False),  # one square only
        ("4k3/8/8/8/7p/8/P7/4K3 w - - 0 1", "a2a4", False),  # no neighbour over the edge
    ],
)
def test_en_passant_counts_only_where_it_can_be_played(fen: str, move: str, *, offered: bool) -> None:
    board = chess.Board(fen)
    position = Position.of(board)
    push(board, position, board.parse_uci(move))
    assert board.has_legal_en_passant() is offered, "the case is what it says"
    check(board, position)
    assert position.key == Position.of(board).key, "or a repetition would be missed"


@pytest.mark.parametrize("seed", range(12))
def test_random_games_are_the_same_on_the_librarys_board(seed: int) -> None:
    rng = random.Random(seed)
    board = chess.Board() if seed % 2 else double_position(rng.randrange(960), rng.randrange(960))

    def choose(moves: list[chess.Move]) -> chess.Move:
        # Taking is preferred, so that endings with few pieces come.
        return rng.choice([m for m in moves if board.is_capture(m) or board.is_castling(m)] or moves)

    play_on(board, choose, most=160)


@given(st.lists(st.integers(0, 2**16), max_size=60), st.booleans())
@settings(max_examples=30, deadline=None)
def test_lively_games_are_the_same_on_the_librarys_board(choices: list[int], chess960: bool) -> None:
    board = double_position(sum(choices) % 960, len(choices)) if chess960 else chess.Board()
    left = iter(choices)

    def choose(moves: list[chess.Move]) -> chess.Move:
        choice = next(left, 0)
        # Captures and checks make the cases that matter; half of the moves are taken from them where there are any.
        lively = [m for m in moves if board.is_capture(m) or board.gives_check(m) or board.is_castling(m)]
        moves = lively if lively and choice % 2 else moves
        return moves[choice // 2 % len(moves)]

    play_on(board, choose, most=len(choices))


def test_shuffling_gives_few_positions_and_all_of_them_are_told_apart() -> None:
    rng = random.Random(7)
    play_on(chess.Board("4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1"), rng.choice, most=60)


@pytest.mark.parametrize(
    "fen",
    [
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",  # stalemate
        "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",  # mate
        "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",  # en passant would open the rank
        "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",  # en passant answers a check
        "4k3/8/8/8/1b1Pp3/8/8/4K3 b - d3 0 1",
        "8/1b6/8/3pP3/8/5K2/8/4k3 w - d6 0 1",  # en passant though the taken pawn shields the king
        "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1",  # a pinned knight
        "7k/8/8/8/8/5b2/6P1/7K w - - 0 1",  # a pinned pawn that may take
        "8/8/8/8/8/5k1p/7P/7K w - - 0 1",  # a blocked pawn alone
        "4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1",  # a pinned knight on a diagonal
        "4k3/8/8/8/8/3n4/3N4/4K3 w - - 0 1",  # check by a knight
        "4k3/8/8/8/8/8/3p4/4K2N w - - 0 1",  # check by a pawn
        "4k3/8/8/8/4r3/8/8/r3K2R w K - 0 1",  # check from two sides
        "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1",  # the king may take what attacks it
        "4k3/8/8/8/8/5n2/4r3/4K3 w - - 0 1",  # or may not
        "4k3/P7/8/8/8/8/8/K7 w - - 0 1",
        "1n2k3/P7/8/8/8/8/8/K7 w - - 0 1",
        "4k3/8/8/8/8/8/8/2B1K1b1 w - - 0 1",
        "4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1",
        "4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b Qk - 3 9",
        "8/8/8/1N3N2/8/1N6/8/K6k w - - 0 1",  # three knights: file and rank are needed
        "8/8/8/3k4/8/8/8/R3K2R w - - 0 1",
        "4r1k1/8/8/8/8/4R3/8/R3K3 w - - 0 1",  # of two rooks one is pinned
    ],
)
def test_positions_that_need_care_are_seen_as_the_library_sees_them(fen: str) -> None:
    board = chess.Board(fen)
    check(board, Position.of(board))
    for move in board.legal_moves:
        after, position = board.copy(), Position.of(board)
        push(after, position, move)
        check(after, position)


@pytest.mark.parametrize("fen", ["1r2k1r1/8/8/8/8/8/6P1/1R2K1R1 w GBgb - 0 1", "rk5r/8/8/8/8/8/8/RK5R b HAha - 0 1"])
def test_castling_in_chess960_is_played_from_every_square(fen: str) -> None:
    board = chess.Board(fen, chess960=True)
    moves = list(board.generate_castling_moves())
    assert len(moves) == 2
    for move in moves:
        after, position = board.copy(), Position.of(board)
        push(after, position, move)
        check(after, position)


def test_castling_is_left_to_whoever_asks_the_library() -> None:
    position = Position.of(chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    assert position.play("e1g1") is None
    assert position.play("e1f1") == "Kf1"
