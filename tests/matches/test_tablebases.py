import shutil
from pathlib import Path

import chess
import pytest

from anchorhold.domain.games import Opening
from anchorhold.domain.limits import Limit
from anchorhold.errors import BadInput
from anchorhold.matches import tablebases
from anchorhold.matches.arbiter import Arbiter, Side
from anchorhold.matches.jobs import MatchRules, TablebaseRule
from anchorhold.matches.tablebases import Tablebases, open_tablebases

TABLES = Path(__file__).parent.parent / "golden" / "syzygy"
RULE = TablebaseRule((TABLES,))
SIDE = Side(Limit(depth=1), 0.1)


def worth(fen: str, rule: TablebaseRule = RULE) -> str | None:
    return Tablebases(rule).worth(chess.Board(fen))


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        ("8/8/8/4k3/8/8/8/4K2R w - - 0 1", "win"),
        ("8/8/8/4k3/8/8/8/4K2R b - - 0 1", "loss"),
        ("8/8/8/8/8/4k3/4P3/4K3 w - - 0 1", "draw"),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", "loss"),
        # The rook can be taken: the table looks one capture ahead.
        ("8/8/8/8/8/8/6k1/4K2R b - - 0 1", "draw"),
    ],
)
def test_the_tables_say_what_a_position_is_worth_to_the_side_to_move(fen: str, expected: str) -> None:
    assert worth(fen) == expected


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/4k3/8/8/8/4K2R w K - 0 1",  # White may still castle
        "8/8/8/4k3/8/8/8/4K2R w - - 1 1",  # not right after a capture or a pawn move
        "4k3/8/8/8/8/8/4PP2/4K3 w - - 0 1",  # more pieces than any table
        "8/8/8/4k3/8/8/8/3QK2R w - - 0 1",  # no such table
    ],
)
def test_where_the_tables_may_not_or_cannot_be_asked_they_say_nothing(fen: str) -> None:
    assert worth(fen) is None


def test_a_missing_table_says_nothing(tmp_path: Path) -> None:
    shutil.copy(TABLES / "KRvK.rtbw", tmp_path)
    rule = TablebaseRule((tmp_path,))
    assert worth("8/8/8/4k3/8/8/8/4K2R w - - 0 1", rule) == "win"
    assert worth("8/8/8/4k3/8/8/8/4K2Q w - - 0 1", rule) is None


def test_fewer_pieces_than_the_tables_have_can_be_asked_for() -> None:
    assert worth("8/8/8/4k3/8/8/8/4K2R w - - 0 1", TablebaseRule((TABLES,), pieces=2)) is None


@pytest.mark.parametrize(
    ("decides", "win", "draw"), [("both", "win", "draw"), ("wins", "win", None), ("draws", None, "draw")]
)
def test_wins_or_draws_alone_can_be_asked_for(decides: str, win: str | None, draw: str | None) -> None:
    rule = TablebaseRule((TABLES,), decides=decides)  # type: ignore[arg-type]
    assert worth("8/8/8/4k3/8/8/8/4K2R w - - 0 1", rule) == win
    assert worth("8/8/8/8/8/4k3/4P3/4K3 w - - 0 1", rule) == draw


def test_a_win_that_the_fifty_move_rule_spoils_counts_by_the_rule_that_is_asked_for() -> None:
    # No table of so few pieces holds such a position (tests/golden/syzygy): only the reading of the values is tested.
    assert [tablebases._WORTH[value, True] for value in (2, 1, 0, -1, -2)] == ["win", "draw", "draw", "draw", "loss"]
    assert [tablebases._WORTH[value, False] for value in (2, 1, 0, -1, -2)] == ["win", "win", "draw", "loss", "loss"]


def game(fen: str, *moves: str) -> Arbiter:
    rules = MatchRules(tablebases=RULE)
    found = Arbiter(
        opening=Opening(fen, ()),
        variant="standard",
        white=SIDE,
        black=SIDE,
        rules=rules,
        tablebases=open_tablebases(RULE),
    )
    for move in moves:
        assert found.verdict is None
        found.answer(move, seconds=0.0)
    return found


def test_a_game_is_adjudicated_after_the_capture_that_leads_into_the_tables() -> None:
    # A rook is left for each side until White takes.
    verdict = game("8/8/8/4k3/8/8/r7/R3K3 w - - 4 9", "a1a2").verdict
    assert verdict is not None
    assert (verdict.result, verdict.termination) == ("1-0", "adjudication")
    assert verdict.reason == "White wins by adjudication: Syzygy tablebases"


def test_a_drawn_pawn_ending_is_adjudicated_after_the_pawn_move() -> None:
    verdict = game("8/8/4k3/8/4P3/8/4K3/8 w - - 3 9", "e2f3", "e6e5").verdict
    assert verdict is None  # king moves only
    verdict = game("8/8/8/4k3/8/8/4P3/4K3 w - - 3 9", "e2e4").verdict
    assert verdict is not None
    assert (verdict.result, verdict.reason) == ("1/2-1/2", "draw by adjudication: Syzygy tablebases")


def test_the_loser_may_be_the_one_who_moved() -> None:
    # Black takes the last pawn with its king and runs into king and rook.
    verdict = game("8/8/8/4k3/4P3/8/8/R3K3 b - - 0 1", "e5e4").verdict
    assert verdict is not None
    assert verdict.result == "1-0"


def test_a_directory_without_tables_and_a_damaged_table_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"absent: there is no such directory of tablebases.*--tb"):
        Tablebases(TablebaseRule((tmp_path / "absent",)))
    with pytest.raises(BadInput, match="no Syzygy table"):
        Tablebases(TablebaseRule((tmp_path,)))
    data = (TABLES / "KPvK.rtbw").read_bytes()
    for damaged in (data[:1000], b"\0" * len(data), b""):
        (tmp_path / "KPvK.rtbw").write_bytes(damaged)
        with pytest.raises(BadInput, match=r"KPvK\.rtbw: is no Syzygy table"):
            Tablebases(TablebaseRule((tmp_path,)))


def test_other_tables_have_another_digest(tmp_path: Path) -> None:
    shutil.copy(TABLES / "KRvK.rtbw", tmp_path)
    assert Tablebases(TablebaseRule((tmp_path,))).digest != Tablebases(RULE).digest
    assert Tablebases(RULE).largest == 3
