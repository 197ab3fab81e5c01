"""Two processes find what one finds, whatever becomes of the second."""

import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchorhold import forked
from anchorhold.canonical import sha256_hex
from anchorhold.domain.entries import Entry
from anchorhold.forked import beside
from anchorhold.register import chain, exporting, whole
from anchorhold.register.chain import Chain, Row, StoredEntry
from anchorhold.register.reading import ExportedRegister
from anchorhold.register.stretches import plain_stretch
from anchorhold.register.whole import check_all
from register.long_register import long_register

ENTRIES = long_register(60, checks=2)
ROWS = [StoredEntry(**{**entry.to_json(), "payload": chain.payload_text(entry)}) for entry in ENTRIES]
FIELDS = ("seq", "prev", "kind", "recorded_at", "author", "payload", "hash")
LINES = [exporting.export_line(entry) for entry in ENTRIES]

needs_a_second_core = pytest.mark.skipif(not forked.is_possible(), reason="there is one core, or another thread")


def as_row(stored: StoredEntry) -> Row:
    return tuple(getattr(stored, name) for name in FIELDS)


def check_rows(rows: list[StoredEntry], *, long: int = 3, meanwhile: Callable[[], object] | None = None) -> Chain:
    return check_all(
        rows,
        check=lambda row, place, prev: chain.check_entry(row, seq=place, prev=prev),
        apart=lambda stretch: list(map(as_row, stretch)),
        long=long,
        meanwhile=meanwhile,
    )


@needs_a_second_core
def test_a_second_process_is_really_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[object] = []

    def counted(rows: Sequence[Row], *, after: int, prev: str) -> list[Entry] | None:
        looked_at.extend(number for number, *_ in rows)
        return plain_stretch(rows, after=after, prev=prev)

    monkeypatch.setattr(whole, "plain_stretch", counted)
    assert check_rows(ROWS) == Chain(tuple(ENTRIES), None)
    assert looked_at == list(range(1, int(len(ROWS) * whole.FIRST) + 1))


def test_a_register_that_holds_is_looked_at_in_stretches_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain, "check_entry", None)
    monkeypatch.setattr(whole, "LENGTH", 7)
    for long in (3, len(ROWS) + 1):
        assert check_rows(ROWS, long=long) == Chain(tuple(ENTRIES), None)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, len(ROWS) - 1),
    st.sampled_from(["seq", "prev", "kind", "recorded_at", "author", "payload", "hash"]),
    st.sampled_from(
        [0, None, "", "x", "{}", "[1]", '{"a":1,"a":1}', '{"n":1e-7}', '{"n":10000000000000000}', "a" * 64]
    ),
)
def test_a_changed_field_is_found_at_its_place_with_the_same_words(place: int, field: str, value: object) -> None:
    changed = [*ROWS]
    changed[place] = replace(ROWS[place], **{field: value})
    assert check_rows(changed) == chain.verify(changed)


@pytest.mark.parametrize(
    "change", [lambda rows: rows[:-1], lambda rows: [*rows[:50], *rows[51:]], lambda rows: rows[::-1]]
)
def test_rows_that_are_missing_or_moved_are_found_as_by_one(
    change: Callable[[list[StoredEntry]], list[StoredEntry]],
) -> None:
    assert check_rows(change(ROWS)) == chain.verify(change(ROWS))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(LINES) - 1), st.data())
def test_a_changed_bit_of_an_export_is_found_as_by_one(place: int, data: st.DataObject) -> None:
    line = bytearray(LINES[place])
    at = data.draw(st.integers(0, len(line) - 1))
    line[at] ^= 1 << data.draw(st.integers(0, 7))
    exported = b"".join([*LINES[:place], bytes(line), *LINES[place + 1 :]])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(whole, "LONG", 3)
        found = ExportedRegister(exported, where="x").verify()
        patch.setattr(whole, "is_possible", lambda: False)
        assert found == ExportedRegister(exported, where="x").verify()
    assert found.problem is not None


def killed() -> list[int]:
    if os.getpid() != HERE:
        os.kill(os.getpid(), signal.SIGKILL)
    return [1, 2]


def mistaken() -> list[int]:
    if os.getpid() != HERE:
        raise MemoryError
    return [1, 2]


def not_plain() -> object:
    return [1, 2] if os.getpid() == HERE else object()


HERE = os.getpid()


@needs_a_second_core
@pytest.mark.parametrize("work", [killed, mistaken, not_plain])
def test_a_part_that_the_other_process_does_not_hand_back_is_done_here(
    work: Callable[[], object], capfd: pytest.CaptureFixture[str]
) -> None:
    with beside(work, worthwhile=True) as part:
        assert part.result() == [1, 2]
    assert capfd.readouterr() == ("", "")


@needs_a_second_core
def test_what_this_process_no_longer_asks_for_is_ended() -> None:
    before = psutil.Process().children()
    with suppress(KeyError), beside(signal.pause, worthwhile=True):
        assert len(psutil.Process().children()) == len(before) + 1
        raise KeyError
    assert psutil.Process().children() == before


def test_without_a_second_core_a_part_is_done_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forked, "is_possible", lambda: False)
    with beside(os.getpid, worthwhile=True) as part:
        assert part.result() == os.getpid()
    assert check_rows(ROWS).problem is None


@needs_a_second_core
def test_what_may_be_done_meanwhile_is_done_once_and_only_beside_a_second_process() -> None:
    for long, times in ((3, 1), (len(LINES) + 1, 0)):
        done: list[str] = []
        found = check_rows(ROWS, long=long, meanwhile=lambda done=done: done.append("loaded"))  # type: ignore[misc]
        assert found == Chain(tuple(ENTRIES), None)
        assert len(done) == times


IMPORTED = long_register(60, checks=1, imported=True)
TEXTS = [(entry.kind, chain.payload_text(entry)) for entry in IMPORTED]


@settings(max_examples=400, deadline=None)
@given(
    st.sampled_from(TEXTS),
    st.lists(
        st.tuples(
            st.floats(0, 1, exclude_max=True), st.sampled_from(["", "0", "1", ".", "e", "-", " ", '"', "é", ","])
        ),
        min_size=1,
        max_size=2,
    ),
    st.booleans(),
)
def test_a_made_up_payload_with_a_right_hash_holds_in_a_stretch_only_if_it_holds_alone(
    original: tuple[str, str], changes: list[tuple[float, str]], inserted: bool
) -> None:
    kind, text = original
    for where, letter in changes:
        at = int(where * len(text))
        text = text[:at] + letter + text[at if inserted else at + 1 :]
    before = IMPORTED[0].hash
    members = {"author": '"ada"', "kind": f'"{kind}"', "payload": text, "prev": f'"{before}"'}
    members |= {"recorded_at": '"2026-11-30T00:00:00Z"', "seq": "2"}
    sealed = ",".join(f'"{name}":{value}' for name, value in members.items())
    made = sha256_hex(f"{{{sealed}}}".encode())
    row = (2, before, kind, "2026-11-30T00:00:00Z", "ada", text, made)
    alone = chain.check_entry(StoredEntry(*row), seq=2, prev=before)
    assert plain_stretch([row], after=1, prev=before) == (None if isinstance(alone, chain.Problem) else [alone])
