"""``--shard`` and ``anchorhold merge`` as their users see them: parts played apart are one run."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from anchorhold.cli.app import app
from anchorhold.matches.journal import Journal
from checks.project import gain, make_project, write_engine
from matches.test_runner import moves

ENGINE = Path(__file__).parent.parent / "matches" / "tiny_engine.py"
ROUNDS = 3


def run(*words: str) -> Result:
    return CliRunner().invoke(app, words, catch_exceptions=False)


def match(*words: str, rounds: int = ROUNDS, seed: int = 2, name: str = "B") -> Result:
    engines = [
        ("A", "seed=1"),
        (name, f"seed={seed}"),
        ("C", "seed=3"),
    ]
    given = [
        word
        for name, setting in engines
        for word in ("--engine", f"name={name} cmd='{sys.executable}' args='-I {ENGINE} {setting}' depth=1")
    ]
    common = ["--resign", "movecount=1,score=250,twosided=false", "--maxmoves", "10", "--rounds", str(rounds)]
    return run("match", *given, *common, *words)


def shards(folder: Path) -> list[str]:
    return [path.name for path in sorted(folder.glob("*.shard"))]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("ANCHORHOLD_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.chdir(tmp_path)


def test_shards_of_a_match_are_the_match(tmp_path: Path) -> None:
    whole = json.loads(match("--journal", "whole", "--json").stdout)
    for part in ("1/2", "2/2"):
        played = match("--shard", part)
        assert played.exit_code == 0, played.output
        assert f"shard {part} is complete, in match-" in played.stderr
    files = shards(tmp_path)
    assert [name[-11:] for name in files] == ["-1of2.shard", "-2of2.shard"]
    # Nothing but what was asked for is left.
    assert {path.name for path in tmp_path.iterdir()} == {"whole", *files}

    assert "these are shards of a match. Name the journal for them with --into" in run("merge", *files).stderr
    merged = run("merge", *files, "--into", "merged")
    assert merged.exit_code == 0, merged.output
    assert merged.stdout.startswith("2 shards with 9 pairs are in merged, 9 of them new. Give the command of the match")
    again = json.loads(run("merge", *reversed(files), "--into", "merged", "--json").stdout)
    assert again == {"journal": "merged", "shards": 2, "pairs": 9, "added": 0}
    with Journal.read(tmp_path / "whole") as one, Journal.read(tmp_path / "merged") as other:
        assert [moves(record) for record in one.pairs()] == [moves(record) for record in other.pairs()]
        assert one.plan == other.plan

    printed = json.loads(match("--journal", "merged", "--json").stdout)
    assert printed.pop("referee")["plies"] == 0
    assert printed == {name: value for name, value in whole.items() if name != "referee"}


def test_a_shard_that_was_interrupted_goes_on_and_one_that_is_complete_is_not_played_again(tmp_path: Path) -> None:
    # An engine that fails stops it after the first pair.
    words = ("--shard", "1/2", "--max-failures", "1")
    stopped = match(*words, "--engine", f"name=D cmd='{sys.executable}' args='-I {ENGINE} crash=40' depth=1")
    assert stopped.exit_code == 2
    assert "D failed 1 times in a row" in stopped.stderr
    assert shards(tmp_path) == []
    on = match("--shard", "1/2", "--engine", f"name=D cmd='{sys.executable}' args='-I {ENGINE} crash=40' depth=1")
    assert "going on after" in on.stderr
    (name,) = shards(tmp_path)
    again = match("--shard", "1/2", "--engine", f"name=D cmd='{sys.executable}' args='-I {ENGINE} crash=40' depth=1")
    assert again.exit_code == 2
    assert again.stderr == f"anchorhold: {name}: this shard has been played. Merge it, or remove it to play it again\n"


def test_shards_that_are_missing_or_of_other_matches_are_refused_and_nothing_is_merged(tmp_path: Path) -> None:
    match("--shard", "1/2")
    (first,) = shards(tmp_path)
    alone = run("merge", first, "--into", "merged")
    assert alone.exit_code == 2
    assert "shards are missing: 2/2" in alone.stderr
    match("--shard", "2/2", seed=9)
    both = run("merge", *shards(tmp_path), "--into", "merged")
    assert both.exit_code == 2
    assert f"{first}" in both.stderr
    assert "was not played as" in both.stderr
    assert "plan.engines[2].command[4] was" in both.stderr
    assert not (tmp_path / "merged").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--shard", "4/3"), "--shard: is '4/3', expected a part and the number of parts, such as 3/8"),
        (("--shard", "1/4"), "--shard 1/4: 3 rounds are no 4 parts"),
        (("--shard", "1/2", "--pgn", "x.pgn"), "the games of a shard are in its file"),
    ],
)
def test_a_shard_that_cannot_be_is_refused(words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    result = match(*words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_sequential_test_has_no_shards() -> None:
    engines = [
        w for name in "AB" for w in ("--engine", f"name={name} cmd='{sys.executable}' args='-I {ENGINE}' depth=1")
    ]
    result = run("match", *engines, "--sprt", "elo0=0,elo1=5", "--shard", "1/2")
    assert result.exit_code == 2
    assert "--shard cannot be used with --sprt" in result.stderr


def test_a_check_measured_in_shards_on_machines_of_their_own_is_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_project(tmp_path / "home", pairs=3, short=1, direct=2)
    project.append("gain_test", gain(50.0))
    project.pin()
    project.open()
    machines = [tmp_path / "one", tmp_path / "two", tmp_path / "alone"]
    for machine in machines:
        shutil.copytree(project.directory, machine)
    files: list[str] = []
    for part, machine in enumerate(machines[:2], start=1):
        monkeypatch.chdir(machine)
        played = run("check", "measure", "--shard", f"{part}/2")
        assert played.exit_code == 0, played.output
        assert played.stdout.startswith(f"The shard is complete, in check-1-{part}of2.shard.")
        assert run("check", "measure", "--shard", f"{part}/2").stderr.count("has been played") == 1
        files.append(str(machine / f"check-1-{part}of2.shard"))
    monkeypatch.chdir(machines[2])
    assert run("check", "measure").exit_code == 0

    monkeypatch.chdir(project.directory)
    torn = tmp_path / "torn.shard"
    torn.write_bytes(Path(files[1]).read_bytes()[:-9])
    refused = run("merge", files[0], str(torn))
    assert refused.exit_code == 2
    assert f"{torn}: is no whole shard" in refused.stderr
    merged = run("merge", *files)
    assert merged.exit_code == 0, merged.output
    assert merged.stdout.startswith("2 shards with 50 pairs are in ")
    assert "50 of them new. Go on with 'anchorhold check measure', which records check-1." in merged.stdout
    assert "leave --into out" in run("merge", *files, "--into", "x").stderr.lower()
    # Without playing a game: nothing would start any more.
    measured = run("check", "measure")
    assert measured.exit_code == 0, measured.output

    def journal(folder: Path) -> list[tuple[object, ...]]:
        with Journal.read(next(folder.glob("*/checks/check-1/journal.sqlite"))) as found:
            return [moves(record) for record in found.pairs()]

    assert journal(project.directory) == journal(machines[2])
    assert run("check", "close", "--json").stdout == run_in(machines[2], monkeypatch, "check", "close", "--json")
    late = run("merge", *files)
    assert late.exit_code == 2
    assert "here no check is open" in late.stderr


def run_in(folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    monkeypatch.chdir(folder)
    return run(*words).stdout


def test_a_check_with_another_engine_plays_no_shard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = make_project(tmp_path / "home", pairs=2)
    project.pin()
    project.open()
    monkeypatch.chdir(project.directory)
    write_engine(project.directory / "anchor4", strength=1)
    result = run("check", "measure", "--shard", "1/2")
    assert result.exit_code == 2
    assert "Anchor 4: sha256 is " in result.stderr
    assert shards(project.directory) == []
