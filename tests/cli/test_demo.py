"""The demo on its real engines, made small: from a new register to the report, also when it is broken off."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import chess.pgn
import psutil
import pytest

from anchorhold.adopt.lineup import read_lineup
from anchorhold.cli import demo_project as project
from anchorhold.register.store import Register

ENGINES = Path(__file__).parent.parent.parent / ".engines"


def demo(folder: Path, *words: str) -> subprocess.Popen[str]:
    command = (
        sys.executable,
        "-m",
        "anchorhold",
        "demo",
        "--directory",
        str(folder),
        "--engines",
        str(ENGINES),
        *words,
    )
    # A register that the environment names belongs to the user's own project.
    environment = {**os.environ, "LANG": "C.UTF-8", "ANCHORHOLD_REGISTER": str(folder / "own.sqlite"), "COLUMNS": "60"}
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, process_group=0
    )


def small_run(folder: Path) -> Path:
    """Begin a run that takes seconds: two pairs per anchor, and an oracle that can decide nothing in three."""
    programs = project.find_programs(ENGINES, path=os.environ["PATH"])
    size = project.Scale(pairs=2, direct_pairs=3, workers=2)
    text = project.config_text(programs, read_lineup(), size)
    text, changed = re.subn(r"max_pairs = \d+", "max_pairs = 3", text)
    assert changed == 2
    text = re.sub(r"depth = [5-7]\b", "depth = 2", text)
    text = text.replace("[oracle.short]\ndepth = 2", "[oracle.short]\ndepth = 1")
    project.begin_run(folder, text)
    return folder


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return small_run(tmp_path)


@dataclass(frozen=True)
class Played:
    folder: Path
    status: int
    output: str

    @property
    def run(self) -> Path:
        return self.folder / "run-1"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder = small_run(tmp_path_factory.mktemp("demo"))
    return Played(folder, *finished(demo(folder)))


def still_running_in(folder: Path) -> list[str]:
    """Name the processes that work in a folder: engines run in their project's, whoever started them."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if Path(process.cwd()).is_relative_to(folder):
                found.append(process.name())
    return found


def finished(process: subprocess.Popen[str]) -> tuple[int, str]:
    output, _ = process.communicate(timeout=280)
    return process.returncode, output


def test_a_gain_that_the_oracle_does_not_confirm_ends_as_a_gap_and_the_gate_stays_open(played: Played) -> None:
    assert played.status == 0, played.output
    assert "did not confirm" in played.output
    assert "GAP" in played.output
    assert (played.run / "report.html").stat().st_size > 10_000
    with Register.open(str(played.run / "register.sqlite"), read_only=True) as register:
        entries = register.entries()
    assert [entry.kind for entry in entries] == [
        "genesis",
        "anchor_set",
        "rejected_test",
        "contract",
        "check_opened",
        "measurement",
        "measurement",
        "measurement",
        "check_closed",
    ]
    result = entries[-1].payload["result"]
    assert isinstance(result, dict)
    assert [gap["code"] for gap in result["gaps"]].count("no_counted_gain") == 1


def test_the_users_own_register_is_never_touched(played: Played) -> None:
    assert not (played.folder / "own.sqlite").exists()


def test_the_pgn_holds_every_planned_game_once(played: Played) -> None:
    (pgn,) = (played.run / "games").rglob("games.pgn")
    seen = set()
    with pgn.open(encoding="utf-8") as handle:
        while (headers := chess.pgn.read_headers(handle)) is not None:
            seen.add(tuple(headers[name] for name in ("Endpoint", "Anchor", "Opening", "White")))
    # Two versions, six anchors, two pairs; then three pairs of the versions themselves; two games a pair.
    assert len(seen) == 2 * (2 * 6 * 2 + 3)


def test_broken_off_anywhere_the_next_call_goes_on_to_the_same_counts(small: Path) -> None:
    def broken_off_at(place: str, pairs: int = 0) -> None:
        with demo(small) as process:
            assert process.stdout is not None
            for line in process.stdout:
                if (found := re.search(place, line)) and int((*found.groups(), 0)[0]) >= pairs:
                    break
            os.killpg(process.pid, signal.SIGINT)
            process.stdout.read()
        assert process.returncode == 130

    broken_off_at("oracle run")
    broken_off_at(r"check-1: (\d+) of", 6)
    broken_off_at(r"check-1: (\d+) of", 16)
    status, output = finished(demo(small))
    assert status == 0, output
    assert "going on with it" in output
    with Register.open(str(small / "run-1" / "register.sqlite"), read_only=True) as register:
        entries = register.entries()
    assert [entry.kind for entry in entries].count("check_opened") == 1
    counts = [
        sum(one["pentanomial"])
        for entry in entries
        if entry.kind == "measurement"
        for one in json.loads(json.dumps(entry.payload["counts"])).values()
    ]
    assert counts == [2] * 12 + [3]
    assert still_running_in(small) == []


def test_other_pairs_than_the_unfinished_run_has_are_refused_with_both_ways_out(small: Path) -> None:
    status, output = finished(demo(small, "--pairs", "5"))
    assert status == 2
    assert "begun with 2 pairs, --pairs asks for 5" in output
    assert "--fresh" in output


def test_what_is_missing_is_said_in_one_line(tmp_path: Path) -> None:
    process = subprocess.run(
        (sys.executable, "-m", "anchorhold", "demo", "--directory", tmp_path, "--engines", tmp_path / "none"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (process.returncode, process.stderr.count("\n")) == (2, 1)
    assert "npm install" in process.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_language_that_there_is_not_is_refused(tmp_path: Path) -> None:
    status, output = finished(demo(tmp_path, "--lang", "dee"))
    assert status == 2
    assert "--lang" in output
