"""``anchorhold import commits`` as a user meets it: what is recorded, what is printed, what stops it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from anchorhold.cli.app import app
from anchorhold.register.store import Register
from importers.commits.messages import CONSOLE, FAILED, GAIN, SIMPLER
from importers.commits.repositories import git, repository, stream

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    for name in ("REGISTER", "AUTHOR", "CONFIG"):
        monkeypatch.delenv("ANCHORHOLD_" + name, raising=False)

    def command(*words: str, data: bytes | None = None) -> Result:
        return CliRunner().invoke(app, words, input=data, catch_exceptions=False)

    return command


@pytest.fixture
def made(run: Run) -> Run:
    """Run an import into a register that is there."""
    assert run("register", "create", "--register", "r.db", "--author", "a").exit_code == 0

    def command(*words: str) -> Result:
        return run("import", "commits", "h.git", "--register", "r.db", "--author", "a", *words)

    return command


def kinds(tmp_path: Path) -> list[str]:
    with Register.open(str(tmp_path / "r.db"), read_only=True) as opened:
        return [entry.kind for entry in opened.entries()][1:]


def test_the_same_history_twice_adds_nothing_and_a_longer_one_what_is_new(made: Run, tmp_path: Path) -> None:
    place = repository(tmp_path / "h.git", [GAIN, "Nothing", SIMPLER])
    assert "Added 2 entries" in made().output
    assert "Added 0 entries; 2 stood" in made().output
    git(place, "fast-import", "--quiet", data=b"".join(stream([f"A\n\n{FAILED}"], after="refs/heads/main^0")))
    assert "Added 1 entries; 2 stood" in made().output
    assert kinds(tmp_path) == ["gain_test", "special_path", "rejected_test"]


def test_a_problem_stops_the_import_unless_it_is_to_be_skipped(made: Run, tmp_path: Path) -> None:
    repository(tmp_path / "h.git", [GAIN, f"A\n\n{CONSOLE}", SIMPLER])
    stopped = made()
    assert stopped.exit_code == 2
    assert "--skip-problems" in stopped.output
    assert kinds(tmp_path) == []
    went_on = made("--skip-problems")
    assert went_on.exit_code == 0
    assert "cannot be told" in went_on.output
    assert kinds(tmp_path) == ["gain_test", "special_path"]


def test_a_dry_run_records_nothing_and_needs_no_register(run: Run, tmp_path: Path) -> None:
    repository(tmp_path / "h.git", [GAIN, f"A\n\n{CONSOLE}"])
    done = run("import", "commits", "h.git", "--dry-run", "--json")
    assert done.exit_code == 0
    document = json.loads(done.stdout)
    assert [entry["kind"] for entry in document["entries"]] == ["gain_test"]
    assert (document["commits"], document["tests"]) == (2, 3)
    assert document["problems"][0]["line"] == 1


def test_one_message_is_read_from_a_file_or_standard_input(run: Run, tmp_path: Path) -> None:
    (tmp_path / "m.txt").write_text(GAIN, encoding="utf-8")
    from_file = run("import", "commits", "--message", "m.txt", "--dry-run", "--json")
    from_input = run("import", "commits", "--message", "-", "--dry-run", "--json", data=GAIN.encode())
    assert json.loads(from_file.stdout) == json.loads(from_input.stdout)
    assert json.loads(from_file.stdout)["commit_kind"] == "gain_test"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "give either a repository or --message"),
        (("--message", "-", "--since", "a", "--dry-run"), "belong to a repository"),
        (("--message", "-"), "--dry-run"),
        (("--message", "none.txt", "--dry-run"), "cannot be read"),
        (("nowhere",), "cannot read its history"),
    ],
)
def test_what_does_not_go_together_is_one_line(run: Run, words: tuple[str, ...], said: str) -> None:
    done = run("import", "commits", *words, data=b"")
    assert done.exit_code == 2
    assert said in done.output
    assert len(done.output.strip().splitlines()) == 1
