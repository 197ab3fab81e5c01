"""A register that is watched: grown, tampered with, gone; a request never waits for a verification."""

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from anchorhold.domain.entries import Entry
from anchorhold.register import chain
from anchorhold.register.store import Register
from anchorhold.report.viewing import view_of_check
from anchorhold.web.reports import view_of
from anchorhold.web.watch import Watch
from web.samples import EVIL, exported, register_at

MOMENT = datetime(2027, 3, 1, tzinfo=UTC)


def watch(path: Path) -> Watch:
    return Watch(str(path), clock=lambda: MOMENT)


def append(path: Path, kind: str, payload: dict[str, object]) -> None:
    with Register.open(str(path)) as register:
        register.append(kind, payload, author="Ada")


def test_what_is_added_is_verified_alone_and_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = register_at(tmp_path / "r.sqlite")
    watched = watch(path)
    first = watched.seen()
    append(path, "note", {"text": "new"})
    checked: list[int] = []
    whole = chain.check_entry

    def noted(stored: chain.StoredEntry, *, seq: int, prev: str) -> Entry | chain.Problem:
        checked.append(seq)
        return whole(stored, seq=seq, prev=prev)

    monkeypatch.setattr(chain, "check_entry", noted)
    second = watched.settle()
    assert checked == [len(first.entries) + 1]
    assert len(second.entries) == len(first.entries) + 1
    assert second.verified_entries == len(first.entries)
    assert second.serial > first.serial
    assert watched.settle() is second


def test_a_changed_entry_is_found_and_named(tmp_path: Path) -> None:
    path = register_at(tmp_path / "r.sqlite")
    watched = watch(path)
    with sqlite3.connect(path) as database:
        triggers = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            database.execute(f"DROP TRIGGER {name}")
        database.execute("UPDATE entries SET author = 'Mallory' WHERE seq = 5")
        for _, sql in triggers:
            database.execute(sql)
    database.close()
    # The file changed and did not grow: the head is the same, so only looking at all of it can tell.
    append(path, "note", {"text": "later"})
    watched._full = float("-inf")  # as after ten minutes
    seen = watched.settle()
    assert seen.overview.answer.state == "broken"
    assert "entry 5" in seen.overview.answer.reason
    assert len(seen.entries) == 4


def test_a_register_that_goes_away_is_shown_as_it_was_and_said_to_be_gone(tmp_path: Path) -> None:
    path = register_at(tmp_path / "r.sqlite")
    watched = watch(path)
    before = watched.seen()
    aside = path.rename(tmp_path / "aside")
    gone = watched.settle()
    assert gone.entries == before.entries
    assert "no register here" in gone.unreachable
    aside.rename(path)
    back = watched.settle()
    assert back.unreachable == ""


def test_another_register_in_its_place_is_read_whole(tmp_path: Path) -> None:
    path = register_at(tmp_path / "r.sqlite")
    watched = watch(path)
    path.unlink()
    Register.create(str(path), author="Ada", project="Other").close()
    seen = watched.settle()
    assert (len(seen.entries), seen.overview.project) == (1, "Other")


def test_a_damaged_register_is_broken_from_the_start(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(exported().replace(b"Ada", b"Eve", 1))
    seen = watch(path).seen()
    assert seen.overview.answer.state == "broken"


def test_a_search_finds_entries_by_all_its_words_and_kind(tmp_path: Path) -> None:
    seen = watch(register_at(tmp_path / "r.sqlite")).seen()
    assert [entry.kind for entry in seen.found(f"NOTE {EVIL.split()[0]}", "note")] == ["note"]
    closed = seen.found("", "check_closed")
    assert [entry.seq for entry in closed] == sorted((entry.seq for entry in closed), reverse=True)
    assert len(closed) == 3
    assert seen.found("no such words", "") == []


def test_a_report_from_the_entries_around_its_check_is_the_report_from_all_entries(tmp_path: Path) -> None:
    seen = watch(register_at(tmp_path / "r.sqlite", halts=True)).seen()
    closed = [state for state in seen.overview.states if state.closed is not None]
    assert len(closed) == 3
    for state in closed:
        assert view_of(seen.entries, state, project=None) == view_of_check(seen.entries, state.id)
