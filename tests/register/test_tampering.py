"""A register of 1,000 entries with real checks: whatever is changed in its rows or its export is found at its place.

Every field of every entry is changed once; every bit of one entry of each kind (of a long one, every so many bits);
bits at random over all entries; rows are exchanged, doubled and left out. Each is found at the number of the entry, and
none before it is doubted. A row is changed as by somebody who has the file: it is handed to the chain as it is read.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime

import pytest

from anchorhold.domain.entries import KINDS, NO_PREVIOUS, Entry
from anchorhold.errors import AnchorholdError
from anchorhold.register import chain, exporting
from anchorhold.register.chain import Problem, Row, StoredEntry
from anchorhold.register.extends import Head, against_head, against_older
from anchorhold.register.reading import ExportedRegister
from anchorhold.register.stretches import plain_stretch
from register.long_register import long_register

COUNT = 1_000
FIELDS = ("seq", "prev", "kind", "recorded_at", "author", "payload", "hash")


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    made = long_register(COUNT, checks=3, halts=True)
    assert len(made) == COUNT
    return made


@pytest.fixture(scope="module")
def rows(entries: list[Entry]) -> list[StoredEntry]:
    return [StoredEntry(**{**entry.to_json(), "payload": chain.payload_text(entry)}) for entry in entries]


@pytest.fixture(scope="module")
def lines(entries: list[Entry]) -> list[bytes]:
    return [exporting.export_line(entry) for entry in entries]


def test_the_register_that_is_changed_here_holds_and_has_checks(entries: list[Entry], rows: list[StoredEntry]) -> None:
    assert chain.verify(rows) == chain.Chain(tuple(entries), None)
    assert {entry.kind for entry in entries} == set(KINDS)
    assert [entry.payload["verdict"] for entry in entries if entry.kind == "check_closed"][-1] == "HALT"


def look(rows: list[StoredEntry], place: int, changed: StoredEntry) -> Problem | None:
    """Verify with one row changed: what stands before it holds already, what follows is not reached."""
    prev = NO_PREVIOUS if place == 0 else str(rows[place - 1].hash)
    checked = chain.check_entry(changed, seq=place + 1, prev=prev)
    row: Row = tuple(getattr(changed, name) for name in FIELDS)
    assert (plain_stretch([row], after=place, prev=prev) is None) == isinstance(checked, Problem)
    return checked if isinstance(checked, Problem) else None


def one_of_each_kind(entries: list[Entry]) -> list[int]:
    """Places, from 0, of the first entry of every kind that is there."""
    return sorted({entry.kind: place for place, entry in reversed(list(enumerate(entries)))}.values())


def other(value: object, chance: random.Random) -> object:
    """Another value of the same type, one letter or one unit away."""
    if isinstance(value, int):
        return value + chance.choice([-1, 1, 1000])
    assert isinstance(value, str)
    at = chance.randrange(len(value))
    return value[:at] + chance.choice('0123456789abcdef{}" é\0') + value[at + 1 :]


@pytest.mark.parametrize("field", FIELDS)
def test_every_field_of_every_row_changed_once_is_found_at_its_place(rows: list[StoredEntry], field: str) -> None:
    chance = random.Random(field)
    for place, row in enumerate(rows):
        before = getattr(row, field)
        after = other(before, chance)
        for changed in (after, None, b"\0", 1.5, f"{before} ", getattr(rows[place - 1], field)):
            if changed == before:  # two entries of one kind, or by one author
                continue
            problem = look(rows, place, replace(row, **{field: changed}))
            assert problem is not None, (place + 1, field, changed)
            assert problem.seq == place + 1


def bits_of(text: str) -> Iterator[str]:
    """Texts that differ in one bit of their UTF-8; a database gives no other, but nothing here relies on that."""
    data = text.encode()
    for bit in some_bits(data):
        yield flipped(data, bit).decode("utf-8", "surrogateescape")


def some_bits(data: bytes) -> range:
    """Every bit, or of thousands some 1,200 that meet all eight of a byte and the whole length."""
    return range(0, len(data) * 8, len(data) * 8 // 800 // 2 * 2 + 1 if len(data) > 600 else 1)


def flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << (bit % 8)
    return bytes(changed)


def test_every_bit_of_one_row_of_each_kind_is_found_at_its_place(entries: list[Entry], rows: list[StoredEntry]) -> None:
    for place in one_of_each_kind(entries):
        row = rows[place]
        for field in FIELDS[1:]:
            for changed in bits_of(getattr(row, field)):
                problem = look(rows, place, replace(row, **{field: changed}))
                assert problem is not None, (place + 1, field, changed)
                assert problem.seq == place + 1
        for bit in range(63):
            problem = look(rows, place, replace(row, seq=place + 1 ^ (1 << bit)))
            assert problem is not None
            assert (problem.seq, problem.field) == (place + 1, "seq")


def test_a_bit_at_random_in_every_row_is_found_by_a_verification_of_all(rows: list[StoredEntry]) -> None:
    chance = random.Random(2)
    for place in chance.sample(range(COUNT), 40):
        field = chance.choice(FIELDS[1:])
        data = bytearray(getattr(rows[place], field).encode())
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        spoilt = [*rows]
        spoilt[place] = replace(rows[place], **{field: data.decode("utf-8", "surrogateescape")})
        found = chain.verify(spoilt)
        assert found.problem is not None
        assert found.problem.seq == place + 1
        assert len(found.entries) == place


def test_a_bit_at_random_in_every_line_is_found_at_its_place(entries: list[Entry], lines: list[bytes]) -> None:
    chance = random.Random(3)
    for place, line in enumerate(lines):
        for _ in range(2):
            assert_found_in_line(entries, place, flipped(line, chance.randrange(len(line) * 8)))


def test_every_bit_of_one_line_of_each_kind_is_found_at_its_place(entries: list[Entry], lines: list[bytes]) -> None:
    for place in one_of_each_kind(entries):
        for bit in some_bits(lines[place]):
            assert_found_in_line(entries, place, flipped(lines[place], bit))


def assert_found_in_line(entries: list[Entry], place: int, changed: bytes) -> None:
    """The changed line is not the entry any more; a line feed in it makes two lines of one, and spoils the first."""
    prev = entries[place - 1].hash if place else NO_PREVIOUS
    first = changed.split(b"\n")[0]
    try:
        found = chain.check_entry(exporting.stored_of_line(first, where=""), seq=place + 1, prev=prev)
    except AnchorholdError:
        return
    spoilt = isinstance(found, Problem) or exporting.export_line(found) != changed
    assert spoilt, (place + 1, changed)
    if isinstance(found, Problem):
        assert found.seq == place + 1


@pytest.mark.parametrize("place", [0, 1, 499, 997, 999])
def test_a_spoilt_export_is_found_at_its_place_by_a_verification_of_all(lines: list[bytes], place: int) -> None:
    chance = random.Random(place)
    for _ in range(4):
        spoilt = [*lines]
        spoilt[place] = flipped(lines[place], chance.randrange(len(lines[place]) * 8))
        data = b"".join(spoilt)
        problem = ExportedRegister(data, where="export").verify().problem
        assert problem is not None
        assert problem.seq == place + 1
        with pytest.raises(AnchorholdError, match=rf"(entry|line) {place + 1}\b|cut off"):
            exporting.read_export(data, where="export")


REARRANGED: dict[str, Callable[[list[StoredEntry], int], list[StoredEntry]]] = {
    "exchanged": lambda rows, at: [*rows[:at], rows[at + 1], rows[at], *rows[at + 2 :]],
    "doubled": lambda rows, at: [*rows[: at + 1], rows[at], *rows[at + 1 :]],
    "left out": lambda rows, at: [*rows[:at], *rows[at + 1 :]],
    "left out and numbered anew": lambda rows, at: [
        *rows[:at],
        *(replace(row, seq=number) for number, row in enumerate(rows[at + 1 :], start=at + 1)),
    ],
}


@pytest.mark.parametrize("how", REARRANGED)
def test_rows_that_were_moved_are_found_at_their_place(rows: list[StoredEntry], how: str) -> None:
    for at in [*range(0, COUNT - 1, 37), COUNT - 2]:
        found = chain.verify(REARRANGED[how](rows, at))
        assert found.problem is not None
        assert found.problem.seq == at + 1 + (how == "doubled")
        assert len(found.entries) == at + (how == "doubled")


def recomputed(entries: list[Entry], place: int) -> list[Entry]:
    """The register as a forger leaves it who changes an entry and makes every later hash anew."""
    forged = entries[:place]
    for entry in entries[place:]:
        forged.append(
            chain.sealed(
                seq=entry.seq,
                prev=forged[-1].hash if forged else NO_PREVIOUS,
                kind=entry.kind,
                recorded_at=datetime.fromisoformat(entry.recorded_at),
                author="someone" if entry.seq == place + 1 else entry.author,
                payload=entry.payload,
            )
        )
    return forged


@pytest.mark.parametrize("place", [0, 500, 998, 999])
def test_a_tail_that_was_recomputed_is_found_against_what_was_kept(
    entries: list[Entry], lines: list[bytes], place: int
) -> None:
    forged = recomputed(entries, place)
    assert chain.chain_of(forged).problem is None  # the chain alone cannot know
    assert against_head(forged, Head.of(entries[-1])) is not None
    found = against_older(forged, b"".join(lines), where="kept")
    assert found is not None
    assert found.seq == place + 1


@pytest.mark.parametrize("kept", [1, 500, 999])
def test_a_tail_that_was_removed_is_found_against_what_was_kept(
    entries: list[Entry], lines: list[bytes], kept: int
) -> None:
    rest = entries[:kept]
    assert chain.chain_of(rest).problem is None
    for found in (against_head(rest, Head.of(entries[-1])), against_older(rest, b"".join(lines), where="kept")):
        assert found is not None
        assert found.seq == kept + 1
    assert against_head(entries, Head.of(rest[-1])) is None
    assert against_older(entries, b"".join(lines[:kept]), where="kept") is None
