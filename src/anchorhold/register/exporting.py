"""Lines of an export: one entry each, as canonical JSON; written, read, and the whole of them read back.

Source: SPEC section 7.
May import: anchorhold.canonical, anchorhold.errors, anchorhold.domain, anchorhold.register.chain and canonical_text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from anchorhold.canonical import strict_json
from anchorhold.domain.entries import Entry
from anchorhold.errors import BadInput
from anchorhold.register.canonical_text import as_doubles, quoted, read_fast, utf8, write_canonical
from anchorhold.register.chain import Chain, Problem, Row, StoredEntry, payload_text, verify

_LINE = re.compile(
    r'\{"author":("(?:[^"\\]|\\.)*"),"hash":"([0-9a-f]{64})","kind":"([a-z_]+)","payload":(\{.*\}),'
    r'"prev":"([0-9a-f]{64})","recorded_at":"([0-9TZ:.-]+)","seq":([1-9][0-9]{0,14})\}',
    re.ASCII | re.DOTALL,
)
"""A line of an export, taken apart; what stands in its payload is not looked at."""
_MEMBERS = ("seq", "prev", "kind", "recorded_at", "author", "payload", "hash")


def export_line(entry: Entry) -> bytes:
    """One line of an export: the entry's canonical JSON and a line feed."""
    return line_of(entry, payload_text(entry))


def line_of(entry: Entry, payload: str) -> bytes:
    """``export_line`` of an entry whose payload's canonical text is at hand: members stand in canonical order."""
    return utf8(
        f'{{"author":{quoted(entry.author)},"hash":{quoted(entry.hash)},"kind":{quoted(entry.kind)},'
        f'"payload":{payload},"prev":{quoted(entry.prev)},"recorded_at":{quoted(entry.recorded_at)},'
        f'"seq":{entry.seq}}}\n'
    )


def export_lines(found: Chain, *, where: str) -> Iterator[bytes]:
    """Give the lines of an export of a register that was verified.

    Raises
    ------
    RegisterBroken
        An entry does not hold; no line is given.
    """
    if found.problem is not None:
        raise found.problem.as_error(where)
    return map(export_line, found.entries)


def read_export(data: bytes, *, where: str) -> tuple[Entry, ...]:
    """Read an export whole; it must hold, and be byte for byte what an export writes.

    Raises
    ------
    BadInput
        Not lines of entries in UTF-8, cut off, or empty.
    RegisterBroken
        An entry that does not hold, or is not in canonical form.
    """
    if not data:
        raise BadInput("is empty", where=where, next_step="give a file that 'anchorhold register export' wrote")
    if not data.endswith(b"\n"):
        raise BadInput("does not end with a line feed: it is cut off", where=where)
    lines = data[:-1].split(b"\n")
    found = verify(stored_of_line(line, where=f"{where}, line {place}") for place, line in enumerate(lines, start=1))
    if found.problem is not None:
        raise found.problem.as_error(where)
    for entry, line in zip(found.entries, lines, strict=True):
        if export_line(entry) != line + b"\n":
            raise Problem(entry.seq, "form", "the line is not canonical JSON (RFC 8785)").as_error(where)
    return found.entries


def stored_of_line(line: bytes, *, where: str) -> StoredEntry:
    """Read a line of an export; nothing of it is believed.

    Raises
    ------
    BadInput
        Not an entry in UTF-8.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"not UTF-8 at byte {error.start}", where=where) from error
    split = _split(text)
    if split is not None:
        stored = StoredEntry(*split)
        if isinstance(read := read_fast(str(stored.payload)), dict):
            object.__setattr__(stored, "members", read)  # not given by others, nor kept by ``dataclasses.replace``
            return stored
    members = as_doubles(strict_json(text, where=where))
    if not isinstance(members, dict) or sorted(members) != sorted(_MEMBERS):
        raise BadInput(f"not an entry: expected an object with the members {', '.join(_MEMBERS)}", where=where)
    payload = members["payload"]
    if not isinstance(payload, dict):
        raise BadInput("not an entry: the payload is not an object", where=where)
    members["payload"] = write_canonical(payload)
    return StoredEntry(**members)


def taken_apart(lines: Sequence[bytes]) -> list[Row]:
    """Take lines apart that are written as an export writes them, up to the first that is not.

    A line that was taken apart is byte for byte what an export writes if its payload is canonical JSON.
    """
    rows: list[Row] = []
    for line in lines:
        try:
            split = _split(line.decode("utf-8"))
        except UnicodeDecodeError:
            break
        if split is None:
            break
        rows.append(split)
    return rows


def _split(text: str) -> Row | None:
    found = _LINE.fullmatch(text)
    if found is None:
        return None
    author, sealed_by, kind, payload, prev, recorded_at, seq = found.groups()
    name = _name(author)
    return None if name is None else (int(seq), prev, kind, recorded_at, name, payload, sealed_by)


@lru_cache(maxsize=1_000)  # few people write a register
def _name(author: str) -> str | None:
    name = read_fast(author)
    return name if isinstance(name, str) else None
