import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchorhold.domain.games import GameRecord, MoveRecord, Opening, PairKey, PairRecord, Result
from anchorhold.errors import BadInput, BadState
from anchorhold.matches.journal import Journal, PairScore
from anchorhold.stats.outcomes import Pentanomial

PLAN = {"anchors": ["Alpha", "Beta"], "pairs": 20, "limit": {"depth": 5}}
RESULTS: dict[tuple[int, bool], Result] = {
    (0, True): "0-1",
    (0, False): "1-0",
    (1, True): "1/2-1/2",
    (1, False): "1/2-1/2",
    (2, True): "1-0",
    (2, False): "0-1",
}


def record(
    key: PairKey, half_points: int, *, moves: tuple[MoveRecord, ...] = (MoveRecord("e2e4", 0.25),)
) -> PairRecord:
    white = min(half_points, 2)
    games = tuple(
        GameRecord(
            first_is_white=first_is_white,
            result=RESULTS[points, first_is_white],
            termination="normal",
            reason="as the test wants it",
            moves=moves,
            started_at="2026-11-30T04:05:06Z",
        )
        for first_is_white, points in ((True, white), (False, half_points - white))
    )
    return PairRecord(
        key=key, opening=Opening(None, ("d2d4",), "book:1"), variant="standard", games=(games[0], games[1])
    )


def key(opening: int, *, endpoint: str = "old", anchor: str = "Alpha", stage: str = "long") -> PairKey:
    return PairKey("check-1", endpoint, anchor, stage, opening)


def test_a_pair_comes_back_as_it_went_in(tmp_path: Path) -> None:
    moves = (
        MoveRecord("e7e5", 0.0123456789, depth=18, score=-31, nodes=10**15),
        MoveRecord("e1g1", 1e-9, depth=3, mate=-2),
        MoveRecord("a7a8q", 7.0),
    )
    kept = record(key(3), 3, moves=moves)
    with Journal.open(tmp_path / "j", plan=PLAN) as journal:
        journal.add(kept)
        assert list(journal.pairs()) == [kept]
    with Journal.open(tmp_path / "j", plan=PLAN) as journal:
        assert list(journal.pairs(run="check-1", endpoint="old", anchor="Alpha", stage="long")) == [kept]
        assert list(journal.pairs(stage="short")) == []


def test_keys_and_pairs_come_in_key_order_whatever_the_order_of_playing(tmp_path: Path) -> None:
    keys = [key(10), key(2), key(1, endpoint="new"), key(1, anchor="Beta"), key(1, stage="direct")]
    with Journal.open(tmp_path / "j", plan=PLAN) as journal:
        for one in keys:
            journal.add(record(one, 2))
        assert list(journal.keys()) == sorted(keys)
        assert [pair.key for pair in journal.pairs()] == sorted(keys)
        assert len(journal) == 5


def test_a_pair_cannot_be_added_twice(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j", plan=PLAN) as journal:
        journal.add(record(key(1), 4))
        with pytest.raises(BadState, match="opening 1 of check-1"):
            journal.add(record(key(1), 0))
        assert journal.pentanomial(run="check-1", endpoint="old", anchor="Alpha", stage="long").ww == 1
        assert journal.has(key(1))
        assert not journal.has(key(2))


@pytest.mark.parametrize("statement", ["UPDATE pairs SET half_points = 4", "DELETE FROM pairs", "DELETE FROM head"])
def test_the_database_itself_refuses_changes(tmp_path: Path, statement: str) -> None:
    with Journal.open(tmp_path / "j", plan=PLAN) as journal:
        journal.add(record(key(1), 1))
    database = sqlite3.connect(tmp_path / "j")
    try:
        with pytest.raises(sqlite3.IntegrityError, match=r"append-only|fixed"):
            database.execute(statement)
    finally:
        database.close()


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12))
def test_counts_scores_and_the_joint_table_are_those_of_the_pairs(
    tmp_path_factory: pytest.TempPathFactory, points: list[tuple[int, int]]
) -> None:
    path = tmp_path_factory.mktemp("journal") / "j"
    with Journal.open(path, plan=PLAN) as journal:
        for opening, (old, new) in enumerate(points, start=1):
            journal.add(record(key(opening), old))
            journal.add(record(key(opening, endpoint="new"), new))
        table = journal.joint(run="check-1", anchor="Alpha", stage="long")
        old_counts = journal.pentanomial(run="check-1", endpoint="old", anchor="Alpha", stage="long")
        new_counts = journal.pentanomial(run="check-1", endpoint="new", anchor="Alpha", stage="long")
        scores = list(journal.scores(run="check-1", endpoint="new", anchor="Alpha", stage="long"))
        half = journal.pentanomial(run="check-1", endpoint="new", anchor="Alpha", stage="long", until=len(points) // 2)
    assert scores == [PairScore(n, new) for n, (_, new) in enumerate(points, start=1)]
    expected = Pentanomial(0, 0, 0, 0, 0)
    for old, _ in points:
        expected = expected.plus(old)
    assert table.old() == old_counts == expected
    assert table.new() == new_counts
    assert half.pairs == len(points) // 2
    assert sum(sum(row) for row in table.rows) == len(points)


def test_an_opening_that_only_one_endpoint_played_is_not_in_the_joint_table(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j", plan=PLAN) as journal:
        journal.add(record(key(1), 0))
        journal.add(record(key(1, endpoint="new"), 4))
        journal.add(record(key(2), 0))
        table = journal.joint(run="check-1", anchor="Alpha", stage="long")
    assert table.rows == ((0, 0, 0, 0, 1), *((0, 0, 0, 0, 0),) * 4)


def test_another_plan_is_refused_and_the_difference_named(tmp_path: Path) -> None:
    Journal.open(tmp_path / "j", plan=PLAN).close()
    with pytest.raises(BadState, match=r"limit\.depth was 5 and is 6"):
        Journal.open(tmp_path / "j", plan={**PLAN, "limit": {"depth": 6}})
    with pytest.raises(BadState, match=r"anchors\[2\] was \"Beta\" and is \"Gamma\""):
        Journal.open(tmp_path / "j", plan={**PLAN, "anchors": ["Alpha", "Gamma"]})
    with Journal.open(tmp_path / "j", plan={**PLAN, "pairs": 20.0}) as journal:  # the same value
        assert journal.plan == PLAN


def test_how_many_pairs_are_intended_is_kept_beside_the_plan_and_the_last_word_counts(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    for pairs in (40, 40, 60, 40):
        with Journal.open(path, plan={"a": 1}) as journal:
            journal.intend(pairs)
            assert journal.planned == pairs
    with Journal.read(path) as journal:
        assert (journal.planned, journal.plan) == (40, {"a": 1})
        with pytest.raises(BadState, match="reading only"):
            journal.intend(50)
    with Journal.open(tmp_path / "b.journal", plan={"a": 1}) as journal:
        assert journal.planned is None


def test_a_second_writer_is_refused_while_readers_are_welcome(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j", plan=PLAN) as journal:
        journal.add(record(key(1), 3))
        code = (
            "import sys; from pathlib import Path; from anchorhold.matches.journal import Journal\n"
            "from anchorhold.errors import BadState\n"
            "with Journal.read(Path(sys.argv[1])) as reader: print(len(reader))\n"
            "try: Journal.open(Path(sys.argv[1]), plan={})\n"
            "except BadState as error: print(error)"
        )
        said = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "j")], capture_output=True, text=True, check=True, timeout=60
        )
    assert said.stdout.splitlines()[0] == "1"
    assert "another process writes to this journal" in said.stdout


def test_a_closed_journal_can_be_opened_by_others_and_closing_twice_is_harmless(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "j", plan=PLAN)
    journal.close()
    journal.close()
    Journal.open(tmp_path / "j", plan=PLAN).close()


def test_a_journal_opened_for_reading_takes_nothing(tmp_path: Path) -> None:
    Journal.open(tmp_path / "j", plan=PLAN).close()
    with Journal.read(tmp_path / "j") as journal, pytest.raises(BadState, match="reading only"):
        journal.add(record(key(1), 2))


def test_what_is_no_journal_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database at all, but long enough to be looked at" * 20)
    with pytest.raises(BadInput, match="text"):
        Journal.open(tmp_path / "text", plan=PLAN)
    with pytest.raises(BadInput, match="text"):
        Journal.read(tmp_path / "text")
    database = sqlite3.connect(tmp_path / "other")
    database.execute("CREATE TABLE accounts (name TEXT)")
    database.commit()
    database.close()
    with pytest.raises(BadInput, match="no journal"):
        Journal.open(tmp_path / "other", plan=PLAN)
    with pytest.raises(BadInput, match="no such journal"):
        Journal.read(tmp_path / "absent")
    with pytest.raises(BadInput, match="absent"):
        Journal.open(tmp_path / "absent" / "j", plan=PLAN)


def test_an_empty_file_is_begun_as_after_a_kill_in_the_first_moment(tmp_path: Path) -> None:
    (tmp_path / "j").touch()
    with Journal.open(tmp_path / "j", plan=PLAN) as journal:
        assert len(journal) == 0


def test_kill_9_loses_nothing_that_was_acknowledged_and_doubles_nothing(tmp_path: Path) -> None:
    journal_file, acknowledged = tmp_path / "j", tmp_path / "acknowledged"
    acknowledged.touch()
    command = [sys.executable, str(Path(__file__).parent / "journal_writer.py"), str(journal_file), str(acknowledged)]
    for delay in (0.0, 0.013, 0.031):
        before = len(acknowledged.read_text().splitlines())
        with subprocess.Popen(command) as writer:
            deadline = time.monotonic() + 60
            while len(acknowledged.read_text().splitlines()) < before + 5:
                assert writer.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.005)
            time.sleep(delay)
            writer.kill()
        # A last line that the kill has cut is no acknowledgement.
        lines = [int(line) for line in acknowledged.read_text().splitlines(keepends=True) if line.endswith("\n")]
        with Journal.open(journal_file, plan={"test": "kill"}) as journal:
            openings = [pair.key.opening for pair in journal.pairs()]
        assert openings == list(range(1, len(openings) + 1))
        assert set(lines) <= set(openings)


def test_a_closed_journal_leaves_no_other_file(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j", plan=PLAN) as journal:
        journal.add(record(key(1), 2))
        assert (tmp_path / "j.lock").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["j"]
    with pytest.raises(BadState, match="another plan"):
        Journal.open(tmp_path / "j", plan={})
    assert [path.name for path in tmp_path.iterdir()] == ["j"]


LOCKER = """
import sys
from pathlib import Path
from anchorhold.errors import BadState
from anchorhold.matches.journal import Journal

inside = Path(sys.argv[1]) / "inside"
while not (Path(sys.argv[1]) / "enough").exists():
    try:
        journal = Journal.open(Path(sys.argv[1]) / "j", plan={})
    except BadState:
        continue
    inside.touch(exist_ok=False)
    inside.unlink()
    journal.close()
"""


def test_writers_that_come_and_go_are_never_two_at_a_time(tmp_path: Path) -> None:
    # Each takes its lock's file away when it goes: the next one must not hold a lock on a file that is gone.
    writers = [subprocess.Popen([sys.executable, "-c", LOCKER, str(tmp_path)]) for _ in range(3)]
    time.sleep(1.5)
    (tmp_path / "enough").touch()
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0, 0]


FULL = """
import resource, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_journal import key, record
from anchorhold.errors import BadState
from anchorhold.domain.games import MoveRecord
from anchorhold.matches.journal import Journal

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
moves = tuple(MoveRecord("e2e4", 0.1 * n, depth=n, score=n * n, nodes=n**3) for n in range(2000))
journal = Journal.open(Path(sys.argv[1]), plan={})
journal.add(record(key(1), 2, moves=moves))
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 17, resource.RLIM_INFINITY))
for opening in range(2, 200):
    try:
        journal.add(record(key(opening), 2, moves=moves))
    except BadState as error:
        print(opening, error)
        break
"""


def test_a_full_disk_is_named_and_what_was_kept_stays(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FULL, str(tmp_path / "j"), str(Path(__file__).parent)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    failed_at, _, text = said.partition(" ")
    assert "Make room on the disk" in text
    with Journal.open(tmp_path / "j", plan={}) as journal:
        assert len(journal) == int(failed_at) - 1
        journal.add(record(key(int(failed_at)), 2))
