"""``anchorhold init`` on real directories, repositories and engines: what it writes works without being edited."""

import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from anchorhold import config
from anchorhold.adopt import balance as trials
from anchorhold.adopt import recipes
from anchorhold.adopt.balance import UNKNOWN, balance
from anchorhold.adopt.lineup import data_file, read_lineup
from anchorhold.adopt.recipes import find, named, read_recipes
from anchorhold.cli.app import app
from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.limits import Limit
from anchorhold.register.store import Register
from builds.repository import EngineRepository

HERE = Path(__file__).parent
ODD = f"{sys.executable} -I {HERE / 'odd_engine.py'}"
SOURCE = HERE.parent.parent / "src"


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words), catch_exceptions=False)


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, search_path: str) -> Path:
    place = tmp_path / "Sparrow"
    place.mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setenv("PATH", search_path)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    return place


def test_what_it_writes_is_well_without_being_edited(directory: Path) -> None:
    result = run("init", "--yes", "--main", ODD, "--limit", "depth=2", "--author", "Ada")
    assert result.exit_code == 0, result.stderr
    assert "6 anchors pinned" in result.stdout
    settings = config.load(environment={})
    assert (settings.project, settings.language, settings.long.limit) == ("Sparrow", "de", Limit(depth=2))
    lineup = read_lineup()
    assert {anchor.name: (anchor.rating, anchor.limit) for anchor in settings.anchors} == {
        name: (one.rating, one.limit) for name, one in lineup.anchors.items()
    }
    with Register.open(settings.register, read_only=True) as register:
        assert [entry.kind for entry in register.entries()] == ["genesis", "contract", "anchor_set"]
        assert {entry.author for entry in register.entries()} == {"Ada"}
    looked = run("doctor")
    assert looked.exit_code == 0, looked.stdout
    assert sorted(path.name for path in directory.iterdir()) == ["anchorhold", "anchorhold.toml"]


def test_a_repository_is_built_and_its_revisions_can_be_checked(directory: Path) -> None:
    repository = EngineRepository(directory)
    repository.git("init", "--quiet", ".")
    repository.write("Makefile", (HERE.parent / "engines" / "cmover" / "Makefile").read_text())
    repository.seed(1, "One", tag="v1")
    repository.seed(2, "Two", tag="v2")
    result = run("init", "--yes", "--pairs", "3")
    assert result.exit_code == 0, result.stderr
    settings = config.load(environment={})
    assert settings.main.recipe is not None
    assert "EXE={output}" in settings.main.recipe.command
    # That engine says depth 1 whatever it is told: a limit that it obeys was found.
    assert settings.long.limit == Limit(movetime=0.1)
    assert run("check", "open", "--old", "v1", "--new", "v2").exit_code == 0


def test_a_build_that_fails_is_said_and_the_rest_stands(directory: Path) -> None:
    repository = EngineRepository(directory)
    repository.git("init", "--quiet", ".")
    repository.write("Makefile", "EXE = x\n$(EXE):\n\tfalse\n")
    repository.commit("Broken")
    result = run("init", "--yes")
    assert result.exit_code == 0, result.stderr
    assert "Main was not built, mend [main.build]" in result.stdout
    assert "6 anchors pinned" in result.stdout
    assert UNKNOWN in (directory / "anchorhold.toml").read_text()
    looked = run("doctor", "--version", "HEAD")
    assert looked.exit_code == 1
    # All the rest is looked at.
    assert "FAIL main" in looked.stdout
    assert "1 failure, " in looked.stdout
    assert "ok   pinned" in looked.stdout


def test_what_was_made_goes_again_when_an_engine_fails(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = directory.parent / "bin" / "toga2"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{broken.parent}{os.pathsep}{os.environ['PATH']}")
    result = run("init", "--yes", "--limit", "depth=3")
    assert result.exit_code == 2
    assert "engine Toga II ended with exit status 3" in result.stderr
    assert list(directory.iterdir()) == []


def test_nothing_is_replaced(directory: Path) -> None:
    (directory / "anchorhold.toml").write_text("mine")
    result = run("init", "--yes")
    assert result.exit_code == 2
    assert "is there already, and nothing is replaced" in result.stderr
    assert (directory / "anchorhold.toml").read_text() == "mine"
    assert [path.name for path in directory.iterdir()] == ["anchorhold.toml"]


def test_missing_anchors_are_named_with_what_would_bring_them(
    directory: Path, monkeypatch: pytest.MonkeyPatch, search_path: str
) -> None:
    monkeypatch.setattr(recipes, "GAMES", "/nowhere")
    monkeypatch.setenv("PATH", "/nowhere")
    result = run("init", "--yes", "--limit", "depth=3")
    assert result.exit_code == 0, result.stderr
    assert "anchors not pinned" in result.stdout
    assert "6 anchors are missing" in result.stdout
    assert "apt-get install --no-install-recommends ethereal-chess fairymax" in result.stdout
    assert "Main's command is to be edited" in result.stdout
    # They come one by one, and the file stays readable.
    monkeypatch.undo()
    monkeypatch.chdir(directory)
    monkeypatch.setenv("PATH", search_path)
    for name in read_lineup().anchors:
        assert run("engines", "add", name).exit_code == 0
    assert run("anchors", "pin").exit_code == 0
    assert len(config.load(environment={}).anchors) == 6


def test_a_command_for_all_versions_is_kept_with_its_place() -> None:
    assert run("init", "--yes", "--main", "builds/{version}/sparrow --quiet", "--limit", "tc=8+0.08").exit_code == 0
    settings = config.load(environment={})
    assert settings.main.spec("1.5", settings.long.limit).command == (
        str(Path("builds/1.5/sparrow").absolute()),
        "--quiet",
    )
    assert str(settings.long.limit.time_control) == "8+0.08"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "nobody to ask"),
        (["--yes", "nowhere"], "there is no such directory"),
        (["--yes", "--main", "cat"], "neither UCI nor XBoard"),
        (["--yes", "--limit", "plies=3"], "plies"),
    ],
)
def test_what_cannot_be_done_ends_with_one_line_and_leaves_nothing(
    words: list[str], message: str, directory: Path
) -> None:
    result = run("init", *words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert list(directory.iterdir()) == []


def test_on_a_terminal_it_asks_for_little(directory: Path) -> None:
    here, there = os.openpty()
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    command = [sys.executable, "-m", "anchorhold", "init", "--limit", "depth=2"]
    with subprocess.Popen(command, stdin=there, stdout=there, stderr=there, cwd=directory, env=environment) as process:
        os.close(there)
        os.write(here, b"Owl\n" + f"{ODD}\n".encode() + b"y\n")
        shown, deadline = b"", time.monotonic() + 120
        while b"Next: " not in shown and time.monotonic() < deadline:
            if select.select([here], [], [], 0.2)[0]:
                try:
                    shown += os.read(here, 4096)
                except OSError:
                    break
        assert process.wait(timeout=60) == 0, shown.decode()
    os.close(here)
    assert b"Name of the project [Sparrow]" in shown
    settings = config.load(environment={})
    assert (settings.project, list(settings.main.versions)) == ("Owl", ["1"])


def test_the_depth_is_one_at_which_a_few_games_were_played(search_path: str) -> None:
    (ethereal,) = find([named(read_recipes(), "Ethereal")], path=search_path)
    (gnuchess,) = find([named(read_recipes(), "GNU Chess")], path=search_path)
    main = ethereal.template.spec("main", Limit(depth=1))
    anchors = [gnuchess.template.spec("GNU Chess", Limit(depth=2))]
    said: list[str] = []
    found = balance(main, anchors, book=data_file("openings.pgn"), workers=1, on_step=said.append)
    assert found.limit.depth in range(1, 13)
    assert f"At depth {found.limit.depth} main scored" in found.reason
    assert "in 4 games" in found.reason
    assert said[0] == "main at depth 4 against 1 anchors"


def test_a_main_far_from_the_anchors_is_named_so(monkeypatch: pytest.MonkeyPatch) -> None:
    # It always makes the first move of the alphabet, and no anchor loses to that.
    monkeypatch.setattr(trials, "PAIRS", 1)
    result = run("init", "--yes", "--main", ODD)
    assert result.exit_code == 0, result.stderr
    assert "main scored 0 % in 12 games" in result.stdout
    assert "Main is far from these anchors" in result.stdout


def test_a_slow_main_is_not_waited_for() -> None:
    words = (sys.executable, "-I", str(HERE / "odd_engine.py"), "slow=1")
    main = EngineSpec("main", words, Limit(depth=1), margin=30.0)
    found = balance(main, [main], book=data_file("openings.pgn"), workers=1)
    assert (found.limit, "too slow" in found.reason) == (Limit(depth=1), True)


def test_a_main_that_obeys_no_depth_gets_a_limit_that_it_obeys() -> None:
    words = (sys.executable, "-I", str(HERE / "odd_engine.py"), "deep=1")
    main = EngineSpec("main", words, Limit(depth=1), margin=30.0)
    anchor = EngineSpec("anchor", words[:3], Limit(depth=1))
    found = balance(main, [anchor], book=data_file("openings.pgn"), workers=1)
    assert found.limit == Limit(nodes=10_000)
    assert "obeys no depth, but nodes" in found.reason
    assert balance(main, [], book=data_file("openings.pgn"), workers=1).reason == UNKNOWN
