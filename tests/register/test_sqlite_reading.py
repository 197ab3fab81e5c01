"""A file that is only read answers as the store does, also where it is damaged, without loading SQLAlchemy."""

import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from anchorhold.errors import AnchorholdError
from anchorhold.register.reading import ReadableRegister, open_for_reading
from anchorhold.register.store import Register
from register.places import SqlitePlace


def said(opened: Callable[[], ReadableRegister]) -> object:
    """What a register answers, or the error that it ends with."""
    try:
        with opened() as register:
            location = register.location
            verified: object
            try:
                verified = register.verify()
            except AnchorholdError as error:
                verified = str(error)
            return (location, verified, register.entries(), register.entries(after=1, until=2), register.head())
    except AnchorholdError as error:
        return type(error), str(error)


def same(url: str) -> object:
    """What both say, which must be one thing."""
    found = said(lambda: open_for_reading(url))
    assert found == said(lambda: Register.open(url, read_only=True))
    return found


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET author = x'00ff' WHERE seq = 2",
        "UPDATE entries SET author = CAST(x'ff' AS TEXT) WHERE seq = 2",
        "UPDATE entries SET kind = 7 WHERE seq = 2",
        "UPDATE entries SET author = 'another' WHERE seq = 1",
        "UPDATE entries SET seq = -1 WHERE seq = 1",
        "DELETE FROM entries WHERE seq = 1",
        "DELETE FROM entries",
        "UPDATE entries SET payload = '[]' WHERE seq = 2",
        "DROP TABLE alembic_version",
        "DELETE FROM alembic_version",
        "UPDATE alembic_version SET version_num = '99'",
    ],
)
def test_a_changed_file_is_answered_for_as_the_store_does(file: SqlitePlace, statement: str) -> None:
    before = same(file.url)
    file.without_guards("PRAGMA ignore_check_constraints = ON", statement)
    assert same(file.url) != before


def test_a_file_that_has_lost_its_table_is_no_register(file: SqlitePlace) -> None:
    file.sql("DROP TABLE entries")
    assert "is not a register" in str(same(file.url))


def test_a_lost_trigger_is_found(file: SqlitePlace) -> None:
    file.sql("DROP TRIGGER entries_follow")
    assert "the trigger entries_follow is gone" in str(same(file.url))


def test_a_file_with_damaged_bytes_is_answered_for_as_the_store_does(file: SqlitePlace, tmp_path: Path) -> None:
    draw, whole = random.Random(3), Path(file.url).read_bytes()
    for _ in range(40):
        data = bytearray(whole)
        for _ in range(draw.randrange(1, 5)):
            at = draw.randrange(len(data))
            data[at : at + 8] = draw.randbytes(8)
        (tmp_path / "damaged.db").write_bytes(data[: draw.choice([len(data), draw.randrange(len(data))])])
        same(str(tmp_path / "damaged.db"))


def test_what_is_no_register_is_refused_as_the_store_does(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    (tmp_path / "text").write_text("not a database, but long enough to be looked at" * 30)
    with closing(sqlite3.connect(tmp_path / "other.db")) as connection:
        connection.execute("CREATE TABLE entries (seq)")
    for name in ("empty", "text", "other.db", "absent", "."):
        same(str(tmp_path / name))
    for url in (":memory:", "sqlite://r.db", "mysql://h/d", ""):
        same(url)


def test_reading_leaves_no_file_behind_and_waits_for_no_writer(file: SqlitePlace, tmp_path: Path) -> None:
    copy = tmp_path / "alone" / "r.db"
    copy.parent.mkdir()
    shutil.copy(file.url, copy)
    with Register.open(str(copy)) as writer:
        writer.append("note", {"text": "while it is written"}, author="somebody")
        with open_for_reading(str(copy)) as reader:
            writer.append("note", {"text": "and once more"}, author="somebody")
            assert reader.entries() == writer.entries()
    assert [path.name for path in copy.parent.iterdir()] == ["r.db"]


def test_the_gate_reads_a_file_without_loading_sqlalchemy(file: SqlitePlace) -> None:
    code = (
        "import sys; from anchorhold.cli.app import main; sys.argv[1:] = ['gate', '--register', sys.argv[1]]\n"
        "try: main()\nexcept SystemExit: print([name for name in ('sqlalchemy', 'alembic') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code, file.url], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")
