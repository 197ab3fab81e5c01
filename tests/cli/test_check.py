"""``anchorhold check`` and ``anchorhold anchors`` as their users see them: output, exit status, one line per error."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from anchorhold.cli.app import app
from checks.project import AHEAD, EVEN, Project, gain, make_project, record_measurements, write_engine


class Shell:
    """Runs commands in a project's directory."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def __call__(self, *arguments: str) -> Result:
        return CliRunner().invoke(app, arguments)

    def json(self, *arguments: str) -> object:
        result = self(*arguments, "--json")
        return json.loads(result.stdout)


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    for name in list(os.environ):
        if name.startswith("ANCHORHOLD_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("LC_ALL", "C")
    project = make_project(tmp_path / "project")
    monkeypatch.chdir(project.directory)
    return Shell(project)


def measured(shell: Shell, *, old: Sequence[int] = EVEN, new: Sequence[int] = AHEAD) -> None:
    with shell.project.register() as register:
        record_measurements(register, old=old, new=new)


def test_anchors_are_pinned_listed_and_verified(shell: Shell) -> None:
    pinned = shell("anchors", "pin")
    assert pinned.exit_code == 0, pinned.output
    assert pinned.stdout.startswith("Pinned 6 anchors, digest ")
    assert "Anchor 3" in pinned.stdout
    again = shell.json("anchors", "pin")
    assert isinstance(again, dict)
    assert again["added"] is False
    listed = shell.json("anchors", "list")
    assert isinstance(listed, dict)
    assert listed["digest"] == again["digest"]
    assert [anchor["rating"] for anchor in listed["anchors"]] == [3010, 3020, 3030, 3040, 3050, 3060]
    assert shell("anchors", "list").exit_code == 0
    assert shell("anchors", "verify").exit_code == 0

    write_engine(shell.project.directory / "anchor4", strength=1)
    differs = shell("anchors", "verify")
    assert differs.exit_code == 1
    assert "Anchor 4: sha256 is " in differs.stdout
    report = shell.json("anchors", "verify")
    assert isinstance(report, dict)
    assert (report["as_pinned"], report["anchors"][3]["as_pinned"], report["anchors"][2]["as_pinned"]) == (
        False,
        False,
        True,
    )


def test_too_few_pairs_are_a_warning_beside_the_output_of_open_and_run(shell: Shell) -> None:
    shell("anchors", "pin")
    shell.project.append("gain_test", gain(5.0, name="dev-1"))
    opened = shell("check", "open", "--old", "v1", "--new", "v2", "--pairs-long", "2")
    assert opened.exit_code == 0, opened.output
    first, second = opened.stderr.splitlines()
    assert first.startswith(
        "Warning: 2 pairs against each anchor are too few to tell R = 0.40 from R = 0.75 at S = 5.0"
    )
    assert second.startswith("Warning: 2 pairs against an anchor may carry no estimate even at a score of 50 %")
    assert "Warning" not in opened.stdout
    run = shell("check", "run", "--json")
    assert json.loads(run.stdout)["verdict"]
    assert first in run.stderr
    german = shell("check", "run", "--old", "v1", "--new", "v3", "--pairs-long", "2", "--lang", "de")
    assert "Warnung: 2 Paare gegen jeden Anker sind zu wenige" in german.stderr


def test_an_anchor_that_does_not_start_is_not_pinned(shell: Shell) -> None:
    (shell.project.directory / "anchor2").write_text("#!/bin/sh\necho broken >&2\nexit 7\n", encoding="utf-8")
    result = shell("anchors", "pin")
    assert result.exit_code == 2
    assert "Anchor 2 ended with exit status 7; its last errors: broken" in result.stderr
    assert [entry.kind for entry in shell.project.entries()] == ["genesis"]


@pytest.mark.parametrize(
    ("claim", "new", "verdict", "status"),
    [
        (50.0, AHEAD, "CONTINUE", 0),
        (70.0, AHEAD, "WARN", 0),
        (200.0, AHEAD, "HALT", 1),
        (None, AHEAD, "GAP", 3),
    ],
)
def test_closing_answers_by_exit_status(
    shell: Shell, claim: float | None, new: Sequence[int], verdict: str, status: int
) -> None:
    if claim is not None:
        shell.project.append("gain_test", gain(claim))
    shell.project.pin()
    opened = shell("check", "open", "--old", "v1", "--new", "v2")
    assert opened.exit_code == 0, opened.output
    assert opened.stdout.startswith("check-1: v1 to v2, 50 pairs against each of 6 anchors per version;")
    measured(shell, new=new)
    closed = shell("check", "close")
    assert closed.exit_code == status, closed.output
    assert verdict in closed.stdout
    listed = shell.json("check", "list")
    assert isinstance(listed, list)
    assert (listed[0]["verdict"], listed[0]["status"], listed[0]["attempt"]) == (verdict, "closed", 1)
    assert verdict in shell("check", "list").stdout
    shown = shell.json("check", "show", "check-1")
    assert isinstance(shown, dict)
    assert shown["result"]["verdict"] == verdict
    diagnosis = shown["diagnosis"]
    if shown["result"]["r"] is None:
        assert diagnosis is None
    else:
        lost = sum(loss["elo"] for loss in diagnosis["losses"])
        assert lost == pytest.approx(shown["result"]["s"] - shown["result"]["delta_a"])
        assert diagnosis["step"] == "direct_match"
    assert len(shown["measurements"]) == 2
    assert shell("check", "show").exit_code == 0


def test_a_defective_check_ends_with_status_4(shell: Shell) -> None:
    shell.project.append("gain_test", gain(50.0))
    shell.project.pin()
    shell.project.open()
    with shell.project.register() as register:
        record_measurements(register, new=AHEAD, seen=lambda anchors: anchors.pop())
    result = shell("check", "close", "--json")
    assert result.exit_code == 4
    assert json.loads(result.stdout)["verdict"] == "DEFECTIVE"
    assert shell.project.open(None, "v3").attempt == 2


def test_texts_come_in_german(shell: Shell) -> None:
    shell.project.append("gain_test", gain(50.0))
    shell.project.pin()
    shell.project.open()
    measured(shell)
    assert "WEITER" in shell("check", "close", "--lang", "de").stdout


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("check", "measure"), "no check is open"),
        (("check", "close"), "no check is open"),
        (("check", "abandon", "--reason", "x"), "no check is open"),
        (("check", "open", "--new", "v2"), "the first check needs an old version"),
        (("check", "open", "--old", "v1", "--new", "v2"), "no anchor set is pinned"),
        (("check", "open", "--old", "v1", "--new", "v2", "--contract", "6"), "contract edition 6 is refused"),
        (("check", "open", "--old", "v1", "--new", "v2", "--contract", "own.json"), "own.json: cannot be read"),
        (("check", "run"), "no check is open, and no new version is named"),
        (("check", "show"), "the register holds no check"),
        (("check", "show", "check-9"), "there is no check 'check-9'"),
        (("check", "list", "--register", "elsewhere"), "elsewhere: there is no register here"),
        (("check", "list", "--config", "absent.toml"), "absent.toml: there is no such file"),
        (("anchors", "list"), "no anchor set is pinned"),
        (("anchors", "verify"), "no anchor set is pinned"),
    ],
)
def test_a_step_that_is_not_allowed_is_refused_in_one_line(
    shell: Shell, arguments: tuple[str, ...], expected: str
) -> None:
    result = shell(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("anchorhold: ")
    assert result.stderr.count("\n") == 1
    assert expected in result.stderr


def test_an_abandoned_check_is_shown_with_its_reason_and_counts(shell: Shell) -> None:
    shell.project.pin()
    shell.project.open()
    assert shell("check", "abandon", "--reason", "wrong book").stdout == "check-1 is abandoned: wrong book\n"
    shell.project.open()
    lines = shell("check", "list").stdout.splitlines()
    assert lines[0].endswith("attempt 1  abandoned: wrong book")
    assert lines[1].endswith("attempt 2  open")
    assert "missing: old at the long stage" in shell("check", "show").stdout


def test_run_does_it_all_and_shows_the_result_again(shell: Shell) -> None:
    shell.project.append("gain_test", gain(50.0))
    shell.project.pin()
    first = shell("check", "run", "--old", "v1", "--new", "v2", "--pairs-long", "2", "--workers", "2", "--json")
    result = json.loads(first.stdout)
    assert first.exit_code == {"CONTINUE": 0, "WARN": 0, "HALT": 1, "GAP": 3, "DEFECTIVE": 4}[result["verdict"]]
    assert "check-1: 24 of 24 pairs" in first.stderr
    again = shell("check", "run", "--json")
    assert json.loads(again.stdout) == result
    assert again.stderr == ""


def test_run_refuses_another_number_of_pairs_than_the_open_checks(shell: Shell) -> None:
    shell.project.pin()
    shell.project.open()
    result = shell("check", "run", "--pairs-long", "51")
    assert result.exit_code == 2
    assert "check-1 was opened with 50 pairs (long), --pairs-long asks for 51" in result.stderr


def test_ctrl_c_ends_with_a_status_of_its_own_and_one_line(shell: Shell) -> None:
    shell.project.append("gain_test", gain(50.0))
    shell.project.pin()
    shell.project.open()
    process = subprocess.Popen(
        [sys.executable, "-c", "from anchorhold.cli.app import main; main()", "check", "run"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    while (line := process.stderr.readline()).startswith("Warning: "):
        pass  # that the pairs are too few
    assert line.startswith("check-1: 0 of ")
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.splitlines()[-1] == (
        "anchorhold: interrupted; the pairs played so far are kept, the same command goes on"
    )
    assert shell.project.checks()[0].status == "open"


@pytest.mark.parametrize("command", ["open", "measure", "close", "abandon", "run", "list", "show"])
def test_every_command_explains_itself_with_an_example(shell: Shell, command: str) -> None:
    assert f"anchorhold check {command}" in shell("check", command, "--help").stdout


@pytest.mark.parametrize("command", ["pin", "list", "verify"])
def test_every_anchors_command_explains_itself_with_an_example(shell: Shell, command: str) -> None:
    assert f"anchorhold anchors {command}" in shell("anchors", command, "--help").stdout
