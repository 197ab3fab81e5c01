"""``anchorhold oracle run`` as its users see it: output, exit status, one line per error."""

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from anchorhold.cli.app import app
from checks.project import make_project

ORACLE = """
[oracle.short]
depth = 1
bounds = [0.0, 150.0]
alpha = 0.2
beta = 0.2
max_pairs = {max_pairs}

[oracle.long]
depth = 2
bounds = [0.0, 150.0]
alpha = 0.2
beta = 0.2
max_pairs = {max_pairs}
"""


def configure(directory: Path, *, max_pairs: int) -> None:
    path = directory / "anchorhold.toml"
    path.write_text(path.read_text(encoding="utf-8") + ORACLE.format(max_pairs=max_pairs), encoding="utf-8")


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in list(os.environ):
        if name.startswith("ANCHORHOLD_"):
            monkeypatch.delenv(name)
    project = make_project(tmp_path / "project")
    monkeypatch.chdir(project.directory)
    return project.directory


def oracle(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["oracle", "run", *arguments])


def test_a_run_prints_what_it_recorded_and_says_so_again(directory: Path) -> None:
    configure(directory, max_pairs=40)
    first = oracle("--candidate", "v4", "--base", "v1", "--json")
    answer = json.loads(first.stdout)
    assert first.exit_code == (0 if answer["passed"] else 1)
    assert answer["recorded_now"] is True
    assert answer["payload"]["id"] == "v1..v4"
    assert answer["payload"]["short"]["bounds_model"] == "normalized"
    assert answer["payload"]["short"]["conditions"]["depth"] == 1
    assert "LLR" in first.stderr
    again = oracle("--candidate", "v4", "--base", "v1")
    assert again.exit_code == first.exit_code
    assert f"Was recorded already, as {answer['kind']}, entry {answer['seq']}." in again.stdout
    assert answer["payload"]["short"]["outcome"] in again.stdout


def test_a_test_that_is_not_decided_is_not_passed_and_names_the_reason(directory: Path) -> None:
    configure(directory, max_pairs=1)
    found = oracle("--candidate", "v2", "--base", "v1", "--id", "dev-7", "--workers", "1")
    assert found.exit_code == 1
    assert "dev-7: v2 against v1" in found.stdout
    assert "Not passed: the short stage was not decided in 1 pairs" in found.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--candidate", "v2", "--base", "v2"), "the same program"),
        (("--candidate", "v2", "--base", "v9"), "v9"),
        (("--candidate", "v2", "--base", "v1", "--special", "simplificaton"), "did you mean 'simplification'?"),
        (("--candidate", "v2", "--base", "v1", "--bounds", "2", "0"), "--bounds: the bounds are 2.0 and 0.0"),
        (("--candidate", "v2", "--base", "v1", "--bounds", "-2", "0"), "do not ask for a gain"),
        (("--candidate", "v2", "--base", "v1", "--book", "none.epd"), "none.epd"),
        (("--candidate", "v2", "--base", "v1", "--register", "none.sqlite"), "none.sqlite"),
    ],
)
def test_what_cannot_be_run_is_one_line_and_status_2(directory: Path, arguments: tuple[str, ...], message: str) -> None:
    configure(directory, max_pairs=1)
    found = oracle(*arguments)
    assert found.exit_code == 2
    assert message in found.stderr
    assert [line for line in found.stderr.splitlines() if line.startswith("anchorhold: ")][-1] == (
        found.stderr.splitlines()[-1]
    )
    assert found.stdout == ""


def test_a_project_without_an_oracle_is_told_what_is_missing(directory: Path) -> None:
    found = oracle("--candidate", "v2", "--base", "v1")
    assert found.exit_code == 2
    assert "oracle.short" in found.stderr
    assert str(directory) in found.stderr


def test_a_book_that_is_too_small_for_the_stages_is_said(directory: Path) -> None:
    configure(directory, max_pairs=13)
    found = oracle("--candidate", "v2", "--base", "v1", "--special", "nothing")
    assert found.exit_code == 2
    (directory / "anchorhold.toml").write_text(
        (directory / "anchorhold.toml").read_text(encoding="utf-8").replace("150.0]", "1.0]"), encoding="utf-8"
    )
    (directory / "v2").write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    found = oracle("--candidate", "v2", "--base", "v1")
    assert found.exit_code == 2
    assert "the book has 12 openings, a stage up to 13 pairs" in found.stderr
