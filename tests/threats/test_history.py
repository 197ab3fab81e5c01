"""Somebody edits the database, writes history anew, or brings an old register: what finds it, and what does not."""

import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from anchorhold.cli.app import app
from anchorhold.domain.entries import NO_PREVIOUS, Entry
from anchorhold.register import chain, exporting
from anchorhold.register.store import Register
from hooks.repositories import Registers

NOW = datetime(2026, 12, 24, tzinfo=UTC)


@pytest.fixture(scope="module")
def registers(tmp_path_factory: pytest.TempPathFactory) -> Registers:
    return Registers(tmp_path_factory.mktemp("registers"))


@pytest.fixture
def halted(registers: Registers, tmp_path: Path) -> Path:
    """A register in which check-1 closed with CONTINUE and check-2, which is the last entry, with HALT."""
    return Path(shutil.copy(registers.of("CONTINUE", "HALT"), tmp_path / "register.sqlite"))


def run(*words: str) -> Result:
    return CliRunner().invoke(app, words, catch_exceptions=False)


def gate(register: Path) -> Result:
    return run("gate", "--register", str(register))


def verify(register: Path, *words: str) -> Result:
    return run("register", "verify", "--register", str(register), *words)


def entries(register: Path) -> list[Entry]:
    with Register.open(str(register), read_only=True) as opened:
        return opened.entries()


@contextmanager
def guards_off(register: Path) -> Iterator[sqlite3.Connection]:
    """What somebody with the file can do: take the triggers away, change, and put them back."""
    with closing(sqlite3.connect(register, isolation_level=None)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        yield connection
        for _, text in triggers:
            connection.execute(text)


def insert(connection: sqlite3.Connection, entry: Entry) -> None:
    row = {**entry.to_json(), "payload": chain.payload_text(entry)}
    marks = ", ".join("?" * len(row))
    connection.execute(f"INSERT INTO entries ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))  # noqa: S608


def following(last: Entry | None, kind: str, payload: dict[str, object]) -> Entry:
    """An entry with a right number, link and hash."""
    return chain.sealed(
        seq=1 if last is None else last.seq + 1,
        prev=NO_PREVIOUS if last is None else last.hash,
        kind=kind,
        recorded_at=NOW,
        author="somebody",
        payload=payload,
    )


def with_verdict(closing: Entry, verdict: str) -> dict[str, object]:
    result = closing.payload["result"]
    assert isinstance(result, dict)
    return {**closing.payload, "verdict": verdict, "result": {**result, "verdict": verdict, "r": 0.8}}


def written_anew(old: Sequence[Entry]) -> list[Entry]:
    """The same entries with the chain computed anew, as far as they are given."""
    made: list[Entry] = []
    for entry in old:
        made.append(following(made[-1] if made else None, entry.kind, dict(entry.payload)))
    return made


def test_a_release_inserted_by_sql_opens_nothing(halted: Path) -> None:
    halt = entries(halted)[-1]
    payload: dict[str, object] = {"halt": halt.hash, "check": "check-2", "reviewer": "ada", "reason": "looks fine"}
    with guards_off(halted) as connection:
        insert(connection, following(halt, "release", payload))
    assert verify(halted).exit_code == 0, "the chain itself holds"
    assert gate(halted).exit_code == 1


def test_a_verdict_inserted_by_sql_breaks_the_gate(halted: Path) -> None:
    halt = entries(halted)[-1]
    with guards_off(halted) as connection:
        insert(connection, following(halt, "check_closed", with_verdict(halt, "CONTINUE")))
    assert gate(halted).exit_code == 4
    assert verify(halted).exit_code == 4


def test_a_halt_whose_verdict_and_hash_were_written_anew_breaks_the_gate(halted: Path) -> None:
    *before, halt = entries(halted)
    with guards_off(halted) as connection:
        connection.execute("DELETE FROM entries WHERE seq = ?", (halt.seq,))
        insert(connection, following(before[-1], "check_closed", with_verdict(halt, "WARN")))
    with Register.open(str(halted), read_only=True) as opened:
        assert opened.verify().problem is None, "the chain itself holds"
    assert gate(halted).exit_code == 4


def test_a_halt_that_was_cut_off_is_found_by_a_kept_head_and_by_an_older_export_only(
    halted: Path, tmp_path: Path
) -> None:
    head = run("register", "head", "--register", str(halted)).stdout.strip()
    run("register", "export", "--register", str(halted), "-o", str(tmp_path / "kept.jsonl"))
    with guards_off(halted) as connection:
        connection.execute("DELETE FROM entries WHERE seq = ?", (entries(halted)[-1].seq,))
    assert (gate(halted).exit_code, verify(halted).exit_code) == (0, 0), "a shorter register holds by itself"
    assert verify(halted, "--kept-head", head).exit_code == 4
    found = verify(halted, "--extends", str(tmp_path / "kept.jsonl"))
    assert found.exit_code == 4
    assert "its tail is missing" in found.stderr


def test_an_old_copy_of_the_file_is_found_by_a_kept_head_only(
    halted: Path, registers: Registers, tmp_path: Path
) -> None:
    head = run("register", "head", "--register", str(halted)).stdout.strip()
    old = Path(shutil.copy(registers.of("CONTINUE"), tmp_path / "old.sqlite"))
    assert (gate(old).exit_code, verify(old).exit_code) == (0, 0)
    assert verify(old, "--kept-head", head).exit_code == 4


def test_a_chain_that_was_computed_anew_is_found_by_a_kept_head_and_by_an_older_export_only(
    halted: Path, tmp_path: Path
) -> None:
    head = run("register", "head", "--register", str(halted)).stdout.strip()
    run("register", "export", "--register", str(halted), "-o", str(tmp_path / "kept.jsonl"))
    until_check_2 = [entry for entry in entries(halted) if entry.payload.get("check") != "check-2"]
    anew = tmp_path / "anew.jsonl"
    anew.write_bytes(b"".join(map(exporting.export_line, written_anew(until_check_2))))
    assert (gate(anew).exit_code, verify(anew).exit_code) == (0, 0), "a chain proves nothing against its writer"
    assert verify(anew, "--kept-head", head).exit_code == 4
    assert verify(anew, "--extends", str(tmp_path / "kept.jsonl")).exit_code == 4


def test_a_claim_with_made_up_counts_is_taken(registers: Registers, tmp_path: Path) -> None:
    """What docs/explanation/threats.md says does not hold: nobody but the writer of a claim knows its games."""
    register = Path(shutil.copy(registers.of("CONTINUE"), tmp_path / "register.sqlite"))
    stage = {"passed": True, "elo": 0.1, "elo_error": 0.1}
    with Register.open(str(register)) as opened:
        opened.append("gain_test", {"id": "made-up", "short": stage, "long": stage}, author="somebody")
    assert (gate(register).exit_code, verify(register).exit_code) == (0, 0)
