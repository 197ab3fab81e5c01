"""The chain is verified with no database at hand, and names the first entry that does not hold."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.canonical import canonical_json, digest
from anchorhold.domain.entries import NO_PREVIOUS, Entry
from anchorhold.errors import BadInput, RegisterBroken
from anchorhold.register import chain, exporting

START = datetime(2026, 11, 30, 4, 5, 6, tzinfo=UTC)
GENESIS: dict[str, object] = {"schema": "anchorhold/register/1"}

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20).filter(str.strip)
numbers = st.floats(-10_000, 10_000) | st.integers(-10_000, 10_000)
counts = st.lists(st.integers(0, 2**53 - 1), min_size=5, max_size=5)
# A passed stage has a value or counts, not both: drawn at random they would contradict each other and be refused.
stages = st.fixed_dictionaries(
    {"passed": st.booleans(), "elo": numbers}, optional={"elo_error": st.floats(0.001, 100)}
) | st.fixed_dictionaries({"passed": st.just(False), "elo": numbers, "pentanomial": counts})
options = st.dictionaries(texts, st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | texts)
payloads = st.one_of(
    st.tuples(st.just("note"), st.fixed_dictionaries({"text": texts})),
    st.tuples(st.just("gain_test"), st.fixed_dictionaries({"id": texts, "short": stages, "long": stages})),
    st.tuples(st.just("retraction"), st.fixed_dictionaries({"of": texts})),
    st.tuples(
        st.just("epoch_change"), st.fixed_dictionaries({"conditions": st.fixed_dictionaries({"runner": options})})
    ),
)
authors = st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=30)


def register(contents: Sequence[tuple[str, dict[str, object]]], author: str = "somebody") -> list[Entry]:
    """Entries that hold: genesis, then one per kind and payload."""
    entries: list[Entry] = []
    for number, (kind, payload) in enumerate([("genesis", GENESIS), *contents], start=1):
        entries.append(
            chain.sealed(
                seq=number,
                prev=entries[-1].hash if entries else NO_PREVIOUS,
                kind=kind,
                recorded_at=START + timedelta(minutes=number),
                author=author,
                payload=payload,
            )
        )
    return entries


def stored(entries: Sequence[Entry]) -> list[chain.StoredEntry]:
    return [chain.StoredEntry(**{**entry.to_json(), "payload": chain.payload_text(entry)}) for entry in entries]


FOUR = register(
    [
        ("note", {"text": "one"}),
        ("gain_test", {"id": "dev-1", "long": {"passed": True, "elo": 2.5}}),
        ("note", {"text": "three"}),
    ]
)


@given(st.lists(payloads, max_size=6), authors)
def test_what_is_sealed_holds_and_survives_an_export(
    contents: list[tuple[str, dict[str, object]]], author: str
) -> None:
    entries = register(contents, author)
    assert chain.verify(stored(entries)) == chain.Chain(tuple(entries), None)
    data = b"".join(map(exporting.export_line, entries))
    again = exporting.read_export(data, where="export")
    assert again == tuple(entries)
    assert b"".join(map(exporting.export_line, again)) == data


@given(st.data())
def test_a_change_of_one_field_is_found_at_its_place(data: st.DataObject) -> None:
    entries = stored(FOUR)
    place = data.draw(st.integers(0, len(entries) - 1))
    name = data.draw(st.sampled_from(["seq", "prev", "kind", "recorded_at", "author", "payload", "hash"]))
    before = getattr(entries[place], name)
    other: st.SearchStrategy[object] = st.none() | st.integers() | st.text() | st.binary()
    other |= st.sampled_from([getattr(entry, name) for entry in entries])
    if isinstance(before, str):
        other |= st.integers(0, len(before) - 1).map(
            lambda at: before[:at] + ("1" if before[at] != "1" else "2") + before[at + 1 :]
        )
    after = data.draw(other.filter(lambda value: value != before))
    entries[place] = replace(entries[place], **{name: after})
    found = chain.verify(entries)
    assert found.problem is not None
    assert found.problem.seq == place + 1
    assert found.entries == tuple(FOUR[:place])


def resealed(entry: Entry, **changes: object) -> Entry:
    """The entry with changes and the hash that belongs to them: what a forger would write."""
    members = {**entry.to_json(), **changes}
    del members["hash"]
    return Entry(**members, hash=digest(members))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"kind": "gain"}, "kind"),
        ({"kind": "genesis", "payload": GENESIS}, "kind"),
        ({"kind": "retraction"}, "payload"),
        ({"payload": {"text": ""}}, "payload"),
        ({"payload": {"text": "x", "hidden": 1}}, "payload"),
        ({"recorded_at": "2026-11-30T04:05:06+01:00"}, "recorded_at"),
        ({"recorded_at": "2026-13-30T04:05:06Z"}, "recorded_at"),
        ({"author": ""}, "author"),
        ({"author": "a\nb"}, "author"),
        ({"author": "x" * 201}, "author"),
        ({"prev": "0" * 64}, "prev"),
        ({"seq": 9}, "seq"),
    ],
)
def test_a_right_hash_does_not_make_an_entry_hold(changes: dict[str, object], field: str) -> None:
    problem = chain.chain_of([*FOUR[:3], resealed(FOUR[3], **changes)]).problem
    assert problem is not None
    assert (problem.seq, problem.field) == (4, field)


@pytest.mark.parametrize(
    ("entries", "seq"),
    [
        ([], 1),
        (FOUR[1:], 1),
        ([FOUR[0], FOUR[2], FOUR[3]], 2),
        ([FOUR[0], FOUR[2], FOUR[1], FOUR[3]], 2),
        ([*FOUR[:2], FOUR[1], *FOUR[2:]], 3),
    ],
)
def test_entries_that_are_missing_moved_or_doubled_are_found(entries: list[Entry], seq: int) -> None:
    problem = chain.chain_of(entries).problem
    assert problem is not None
    assert problem.seq == seq


def test_the_first_entry_must_be_genesis() -> None:
    problem = chain.chain_of([resealed(FOUR[0], kind="note", payload={"text": "hello"})]).problem
    assert problem is not None
    assert problem.field == "kind"


@pytest.mark.parametrize(
    "text", ['{"text": "one"}', '{"text":"on\\u0065"}', '{"text":"one","text":"one"}', "[]", "{", ""]
)
def test_a_payload_that_is_not_in_canonical_form_is_found(text: str) -> None:
    entries = stored(FOUR)
    entries[1] = replace(entries[1], payload=text)
    problem = chain.verify(entries).problem
    assert problem is not None
    assert (problem.seq, problem.field) == (2, "payload")


def test_whole_numbers_beyond_those_that_a_double_holds_exactly_survive() -> None:
    contents: list[tuple[str, dict[str, object]]] = [
        ("epoch_change", {"conditions": {"runner": [1e20, -(2.0**53), 1e300]}})
    ]
    assert chain.verify(stored(register(contents))).problem is None


def test_time_is_written_in_utc() -> None:
    zone = timezone(timedelta(hours=5, minutes=30))
    time = datetime(2026, 1, 1, 3, 0, 0, 999_999, tzinfo=zone)
    entry = chain.sealed(seq=1, prev=NO_PREVIOUS, kind="genesis", recorded_at=time, author="x", payload=GENESIS)
    assert entry.recorded_at == "2025-12-31T21:30:00Z"


def test_time_without_a_zone_is_refused() -> None:
    with pytest.raises(BadInput, match="time zone"):
        chain.sealed(
            seq=1,
            prev=NO_PREVIOUS,
            kind="genesis",
            recorded_at=START.replace(tzinfo=None),
            author="x",
            payload=GENESIS,
        )


EXPORT = b"".join(map(exporting.export_line, FOUR))


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (b"", BadInput, "is empty"),
        (EXPORT[:-1], BadInput, "cut off"),
        (EXPORT[:-40], BadInput, "cut off"),
        (EXPORT + b"\n", BadInput, "line 5"),
        (EXPORT.replace(b"\n", b"\r\n"), RegisterBroken, "entry 1, form"),
        (b"\xef\xbb\xbf" + EXPORT, BadInput, "line 1"),
        (EXPORT.replace(b"three", b"thr\xe9e"), BadInput, "line 4: not UTF-8"),
        (EXPORT.replace(b"three", b"there"), RegisterBroken, "entry 4, hash"),
        (EXPORT.replace(b'"seq":4', b'"seq":4,"more":1'), BadInput, "line 4: not an entry"),
        (EXPORT.replace(b'{"text":"three"}', b'"three"'), BadInput, "line 4: not an entry"),
        (EXPORT.replace(b'{"text":"three"}', b'{"text":"three" }'), RegisterBroken, "entry 4, form"),
        (b"\n".join(EXPORT.splitlines()[1:]) + b"\n", RegisterBroken, "entry 1, seq"),
        (b"[1]\n", BadInput, "line 1: not an entry"),
    ],
)
def test_a_spoilt_export_is_refused_at_its_place(data: bytes, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        exporting.read_export(data, where="export")


@given(st.integers(0, len(EXPORT) - 1), st.integers(0, 255))
def test_no_byte_of_an_export_can_be_changed(at: int, byte: int) -> None:
    data = EXPORT[:at] + bytes([byte]) + EXPORT[at + 1 :]
    if data == EXPORT:
        assert exporting.read_export(data, where="export") == tuple(FOUR)
    else:
        with pytest.raises((BadInput, RegisterBroken)):
            exporting.read_export(data, where="export")


def test_a_line_of_an_export_is_the_canonical_json_of_the_entry() -> None:
    line = exporting.export_line(FOUR[1])
    members = json.loads(line)
    assert line == canonical_json(members) + b"\n"
    hashed = {name: value for name, value in members.items() if name != "hash"}
    assert members["hash"] == digest(hashed)
