"""A stretch of a chain that plainly holds, looked at as a whole: a third faster than entry by entry.

Nothing is found wrong here. Of a stretch that does not plainly hold, ``chain.check_entry`` says whether it does, and at
which entry it does not. Source: SPEC section 7.
May import: pydantic_core, anchorhold.domain, anchorhold.errors, anchorhold.register.chain, sealing and
canonical_text.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic_core import from_json

from anchorhold.domain.entries import KINDS, Entry, author_problem, is_utc
from anchorhold.domain.payloads import read_payload_json
from anchorhold.domain.usual_tests import is_usual
from anchorhold.errors import BadInput
from anchorhold.register.canonical_text import read_believed
from anchorhold.register.chain import Row, read_payload_text
from anchorhold.register.sealing import hash_of

LENGTH = 200
"""Entries of a stretch: as many are looked at again when one of them does not plainly hold."""
_KINDS = frozenset(KINDS)


def plain_stretch(rows: Sequence[Row], *, after: int, prev: str) -> list[Entry] | None:
    """Return the entries of a stretch that plainly holds, None for any other.

    Parameters
    ----------
    rows : sequence of tuple
        The stretch, in its order; at least one entry.
    after : int
        Number of the entry before it.
    prev : str
        Hash of that entry, which holds.
    """
    numbers, befores, kinds, times, authors, payloads, hashes = zip(*rows, strict=True)
    if set(map(type, numbers)) != {int} or list(numbers) != list(range(after + 1, after + 1 + len(rows))):
        return None
    if any(set(map(type, column)) != {str} for column in (befores, kinds, times, authors, payloads, hashes)):
        return None
    if befores[0] != prev or befores[1:] != hashes[:-1] or not _KINDS.issuperset(kinds):
        return None
    if (kinds[0] == "genesis") != (after == 0) or "genesis" in kinds[1:]:
        return None
    if any(map(author_problem, set(authors))) or not all(map(is_utc, times)):
        return None
    try:
        for seq, before, kind, time, author, payload, stored in zip(
            numbers, befores, kinds, times, authors, payloads, hashes, strict=True
        ):
            if stored != hash_of(seq=seq, prev=before, kind=kind, recorded_at=time, author=author, payload=payload):
                return None
        read = list(map(_payload, kinds, payloads))
    except BadInput:
        return None
    return list(map(Entry, numbers, befores, kinds, times, authors, read, hashes))


def _payload(kind: str, text: str) -> dict[str, object]:
    """Read a payload; one in the usual form of an import is known to be canonical and of its kind."""
    if is_usual(kind, text):
        members: dict[str, object] = from_json(text)
        return members
    read = read_payload_text(text)
    read_payload_json(kind, text)
    return read


def believed_rows(rows: Sequence[Row]) -> list[Entry]:
    """Read rows that are checked elsewhere, up to the first that does not hold, or of which only a check can tell."""
    entries = []
    for number, prev, kind, recorded_at, author, payload, sealed_by in rows:
        if not (
            isinstance(number, int)
            and isinstance(prev, str)
            and isinstance(kind, str)
            and isinstance(recorded_at, str)
            and isinstance(author, str)
            and isinstance(payload, str)
            and isinstance(sealed_by, str)
            and isinstance(members := read_believed(payload), dict)
        ):
            break
        entries.append(Entry(number, prev, kind, recorded_at, author, members, sealed_by))
    return entries
