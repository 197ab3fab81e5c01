"""The chain of entries, verified with no database at hand: numbering, links, hashes, canonical form, known kinds.

Source: SPEC section 7.
May import: anchorhold.canonical, anchorhold.errors, anchorhold.domain, anchorhold.register.canonical_text, sealing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from anchorhold.canonical import canonical_json, nearest
from anchorhold.domain.entries import KINDS, NO_PREVIOUS, Entry, author_problem, is_utc
from anchorhold.domain.payloads import read_payload_json
from anchorhold.errors import BadInput, RegisterBroken
from anchorhold.register.canonical_text import read_canonical, write_canonical
from anchorhold.register.sealing import hash_of, utc_text

_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)
_TEXTS = ("prev", "kind", "recorded_at", "author", "payload", "hash")


Row = tuple[object, object, object, object, object, object, object]
"""The fields of a ``StoredEntry``, in their order."""


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """One entry as it is stored: nothing of it is believed yet, the payload is text."""

    seq: object
    prev: object
    kind: object
    recorded_at: object
    author: object
    payload: object
    """Canonical JSON of the payload."""
    hash: object
    members: object = field(default=None, init=False, compare=False, repr=False)
    """The payload, where its text was read already and is canonical: set by ``stored_of_line`` alone."""


@dataclass(frozen=True, slots=True)
class Problem:
    """The first thing that does not hold."""

    seq: int
    """Number that the entry should have: its place in the register, from 1."""
    field: str
    message: str

    def __str__(self) -> str:
        return f"entry {self.seq}, {self.field}: {self.message}"

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {"seq": self.seq, "field": self.field, "message": self.message}

    @classmethod
    def from_json(cls, members: Mapping[str, object]) -> Problem:
        """Return what ``to_json`` wrote."""
        return cls(int(str(members["seq"])), str(members["field"]), str(members["message"]))

    def as_error(self, where: str) -> RegisterBroken:
        """Return the problem as an error about the register or export named by ``where``."""
        return RegisterBroken(
            f"the chain breaks at {self}",
            where=where,
            next_step="Find out who changed it, and go back to the last export that holds",
        )


@dataclass(frozen=True, slots=True)
class Chain:
    """What a verification found: the entries up to the first problem, and the problem if there is one."""

    entries: tuple[Entry, ...]
    problem: Problem | None


def verify(stored: Iterable[StoredEntry]) -> Chain:
    """Check entries in stored order, from the first on, and stop at the first that does not hold."""
    entries: list[Entry] = []
    prev = NO_PREVIOUS
    for place, one in enumerate(stored, start=1):
        checked = check_entry(one, seq=place, prev=prev)
        if isinstance(checked, Problem):
            return Chain(tuple(entries), checked)
        entries.append(checked)
        prev = checked.hash
    if not entries:
        return Chain((), Problem(1, "kind", "there is no entry; the first one must be genesis"))
    return Chain(tuple(entries), None)


def chain_of(entries: Sequence[Entry]) -> Chain:
    """Check entries that were read already; nothing about them is believed."""
    return verify(_as_stored(entry) for entry in entries)


def sealed(
    *, seq: int, prev: str, kind: str, recorded_at: datetime, author: str, payload: Mapping[str, object]
) -> Entry:
    """Make the entry that follows ``prev``, with its hash.

    Raises
    ------
    BadInput
        Unknown kind, payload of another form, author that is empty or has line breaks, time without a zone.
    """
    # What is handed back equals what a reader of the database will get, also where a tuple or 16.0 was given.
    text = canonical_json(dict(payload)).decode()
    stored_payload = read_payload_text(text)
    time = utc_text(recorded_at)
    entry = Entry(
        seq=seq,
        prev=prev,
        kind=kind,
        recorded_at=time,
        author=author,
        payload=stored_payload,
        hash=hash_of(seq=seq, prev=prev, kind=kind, recorded_at=time, author=author, payload=text),
    )
    if problem := _form_problem(entry, text):
        raise BadInput(problem.message, where="" if problem.field == "payload" else f"new entry, {problem.field}")
    return entry


def unverified(stored: StoredEntry) -> Entry:
    """Read a stored entry without looking at its place, links and hash.

    Raises
    ------
    BadInput
        A field of another type, or a payload that is not canonical JSON.
    """
    found = _fields(stored, stored.members)
    if isinstance(found, Problem):
        raise BadInput(f"{found.field}: {found.message}")
    return found


def payload_text(entry: Entry) -> str:
    """Canonical JSON of an entry's payload: the form in which it is stored."""
    return write_canonical(dict(entry.payload))


def _as_stored(entry: Entry) -> StoredEntry:
    return StoredEntry(
        seq=entry.seq,
        prev=entry.prev,
        kind=entry.kind,
        recorded_at=entry.recorded_at,
        author=entry.author,
        payload=payload_text(entry),
        hash=entry.hash,
    )


def check_entry(stored: StoredEntry, *, seq: int, prev: str) -> Entry | Problem:
    """Believe a stored entry, or say what does not hold at its place: number ``seq``, after the hash ``prev``."""
    if not isinstance(stored.seq, int) or isinstance(stored.seq, bool) or stored.seq != seq:
        return Problem(
            seq, "seq", f"the number is {stored.seq!r}, expected {seq}: an entry is missing, doubled or moved"[:200]
        )
    entry = _fields(stored, stored.members)
    if isinstance(entry, Problem):
        return entry
    if entry.prev != prev:
        before = "64 zeros, and it is the first" if seq == 1 else f"the hash of entry {seq - 1}, {prev[:12]}…"
        return Problem(seq, "prev", f"{entry.prev[:12]}… is not {before}")
    if not _HASH.fullmatch(entry.hash):
        return Problem(seq, "hash", f"{entry.hash[:80]!r} is not a SHA-256 in lower-case hexadecimal")
    try:
        computed = hash_of(
            seq=seq,
            prev=prev,
            kind=entry.kind,
            recorded_at=entry.recorded_at,
            author=entry.author,
            payload=str(stored.payload),
        )
    except BadInput as error:  # a text that UTF-8 cannot write
        return Problem(seq, "hash", error.what)
    if computed != entry.hash:
        return Problem(
            seq, "hash", f"{entry.hash[:12]}… is stored, the fields give {computed[:12]}…: the entry was changed"
        )
    return _form_problem(entry, str(stored.payload)) or entry


def _fields(stored: StoredEntry, members: object) -> Entry | Problem:
    """Read the fields by their types; links and hash are looked at by the caller."""
    place = stored.seq if isinstance(stored.seq, int) else 0
    prev, kind, recorded_at = stored.prev, stored.kind, stored.recorded_at
    author, payload, sealed_by = stored.author, stored.payload, stored.hash
    if not (
        isinstance(prev, str)
        and isinstance(kind, str)
        and isinstance(recorded_at, str)
        and isinstance(author, str)
        and isinstance(payload, str)
        and isinstance(sealed_by, str)
    ):
        name = next(name for name in _TEXTS if not isinstance(getattr(stored, name), str))
        return Problem(place, name, f"not a text: {getattr(stored, name)!r}"[:200])
    if not isinstance(members, dict):
        try:
            members = read_payload_text(payload)
        except BadInput as error:
            return Problem(place, "payload", error.what)
    return Entry(place, prev, kind, recorded_at, author, members, sealed_by)


def _form_problem(entry: Entry, payload: str) -> Problem | None:
    """Whatever a right hash does not say: a made-up entry can have one too."""
    if entry.kind not in KINDS:
        hint = nearest(entry.kind, KINDS)
        return Problem(entry.seq, "kind", f"{entry.kind[:80]!r} is not a known kind" + (f"; {hint}" if hint else ""))
    if (entry.kind == "genesis") != (entry.seq == 1):
        return Problem(entry.seq, "kind", "genesis is the first entry, and no other")
    if not is_utc(entry.recorded_at):
        return Problem(entry.seq, "recorded_at", f"{entry.recorded_at[:80]!r} is not a time in UTC (RFC 3339)")
    if problem := author_problem(entry.author):
        return Problem(entry.seq, "author", f"{entry.author[:80]!r} {problem}")
    try:
        read_payload_json(entry.kind, payload)
    except BadInput as error:
        return Problem(entry.seq, "payload", str(error))
    return None


def read_payload_text(text: str) -> dict[str, object]:
    """Read an object whose text must be its own canonical form.

    Raises
    ------
    BadInput
        Not JSON, not an object, or another text than the canonical one.
    """
    value = read_canonical(text)
    if not isinstance(value, dict):
        raise BadInput("not a JSON object")
    return value
