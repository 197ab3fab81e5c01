"""``anchorhold gate`` as a build server meets it: exit status, one line, JSON."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from anchorhold.cli.app import app
from anchorhold.register.store import Register


def gate(register: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ("gate", "--register", str(register), *words), catch_exceptions=False)


@pytest.fixture
def register(tmp_path: Path) -> Path:
    place = tmp_path / "r.db"
    Register.create(str(place), author="somebody").close()
    return place


def close_check(register: Path, verdict: str, r: float | None) -> str:
    result = {"schema": "anchorhold/result/1", "verdict": verdict, "r": r}
    window = {"after": 1, "until": 1}
    payload: dict[str, object] = {"check": "c1", "verdict": verdict, "result": result, "window": window}
    with Register.open(str(register)) as opened:
        return opened.append("check_closed", payload, author="somebody").hash


@pytest.mark.parametrize(
    ("verdict", "r", "status", "state"),
    [("CONTINUE", 0.9, 0, "open"), ("WARN", 0.5, 0, "open"), ("GAP", None, 0, "open"), ("HALT", 0.1, 1, "held")],
)
def test_the_exit_status_follows_the_verdict(
    register: Path, verdict: str, r: float | None, status: int, state: str
) -> None:
    sealed = close_check(register, verdict, r)
    result = gate(register)
    assert (result.exit_code, result.stdout.count("\n"), result.stderr) == (status, 1, "")
    answer = json.loads(gate(register, "--json").stdout)
    assert (answer["state"], answer["last"]["hash"]) == (state, sealed)


def test_a_broken_register_holds_with_its_own_status(register: Path) -> None:
    close_check(register, "HALT", 0.1)
    with closing(sqlite3.connect(register, isolation_level=None)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("UPDATE entries SET payload = replace(payload, 'HALT', 'WARN') WHERE seq = 2")
        for _, text in triggers:
            connection.execute(text)
    result = gate(register, "--json")
    assert result.exit_code == 4
    answer = json.loads(result.stdout)
    assert (answer["state"], answer["problem"]["seq"]) == ("broken", 2)


def test_a_database_that_no_longer_refuses_changes_is_broken(register: Path) -> None:
    with closing(sqlite3.connect(register, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER entries_follow")
    result = gate(register, "--json")
    assert result.exit_code == 4
    assert "entries_follow" in json.loads(result.stdout)["reason"]


def test_a_release_entry_put_in_by_hand_does_not_open(register: Path) -> None:
    halt = close_check(register, "HALT", 0.1)
    with Register.open(str(register)) as opened:
        opened.append("release", {"halt": halt, "reviewer": "me", "reason": "because"}, author="me")
    result = gate(register)
    assert result.exit_code == 1
    assert "has no effect" in result.stdout


def test_a_missing_register_is_bad_usage_and_no_open_gate(tmp_path: Path) -> None:
    result = gate(tmp_path / "absent.db")
    assert result.exit_code == 2
    assert "there is no register here" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_gate_leaves_no_files_beside_the_register(register: Path) -> None:
    gate(register)
    assert [file.name for file in register.parent.iterdir()] == ["r.db"]
