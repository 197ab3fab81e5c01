"""An export is read as a register is, and its damage is found at its place."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.domain.entries import NO_PREVIOUS, Entry
from anchorhold.errors import BadInput, RegisterBroken
from anchorhold.register import chain, exporting
from anchorhold.register.extends import Head, against_head, against_older, read_head
from anchorhold.register.reading import ExportedRegister, open_for_reading
from anchorhold.register.store import Register

NOW = datetime(2026, 11, 30, 4, 5, 6, tzinfo=UTC)


def made(*texts: str) -> list[Entry]:
    """Entries of a register with these notes."""
    entries: list[Entry] = []
    contents: list[tuple[str, dict[str, object]]] = [("genesis", {"schema": "anchorhold/register/1"})]
    contents += [("note", {"text": text}) for text in texts]
    for kind, payload in contents:
        prev = entries[-1].hash if entries else NO_PREVIOUS
        entries.append(
            chain.sealed(
                seq=len(entries) + 1, prev=prev, kind=kind, recorded_at=NOW, author="somebody", payload=payload
            )
        )
    return entries


ENTRIES = made("one", "two", "three ä", "four")
EXPORT = b"".join(map(exporting.export_line, ENTRIES))


def line_of(byte: int) -> int:
    return EXPORT.count(b"\n", 0, byte) + 1


def test_an_export_reads_as_its_register_does(tmp_path: Path) -> None:
    file = tmp_path / "register.jsonl"
    file.write_bytes(EXPORT)
    Register.restore(str(tmp_path / "r.db"), EXPORT, where="export").close()
    with open_for_reading(str(file)) as exported, open_for_reading(str(tmp_path / "r.db")) as database:
        assert exported.entries() == database.entries() == ENTRIES
        assert exported.entries(after=1, until=3) == database.entries(after=1, until=3) == ENTRIES[1:3]
        assert exported.head() == database.head() == ENTRIES[-1]
        assert exported.verify() == database.verify() == chain.Chain(tuple(ENTRIES), None)
        assert b"".join(exported.export()) == b"".join(database.export()) == EXPORT


@given(st.integers(0, 8 * len(EXPORT) - 1))
def test_every_bit_that_is_turned_is_found_at_its_line(bit: int) -> None:
    damaged = bytearray(EXPORT)
    damaged[bit // 8] ^= 1 << bit % 8
    problem = ExportedRegister(bytes(damaged), where="export").verify().problem
    assert problem is not None
    assert problem.seq == line_of(bit // 8)


@pytest.mark.parametrize(
    ("data", "seq", "said"),
    [
        (b"", 1, "there is no entry"),
        (EXPORT[:-1], 5, "cut off"),
        (EXPORT[:-9], 5, "cut off"),
        (EXPORT + b"\n", 6, "not JSON"),
        (EXPORT + b"{}\n", 6, "not an entry"),
        (b"\xff\n", 1, "not UTF-8"),
        (EXPORT.replace(b"\n", b"\r\n"), 1, "not canonical JSON"),
        (EXPORT.replace(b'{"author"', b'{ "author"'), 1, "not canonical JSON"),
        # How deep is too deep differs between versions of Python; the hash does not fit either.
        (EXPORT.replace(b'"text":"three', b'"id":' + b"[" * 700 + b"1e300" + b"]" * 700 + b',"text":"three'), 4, ""),
        (EXPORT.partition(b"\n")[2], 1, "the number is 2, expected 1"),
        (b"\n".join([*EXPORT.split(b"\n")[:2], *EXPORT.split(b"\n")[3:]]), 3, "the number is 4, expected 3"),
    ],
)
def test_a_damaged_export_is_broken_at_its_place(data: bytes, seq: int, said: str) -> None:
    exported = ExportedRegister(data, where="export")
    problem = exported.verify().problem
    assert problem is not None
    assert (problem.seq, said in str(problem)) == (seq, True), problem
    with pytest.raises(RegisterBroken, match="the chain breaks at"):
        exported.export()


def test_a_line_that_is_no_entry_is_named_when_entries_are_asked_for() -> None:
    with pytest.raises(RegisterBroken, match="export, line 6: not JSON"):
        ExportedRegister(EXPORT + b"nonsense\n", where="export").entries()


def test_what_is_not_there_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        open_for_reading(str(tmp_path / "absent.jsonl"))
    with pytest.raises(BadInput, match="there is no register here"):
        open_for_reading(str(tmp_path / "absent.db"))


def test_an_export_is_never_written_to(tmp_path: Path) -> None:
    file = tmp_path / "register.jsonl"
    file.write_bytes(EXPORT)
    with pytest.raises(BadInput, match="an export is only read"):
        Register.open(str(file))
    with pytest.raises(BadInput, match="an export is only read"):
        Register.create(str(tmp_path / "new.jsonl"), author="somebody")


@given(st.integers(1, len(ENTRIES)))
def test_a_register_goes_on_from_every_head_and_export_that_it_had(length: int) -> None:
    older = b"".join(map(exporting.export_line, ENTRIES[:length]))
    assert against_head(ENTRIES, read_head(str(Head.of(ENTRIES[length - 1])))) is None
    assert against_older(ENTRIES, older, where="old.jsonl") is None


@given(st.integers(1, len(ENTRIES) - 1))
def test_a_tail_that_was_removed_is_found(length: int) -> None:
    for problem in (
        against_head(ENTRIES[:length], Head.of(ENTRIES[-1])),
        against_older(ENTRIES[:length], EXPORT, where="old.jsonl"),
    ):
        assert problem is not None
        assert (problem.seq, "its tail is missing" in problem.message) == (length + 1, True)


@given(st.integers(0, 3))
def test_a_tail_that_was_written_anew_is_found_at_its_first_entry(changed: int) -> None:
    texts = ["one", "two", "three ä", "four", "five"]
    texts[changed] += "!"
    anew = made(*texts)
    assert chain.chain_of(anew).problem is None
    by_head = against_head(anew, Head.of(ENTRIES[-1]))
    by_export = against_older(anew, EXPORT, where="old.jsonl")
    assert by_head is not None
    assert by_head.seq == len(ENTRIES)
    assert by_export is not None
    assert (by_export.seq, by_export.field) == (changed + 2, "extends")


@pytest.mark.parametrize("text", ["", "5", "5:abc", ":" + "a" * 64, "0:" + "a" * 64, "5:" + "A" * 64, "5;" + "a" * 64])
def test_a_head_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="expected SEQ:HASH"):
        read_head(text)


@pytest.mark.parametrize("older", [b"", EXPORT[:-1]])
def test_an_older_export_that_is_cut_off_proves_nothing(older: bytes) -> None:
    with pytest.raises(BadInput, match=r"old\.jsonl: (is empty|does not end)"):
        against_older(ENTRIES, older, where="old.jsonl")
