"""The register, the same on both databases: what is written is read, and what does not hold is found."""

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anchorhold.domain.entries import Entry
from anchorhold.errors import BadInput, BadState, RegisterBroken
from anchorhold.register.reading import open_for_reading
from anchorhold.register.store import Register
from register.places import Place


def insert(seq: str, prev: str, sealed: str, *, like: int, verb: str = "INSERT", more: str = "") -> str:
    """SQL for a row like entry ``like``, with another number, link and hash."""
    return (
        f"{verb} INTO entries (seq, prev, kind, recorded_at, author, payload, hash)"  # noqa: S608 - a test's own words
        f" SELECT {seq}, {prev}, kind, recorded_at, 'me', payload, {sealed} FROM entries WHERE seq = {like} {more}"
    )


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET author = 'me' WHERE seq = 2",
        "UPDATE entries SET seq = 9 WHERE seq = 3",
        "DELETE FROM entries WHERE seq = 3",
        "DELETE FROM entries",
        insert("3", "prev", "hash", like=3, more="ON CONFLICT (seq) DO UPDATE SET author = 'me'"),
        insert("5", "hash", "RANDOM_HASH", like=3),
        insert("NULL", "hash", "RANDOM_HASH", like=3),
        insert("4", "RANDOM_HASH", "RANDOM_HASH", like=3),
        insert("0", f"'{'0' * 64}'", "RANDOM_HASH", like=3),
        insert("4", "hash", "hash", like=3),
        insert("4", "hash", "'short'", like=3),
    ],
)
def test_the_database_itself_refuses_changes(place: Place, statement: str) -> None:
    with Register.open(place.url) as register:
        before = register.entries()
        with pytest.raises(place.refusals, match=r"append-only|an entry must carry|entries_hash_key|hash_is_sha256"):
            place.sql(statement.replace("RANDOM_HASH", place.random_hash))
        assert register.entries() == before
        assert register.verify().problem is None
        assert register.append("note", {"text": "three"}, author="somebody").seq == 4


def test_a_row_that_follows_is_taken_from_any_writer_and_found_when_it_is_no_entry(place: Place) -> None:
    place.sql(insert("4", "hash", place.random_hash, like=3))
    with Register.open(place.url) as register:
        problem = register.verify().problem
        assert problem is not None
        assert (problem.seq, problem.field) == (4, "hash")
        with pytest.raises(RegisterBroken, match="entry 4, hash"):
            register.append("note", {"text": "three"}, author="somebody")


def test_a_new_register_holds_and_begins_with_genesis(place: Place) -> None:
    with Register.open(place.url) as register:
        found = register.verify()
        assert found.problem is None
        assert [entry.kind for entry in found.entries] == ["genesis", "note", "note"]
        assert found.entries[0].payload == {"schema": "anchorhold/register/1", "project": "Sparrow"}
        assert {entry.recorded_at for entry in found.entries} == {"2026-11-30T04:05:06Z"}


def test_what_append_returns_is_what_is_read(place: Place) -> None:
    stage = {"passed": True, "elo": 2.0, "pentanomial": (1, 2, 3, 4, 5)}
    with Register.open(place.url) as register:
        entry = register.append("gain_test", {"id": "dev-1", "long": stage}, author="somebody")
        assert entry == register.head() == register.entries()[-1]
    assert entry.payload == {"id": "dev-1", "long": {"passed": True, "elo": 2, "pentanomial": [1, 2, 3, 4, 5]}}


def test_entries_can_be_read_in_part(place: Place) -> None:
    with Register.open(place.url) as register:
        assert [entry.seq for entry in register.entries(after=1)] == [2, 3]
        assert [entry.seq for entry in register.entries(until=2)] == [1, 2]
        assert register.entries(after=3) == []


@pytest.mark.parametrize("seq", [1, 2, 3])
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("prev", f"'{'1' * 64}'"),
        ("kind", "'retraction'"),
        ("recorded_at", "'2026-11-30T04:05:07Z'"),
        ("author", "'someone'"),
        ("payload", "replace(payload, 'o', 'a')"),
        ("payload", "payload || ' '"),
        ("payload", "replace(payload, '{', '{\"id\":\"x\",')"),
        ("hash", f"'{'1' * 64}'"),
    ],
)
def test_a_changed_field_of_a_stored_row_is_found_at_its_place(place: Place, seq: int, field: str, value: str) -> None:
    place.without_guards(f"UPDATE entries SET {field} = {value} WHERE seq = {seq}")  # noqa: S608 - a test's own words
    with Register.open(place.url) as register:
        problem = register.verify().problem
        assert problem is not None
        assert problem.seq == seq
        with pytest.raises(RegisterBroken, match=f"entry {seq}"):
            register.export()


@pytest.mark.parametrize("seq", [1, 2])
def test_a_row_that_was_taken_out_is_found_at_its_place(place: Place, seq: int) -> None:
    place.without_guards(f"DELETE FROM entries WHERE seq = {seq}")  # noqa: S608 - a test's own words
    with Register.open(place.url) as register:
        problem = register.verify().problem
    assert problem is not None
    assert (problem.seq, problem.field) == (seq, "seq")


@pytest.mark.parametrize("seq", [0, -7])
def test_a_row_that_was_put_before_the_first_is_found(place: Place, seq: int) -> None:
    place.without_guards(
        "INSERT INTO entries (seq, prev, kind, recorded_at, author, payload, hash) "  # noqa: S608 - a test's own words
        f"SELECT {seq}, '{'1' * 64}', kind, recorded_at, author, payload, '{'2' * 64}' FROM entries WHERE seq = 2"
    )
    with Register.open(place.url) as register:
        problem = register.verify().problem
        assert problem is not None
        assert (problem.seq, problem.field) == (1, "seq")
    with open_for_reading(place.url) as read:
        assert read.verify().problem == problem


def test_nothing_is_added_to_a_register_whose_last_entry_does_not_hold(place: Place) -> None:
    place.without_guards("UPDATE entries SET author = 'someone' WHERE seq = 3")
    with Register.open(place.url) as register:
        with pytest.raises(RegisterBroken, match="entry 3, hash"):
            register.append("note", {"text": "three"}, author="somebody")
        assert len(register.entries()) == 3


def test_nothing_is_added_under_a_guard_when_any_entry_does_not_hold(place: Place) -> None:
    place.without_guards("UPDATE entries SET author = 'someone' WHERE seq = 2")
    with Register.open(place.url) as register, pytest.raises(RegisterBroken, match="entry 2, hash"):
        register.append("note", {"text": "three"}, author="somebody", guard=lambda _: None)


def test_a_guard_sees_all_entries_and_can_refuse(place: Place) -> None:
    seen: list[int] = []

    def guard(entries: Sequence[Entry]) -> None:
        seen.extend(entry.seq for entry in entries)
        raise BadState("not now")

    with Register.open(place.url) as register:
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
def test_what_is_no_entry_is_refused(place: Place, kind: str, payload: dict[str, object], author: str) -> None:
    with Register.open(place.url) as register:
        with pytest.raises(BadInput):
            register.append(kind, payload, author=author)
        assert len(register.entries()) == 3


@pytest.mark.parametrize("name", ["dev-41", "50%_off", 'quo"te', "back\\slash", "Grün", "tab\there"])
def test_an_id_stands_once(place: Place, name: str) -> None:
    with Register.open(place.url) as register:
        register.append("note", {"text": f"about {name}"}, author="somebody")
        register.append("retraction", {"of": name}, author="somebody")
        register.append("special_path", {"id": name, "special": "edge_case"}, author="somebody")
        with pytest.raises(BadState, match="stands already, at entry 6"):
            register.append("rejected_test", {"id": name}, author="somebody")
        register.append("rejected_test", {"id": name + "x"}, author="somebody")


def test_an_export_is_not_imported_over_a_register(place: Place) -> None:
    with Register.open(place.url) as register:
        exported = b"".join(register.export())
    with pytest.raises(BadState, match="already"):
        Register.restore(place.url, exported, where="export")


def test_a_register_of_a_newer_program_is_refused(place: Place) -> None:
    place.sql("UPDATE alembic_version SET version_num = '99'")
    with pytest.raises(BadInput, match="schema '99', this program knows"):
        Register.open(place.url)


def test_creating_twice_is_refused(place: Place) -> None:
    with pytest.raises(BadState, match="already"):
        Register.create(place.url, author="somebody")


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip), max_size=5))
def test_an_export_makes_the_same_register_again(empty: Place, texts: list[str]) -> None:
    with Register.create(empty.other(), author="somebody") as register:
        for number, text in enumerate(texts):
            register.append("note", {"text": text, "id": f"{number}{text}"}, author="somebody")
        exported = b"".join(register.export())
        entries = register.entries()
    with Register.restore(empty.other(), exported, where="export") as register:
        assert b"".join(register.export()) == exported
        assert register.entries() == entries
        assert register.append("note", {"text": "more"}, author="somebody").seq == len(entries) + 1


def test_a_broken_export_leaves_no_register(empty: Place, exported: bytes) -> None:
    with pytest.raises(RegisterBroken, match="entry 3, hash"):
        Register.restore(empty.url, exported.replace(b"two", b"too"), where="export")
    with pytest.raises(BadInput, match=r"not a register|no register here"):
        Register.open(empty.url)


def test_another_database_is_not_taken_for_a_register(empty: Place) -> None:
    empty.sql("CREATE TABLE games (id INTEGER)")
    with pytest.raises(BadInput, match="not a register"):
        Register.open(empty.url)
    with pytest.raises(BadState, match="another database"):
        Register.create(empty.url, author="somebody")


def test_a_register_opened_for_reading_takes_nothing(place: Place) -> None:
    with Register.open(place.url, read_only=True) as register:
        assert register.verify().problem is None
        with pytest.raises(BadState, match="for reading only"):
            register.append("note", {"text": "three"}, author="somebody")
        assert len(register.entries()) == 3


@pytest.mark.parametrize("name", ["nul\0l", "x" * 9_999, "\ue000🐎", "a.b[c]$"])
def test_an_id_of_any_letters_and_length_is_found_again(place: Place, name: str) -> None:
    with Register.open(place.url) as register:
        register.append("note", {"id": name, "text": "\0 and \\u0000 and \u0001"}, author="somebody")
        register.append("note", {"id": name.replace("\0", "\1") + "1", "text": "another"}, author="somebody")
        with pytest.raises(BadState, match="stands already, at entry 4"):
            register.append("note", {"id": name, "text": "again"}, author="somebody")


@pytest.mark.parametrize("trigger", ["entries_never_change", "entries_never_go", "entries_follow"])
def test_a_database_that_lost_a_trigger_is_not_trusted(place: Place, trigger: str) -> None:
    place.sql(f"DROP TRIGGER {trigger}" + (" ON entries" if "postgresql" in place.url else ""))
    with Register.open(place.url) as register:
        for action in (register.verify, lambda: register.append("note", {"text": "three"}, author="somebody")):
            with pytest.raises(RegisterBroken, match=f"the trigger {trigger} is gone"):
                action()


def test_a_row_that_vanishes_without_an_error_is_not_acknowledged(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The look at the guards finds what does this; without it, the count of rows does.
    if "postgresql" in place.url:
        place.sql("CREATE RULE away AS ON INSERT TO entries DO INSTEAD NOTHING")
    else:
        place.sql("CREATE TRIGGER away BEFORE INSERT ON entries BEGIN SELECT RAISE(IGNORE); END")
    with Register.open(place.url) as register:
        monkeypatch.setattr(type(register._database), "lost_guard", lambda *_: "")
        with pytest.raises(RegisterBroken, match="did not take the entry"):
            register.append("note", {"text": "three"}, author="somebody")
        assert len(register.entries()) == 3


def test_a_register_opened_for_reading_takes_no_proposed_entries(place: Place) -> None:
    with Register.open(place.url, read_only=True) as register, pytest.raises(BadState, match="for reading only"):
        register.append_new([], author="somebody")
