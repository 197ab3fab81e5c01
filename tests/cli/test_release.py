"""``anchorhold release`` in one step, and in two on two machines."""

import json
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from anchorhold.cli.app import app
from anchorhold.gate.signing import statement
from checks.project import EVEN, Project, gain
from gate.keys import make_key, public, signers_file
from gate.today import make_project_of_today

REVIEW = ("--reviewer", "ada", "--reason", "the book was wrong")


def run(command: str, project: Project, *words: str | Path) -> Result:
    words = (command, *words, "--config", project.config_path)
    return CliRunner().invoke(app, list(map(str, words)), catch_exceptions=False)


@pytest.fixture
def halted(tmp_path: Path) -> Project:
    project = make_project_of_today(tmp_path / "project")
    project.edit("[book]", '[gate]\nallowed_signers = "allowed_signers"\n\n[book]')
    project.pin()
    project.append("gain_test", gain(12.0))
    project.open("v1", "v2")
    project.close(old=EVEN, new=EVEN)
    return project


@pytest.fixture
def key(tmp_path: Path, halted: Project) -> Path:
    key = make_key(tmp_path / "key")
    signers_file(halted.directory / "allowed_signers", f'ada namespaces="anchorhold" {public(key)}')
    return key


def test_a_reviewer_signs_and_records_in_one_step(halted: Project, key: Path) -> None:
    assert run("gate", halted).exit_code == 1
    done = run("release", halted, "check-1", *REVIEW, "--key", key, "--author", "Bob")
    entry = halted.entries()[-1]
    assert (done.exit_code, done.stdout) == (0, f"ada released the HALT of check-1 (entry {entry.seq}).\n")
    assert (entry.kind, entry.author) == ("release", "Bob")
    opened = run("gate", halted)
    assert opened.exit_code == 0
    assert opened.stdout == (
        f"Merging may go on: check check-1 closed with HALT, R = 0, and ada released it (entry {entry.seq}).\n"
    )


def test_a_reviewer_on_another_machine_signs_the_bytes_that_are_printed(
    halted: Project, key: Path, tmp_path: Path
) -> None:
    halt = halted.entries()[-1].hash
    shown = run("release", halted, "check-1", *REVIEW, "--print")
    assert shown.exit_code == 0
    expected = statement(halt=halt, check="check-1", reviewer="ada", reason="the book was wrong")
    assert shown.stdout_bytes == expected
    assert halted.entries()[-1].hash == halt, "printing records nothing"
    file = tmp_path / "review.json"
    file.write_bytes(shown.stdout_bytes)
    subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-n", "anchorhold", "-f", str(key), str(file)], check=True)
    words = ("check-1", *REVIEW, "--signature", tmp_path / "review.json.sig", "--json")
    done = run("release", halted, *words)
    assert json.loads(done.stdout)["kind"] == "release"
    assert run("gate", halted).exit_code == 0


@pytest.mark.usefixtures("key")
def test_a_refused_attempt_is_one_line_and_a_note(halted: Project, tmp_path: Path) -> None:
    done = run("release", halted, "check-1", *REVIEW, "--key", make_key(tmp_path / "other"))
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "opens nothing: no key that the allowed-signers file has for 'ada' made this signature" in done.stderr
    assert halted.entries()[-1].kind == "note"
    assert run("gate", halted).exit_code == 1
    last = halted.entries()[-1].hash
    assert run("release", halted, "check-9", *REVIEW, "--print").exit_code == 2
    assert halted.entries()[-1].hash == last


@pytest.mark.parametrize("words", [(), ("--print", "--key", "k"), ("--key", "k", "--signature", "s")])
def test_how_it_is_signed_is_said_once(halted: Project, words: tuple[str, ...]) -> None:
    done = run("release", halted, "check-1", *REVIEW, *words)
    assert (done.exit_code, "expected one of --key, --signature and --print" in done.stderr) == (2, True)


@pytest.mark.usefixtures("key")
def test_a_file_that_is_no_signature_is_named(halted: Project, tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff")
    (tmp_path / "empty").write_bytes(b"\n")
    for name, said in (("binary", "binary data"), ("empty", "no SSH signature"), ("absent", "cannot be read")):
        done = run("release", halted, "check-1", *REVIEW, "--signature", tmp_path / name)
        assert done.exit_code == 2
        assert said in done.stderr
        assert halted.entries()[-1].kind == "note"
