"""Registers that older programs wrote: read as they are, brought up to date before something is added.

``tests/registers/schema-N.sqlite`` was written by the last program whose newest schema was N: a project's claims, a
check that closed, one that was abandoned, one that halts, and every other kind. A file there is never written anew.
"""

import hashlib
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory

import anchorhold.register
from anchorhold.checks.recompute import recompute
from anchorhold.domain.entries import KINDS
from anchorhold.errors import BadInput, BadState, RegisterBroken
from anchorhold.gate.asking import ask
from anchorhold.register.revisions import HEAD_REVISION, OLDER_REVISIONS
from anchorhold.register.store import Register
from register.places import Place, SqlitePlace

STORED = Path(__file__).parent.parent / "registers"
HEADS = {"1": "f91fe342541f882f1f1c697658969210aa7a142a157d14ff05c6cf1ee5cb5258"}
"""Hash of the last entry of each: what its writer saw."""


@pytest.fixture(params=OLDER_REVISIONS)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> SqlitePlace:
    place = SqlitePlace(tmp_path)
    shutil.copy(STORED / f"schema-{request.param}.sqlite", place.path)
    return place


def revision(place: SqlitePlace) -> str:
    with closing(sqlite3.connect(place.path)) as connection:
        found: str = connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]
    return found


def test_a_stored_register_per_released_schema_and_one_newest_revision() -> None:
    assert sorted(path.name for path in STORED.glob("*.sqlite")) == [
        f"schema-{name}.sqlite" for name in OLDER_REVISIONS
    ]
    assert set(HEADS) == set(OLDER_REVISIONS)
    migrations = ScriptDirectory(str(Path(next(iter(anchorhold.register.__path__))) / "migrations"))
    assert migrations.get_heads() == [HEAD_REVISION]
    assert [script.revision for script in migrations.walk_revisions()] == [HEAD_REVISION, *reversed(OLDER_REVISIONS)]


def test_an_old_register_is_read_and_verified_and_not_touched(old: SqlitePlace) -> None:
    before = hashlib.sha256(old.path.read_bytes()).hexdigest()
    with Register.open(old.url, read_only=True) as register:
        found = register.verify()
        assert found.problem is None
        assert found.entries[-1].hash == HEADS[revision(old)]
        assert {entry.kind for entry in found.entries} == set(KINDS)
        assert recompute(found.entries) == ()
        assert ask(register, signers=None).state == "held"
        exported = b"".join(register.export())
    assert hashlib.sha256(old.path.read_bytes()).hexdigest() == before
    assert exported.count(b"\n") == len(found.entries)


def test_an_old_register_is_brought_up_to_date_and_appended_to(old: SqlitePlace) -> None:
    with Register.open(old.url, read_only=True) as register:
        before = register.entries()
    with Register.open(old.url) as register:
        assert revision(old) == HEAD_REVISION
        with pytest.raises(BadState, match="the id 'dev-1' stands already, at entry 3"):
            register.append("note", {"id": "dev-1", "text": "x"}, author="somebody")
        assert register.append("note", {"text": "on"}, author="somebody").seq == len(before) + 1
        found = register.verify()
    assert found.problem is None
    assert list(found.entries[:-1]) == before


def test_an_old_register_moves_into_any_database_by_its_export(old: SqlitePlace, empty: Place) -> None:
    with Register.open(old.url, read_only=True) as register:
        exported = b"".join(register.export())
    target = empty.other()
    with Register.restore(target, exported, where="export") as register:
        assert b"".join(register.export()) == exported
        assert recompute(register.verify().entries) == ()


def test_two_processes_that_bring_it_up_to_date_at_once_both_append(old: SqlitePlace) -> None:
    script = (
        "import sys; from anchorhold.register.store import Register\n"
        "with Register.open(sys.argv[1]) as register: register.append('note', {'text': 'x'}, author='x')"
    )
    processes = [subprocess.Popen([sys.executable, "-c", script, old.url]) for _ in range(3)]
    assert [process.wait() for process in processes] == [0, 0, 0]
    with Register.open(old.url) as register:
        assert register.verify().problem is None
        assert [entry.author for entry in register.entries()[-3:]] == ["x", "x", "x"]


def test_an_old_register_that_lost_a_trigger_is_not_brought_up_to_date(old: SqlitePlace) -> None:
    before = revision(old)
    old.sql("DROP TRIGGER entries_never_go")
    with pytest.raises(RegisterBroken, match="entries_never_go is gone"):
        Register.open(old.url)
    assert revision(old) == before
    with Register.open(old.url, read_only=True) as register:
        assert len(register.entries()) > 0


def test_an_upgrade_that_fails_half_way_changes_nothing(old: SqlitePlace) -> None:
    before = revision(old)
    old.without_guards("UPDATE entries SET payload = 'no JSON' WHERE seq = 3")
    with pytest.raises(RegisterBroken, match="malformed JSON"):
        Register.open(old.url)
    assert revision(old) == before
    with Register.open(old.url, read_only=True) as register:
        problem = register.verify().problem
    assert problem is not None
    assert problem.seq == 3


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize("name", ["99", "0", ""])
def test_a_schema_that_is_not_known_is_refused(place: Place, name: str, read_only: bool) -> None:
    place.sql(f"UPDATE alembic_version SET version_num = '{name}'")  # noqa: S608 - a test's own words
    with pytest.raises(BadInput, match=f"the register has schema '{name}', this program knows '{HEAD_REVISION}'"):
        Register.open(place.url, read_only=read_only)
