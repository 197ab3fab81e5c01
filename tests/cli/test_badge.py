"""``anchorhold badge``: one for each state of the gate."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from anchorhold.cli.app import app
from anchorhold.gate.releasing import release
from anchorhold.gate.signing import sign
from checks.project import AHEAD, EVEN, Project, gain
from gate.keys import make_key, public, signers_file
from gate.today import make_project_of_today


def badge(project: Project, *words: str | Path) -> Result:
    words = ("badge", "--config", project.config_path, *words)
    return CliRunner().invoke(app, list(map(str, words)), catch_exceptions=False)


def message(project: Project, *words: str | Path) -> str:
    done = badge(project, "--format", "json", *words)
    assert done.exit_code == 0
    return str(json.loads(done.stdout)["message"])


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = make_project_of_today(tmp_path / "project")
    project.pin()
    return project


def test_the_badge_follows_the_register(project: Project, tmp_path: Path) -> None:
    assert message(project) == "no check yet"
    project.open("v1", "v2")
    project.close(old=EVEN, new=AHEAD)
    assert message(project) == "nothing confirmed"
    project.append("gain_test", gain(50.0))
    project.open("v1", "v2")
    project.close(old=EVEN, new=AHEAD)
    assert message(project) == "R 0.83 · continue"
    assert message(project, "--allowed-signers", tmp_path / "absent") == "R 0.83 · continue"
    project.append("gain_test", gain(12.0, name="dev-2"))
    project.open(None, "v3")
    project.close(old=EVEN, new=EVEN)
    assert message(project) == "R 0.00 · held"
    key = make_key(tmp_path / "key")
    signers = signers_file(tmp_path / "signers", f"ada {public(key)}")
    with project.register() as register:
        release(
            register,
            "check-3",
            reviewer="ada",
            reason="seen",
            sign=lambda signed: sign(signed, key=key),
            signers=signers,
            author="Ada",
        )
    assert message(project, "--allowed-signers", signers) == "R 0.00 · halt, released"
    assert message(project) == "R 0.00 · held"


def test_limits_that_hold_the_gate_show_on_the_badge(project: Project) -> None:
    project.append("gain_test", gain(12.0))
    project.edit("[book]", "[gate]\nmax_unaudited_tests = 0\n\n[book]")
    assert message(project) == "held"


def test_a_broken_register_gets_a_badge_that_says_so_and_a_status_of_its_own(project: Project, tmp_path: Path) -> None:
    with closing(sqlite3.connect(project.register_path, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER entries_follow")
    file = tmp_path / "badge.svg"
    file.write_text("the badge of yesterday", encoding="utf-8")
    done = badge(project, "--format", "svg", "-o", file)
    assert (done.exit_code, done.stdout) == (4, "")
    assert "<title>anchorhold: register broken</title>" in file.read_text(encoding="utf-8")


def test_a_badge_that_cannot_be_written_is_bad_usage(project: Project, tmp_path: Path) -> None:
    done = badge(project, "-o", tmp_path / "absent" / "badge.svg")
    assert (done.exit_code, "cannot be written" in done.stderr) == (2, True)
