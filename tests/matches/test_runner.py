import contextlib
import os
import random
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.games import PairRecord
from anchorhold.domain.limits import Limit
from anchorhold.errors import BadInput, MatchStopped
from anchorhold.matches import crew
from anchorhold.matches.books import load_book
from anchorhold.matches.jobs import MatchRules, PairJob, PairOutcome, ResignRule
from anchorhold.matches.journal import Journal
from anchorhold.matches.runner import run
from anchorhold.matches.schedule import duel_jobs, match_jobs
from anchorhold.matches.worker_process import Recruits

HERE = Path(__file__).parent
RULES = MatchRules(resign=ResignRule(count=1, score=250, two_sided=False), max_moves=30)


def tiny(name: str, *words: str) -> EngineSpec:
    return EngineSpec(name, (sys.executable, "-I", str(HERE / "tiny_engine.py"), *words), Limit(depth=1))


def duel(first: EngineSpec, second: EngineSpec, *, pairs: int, rules: MatchRules = RULES) -> Iterator[PairJob]:
    return duel_jobs(
        run="test",
        stage="long",
        first=first,
        second=second,
        endpoint="candidate",
        anchor="base",
        book=load_book(HERE / "lines.pgn"),
        pairs=pairs,
        rules=rules,
    )


def a_worker() -> psutil.Process:
    """Find one of the run's workers; this process may have other children, such as Python's tracker of resources."""
    return next(child for child in psutil.Process().children() if "anchorhold.matches.worker" in child.cmdline())


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal", plan={"test": "runner"}) as opened:
        yield opened


@pytest.fixture(autouse=True)
def nothing_outlives_the_test() -> Iterator[None]:
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    yield
    assert {child.pid for child in psutil.Process().children(recursive=True)} <= before


def lives(pid: int) -> bool:
    """Whether a process runs; one that the system has yet to clear away does not."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def moves(record: PairRecord) -> tuple[object, ...]:
    """What must be the same when a pair is played again: everything but times."""
    return record.key, *((g.result, g.termination, g.reason, [m.uci for m in g.moves]) for g in record.games)


def test_every_job_is_played_once_and_is_in_the_journal_before_anybody_hears_of_it(journal: Journal) -> None:
    heard: list[PairOutcome] = []

    def listen(outcome: PairOutcome) -> None:
        assert journal.has(outcome.record.key)
        heard.append(outcome)

    run(duel(tiny("a", "seed=1"), tiny("b", "seed=2"), pairs=9), journal=journal, workers=2, on_outcome=listen)
    assert sorted(outcome.record.key.opening for outcome in heard) == list(range(1, 10))
    assert [key.opening for key in journal.keys()] == list(range(1, 10))  # noqa: SIM118
    assert sorted((moves(o.record) for o in heard), key=str) == sorted((moves(r) for r in journal.pairs()), key=str)


def test_the_number_of_workers_changes_no_game_of_engines_that_can_be_repeated(tmp_path: Path) -> None:
    found = []
    for workers in (1, 2):
        with Journal.open(tmp_path / str(workers), plan={}) as journal:
            run(duel(tiny("a", "seed=1"), tiny("b", "seed=2"), pairs=6), journal=journal, workers=workers)
            found.append([moves(record) for record in journal.pairs()])
    assert found[0] == found[1]
    # Games of different lengths and results: else the test would compare nothing.
    assert len({str(game) for record in found[0] for game in record[1:]}) > 6


def test_what_is_in_the_journal_is_not_played_again(journal: Journal) -> None:
    run(duel(tiny("a"), tiny("b", "seed=2"), pairs=3), journal=journal, workers=1)
    heard: list[int] = []
    run(
        duel(tiny("a"), tiny("b", "seed=2"), pairs=5),
        journal=journal,
        workers=1,
        on_outcome=lambda outcome: heard.append(outcome.record.key.opening),
    )
    assert heard == [4, 5]


def test_a_run_that_is_complete_starts_no_engine(journal: Journal) -> None:
    run(duel(tiny("a"), tiny("b"), pairs=1), journal=journal, workers=1)
    missing = EngineSpec("a", ("/no/such/engine",), Limit(depth=1))
    run(duel(missing, missing, pairs=1), journal=journal, workers=2)
    assert len(journal) == 1


def test_the_run_ends_when_until_says_so_and_draws_no_more_jobs(journal: Journal) -> None:
    drawn: list[int] = []

    def counted() -> Iterator[PairJob]:
        for job in duel(tiny("a"), tiny("b", "seed=2"), pairs=10_000):
            drawn.append(job.key.opening)
            yield job

    run(counted(), journal=journal, workers=2, until=lambda: len(journal) >= 4)
    # Two workers have at most two jobs each beyond those that were finished.
    assert 4 <= len(journal) <= len(drawn) <= 12


def test_a_run_says_how_much_it_played_and_what_the_referee_cost(journal: Journal) -> None:
    heard: list[PairOutcome] = []
    report = run(duel(tiny("a"), tiny("b"), pairs=3), journal=journal, workers=2, on_outcome=heard.append)
    games = [game for outcome in heard for game in outcome.record.games]
    plies = sum(len(game.moves) for game in games)
    assert report.pairs == 3
    assert report.overhead.plies == plies
    # The first move of a game answers none.
    assert report.overhead.turnarounds == plies - len(games)
    assert report.overhead.turnaround > 0.0
    assert report.overhead.worst >= (report.overhead.turnaround_per_ply or 0.0) > 0.0
    assert report.overhead.cpu > sum(outcome.overhead.cpu for outcome in heard) > 0.0
    again = run(duel(tiny("a"), tiny("b"), pairs=3), journal=journal, workers=2)
    assert (again.pairs, again.overhead.plies, again.overhead.cpu_per_ply) == (0, 0, None)


def test_a_run_that_is_decided_already_plays_nothing(journal: Journal) -> None:
    run(duel(tiny("a"), tiny("b"), pairs=5), journal=journal, workers=2, until=lambda: True)
    assert len(journal) == 0


def test_an_engine_that_cannot_be_started_stops_the_run_and_is_named(journal: Journal) -> None:
    missing = EngineSpec("Absent", ("/no/such/engine", "--uci"), Limit(depth=1))
    with pytest.raises(MatchStopped, match=r"/no/such/engine --uci.*Absent"):
        run(duel(tiny("a"), missing, pairs=5), journal=journal, workers=2)
    assert len(journal) == 0


def test_an_engine_that_fails_again_and_again_stops_the_run_with_its_last_words(journal: Journal) -> None:
    rules = MatchRules(max_moves=4, max_failures=3)
    with pytest.raises(MatchStopped) as caught:
        run(duel(tiny("Weak", "crash=1"), tiny("b"), pairs=50, rules=rules), journal=journal, workers=1)
    for part in ("Weak failed", "tiny_engine.py crash=1", "giving up on purpose", "in a row"):
        assert part in str(caught.value)
    # Whole pairs stay counted, the half one does not: the third failure ends the first game of the second pair.
    assert "failed 3 times in a row" in str(caught.value)
    assert len(journal) == 1
    assert all(game.fault_of == "first" for record in journal.pairs() for game in record.games)


def test_a_failure_now_and_then_stops_nothing(journal: Journal) -> None:
    # Each process fails at its seventh move: not in two games in a row, since a game has four moves of each side.
    rules = MatchRules(max_moves=5, max_failures=2)
    heard: list[PairOutcome] = []
    run(
        duel(tiny("a", "crash=7"), tiny("b"), pairs=6, rules=rules),
        journal=journal,
        workers=1,
        on_outcome=heard.append,
    )
    assert len(journal) == 6
    assert sum(game.fault_of == "first" for record in journal.pairs() for game in record.games) >= 3
    assert any(event.kind == "fault" for outcome in heard for event in outcome.events)


def test_failures_in_a_row_are_counted_over_all_workers(journal: Journal) -> None:
    rules = MatchRules(max_moves=4, max_failures=6)
    with pytest.raises(MatchStopped, match="Weak failed 6 times in a row"):
        run(duel(tiny("Weak", "crash=1"), tiny("b"), pairs=50, rules=rules), journal=journal, workers=3)
    # Six lost games: at most three whole pairs, and none is counted that was begun beyond them.
    assert 1 <= len(journal) <= 3


def scripted(name: str, *words: str) -> EngineSpec:
    program = str(HERE.parent / "engines" / "scripted.py")
    return EngineSpec(name, (sys.executable, "-I", "-S", program, *words), Limit(depth=1))


def test_an_engine_that_dies_before_every_game_stops_the_run_at_the_exact_number(
    journal: Journal, tmp_path: Path
) -> None:
    weak = scripted("Weak", "fault=crash-at-new-game", f"starts={tmp_path / 'starts'}")
    rules = MatchRules(max_failures=4)
    with pytest.raises(MatchStopped, match=r"Weak failed 4 times in a row.*cannot clear the table"):
        run(duel(weak, scripted("b"), pairs=50, rules=rules), journal=journal, workers=1)
    assert (tmp_path / "starts").stat().st_size == 4
    assert len(journal) == 0


def test_a_process_more_that_does_not_start_is_a_failure_and_not_the_end(journal: Journal, tmp_path: Path) -> None:
    # The first start shows that the engine can; the second worker's fails twice and then goes well.
    first = scripted("a", f"starts={tmp_path / 'starts'}", "failing=2,3", "ms=20")
    report = run(duel(first, scripted("b"), pairs=12), journal=journal, workers=2)
    assert report.pairs == 12
    assert (tmp_path / "starts").stat().st_size >= 4


def test_no_process_is_started_before_the_first_worker_knows_that_the_engines_start(
    journal: Journal, tmp_path: Path
) -> None:
    bad = scripted("Bad", f"starts={tmp_path / 'starts'}", "failing=1,2,3,4,5,6,7,8,9")
    with pytest.raises(MatchStopped, match=r"Bad ended with exit status 1.*start 1 refused"):
        run(duel(bad, scripted("b"), pairs=20), journal=journal, workers=4)
    assert (tmp_path / "starts").stat().st_size == 1


@pytest.mark.parametrize("fault", ["daemon", "hidden-daemon"])
def test_what_left_its_session_ends_with_the_run(journal: Journal, tmp_path: Path, fault: str) -> None:
    numbers = tmp_path / "numbers"
    run(duel(scripted("a", f"fault={fault}", f"pid={numbers}"), scripted("b"), pairs=2), journal=journal, workers=1)
    pids = [int(word) for word in numbers.read_text(encoding="ascii").split()]
    assert len(pids) == 2
    assert not any(lives(pid) for pid in pids)


def test_a_gauntlet_with_an_engine_that_crashes_now_and_then_has_the_right_counts(journal: Journal) -> None:
    # Fool's mate: two moves of each side, Black wins. Dying when asked for its 15th move, the engine crashes in every
    # 8th game, at its first move there: with Black, since the games of a pair begin with its White.
    weak = scripted("Weak", "lives=15")
    jobs = match_jobs(
        run="test",
        engines=[weak, scripted("B"), scripted("C")],
        tournament="gauntlet",
        book=load_book(HERE / "start.epd"),
        pairs=20,
        rules=MatchRules(max_failures=1000),
    )
    report = run(jobs, journal=journal, workers=1)
    games = [game for record in journal.pairs() for game in record.games]
    assert (report.pairs, len(games)) == (40, 80)
    crashes = [game for game in games if game.termination == "abandoned"]
    assert len(crashes) == 10
    assert all(game.fault_of == "first" and not game.first_is_white for game in crashes)
    assert all(game.result == "0-1" for game in games if game not in crashes)
    counts = [record.half_points for record in journal.pairs()]
    assert (counts.count(0), counts.count(2)) == (10, 30)


def test_what_left_its_session_ends_when_its_worker_is_killed(journal: Journal, tmp_path: Path) -> None:
    numbers = tmp_path / "numbers"
    pids: list[int] = []

    def kill_worker(_outcome: PairOutcome) -> None:
        if not pids:
            pids.extend(int(word) for word in numbers.read_text(encoding="ascii").split())
            a_worker().kill()

    weak = scripted("a", "fault=daemon", f"pid={numbers}", "ms=5")
    run(duel(weak, scripted("b"), pairs=3), journal=journal, workers=1, on_outcome=kill_worker)
    assert len(pids) == 2
    assert not any(lives(pid) for pid in pids)
    assert len(journal) == 3


SCARCE = """
import resource, sys
from pathlib import Path
sys.path.insert(0, str(Path(sys.argv[1])))
from test_runner import duel, scripted
from anchorhold.errors import MatchStopped
from anchorhold.matches import engine
from anchorhold.matches.jobs import MatchRules
from anchorhold.matches.journal import Journal
from anchorhold.matches.pair import PairPlayer
from anchorhold.matches.runner import run

engine.MACHINE_PATIENCE = 0.2
if sys.argv[2] == "worker":
    resource.setrlimit(resource.RLIMIT_NOFILE, (9, 9))
    try:
        with PairPlayer() as player:
            player.play(next(duel(scripted("a"), scripted("b"), pairs=1)))
    except MatchStopped as error:
        print(error)
else:
    resource.setrlimit(resource.RLIMIT_NOFILE, (16, int(sys.argv[2])))
    with Journal.open(Path(sys.argv[3]), plan={}) as journal:
        try:
            # These engines lose every game with Black by an illegal move, and six of them play at a time.
            jobs = duel(scripted("a"), scripted("b"), pairs=12, rules=MatchRules(max_failures=100))
            print(run(jobs, journal=journal, workers=6).pairs)
        except MatchStopped as error:
            print(error)
"""


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("worker", "the machine cannot start engine a: Too many open files. This is no fault of the engine"),
        ("20", "a worker process cannot be started: Too many open files"),
        ("200", "12"),
    ],
    ids=["a worker without files", "a runner without files", "a limit that can be raised"],
)
def test_too_few_files_are_the_machines_fault(tmp_path: Path, limit: str, said: str) -> None:
    command = [sys.executable, "-c", SCARCE, str(HERE), limit, str(tmp_path / "journal")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert said in done.stdout


def test_workers_are_pinned_to_the_cores_they_are_given(journal: Journal) -> None:
    core = min(os.sched_getaffinity(0))
    seen: list[list[int]] = []

    def look(_outcome: PairOutcome) -> None:
        worker = a_worker()
        seen.append(worker.cpu_affinity())
        seen.extend(engine.cpu_affinity() for engine in worker.children())

    run(duel(tiny("a"), tiny("b"), pairs=2), journal=journal, workers=1, cores=[(core,)], on_outcome=look)
    assert len(seen) >= 4
    assert all(cores == [core] for cores in seen)
    with pytest.raises(BadInput, match="cores are given for 1 workers, but there are 2"):
        run(duel(tiny("a"), tiny("b"), pairs=2), journal=journal, workers=2, cores=[(core,)])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has this policy")
@pytest.mark.parametrize(
    ("limit", "policy"), [(Limit(depth=1), os.SCHED_BATCH), (Limit(movetime=5.0, depth=1), os.SCHED_OTHER)]
)
def test_a_pinned_referee_gives_way_to_its_engines_where_no_clock_runs(
    journal: Journal, limit: Limit, policy: int
) -> None:
    core = min(os.sched_getaffinity(0))
    seen: list[int] = []

    def look(_outcome: PairOutcome) -> None:
        worker = a_worker()
        seen.extend(os.sched_getscheduler(process.pid) for process in (worker, *worker.children()))

    jobs = duel(replace(tiny("a"), limit=limit), replace(tiny("b"), limit=limit), pairs=2)
    run(jobs, journal=journal, workers=1, cores=[(core,)], on_outcome=look)
    assert len(seen) >= 6
    assert set(seen) == {policy}


def test_workers_that_were_started_beforehand_play_and_those_left_are_ended(journal: Journal) -> None:
    with Recruits(3) as recruits:
        early = {child.pid for child in psutil.Process().children() if "anchorhold.matches.worker" in child.cmdline()}
        assert len(early) == 3
        playing: set[int] = set()

        def look(_outcome: PairOutcome) -> None:
            playing.update(
                child.pid for child in psutil.Process().children() if child.pid in early and child.children()
            )

        report = run(
            duel(tiny("A"), tiny("B"), pairs=6), journal=journal, workers=2, recruits=recruits, on_outcome=look
        )
    assert report.pairs == 6
    assert playing
    assert not any(lives(pid) for pid in early)


@pytest.mark.parametrize("workers", [0, -1])
def test_at_least_one_worker_is_needed(journal: Journal, workers: int) -> None:
    with pytest.raises(BadInput, match="at least 1"):
        run([], journal=journal, workers=workers)


def test_an_error_of_the_listener_ends_the_run_and_keeps_what_was_played(journal: Journal) -> None:
    def listen(_outcome: PairOutcome) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(duel(tiny("a"), tiny("b"), pairs=50), journal=journal, workers=2, on_outcome=listen)
    assert len(journal) >= 1


def test_pairs_of_a_worker_that_is_killed_are_played_by_another(journal: Journal) -> None:
    killed: list[int] = []

    def kill_one(_outcome: PairOutcome) -> None:
        if not killed:
            worker = a_worker()
            killed.append(worker.pid)
            worker.kill()

    run(duel(tiny("a"), tiny("b", "seed=2"), pairs=8), journal=journal, workers=2, on_outcome=kill_one)
    assert len(killed) == 1
    assert [key.opening for key in journal.keys()] == list(range(1, 9))  # noqa: SIM118


def test_a_pair_that_no_worker_survives_stops_the_run(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "MOST_WORKER_ENDS", 2)
    jobs = duel(tiny("a"), tiny("b", "slow=30"), pairs=1)
    waiting = _Killer()
    with waiting, pytest.raises(MatchStopped, match="2 worker processes ended"):
        run(jobs, journal=journal, workers=1)


class _Killer:
    """A process that kills the workers of this one as soon as they have engines."""

    CODE = (
        "import psutil, sys, time\n"
        "parent = psutil.Process(int(sys.argv[1]))\n"
        "while True:\n"
        "    for worker in parent.children():\n"
        "        try:\n"
        "            if worker.pid != psutil.Process().pid and worker.children(): worker.kill()\n"
        "        except psutil.NoSuchProcess: pass\n"
        "    time.sleep(0.02)\n"
    )

    def __enter__(self) -> None:
        self.process = subprocess.Popen([sys.executable, "-c", self.CODE, str(os.getpid())])

    def __exit__(self, *_error: object) -> None:
        self.process.kill()
        self.process.wait()


def marked(mark: str) -> list[psutil.Process]:
    """Every living process that was started by the run with this mark: the runner, its workers, their engines."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            if process.environ().get("RUN_MARK") == mark and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def start(journal_file: Path, mark: str, *more: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, str(HERE / "play_run.py"), str(journal_file), mark, *more]
    return subprocess.Popen(command, env={**os.environ, "RUN_MARK": mark})


def pairs_in(journal_file: Path) -> list[tuple[object, ...]]:
    with Journal.read(journal_file) as journal:
        return [moves(record) for record in journal.pairs()]


def wait_until_gone(mark: str) -> None:
    deadline = time.monotonic() + 20
    while left := marked(mark):
        assert time.monotonic() < deadline, f"still running: {left}"
        time.sleep(0.05)


def test_killed_at_random_moments_and_resumed_it_plays_the_same_pairs_each_once(tmp_path: Path) -> None:
    mark = uuid.uuid4().hex
    undisturbed, disturbed = tmp_path / "undisturbed", tmp_path / "disturbed"
    assert start(undisturbed, mark).wait() == 0
    expected = pairs_in(undisturbed)
    assert len(expected) == 20

    moments = random.Random(20261130)
    kept: list[tuple[object, ...]] = []
    kills = 0
    while True:
        process = start(disturbed, mark)
        target = len(kept) + moments.randrange(1, 6)
        while process.poll() is None and (not disturbed.exists() or _count(disturbed) < target):
            time.sleep(0.02)
        time.sleep(moments.random() * 0.05)
        if process.poll() is not None:
            break
        process.kill()
        process.wait()
        kills += 1
        wait_until_gone(mark)
        now = pairs_in(disturbed)
        assert set(map(str, kept)) <= set(map(str, now))
        kept = now
    assert process.returncode == 0
    assert kills >= 3
    assert pairs_in(disturbed) == expected
    wait_until_gone(mark)


def _count(journal_file: Path) -> int:
    try:
        with Journal.read(journal_file) as journal:
            return len(journal)
    except BadInput:
        return 0  # not begun yet


def test_workers_and_engines_killed_at_random_moments_change_nothing(tmp_path: Path) -> None:
    mark = uuid.uuid4().hex
    assert start(tmp_path / "undisturbed", mark).wait() == 0
    expected = pairs_in(tmp_path / "undisturbed")

    moments = random.Random(20261201)
    kills = runs = 0
    while kills < 20:
        runs += 1
        disturbed = tmp_path / f"disturbed-{runs}"
        process = start(disturbed, mark)
        kept = 0
        while process.poll() is None:
            if not disturbed.exists() or _count(disturbed) <= kept:
                time.sleep(0.01)
                continue
            kept = _count(disturbed)
            time.sleep(0.2 * moments.random())
            victims = [other for other in marked(mark) if other.pid != process.pid]
            if victims and process.poll() is None:
                with contextlib.suppress(psutil.NoSuchProcess):
                    moments.choice(victims).kill()
                    kills += 1
        assert process.returncode == 0
        assert pairs_in(disturbed) == expected
        wait_until_gone(mark)


@pytest.mark.parametrize("slow", ["slow=0", "slow=30"])
def test_ctrl_c_ends_engines_and_workers_at_once_and_the_run_goes_on_later(tmp_path: Path, slow: str) -> None:
    mark = uuid.uuid4().hex
    process = start(tmp_path / "journal", mark, slow)
    deadline = time.monotonic() + 60
    while len(marked(mark)) < 5:  # the runner, two workers, at least two engines
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=30)
    assert process.returncode != 0
    wait_until_gone(mark)
    before = pairs_in(tmp_path / "journal")
    if slow == "slow=0":
        assert start(tmp_path / "journal", mark).wait() == 0
        assert len(pairs_in(tmp_path / "journal")) == 20
        assert set(map(str, before)) <= set(map(str, pairs_in(tmp_path / "journal")))


def test_ctrl_c_does_not_wait_for_engines_that_do_not_listen(tmp_path: Path) -> None:
    mark = uuid.uuid4().hex
    process = start(tmp_path / "journal", mark, "slow=30", "deaf=1")
    deadline = time.monotonic() + 60
    while len(marked(mark)) < 7:  # the runner, two workers, four engines
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=30)
    wait_until_gone(mark)
