import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchorhold.matches.book_numbers import double_position
from anchorhold.matches.san import san_and_push


@given(st.data(), st.booleans())
@settings(max_examples=60)
def test_every_move_of_a_game_is_written_as_python_chess_writes_it(data: st.DataObject, chess960: bool) -> None:
    board = chess.Board()
    if chess960:
        board = double_position(data.draw(st.integers(0, 959)), data.draw(st.integers(0, 959)))
    choices = data.draw(st.lists(st.integers(0, 2**16), max_size=120))
    for choice in choices:
        # Captures and checks make the cases that matter; half of the moves are taken from them where there are any.
        moves = sorted(board.legal_moves, key=chess.Move.uci)
        lively = [
            move for move in moves if board.is_capture(move) or board.gives_check(move) or board.is_castling(move)
        ]
        moves = lively if lively and choice % 2 else moves
        if not moves:
            break
        move = moves[choice // 2 % len(moves)]
        expected = board.san(move)
        assert san_and_push(board, move) == expected


@pytest.mark.parametrize(
    ("fen", "uci", "san"),
    [
        ("8/8/8/3k4/8/8/8/R3K2R w - - 0 1", "a1d1", "Rd1+"),
        ("4k3/8/8/8/R7/8/8/4K2R w - - 0 1", "h1h4", "Rhh4"),
        ("3k4/8/8/8/R7/8/8/R3K3 w - - 0 1", "a1a3", "R1a3"),
        ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 2", "d5c6", "dxc6"),
        ("3rk3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7d8q", "cxd8=Q+"),
        ("4r1k1/8/8/8/8/4R3/8/R3K3 w - - 0 1", "a1a3", "Ra3"),  # the other rook is pinned
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", "Ra8#"),
    ],
)
def test_moves_that_need_care_are_written_rightly(fen: str, uci: str, san: str) -> None:
    board = chess.Board(fen)
    assert san_and_push(board, chess.Move.from_uci(uci)) == san
