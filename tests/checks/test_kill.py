"""``anchorhold check run`` killed at ten random moments: nothing is lost, doubled or left running."""

import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from anchorhold.checks.recompute import recompute
from anchorhold.domain.entries import Entry
from anchorhold.domain.games import PairRecord
from anchorhold.matches.journal import Journal
from checks.project import Project, gain, make_project

KILLS = 10
PAIRS, SHORT, DIRECT = 12, 3, 6
TOTAL = 2 * 6 * (PAIRS + SHORT) + DIRECT
COMMAND = [sys.executable, "-c", "from anchorhold.cli.app import main; main()", "check", "run", "--new", "v2"]


def ready(directory: Path, *, workers: int) -> Project:
    project = make_project(directory, pairs=PAIRS, short=SHORT, direct=DIRECT, workers=workers)
    project.append("gain_test", gain(30.0))
    project.pin()
    return project


def start(project: Project) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, "--old", "v1"],
        cwd=project.directory,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def recorded(directory: Path) -> int:
    """Count the pairs that are on the disk now; 0 while there is no journal yet."""
    path = directory / "anchorhold-data" / "checks" / "check-1" / "journal.sqlite"
    try:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            return int(connection.execute("SELECT count(*) FROM pairs").fetchone()[0])
        finally:
            connection.close()
    except sqlite3.OperationalError:
        return 0


def kill_after(process: subprocess.Popen[str], directory: Path, *, pairs: int, seconds: float) -> bool:
    """Kill a run after so many more pairs and a moment; say whether it still ran then.

    Pairs and not time say when: a fast machine would have ended before the tenth kill.
    """
    assert process.stderr is not None
    wanted = recorded(directory) + pairs
    while pairs and process.poll() is None and recorded(directory) < wanted:
        time.sleep(0.003)
    time.sleep(seconds)
    family = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
    process.send_signal(signal.SIGKILL)
    status = process.wait()
    process.stderr.close()
    _, alive = psutil.wait_procs(family, timeout=30)
    assert alive == [], "an engine or worker outlived the run"
    return status == -signal.SIGKILL


def pairs(project: Project) -> list[PairRecord]:
    with Journal.read(project.settings().data / "checks" / "check-1" / "journal.sqlite") as journal:
        return list(journal.pairs())


def without_times(record: PairRecord) -> tuple[object, ...]:
    games = [
        (game.first_is_white, game.result, game.reason, [move.uci for move in game.moves]) for game in record.games
    ]
    return record.key, record.opening, games


def measured(entries: list[Entry]) -> list[dict[str, object]]:
    """Return what was measured, but for the PGN's digest: it holds times."""
    return [
        {name: value for name, value in entry.payload.items() if name != "games_sha256"}
        for entry in entries
        if entry.kind == "measurement"
    ]


@pytest.mark.timeout(1200)
def test_a_check_killed_ten_times_measures_what_an_undisturbed_one_does(tmp_path: Path) -> None:
    undisturbed = ready(tmp_path / "undisturbed", workers=1)
    expected = undisturbed.run("v1", "v2")

    killed = ready(tmp_path / "killed", workers=2)
    rng = random.Random(20261130)
    kills = 0
    for attempt in range(KILLS):
        # Twice before the first pair: that hits opening, hashing and starting.
        before = attempt in (0, 5)
        kills += kill_after(
            start(killed),
            killed.directory,
            pairs=0 if before else rng.randint(1, 10),
            seconds=rng.uniform(0.0, 0.3 if before else 0.02),
        )
    assert kills == KILLS, "the run ended before it had been killed often enough"

    process = start(killed)
    _, errors = process.communicate()
    assert process.returncode in (0, 1, 3), errors
    (check,) = killed.checks()
    assert check.verdict == expected.result.verdict

    records = pairs(killed)
    assert len(records) == TOTAL
    assert len({record.key for record in records}) == TOTAL
    assert [without_times(record) for record in records] == [without_times(record) for record in pairs(undisturbed)]
    assert measured(killed.entries()) == measured(undisturbed.entries())
    closed = killed.entries()[-1]
    assert closed.payload["result"] == expected.result.to_json()
    assert recompute(killed.entries()) == ()
