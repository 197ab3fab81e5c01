import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.limits import Limit
from anchorhold.matches.engine_files import file_digests
from anchorhold.matches.jobs import MatchRules, PairJob, TablebaseRule
from anchorhold.matches.station import Answer, BrokenOff, Order, Refused, Station
from anchorhold.matches.tablebases import open_tablebases
from anchorhold.matches.wire import Played, Stopped
from matches.test_runner import HERE, duel, tiny

TABLES = Path(__file__).parent.parent / "golden" / "syzygy"
SHORT = MatchRules(max_moves=3)


def children() -> set[int]:
    return {child.pid for child in psutil.Process().children(recursive=True)}


@pytest.fixture(autouse=True)
def nothing_outlives_the_test() -> Iterator[None]:
    before = children()
    yield
    assert children() <= before


@pytest.fixture
def station() -> Iterator[Station]:
    made = Station(paths={})
    yield made
    made.close()


def order(first: EngineSpec, second: EngineSpec, *, rules: MatchRules = SHORT, tables: str | None = None) -> Order:
    (job,) = duel(first, second, pairs=1, rules=rules)
    return Order(job=job, first=file_digests(first), second=file_digests(second), tables=tables)


def within(seconds: float, condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    return condition()


def at(folder: Path, name: str, *words: str) -> EngineSpec:
    return EngineSpec(name, (sys.executable, "-I", str(folder / "tiny_engine.py"), *words), Limit(depth=1))


def test_engines_are_kept_between_pairs_and_end_with_the_station(station: Station) -> None:
    before = children()
    answer = station.play(order(tiny("a", "seed=1"), tiny("b", "seed=2")), ticket="1")
    assert isinstance(answer, Played)
    kept = children() - before
    assert len(kept) == 3
    assert isinstance(station.play(order(tiny("a", "seed=1"), tiny("b", "seed=2")), ticket="2"), Played)
    assert children() - before == kept
    station.end_idle(after=60)
    assert children() - before == kept
    station.end_idle(after=0)
    assert children() == before
    station.close()
    assert station.play(order(tiny("a"), tiny("b")), ticket="3") == BrokenOff()


def test_an_engine_at_another_path_plays_when_it_is_the_same_and_is_looked_at_again_when_it_changes(
    tmp_path: Path,
) -> None:
    sent, here = tmp_path / "sent", tmp_path / "here"
    for folder in (sent, here):
        folder.mkdir()
        shutil.copy(HERE / "tiny_engine.py", folder)
    wanted = order(at(sent, "a"), at(sent, "b", "seed=2"))
    (sent / "tiny_engine.py").unlink()
    station = Station(paths={str(sent): str(here)})
    try:
        assert isinstance(station.play(wanted, ticket="1"), Played)
        with (here / "tiny_engine.py").open("a", encoding="utf-8") as file:
            file.write("# another build\n")
        refused = station.play(wanted, ticket="2")
        assert isinstance(refused, Refused)
        assert refused.reason.startswith(f"the argument 2 of a, {here}/tiny_engine.py, has the SHA-256 ")
    finally:
        station.close()
    missing = Station(paths={}).play(wanted, ticket="3")
    assert isinstance(missing, Refused)
    assert missing.reason == f"the argument 2 of a, {sent}/tiny_engine.py, is not there"


def test_a_directory_or_tablebases_that_are_not_the_same_are_refused(station: Station, tmp_path: Path) -> None:
    wanted = order(tiny("a"), replace(tiny("b"), directory=tmp_path))
    lost = replace(wanted, job=replace(wanted.job, second=replace(tiny("b"), directory=tmp_path / "gone")))
    assert station.play(lost, ticket="1") == Refused(f"the directory of b, {tmp_path}/gone, is not there")

    rule = TablebaseRule(directories=(TABLES,))
    rules = replace(SHORT, tablebases=rule)
    digest = open_tablebases(rule).digest
    assert isinstance(station.play(order(tiny("a"), tiny("b"), rules=rules, tables=digest), ticket="2"), Played)
    other = station.play(order(tiny("a"), tiny("b"), rules=rules, tables="00" * 32), ticket="3")
    assert isinstance(other, Refused)
    assert other.reason.startswith(f"the tablebases in {TABLES} are not those")
    nowhere = replace(SHORT, tablebases=TablebaseRule(directories=(tmp_path / "none",)))
    absent = station.play(order(tiny("a"), tiny("b"), rules=nowhere, tables=digest), ticket="4")
    assert isinstance(absent, Refused)
    assert "there is no such directory of tablebases" in absent.reason


def test_an_engine_that_does_not_start_is_refused_with_its_last_words(station: Station, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho no such luck >&2\nexit 3\n", encoding="utf-8")
    broken.chmod(0o755)
    answer = station.play(order(tiny("a"), EngineSpec("bad", (str(broken),), Limit(depth=1))), ticket="1")
    assert isinstance(answer, Refused)
    assert answer.reason.startswith("engine bad ")
    assert "no such luck" in answer.reason


def test_an_engine_that_never_gets_as_far_as_a_game_cannot_hold_a_pair_for_ever(
    station: Station, tmp_path: Path
) -> None:
    # It starts, and ends itself at the first ucinewgame or position.
    faint = tmp_path / "faint"
    faint.write_text(
        "#!/bin/sh\nread x; echo uciok; while read x; do case $x in isready) echo readyok;; *) exit 9;; esac; done\n",
        encoding="utf-8",
    )
    faint.chmod(0o755)
    rules = replace(SHORT, max_failures=4)
    answer = station.play(order(tiny("a"), EngineSpec("faint", (str(faint),), Limit(depth=1)), rules=rules), ticket="1")
    assert isinstance(answer, Stopped)
    assert answer.what.startswith("faint failed 4 times in a row")


def test_failures_of_a_pair_come_with_it(station: Station) -> None:
    answer = station.play(order(tiny("a"), tiny("bad", "crash=1")), ticket="1")
    assert isinstance(answer, Played)
    failures = [mark for mark in answer.outcome.marks if mark.kind == "failure"]
    assert [mark.side for mark in failures] == ["second", "second"]


def endless(station: Station) -> tuple[threading.Thread, list[Answer], PairJob]:
    """Have a pair played that does not end by itself."""
    wanted = order(tiny("a", "slow=1000"), tiny("b"))
    answers: list[Answer] = []
    thread = threading.Thread(target=lambda: answers.append(station.play(wanted, ticket="endless")))
    thread.start()
    return thread, answers, wanted.job


@pytest.mark.parametrize("how", ["break off", "close"])
def test_a_pair_that_nobody_wants_any_more_is_given_up_at_once(station: Station, how: str) -> None:
    before = children()
    thread, answers, _ = endless(station)
    assert within(30, lambda: len(children() - before) == 3)
    station.break_off("another")
    assert answers == []
    if how == "close":
        station.close()
    else:
        station.break_off("endless")
    thread.join(30)
    assert answers == [BrokenOff()]
    assert children() == before


def test_a_worker_process_that_is_killed_is_replaced_and_the_pair_played(station: Station) -> None:
    before = children()
    wanted = order(tiny("a", "slow=0.05"), tiny("b", "seed=2"))
    answers: list[Answer] = []
    thread = threading.Thread(target=lambda: answers.append(station.play(wanted, ticket="1")))
    thread.start()
    assert within(30, lambda: len(children() - before) == 3)
    (worker,) = [child for child in psutil.Process().children() if child.pid not in before]
    worker.kill()
    thread.join(60)
    (answer,) = answers
    assert isinstance(answer, Played)
    assert answer.outcome.record.key == wanted.job.key
