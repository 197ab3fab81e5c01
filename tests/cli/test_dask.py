"""``--dask`` as its users see it: every command that plays, one line for everything that can go wrong."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from anchorhold.cli.app import app
from anchorhold.matches.journal import Journal
from checks.project import gain, make_project
from cli.test_oracle import configure
from matches.dask_cluster import SOURCE, DaskCluster, engines_below
from matches.test_runner import moves

ENGINE = Path(__file__).parent.parent / "matches" / "tiny_engine.py"
NOWHERE = "tcp://127.0.0.1:9"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    with DaskCluster(tmp_path_factory.mktemp("dask")) as started:
        started.two = (started.start_worker(threads=2),)
        yield started


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("ANCHORHOLD_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.chdir(tmp_path)


def run(*words: str) -> Result:
    return CliRunner().invoke(app, words, catch_exceptions=False)


def match_words(*words: str) -> list[str]:
    engines = [
        word
        for name, seed in (("A", 1), ("B", 2))
        for word in ("--engine", f"name={name} cmd='{sys.executable}' args='-I {ENGINE} seed={seed}' depth=1")
    ]
    return ["match", *engines, "--maxmoves", "10", *words]


def played(path: Path) -> list[tuple[object, ...]]:
    with Journal.read(path) as journal:
        return [moves(record) for record in journal.pairs()]


def test_a_match_on_a_cluster_prints_what_it_prints_at_home(cluster: DaskCluster) -> None:
    there = run(*match_words("--rounds", "4", "--json", "--dask", cluster.address))
    assert there.exit_code == 0, there.output
    home = run(*match_words("--rounds", "4", "--json"))
    found, expected = json.loads(there.stdout), json.loads(home.stdout)
    assert found.pop("referee")["plies"] == expected.pop("referee")["plies"] > 0
    assert found == expected
    assert "Traceback" not in there.stderr


def test_a_check_and_the_oracle_play_on_a_cluster_what_they_play_at_home(
    cluster: DaskCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = []
    journals: list[list[tuple[object, ...]]] = []
    for name, words in (("home", ()), ("away", ("--dask", cluster.address))):
        project = make_project(tmp_path / name)
        monkeypatch.chdir(project.directory)
        configure(project.directory, max_pairs=6)
        project.append("gain_test", gain(50.0))
        tested = run("oracle", "run", "--candidate", "v4", "--base", "v1", "--json", *words)
        project.pin()
        checked = run("check", "run", "--old", "v1", "--new", "v2", "--pairs-long", "1", "--json", *words)
        assert tested.exit_code in (0, 1), tested.output
        assert checked.exit_code == 3, checked.output  # so few pairs carry no estimate
        payload = json.loads(tested.stdout)["payload"]
        results.append((payload["short"]["pentanomial"], json.loads(checked.stdout)["anchors"]))
        found = sorted(project.directory.glob("**/journal.sqlite"))
        assert len(found) == 2
        journals.append([pair for path in found for pair in played(path)])
    assert results[0] == results[1]
    assert journals[0] == journals[1]
    assert len(journals[0]) >= 12 + 6
    assert engines_below(cluster.two[0]) == []


def test_a_check_is_measured_on_a_cluster(
    cluster: DaskCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_project(tmp_path / "project", pairs=1)
    monkeypatch.chdir(project.directory)
    project.pin()
    project.open()
    measured = run("check", "measure", "--dask", cluster.address)
    assert measured.exit_code == 0, measured.output
    assert measured.stdout.startswith("check-1 is measured.")


def test_ctrl_c_ends_with_one_line_and_the_same_command_goes_on(cluster: DaskCluster, tmp_path: Path) -> None:
    words = match_words("--rounds", "3000", "--ratinginterval", "2", "--journal", "j", "--dask", cluster.address)
    with subprocess.Popen(
        [sys.executable, "-m", "anchorhold", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        process_group=0,
    ) as process:
        assert process.stderr is not None
        while "Ptnml" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    last = errors.rstrip().splitlines()[-1]
    kept = re.fullmatch(
        r"anchorhold: interrupted; (\d+) of 3000 pairs are complete and kept in j\."
        r" The same command goes on with the match\.",
        last,
    )
    assert kept is not None, errors
    assert "Traceback" not in errors
    assert engines_below(cluster.two[0]) == []
    assert len(played(tmp_path / "j")) == int(kept[1])
    on = run(*match_words("--rounds", "3", "--journal", "j", "--dask", cluster.address))
    assert on.exit_code == 0
    with Journal.read(tmp_path / "j") as journal:
        assert {1, 2, 3} <= {key.opening for key in journal.keys()}  # noqa: SIM118


@pytest.mark.parametrize("command", ["match", "check measure", "check run", "oracle run"])
def test_a_scheduler_that_does_not_answer_is_one_line(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_project(tmp_path / "project", pairs=1)
    monkeypatch.chdir(project.directory)
    configure(project.directory, max_pairs=1)
    project.pin()
    project.open()
    words = {
        "match": match_words(),
        "check measure": ["check", "measure"],
        "check run": ["check", "run", "--json"],
        "oracle run": ["oracle", "run", "--candidate", "v2", "--base", "v1"],
    }[command]
    monkeypatch.setattr("anchorhold.matches.cluster.CONNECT", 0.2)
    result = run(*words, "--dask", NOWHERE)
    assert result.exit_code == 2
    last = result.stderr.splitlines()[-1]
    assert last.startswith(f"anchorhold: --dask {NOWHERE}: no Dask scheduler answers there (")
    assert last.endswith("Give the address that 'dask scheduler' prints, such as tcp://host:8786")


def test_without_dask_the_line_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "absent").mkdir()
    for name in ("dask", "distributed"):
        text = f"raise ModuleNotFoundError(\"No module named '{name}'\", name='{name}')\n"
        (tmp_path / "absent" / f"{name}.py").write_text(text, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path / "absent"), str(SOURCE)])
    found = subprocess.run(
        [sys.executable, "-m", "anchorhold", *match_words("--dask", NOWHERE)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )
    assert found.returncode == 2
    assert found.stderr.splitlines()[-1] == (
        "anchorhold: --dask needs Dask. Install it, in a clone of anchorhold: pip install -c constraints.txt '.[dask]'"
    )


def test_cores_of_other_machines_cannot_be_pinned() -> None:
    result = run(*match_words("--use-affinity", "--dask", NOWHERE))
    assert result.exit_code == 2
    assert "--use-affinity pins engines on this machine, but with --dask others play" in result.stderr
