"""Many entries at once, the same on both databases and both ways: those that do not stand yet, all of them or none."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from anchorhold.canonical import canonical_json
from anchorhold.errors import AnchorholdError, BadInput, BadState, RegisterBroken
from anchorhold.register.appending import AppendableRegister, open_for_appending
from anchorhold.register.proposals import row_of
from anchorhold.register.reading import open_for_reading
from anchorhold.register.sqlite_appending import SqliteAppender
from anchorhold.register.store import Register
from register.places import Place, SqlitePlace, clock
from register.test_old_registers import STORED

Opener = Callable[[str], AppendableRegister]
OPENERS = [lambda url: Register.open(url, clock=clock), lambda url: open_for_appending(url, clock=clock)]
both_ways = pytest.mark.parametrize("open_", OPENERS, ids=["store", "for appending"])


@dataclass(frozen=True)
class Note:
    """A note that somebody proposes."""

    payload: dict[str, object]
    kind: str = "note"

    @property
    def text(self) -> str:
        """As it is proposed."""
        return canonical_json(self.payload).decode()


@both_ways
def test_of_proposed_entries_those_are_appended_whose_ids_do_not_stand(place: Place, open_: Opener) -> None:
    proposed = [Note({"text": "a", "id": name}) for name in ("x", "y", "x")] + [Note({"text": "no id"})] * 2
    with open_(place.url) as register:
        first = register.append_new(proposed, author="somebody")
        again = register.append_new([*proposed[:3], Note({"text": "b", "id": "z"})], author="somebody")
        assert register.append_new(proposed[:2], author="somebody").added == ()
    assert [entry.seq for entry in first.added] == [4, 5, 6, 7]
    assert [row.payload for row in again.added] == ['{"id":"z","text":"b"}']
    assert again.standing == {row.payload[7]: ("note", row.payload) for row in first.added[:2]}
    with open_for_reading(place.url) as read:
        assert read.verify().problem is None
        assert [row_of(entry) for entry in read.entries(after=3)] == [*first.added, *again.added]


@both_ways
def test_of_proposed_entries_none_is_appended_when_one_is_refused(place: Place, open_: Opener) -> None:
    with open_(place.url) as register, pytest.raises(BadInput, match="note payload, text: the member is missing"):
        register.append_new([Note({"text": "a"}), Note({"txet": "b"}), Note({"text": "c"})], author="somebody")
    with open_for_reading(place.url) as read:
        assert len(read.entries()) == 3


@both_ways
def test_nothing_is_built_on_a_last_entry_that_does_not_hold(place: Place, open_: Opener) -> None:
    place.without_guards("UPDATE entries SET author = 'me' WHERE seq = 3")
    with open_(place.url) as register, pytest.raises(RegisterBroken, match="entry 3, hash"):
        register.append_new([Note({"text": "a"})], author="somebody")


@both_ways
def test_a_file_that_lost_a_trigger_takes_nothing(file: SqlitePlace, open_: Opener) -> None:
    file.sql("DROP TRIGGER entries_never_go")
    with open_(file.url) as register, pytest.raises(RegisterBroken, match="the trigger entries_never_go is gone"):
        register.append_new([Note({"text": "a"})], author="somebody")


@both_ways
def test_what_the_database_refuses_is_not_acknowledged(file: SqlitePlace, open_: Opener) -> None:
    file.sql("CREATE UNIQUE INDEX one_author ON entries (author) WHERE seq > 2")
    with open_(file.url) as register, pytest.raises(RegisterBroken, match="refuses the entry: UNIQUE"):
        register.append_new([Note({"text": "a"})], author="somebody else")


def said(call: Callable[[], object]) -> str:
    with pytest.raises(AnchorholdError) as caught:
        call()
    return f"{type(caught.value).__name__}: {caught.value}"


def test_what_cannot_be_opened_is_said_alike(tmp_path: Path) -> None:
    no_database, no_register = tmp_path / "text.db", tmp_path / "other.db"
    no_database.write_text("not a database, but long enough to be looked at as one" * 20)
    with closing(sqlite3.connect(no_register)) as connection:
        connection.execute("CREATE TABLE other (x)")
    for path in (tmp_path / "none.db", no_database, no_register, tmp_path):
        store, quick = (said(lambda open_=open_, path=path: open_(str(path))) for open_ in OPENERS)  # type: ignore[misc]
        assert store == quick


def test_a_register_that_another_process_writes_is_waited_for(
    file: SqlitePlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("anchorhold.register.sqlite_connection.LOCK_SECONDS", 0.1)
    with closing(sqlite3.connect(file.path, isolation_level=None)) as other, open_for_appending(file.url) as register:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(BadState, match="another process has held the register"):
            register.append_new([Note({"text": "a"})], author="somebody")


def test_one_of_an_older_program_is_brought_up_to_date_first(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    shutil.copy(STORED / "schema-1.sqlite", path)
    with open_for_appending(str(path)) as register:
        assert not isinstance(register, SqliteAppender)
        [added] = register.append_new([Note({"text": "a"})], author="somebody").added
    with open_for_appending(str(path)) as register:
        assert isinstance(register, SqliteAppender)
    with open_for_reading(str(path)) as read:
        assert row_of(read.entries()[-1]) == added
