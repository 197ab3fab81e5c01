import hashlib
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import chess
import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchorhold.domain.games import GameRecord, MoveRecord, Opening, PairKey, PairRecord, Result
from anchorhold.domain.limits import Limit, TimeControl
from anchorhold.errors import BadInput
from anchorhold.matches.pgn import PgnNames, save_pgn, write_pgn

KEY = PairKey("check-1", "new", "Alpha", "long", 17)
NAMES = PgnNames(
    event="project check-1",
    engines={"new": "Engine 15"},
    limits={("new", "long"): Limit(depth=5), ("Alpha", "long"): Limit(TimeControl(8.0, 0.08))},
)


def game(*moves: MoveRecord, first_is_white: bool = True, result: Result = "1-0") -> GameRecord:
    return GameRecord(
        first_is_white=first_is_white,
        result=result,
        termination="normal",
        reason="White mates",
        moves=moves,
        started_at="2026-11-30T23:59:58Z",
    )


def pair(*games: GameRecord, opening: Opening | None = None, key: PairKey = KEY) -> PairRecord:
    return PairRecord(
        key=key, opening=opening or Opening(None, ("f2f3", "e7e5")), variant="standard", games=(games[0], games[-1])
    )


MATE = (MoveRecord("g2g4", 0.4124, depth=18, score=31, nodes=1234), MoveRecord("d8h4", 1.0, depth=3, mate=1))
NO_WORD = MoveRecord("g2g4", 0.0)


def text(*records: PairRecord, names: PgnNames = NAMES) -> str:
    handle = io.StringIO()
    write_pgn(records, handle, names=names)
    return handle.getvalue()


def read(pgn: str) -> Iterator[chess.pgn.Game]:
    handle = io.StringIO(pgn)
    while (found := chess.pgn.read_game(handle)) is not None:
        assert found.errors == []
        yield found


def test_a_game_says_which_pair_of_which_run_it_is_and_how_it_was_played() -> None:
    first, second = read(text(pair(game(*MATE, result="0-1"), game(*MATE, first_is_white=False, result="0-1"))))
    assert dict(first.headers) == {
        "Event": "project check-1",
        "Site": "?",
        "Date": "2026.11.30",
        "Round": "17.1",
        "White": "Engine 15",
        "Black": "Alpha",
        "Result": "0-1",
        "UTCDate": "2026.11.30",
        "UTCTime": "23:59:58",
        "Check": "check-1",
        "Endpoint": "new",
        "Stage": "long",
        "Anchor": "Alpha",
        "Opening": "17",
        "Pair": "check-1/long/Alpha/new/17",
        "Termination": "normal",
        "PlyCount": "4",
        "WhiteTimeControl": "-",
        "BlackTimeControl": "8+0.08",
        "WhiteLimit": "depth 5",
    }
    assert (second.headers["White"], second.headers["Black"], second.headers["Round"]) == ("Alpha", "Engine 15", "17.2")
    assert second.headers["BlackLimit"] == "depth 5"


def test_comments_give_score_depth_seconds_and_nodes_and_mark_the_book() -> None:
    found = text(pair(game(*MATE, result="0-1"))).split("\n\n")[1].replace("\n", " ")
    assert found == (
        "1. f3 {book} 1... e5 {book} 2. g4 {+0.31/18 0.412s, n=1234} 2... Qh4# {+M1/3 1.000s} {White mates} 0-1"
    )


@pytest.mark.parametrize(
    ("move", "comment"),
    [
        (MoveRecord("g2g4", 0.0, depth=7, score=-5), "{-0.05/7 0.000s}"),
        (MoveRecord("g2g4", 0.0, score=0), "{+0.00/0 0.000s}"),
        (MoveRecord("g2g4", 0.0, depth=9, mate=-3), "{-M3/9 0.000s}"),
        (MoveRecord("g2g4", 12.3456, depth=9), "{12.346s}"),
    ],
)
def test_what_an_engine_did_not_say_is_left_out(move: MoveRecord, comment: str) -> None:
    assert f"2. g4 {comment}" in text(pair(game(move)))


def test_a_game_without_a_move_of_an_engine_can_be_read() -> None:
    lost = replace(game(), result="0-1", termination="abandoned", reason="White {disconnects}")
    found = next(read(text(pair(lost, opening=Opening(None, ())))))
    assert (found.headers["Result"], found.headers["Termination"]) == ("0-1", "abandoned")
    assert text(pair(lost, opening=Opening(None, ()))).split("\n\n")[1] == "{White (disconnects)} 0-1"


def test_a_position_with_black_to_move_is_numbered_so() -> None:
    start = "rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2"
    written = text(pair(game(MoveRecord("e7e6", 0.0), MoveRecord("b1c3", 0.0)), opening=Opening(start, ())))
    assert f'[SetUp "1"]\n[FEN "{start}"]\n\n2... e6 {{0.000s}} 3. Nc3' in written
    assert next(read(written)).board().fen() == start


def test_castling_in_chess960_is_written_and_read_back() -> None:
    start = "1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1"
    record = PairRecord(
        key=KEY,
        opening=Opening(start, ()),
        variant="chess960",
        games=(game(MoveRecord("c1f1", 0.1), MoveRecord("c8b8", 0.1)),) * 2,
    )
    found = next(read(text(record)))
    assert "1. O-O {0.100s} 1... O-O-O" in text(record)
    assert found.end().board().fen(shredder=True) == "2kr1r2/pppppppp/8/8/8/8/PPPPPPPP/1R3RK1 w - - 2 2"


def test_names_with_quotes_backslashes_and_line_ends_keep_the_file_readable() -> None:
    names = replace(NAMES, engines={"new": 'A "fast\\safe" [engine] {1-0}\nsecond line'})
    found = next(read(text(pair(game(NO_WORD)), names=names)))
    assert (
        found.headers["White"].replace("\\\\", "\\").replace('\\"', '"') == 'A "fast\\safe" [engine] {1-0} second line'
    )


@pytest.mark.parametrize(
    ("limit", "tag"),
    [
        (Limit(TimeControl(60.0, 0.6, 40)), '[TimeControl "40/60+0.6"]'),
        (Limit(movetime=0.5), '[TimeControl "0.5/move"]'),
        (Limit(nodes=10_000), '[WhiteLimit "nodes 10000"]\n[BlackLimit "nodes 10000"]'),
    ],
)
def test_one_limit_for_both_is_one_time_control(limit: Limit, tag: str) -> None:
    names = replace(NAMES, limits={("new", "long"): limit, ("Alpha", "long"): limit})
    assert tag in text(pair(game(NO_WORD)), names=names)


@st.composite
def played_pairs(draw: st.DrawFn) -> PairRecord:
    games = []
    for first_is_white in (True, False):
        board = chess.Board()
        for uci in ("f2f3", "e7e5"):
            board.push_uci(uci)
        moves = []
        for choice in draw(st.lists(st.integers(0, 10**6), max_size=60)):
            legal = sorted(board.legal_moves, key=chess.Move.uci)
            if not legal:
                break
            move = legal[choice % len(legal)]
            moves.append(MoveRecord(move.uci(), choice / 1e5, depth=choice % 40, score=choice % 900 - 450))
            board.push(move)
        result: Result = draw(st.sampled_from(["1-0", "0-1", "1/2-1/2"]))
        games.append(game(*moves, first_is_white=first_is_white, result=result))
    key = replace(KEY, opening=draw(st.integers(1, 10**6)))
    return pair(*games, key=key)


@settings(max_examples=40, deadline=None)
@given(st.lists(played_pairs(), max_size=3, unique_by=lambda record: record.key))
def test_reading_the_games_back_gives_the_same_moves_and_the_same_counts(records: list[PairRecord]) -> None:
    written = text(*records)
    found = list(read(written))
    half_points: dict[str, int] = {}
    for one, record_game in zip(found, [g for r in records for g in r.games], strict=True):
        assert [m.uci() for m in one.mainline_moves()] == ["f2f3", "e7e5", *(m.uci for m in record_game.moves)]
        first_is_white = one.headers["White"] == "Engine 15"
        points = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}[one.headers["Result"]]
        half_points[one.headers["Pair"]] = half_points.get(one.headers["Pair"], 0) + (
            points if first_is_white else 2 - points
        )
    assert sorted(half_points.values()) == sorted(record.half_points for record in records)
    # Only a comment may be longer than a line of the export form.
    assert all(len(line) < 80 for line in re.sub(r"\{[^}]*\}", "", written).splitlines() if not line.startswith("["))


def test_a_saved_file_has_the_digest_that_was_returned_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    digest = save_pgn([pair(game(*MATE, result="0-1"))], path, names=NAMES)
    assert path.read_text() == text(pair(game(*MATE, result="0-1")))
    assert digest == hashlib.sha256(path.read_bytes()).hexdigest()
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_while_saving_leaves_the_old_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text("old")

    def records() -> Iterator[PairRecord]:
        yield pair(game(NO_WORD))
        raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError, match="in the middle"):
        save_pgn(records(), path, names=NAMES)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"games\.pgn: cannot be written"):
        save_pgn([], tmp_path / "absent" / "games.pgn", names=NAMES)
