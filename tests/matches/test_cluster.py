import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.games import PairRecord
from anchorhold.domain.limits import Limit
from anchorhold.errors import BadInput, MatchStopped
from anchorhold.matches import cluster
from anchorhold.matches.jobs import MatchRules, PairJob, PairOutcome
from anchorhold.matches.journal import Journal
from anchorhold.matches.runner import run
from matches.dask_cluster import SOURCE, DaskCluster, engines_below
from matches.test_runner import HERE, duel, lives, moves, tiny

PAIRS = 8
RULES = MatchRules(max_moves=15)


def slow_duel(*, pairs: int = PAIRS, seconds: float = 0.004) -> Iterator[PairJob]:
    return duel(tiny("a", "seed=1", f"slow={seconds}"), tiny("b", "seed=2"), pairs=pairs, rules=RULES)


def endless_after_one() -> list[PairJob]:
    """A pair that is played at once, and three that do not end by themselves."""
    jobs = duel(tiny("a", "slow=1000"), tiny("b"), pairs=4)
    next(jobs)
    return [*slow_duel(pairs=1, seconds=0), *jobs]


def within(seconds: float, condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture(scope="module", autouse=True)
def nothing_outlives_these_tests() -> Iterator[None]:
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    yield
    assert {child.pid for child in psutil.Process().children(recursive=True)} <= before


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """A cluster of two workers with one thread each, for tests that leave it as it is."""
    with DaskCluster(tmp_path_factory.mktemp("dask")) as started:
        started.two = (started.start_worker(), started.start_worker())
        yield started


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[object, ...]]:
    """What a run on this machine alone gives."""
    with Journal.open(tmp_path_factory.mktemp("local") / "journal", plan={}) as journal:
        run(slow_duel(), journal=journal, workers=2)
        return [moves(record) for record in journal.pairs()]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal", plan={}) as opened:
        yield opened


def played(journal: Journal) -> list[tuple[object, ...]]:
    return [moves(record) for record in journal.pairs()]


def test_a_cluster_plays_the_games_of_one_machine_and_leaves_nothing_on_its_workers(
    shared: DaskCluster,
    journal: Journal,
    expected: list[tuple[object, ...]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    heard: list[PairRecord] = []
    busy: set[int] = set()

    def listen(outcome: PairOutcome) -> None:
        assert journal.has(outcome.record.key)
        heard.append(outcome.record)
        busy.update(number for number, worker in enumerate(shared.two) if engines_below(worker))

    report = cluster.run(slow_duel(), journal=journal, address=shared.address, on_outcome=listen)
    assert played(journal) == expected
    assert sorted(map(moves, heard), key=str) == sorted(expected, key=str)
    assert report.pairs == PAIRS
    assert report.overhead.plies > 50
    assert busy == {0, 1}
    assert [engines_below(worker) for worker in shared.two] == [[], []]
    assert list((tmp_path / "here").iterdir()) == []


def test_what_is_in_the_journal_is_not_played_again_and_few_pairs_wait_on_the_cluster(
    shared: DaskCluster, journal: Journal
) -> None:
    cluster.run(slow_duel(pairs=3, seconds=0), journal=journal, address=shared.address)
    drawn: list[int] = []
    ahead: list[int] = []
    heard: list[int] = []

    def jobs() -> Iterator[PairJob]:
        for job in slow_duel(pairs=1_000_000, seconds=0):
            drawn.append(job.key.opening)
            yield job

    def listen(outcome: PairOutcome) -> None:
        heard.append(outcome.record.key.opening)
        ahead.append(len(drawn) - 3 - len(heard))

    cluster.run(jobs(), journal=journal, address=shared.address, on_outcome=listen, until=lambda: len(heard) >= 10)
    assert sorted(heard)[0] == 4
    assert max(ahead) <= 6  # two pairs for each of two threads, one in hand
    assert [engines_below(worker) for worker in shared.two] == [[], []]


def test_pairs_that_are_being_played_are_broken_off_when_the_answer_is_known(
    shared: DaskCluster, journal: Journal
) -> None:
    def until() -> bool:
        return len(journal) >= 1

    begun = time.monotonic()
    cluster.run(endless_after_one(), journal=journal, address=shared.address, until=until)
    assert time.monotonic() - begun < 30
    assert len(journal) == 1
    assert within(10, lambda: [engines_below(worker) for worker in shared.two] == [[], []])


def test_failures_in_a_row_are_counted_over_all_workers(shared: DaskCluster, journal: Journal) -> None:
    jobs = duel(tiny("a"), tiny("bad", "crash=1"), pairs=20, rules=MatchRules(max_moves=5, max_failures=5))
    with pytest.raises(MatchStopped, match=r"bad failed 5 times in a row; the last time: .*giving up on purpose"):
        cluster.run(jobs, journal=journal, address=shared.address)
    assert 2 <= len(journal) <= 3
    assert [engines_below(worker) for worker in shared.two] == [[], []]


def test_an_engine_that_starts_nowhere_ends_the_run(shared: DaskCluster, journal: Journal, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho no such luck >&2\nexit 3\n", encoding="utf-8")
    broken.chmod(0o755)
    jobs = duel(tiny("a"), EngineSpec("bad", (str(broken),), Limit(depth=1)), pairs=4)
    with pytest.raises(MatchStopped, match=r"none of 2 Dask workers can play; tcp://\S+: engine bad .*no such luck"):
        cluster.run(jobs, journal=journal, address=shared.address)
    assert len(journal) == 0


def test_a_worker_with_another_engine_or_program_does_not_play_and_the_others_go_on(
    shared: DaskCluster, journal: Journal, tmp_path: Path
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
        shutil.copy(HERE / "tiny_engine.py", folder)
    with (there / "tiny_engine.py").open("a", encoding="utf-8") as build:
        build.write("# another build\n")
    (tmp_path / "old" / "anchorhold").mkdir(parents=True)
    (tmp_path / "old" / "anchorhold" / "__init__.py").write_text("__version__ = '0.0.1'\n", encoding="utf-8")
    others = [
        shared.start_worker(environment={"DASK_ANCHORHOLD__PATHS": repr({str(here): str(there)})}),
        shared.start_worker(environment={"PYTHONPATH": str(tmp_path / "old")}),
    ]
    first, second = (
        EngineSpec(name, (sys.executable, "-I", str(here / "tiny_engine.py"), seed), Limit(depth=1))
        for name, seed in (("a", "seed=1"), ("b", "seed=2"))
    )
    notices: list[str] = []

    def until() -> bool:
        return len(journal) >= 6 and len(notices) == 2

    try:
        jobs = duel(first, second, pairs=1000)
        cluster.run(jobs, journal=journal, address=shared.address, until=until, on_notice=notices.append)
    finally:
        for other in others:
            other.terminate()
        for other in others:
            other.wait(20)
    digest = "[0-9a-f]{64}"
    file = re.escape(str(there / "tiny_engine.py"))
    reasons = [
        rf"the argument 2 of a, {file}, has the SHA-256 {digest}, expected {digest}",
        r"anchorhold \S+ cannot be used there: .*No module named 'anchorhold\.matches'.*",
    ]
    for reason in reasons:
        pattern = rf"Dask worker tcp://127\.0\.0\.1:\d+ does not play: {reason}"
        assert any(re.fullmatch(pattern, notice) for notice in notices), notices


def test_a_killed_worker_loses_no_pair_and_a_new_one_takes_part(
    journal: Journal, expected: list[tuple[object, ...]], tmp_path: Path
) -> None:
    notices: list[str] = []
    with DaskCluster(tmp_path / "dask") as own:
        first = own.start_worker()
        second: list[subprocess.Popen[bytes]] = []
        orphans: list[int] = []

        def listen(_: PairOutcome) -> None:
            if len(journal) == 2:
                orphans.extend(engines_below(first))
                second.append(own.start_worker())
                first.kill()

        cluster.run(slow_duel(), journal=journal, address=own.address, on_outcome=listen, on_notice=notices.append)
        assert played(journal) == expected
        assert len(orphans) == 3  # the worker process and two engines
        assert within(10, lambda: not any(map(lives, orphans)))
        assert engines_below(second[0]) == []
    assert any("is lost; what it had is played again" in notice for notice in notices)


def test_a_lost_scheduler_ends_the_run_with_one_line_and_the_same_call_goes_on(
    journal: Journal, expected: list[tuple[object, ...]], tmp_path: Path
) -> None:
    with DaskCluster(tmp_path / "dask") as own:
        worker = own.start_worker()
        orphans: list[int] = []

        def listen(_: PairOutcome) -> None:
            if len(journal) == 2:
                orphans.extend(engines_below(worker))
                own.scheduler.kill()

        with pytest.raises(MatchStopped, match=r"the Dask scheduler is lost\. Start it again and give the same"):
            cluster.run(slow_duel(), journal=journal, address=own.address, on_outcome=listen)
        before = len(journal)
        assert 2 <= before < PAIRS
        assert orphans
        assert within(20, lambda: not any(map(lives, orphans)))

        own.start_scheduler()
        own.start_worker()
        report = cluster.run(slow_duel(), journal=journal, address=own.address)
        assert report.pairs == PAIRS - before
        assert played(journal) == expected


SUBMITTER = """
import sys
from pathlib import Path
from anchorhold.matches import cluster
from anchorhold.matches.journal import Journal
from matches.test_cluster import endless_after_one
with Journal.open(Path(sys.argv[2]), plan={}) as journal:
    cluster.run(
        endless_after_one(),
        journal=journal, address=sys.argv[1], on_outcome=lambda outcome: print("played", flush=True),
    )
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_nothing_goes_on_playing_when_the_submitter_is_gone(
    shared: DaskCluster, tmp_path: Path, how: signal.Signals
) -> None:
    path = os.pathsep.join([str(HERE.parent), str(SOURCE)])
    with subprocess.Popen(
        [sys.executable, "-c", SUBMITTER, shared.address, str(tmp_path / "j")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
        process_group=0,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"played\n"
        assert all(engines_below(worker) for worker in shared.two)
        process.send_signal(how)
        _, errors = process.communicate(timeout=60)
    if how == signal.SIGINT:
        assert errors.rstrip().endswith(b"KeyboardInterrupt")
        assert [engines_below(worker) for worker in shared.two] == [[], []]
    assert within(20, lambda: [engines_below(worker) for worker in shared.two] == [[], []])


def test_an_address_where_nobody_answers_is_refused_within_seconds(journal: Journal) -> None:
    begun = time.monotonic()
    with pytest.raises(BadInput, match=r"--dask tcp://127\.0\.0\.1:9: no Dask scheduler answers there"):
        cluster.run(slow_duel(), journal=journal, address="tcp://127.0.0.1:9")
    assert time.monotonic() - begun < 20
    with pytest.raises(BadInput, match="--dask nonsense: no Dask scheduler answers there"):
        cluster.run(slow_duel(), journal=journal, address="nonsense")
    assert threading.active_count() < 20
