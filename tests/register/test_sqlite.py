"""A register in an SQLite file: what only a file can do, and what only SQLite's SQL can try."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from anchorhold.errors import AnchorholdError, BadInput, RegisterBroken
from anchorhold.register.reading import open_for_reading
from anchorhold.register.sqlite import path_of
from anchorhold.register.store import Register
from register.places import SqlitePlace
from register.test_store import insert

NEW_HASH = SqlitePlace.random_hash


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE OR REPLACE entries SET seq = 2 WHERE seq = 3",
        "UPDATE OR IGNORE entries SET author = 'me'",
        insert("3", "prev", "hash", like=3, verb="INSERT OR REPLACE"),
        insert("4", "hash", "hash", like=3, verb="REPLACE"),
        insert("4", "prev", NEW_HASH, like=2, verb="INSERT OR REPLACE"),
        insert("3", "prev", "hash", like=3, more="ON CONFLICT DO UPDATE SET author = 'me'"),
        "UPDATE entries SET author = 'me'",
        "DELETE FROM entries",
    ],
)
@pytest.mark.parametrize("recursive_triggers", ["ON", "OFF"])
def test_no_form_of_sql_changes_an_entry(file: SqlitePlace, statement: str, recursive_triggers: str) -> None:
    with Register.open(file.url) as register:
        before = register.entries()
        with pytest.raises(sqlite3.IntegrityError, match=r"append-only|an entry must carry"):
            file.sql(f"PRAGMA recursive_triggers = {recursive_triggers}", statement)
        assert register.entries() == before
        assert register.verify().problem is None


@pytest.mark.parametrize(
    ("statements", "found"),
    [
        (
            (
                "DROP TRIGGER entries_never_change",
                "CREATE TRIGGER entries_never_change BEFORE UPDATE ON entries BEGIN SELECT 1; END",
            ),
            "the trigger entries_never_change was replaced",
        ),
        (
            (
                "DROP TRIGGER entries_never_go",
                "CREATE TRIGGER entries_never_go BEFORE DELETE ON entries WHEN OLD.seq < 2 "
                "BEGIN SELECT RAISE(ABORT, 'the register is append-only: an entry is never deleted'); END",
            ),
            "the trigger entries_never_go was replaced",
        ),
        (
            ("CREATE TRIGGER silent BEFORE INSERT ON Entries BEGIN SELECT RAISE(IGNORE); END",),
            "there is a trigger silent that does not belong there",
        ),
    ],
)
def test_a_trigger_that_is_not_the_one_that_was_made_is_found(
    file: SqlitePlace, statements: tuple[str, ...], found: str
) -> None:
    file.sql(*statements)
    with Register.open(file.url) as register:
        for action in (register.verify, lambda: register.append("note", {"text": "three"}, author="somebody")):
            with pytest.raises(RegisterBroken, match=found):
                action()


@pytest.mark.parametrize("field", ["prev", "kind", "author", "hash"])
def test_a_value_of_another_type_in_a_row_is_found_at_its_place(file: SqlitePlace, field: str) -> None:
    file.without_guards(
        "PRAGMA ignore_check_constraints = ON",
        f"UPDATE entries SET {field} = x'00ff' WHERE seq = 2",  # noqa: S608 - a test's own words
    )
    with Register.open(file.url) as register:
        problem = register.verify().problem
    assert problem is not None
    assert (problem.seq, problem.field) == (2, field)


def test_reading_leaves_no_files(file: SqlitePlace) -> None:
    with Register.open(file.url, read_only=True) as register:
        assert register.verify().problem is None
    assert [found.name for found in file.directory.iterdir()] == ["register.db"]


def test_a_second_id_is_looked_up_in_the_index(file: SqlitePlace) -> None:
    with Register.open(file.url) as register, register._transaction() as connection:
        query = register._database.has_id("dev-1").compile(
            dialect=connection.dialect, compile_kwargs={"literal_binds": True}
        )
        plan = connection.exec_driver_sql(
            f"EXPLAIN QUERY PLAN SELECT seq FROM entries WHERE {query}"  # noqa: S608 - the register's own words
        ).all()
    assert "entries_by_id" in str(plan)


def test_the_database_keeps_wal_and_full_synchronisation(file: SqlitePlace) -> None:
    with Register.open(file.url) as register, register._database.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL


def test_a_missing_register_is_named_with_the_next_step_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"absent\.db: there is no register here\. .*register create"):
        Register.open(str(tmp_path / "absent.db"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"not a database at all, but long enough to look at" * 20, b""])
@pytest.mark.parametrize("read_only", [True, False])
def test_another_file_is_not_taken_for_a_register(tmp_path: Path, content: bytes, read_only: bool) -> None:
    other = tmp_path / "other"
    other.write_bytes(content)
    with pytest.raises(BadInput, match="not a register"):
        Register.open(str(other), read_only=read_only)
    assert other.read_bytes() == content


def test_a_damaged_database_is_an_error_and_no_traceback(file: SqlitePlace) -> None:
    content = bytearray(file.path.read_bytes())
    for at in range(4096, len(content)):
        content[at] ^= 0x55
    file.path.write_bytes(content)
    with pytest.raises(AnchorholdError), Register.open(file.url) as register:
        register.verify()


def test_a_file_left_by_a_killed_create_is_taken_over(tmp_path: Path) -> None:
    place = tmp_path / "register.db"
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    with Register.create(str(place), author="somebody") as register:
        assert register.verify().problem is None


def test_a_register_on_a_disk_that_cannot_be_written_to_is_read(
    file: SqlitePlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with Register.open(file.url, read_only=True) as register:
        assert len(register.entries()) == 3
    with Register.open(file.url) as writing:
        writing.append("note", {"text": "three"}, author="somebody")
        with Register.open(file.url, read_only=True) as register:  # the new entry is still in the log beside the file
            assert len(register.entries()) == 4


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("register.db", "register.db"),
        ("/a/register.db", "/a/register.db"),
        ("sqlite:///register.db", "register.db"),
        ("sqlite:////a/register.db", "/a/register.db"),
    ],
)
def test_a_register_is_named_by_path_or_url(url: str, expected: str) -> None:
    assert path_of(url) == Path(expected)


@pytest.mark.parametrize("url", ["", ":memory:", "sqlite://", "sqlite:///", "sqlite://host/x"])
def test_a_register_that_is_no_file_is_refused_without_showing_a_password(url: str) -> None:
    with pytest.raises(BadInput) as refusal:
        path_of(url)
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize("name", ["with space.db", "per%cent.db", "quest?ion#.db", "grün.db"])
def test_any_file_name_can_be_a_register(tmp_path: Path, name: str) -> None:
    with Register.create(str(tmp_path / name), author="somebody"):
        assert (tmp_path / name).is_file()
    with Register.open(str(tmp_path / name)) as register:
        assert len(register.entries()) == 1


def test_a_name_that_is_no_text_names_a_file_too(tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/register \xff?#%41'.db")
    Register.create(path, author="ada").close()
    assert os.path.exists(path)
    with open_for_reading(path) as register:
        assert register.verify().problem is None
