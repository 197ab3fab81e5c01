"""The register on disk, used by real processes: nothing acknowledged is lost, nothing is numbered twice."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from hypothesis import given, settings
from hypothesis import strategies as st

import anchorhold.register
from anchorhold.domain.entries import Entry
from anchorhold.errors import AnchorholdError, BadInput, BadState, RegisterBroken
from anchorhold.register.store import Register, path_of
from anchorhold.register.tables import HEAD_REVISION

NOW = datetime(2026, 11, 30, 4, 5, 6, tzinfo=UTC)

# A writer: appends notes one by one and says the number of each as soon as it is acknowledged.
WRITER = """
import sys
from anchorhold.register.store import Register
with Register.open(sys.argv[1]) as register:
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(int(sys.argv[3])):
        entry = register.append("note", {"text": f"{sys.argv[2]} {number}"}, author=sys.argv[2])
        print(entry.seq, entry.hash, flush=True)
"""


def clock() -> datetime:
    return NOW


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A register of genesis and two notes."""
    place = tmp_path_factory.mktemp("template") / "register.db"
    with Register.create(str(place), author="somebody", clock=clock, project="Sparrow") as register:
        register.append("note", {"text": "one"}, author="somebody")
        register.append("note", {"text": "two"}, author="somebody else")
    return place


@pytest.fixture
def path(template: Path, tmp_path: Path) -> Path:
    """A register of genesis and two notes, for one test."""
    return Path(shutil.copy(template, tmp_path))


def writer(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(count)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def raw(path: Path, *statements: str) -> None:
    """Do with the file what anybody can who has SQL."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def without_triggers(path: Path, *statements: str) -> None:
    """Change what the database refuses to change, and put its triggers back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
        for _, text in triggers:
            connection.execute(text)


def test_a_new_register_holds_and_begins_with_genesis(path: Path) -> None:
    with Register.open(str(path)) as register:
        found = register.verify()
        assert found.problem is None
        assert [entry.kind for entry in found.entries] == ["genesis", "note", "note"]
        assert found.entries[0].payload == {"schema": "anchorhold/register/1", "project": "Sparrow"}
        assert {entry.recorded_at for entry in found.entries} == {"2026-11-30T04:05:06Z"}


def test_what_append_returns_is_what_is_read(path: Path) -> None:
    stage = {"passed": True, "elo": 2.0, "pentanomial": (1, 2, 3, 4, 5)}
    with Register.open(str(path)) as register:
        entry = register.append("gain_test", {"id": "dev-1", "long": stage}, author="somebody")
        assert entry == register.head() == register.entries()[-1]
    assert entry.payload == {"id": "dev-1", "long": {"passed": True, "elo": 2, "pentanomial": [1, 2, 3, 4, 5]}}


def test_entries_can_be_read_in_part(path: Path) -> None:
    with Register.open(str(path)) as register:
        assert [entry.seq for entry in register.entries(after=1)] == [2, 3]
        assert [entry.seq for entry in register.entries(until=2)] == [1, 2]
        assert register.entries(after=3) == []


def test_the_database_keeps_wal_and_full_synchronisation(path: Path) -> None:
    with Register.open(str(path)) as register, register._engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL


def insert(seq: str, prev: str, sealed: str, *, like: int, verb: str = "INSERT", more: str = "") -> str:
    """SQL for a row like entry ``like``, with another number, link and hash."""
    return (
        f"{verb} INTO entries (seq, prev, kind, recorded_at, author, payload, hash)"  # noqa: S608 - a test's own words
        f" SELECT {seq}, {prev}, kind, recorded_at, 'me', payload, {sealed} FROM entries WHERE seq = {like} {more}"
    )


NEW_HASH = "lower(hex(randomblob(32)))"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET author = 'me' WHERE seq = 2",
        "UPDATE entries SET seq = 9 WHERE seq = 3",
        "UPDATE OR REPLACE entries SET seq = 2 WHERE seq = 3",
        "UPDATE OR IGNORE entries SET author = 'me'",
        "DELETE FROM entries WHERE seq = 3",
        "DELETE FROM entries",
        insert("3", "prev", "hash", like=3, verb="INSERT OR REPLACE"),
        insert("4", "hash", "hash", like=3, verb="REPLACE"),
        insert("4", "prev", NEW_HASH, like=2, verb="INSERT OR REPLACE"),
        insert("3", "prev", "hash", like=3, more="ON CONFLICT DO UPDATE SET author = 'me'"),
        insert("5", "hash", NEW_HASH, like=3),
        insert("NULL", "hash", NEW_HASH, like=3),
        insert("4", NEW_HASH, NEW_HASH, like=3),
        insert("0", f"'{'0' * 64}'", NEW_HASH, like=3),
    ],
)
@pytest.mark.parametrize("recursive_triggers", ["ON", "OFF"])
def test_the_database_itself_refuses_changes(path: Path, statement: str, recursive_triggers: str) -> None:
    with Register.open(str(path)) as register:
        before = register.entries()
    with pytest.raises(sqlite3.IntegrityError, match=r"append-only|an entry must carry"):
        raw(path, f"PRAGMA recursive_triggers = {recursive_triggers}", statement)
    with Register.open(str(path)) as register:
        assert register.entries() == before
        assert register.verify().problem is None


@pytest.mark.parametrize("seq", [1, 2, 3])
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("prev", f"'{'1' * 64}'"),
        ("kind", "'retraction'"),
        ("recorded_at", "'2026-11-30T04:05:07Z'"),
        ("author", "'someone'"),
        ("author", "x'00ff'"),
        ("payload", "replace(payload, 'o', 'a')"),
        ("payload", "payload || ' '"),
        ("hash", f"'{'1' * 64}'"),
    ],
)
def test_a_changed_field_of_a_stored_row_is_found_at_its_place(path: Path, seq: int, field: str, value: str) -> None:
    without_triggers(path, f"UPDATE entries SET {field} = {value} WHERE seq = {seq}")  # noqa: S608 - a test's own words
    with Register.open(str(path)) as register:
        problem = register.verify().problem
        assert problem is not None
        assert problem.seq == seq
        with pytest.raises(RegisterBroken, match=f"entry {seq}"):
            register.export()


@pytest.mark.parametrize("seq", [1, 2])
def test_a_row_that_was_taken_out_is_found_at_its_place(path: Path, seq: int) -> None:
    without_triggers(path, f"DELETE FROM entries WHERE seq = {seq}")  # noqa: S608 - a test's own words
    with Register.open(str(path)) as register:
        problem = register.verify().problem
    assert problem is not None
    assert (problem.seq, problem.field) == (seq, "seq")


def test_nothing_is_added_to_a_register_whose_last_entry_does_not_hold(path: Path) -> None:
    without_triggers(path, "UPDATE entries SET author = 'someone' WHERE seq = 3")
    with Register.open(str(path)) as register:
        with pytest.raises(RegisterBroken, match="entry 3, hash"):
            register.append("note", {"text": "three"}, author="somebody")
        assert len(register.entries()) == 3


def test_nothing_is_added_under_a_guard_when_any_entry_does_not_hold(path: Path) -> None:
    without_triggers(path, "UPDATE entries SET author = 'someone' WHERE seq = 2")
    with Register.open(str(path)) as register, pytest.raises(RegisterBroken, match="entry 2, hash"):
        register.append("note", {"text": "three"}, author="somebody", guard=lambda _: None)


@pytest.mark.parametrize("trigger", ["entries_never_change", "entries_never_go", "entries_follow"])
def test_a_database_that_lost_a_trigger_is_not_trusted(path: Path, trigger: str) -> None:
    raw(path, f"DROP TRIGGER {trigger}")
    with Register.open(str(path)) as register:
        with pytest.raises(RegisterBroken, match=trigger):
            register.append("note", {"text": "three"}, author="somebody")
        with pytest.raises(RegisterBroken, match=trigger):
            register.verify()


def test_a_guard_sees_all_entries_and_can_refuse(path: Path) -> None:
    seen: list[int] = []

    def guard(entries: Sequence[Entry]) -> None:
        seen.extend(entry.seq for entry in entries)
        raise BadState("not now")

    with Register.open(str(path)) as register:
        with pytest.raises(BadState, match="not now"):
            register.append("note", {"text": "three"}, author="somebody", guard=guard)
        assert seen == [1, 2, 3]
        assert len(register.entries()) == 3
        assert register.append("note", {"text": "three"}, author="somebody", guard=lambda _: None).seq == 4


@pytest.mark.parametrize(
    ("kind", "payload", "author"),
    [
        ("genesis", {"schema": "anchorhold/register/1"}, "somebody"),
        ("notes", {"text": "x"}, "somebody"),
        ("note", {"text": 3}, "somebody"),
        ("note", {"text": "x"}, ""),
        ("note", {"text": "x"}, "some\nbody"),
    ],
)
def test_what_is_no_entry_is_refused(path: Path, kind: str, payload: dict[str, object], author: str) -> None:
    with Register.open(str(path)) as register:
        with pytest.raises(BadInput):
            register.append(kind, payload, author=author)
        assert len(register.entries()) == 3


@pytest.mark.parametrize("name", ["dev-41", "50%_off", 'quo"te', "back\\slash", "Grün", "tab\there"])
def test_an_id_stands_once(path: Path, name: str) -> None:
    with Register.open(str(path)) as register:
        register.append("note", {"text": f"about {name}"}, author="somebody")
        register.append("retraction", {"of": name}, author="somebody")
        register.append("special_path", {"id": name, "special": "edge_case"}, author="somebody")
        with pytest.raises(BadState, match="stands already, at entry 6"):
            register.append("rejected_test", {"id": name}, author="somebody")
        register.append("rejected_test", {"id": name + "x"}, author="somebody")


@settings(max_examples=8, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip), max_size=5))
def test_an_export_makes_the_same_register_again(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    directory = tmp_path_factory.mktemp("registers")
    with Register.create(str(directory / "one.db"), author="somebody") as register:
        for text in texts:
            register.append("note", {"text": text}, author="somebody")
        exported = b"".join(register.export())
        entries = register.entries()
    with Register.restore(str(directory / "two.db"), exported, where="export") as register:
        assert b"".join(register.export()) == exported
        assert register.entries() == entries
        assert register.append("note", {"text": "more"}, author="somebody").seq == len(entries) + 1


def test_a_broken_export_leaves_no_register(path: Path, tmp_path: Path) -> None:
    with Register.open(str(path)) as register:
        exported = b"".join(register.export()).replace(b"two", b"too")
    with pytest.raises(RegisterBroken, match="entry 3, hash"):
        Register.restore(str(tmp_path / "new.db"), exported, where="export")
    assert not (tmp_path / "new.db").exists()


def test_an_export_is_not_imported_over_a_register(path: Path) -> None:
    with Register.open(str(path)) as register:
        exported = b"".join(register.export())
    with pytest.raises(BadState, match="already"):
        Register.restore(str(path), exported, where="export")


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


def test_another_database_is_not_taken_for_a_register(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    raw(other, "CREATE TABLE games (id INTEGER)")
    with pytest.raises(BadInput, match="not a register"):
        Register.open(str(other))
    with pytest.raises(BadState, match="another database"):
        Register.create(str(other), author="somebody")


def test_a_register_of_a_newer_program_is_refused(path: Path) -> None:
    raw(path, "UPDATE alembic_version SET version_num = '99'")
    with pytest.raises(BadInput, match="schema '99', this program knows"):
        Register.open(str(path))


def test_a_damaged_database_is_an_error_and_no_traceback(path: Path) -> None:
    content = bytearray(path.read_bytes())
    for at in range(4096, len(content)):
        content[at] ^= 0x55
    path.write_bytes(content)
    with pytest.raises(AnchorholdError), Register.open(str(path)) as register:
        register.verify()


def test_a_file_left_by_a_killed_create_is_taken_over(tmp_path: Path) -> None:
    place = tmp_path / "register.db"
    raw(place, "PRAGMA journal_mode = WAL")
    with Register.create(str(place), author="somebody") as register:
        assert register.verify().problem is None


def test_creating_twice_is_refused(path: Path) -> None:
    with pytest.raises(BadState, match="already"):
        Register.create(str(path), author="somebody")


def test_a_register_opened_for_reading_takes_nothing_and_leaves_no_files(path: Path) -> None:
    with Register.open(str(path), read_only=True) as register:
        assert register.verify().problem is None
        with pytest.raises(BadState, match="for reading only"):
            register.append("note", {"text": "three"}, author="somebody")
    assert [file.name for file in path.parent.iterdir()] == ["register.db"]


def test_a_register_on_a_disk_that_cannot_be_written_to_is_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with Register.open(str(path), read_only=True) as register:
        assert len(register.entries()) == 3
    with Register.open(str(path)) as writing:
        writing.append("note", {"text": "three"}, author="somebody")
        with Register.open(str(path), read_only=True) as register:  # the new entry is still in the log beside the file
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


@pytest.mark.parametrize(
    "url", ["", ":memory:", "sqlite://", "sqlite:///", "sqlite://host/x", "postgresql://me:secret@host/db"]
)
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


def test_the_newest_revision_is_the_one_the_program_writes() -> None:
    migrations = Path(next(iter(anchorhold.register.__path__))) / "migrations"
    assert ScriptDirectory(str(migrations)).get_heads() == [HEAD_REVISION]


@pytest.fixture
def writers() -> Iterator[list[subprocess.Popen[str]]]:
    started: list[subprocess.Popen[str]] = []
    yield started
    for process in started:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


def begin(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def test_four_writers_at_once_lose_nothing_and_number_nothing_twice(
    path: Path, writers: list[subprocess.Popen[str]]
) -> None:
    count = 15
    for name in ("a", "b", "c", "d"):
        writers.append(writer(path, name, count))
    for process in writers:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in writers:
        begin(process)
    acknowledged: dict[int, str] = {}
    for process in writers:
        assert process.stdout is not None
        for line in process.stdout:
            seq, sealed = line.split()
            assert int(seq) not in acknowledged
            acknowledged[int(seq)] = sealed
        assert process.wait() == 0
    with Register.open(str(path)) as register:
        found = register.verify()
    assert found.problem is None
    assert {entry.seq: entry.hash for entry in found.entries[3:]} == acknowledged
    assert len(found.entries) == 3 + 4 * count
    for name in ("a", "b", "c", "d"):
        texts = [entry.payload["text"] for entry in found.entries if entry.author == name]
        assert texts == [f"{name} {number}" for number in range(count)]


def test_two_processes_that_make_the_same_register_make_one(tmp_path: Path) -> None:
    script = (
        "import sys; from anchorhold.register.store import Register; Register.create(sys.argv[1], author='x').close()"
    )
    place = str(tmp_path / "register.db")
    processes = [subprocess.Popen([sys.executable, "-c", script, place], stderr=subprocess.DEVNULL) for _ in range(2)]
    assert sorted(process.wait() for process in processes) == [0, 1]
    with Register.open(place) as register:
        assert len(register.entries()) == 1
        assert register.verify().problem is None


@pytest.mark.parametrize("after", [1, 4, 9])
def test_a_writer_that_is_killed_loses_nothing_it_was_told_is_written(
    path: Path, writers: list[subprocess.Popen[str]], after: int
) -> None:
    process = writer(path, "a", 100_000)
    writers.append(process)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    begin(process)
    acknowledged = [process.stdout.readline().split() for _ in range(after)]
    process.send_signal(signal.SIGKILL)
    # What it could still say before it died was acknowledged too; a line cut in two was not said.
    acknowledged += [line.split() for line in process.stdout if line.endswith("\n")]
    assert process.wait() == -signal.SIGKILL
    with Register.open(str(path)) as register:
        found = register.verify()
        assert found.problem is None
        kept = {entry.seq: entry.hash for entry in found.entries}
        assert all(kept[int(seq)] == sealed for seq, sealed in acknowledged)
        # At most the one entry that was written and not yet acknowledged comes on top.
        assert len(found.entries) - 3 - len(acknowledged) in (0, 1)
        assert register.append("note", {"text": "on"}, author="somebody").seq == len(found.entries) + 1
