"""Proposed entries, sealed one behind the other: those whose id no entry has yet.

May import: anchorhold.errors, anchorhold.domain, anchorhold.register.chain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from anchorhold.domain.entries import NO_PREVIOUS, Entry
from anchorhold.domain.payloads import id_of
from anchorhold.errors import RegisterBroken
from anchorhold.register import chain

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The clock that registers use when none is given."""
    return datetime.now(UTC)


class Proposed(Protocol):
    """An entry as somebody would append it."""

    @property
    def kind(self) -> str:
        """One of ``domain.entries.KINDS``, not ``genesis``."""
        ...

    @property
    def payload(self) -> Mapping[str, object]:
        """See ``domain.payloads``."""
        ...


@dataclass(frozen=True, slots=True)
class Appended:
    """What became of proposed entries."""

    added: tuple[Entry, ...]
    standing: Mapping[str, Entry]
    """The entries that had an id before, by it."""


def sealed_behind(
    last: Entry, standing: Iterable[Entry], proposed: Iterable[Proposed], *, author: str, clock: Clock
) -> Appended:
    """Return what is to be written behind the last entry; nothing is written here.

    Parameters
    ----------
    standing : iterable of Entry
        All that stands, in its order.
    proposed : iterable of Proposed
        Kind and payload of each; one without an id is taken whatever stands there.

    Raises
    ------
    BadInput
        As for ``chain.sealed``.
    """
    known = {name: entry for entry in standing if (name := id_of(entry.payload)) is not None}
    new, added = set(known), list[Entry]()
    for one in proposed:
        name = id_of(one.payload)
        if name is not None:
            if name in new:
                continue
            new.add(name)
        last = chain.sealed(
            seq=last.seq + 1,
            prev=last.hash,
            kind=one.kind,
            recorded_at=clock(),
            author=author,
            payload=one.payload,
        )
        added.append(last)
    return Appended(tuple(added), known)


def checked_last(newest: Sequence[chain.StoredEntry], *, where: str) -> Entry:
    """Return the last entry, which must hold and follow the one before: nothing is built on one that does not.

    Parameters
    ----------
    newest : sequence of StoredEntry
        The last one and, where there is one, that before it, in this order.

    Raises
    ------
    RegisterBroken
        There is none, or it does not hold.
    """
    if not newest:
        raise RegisterBroken("there is no entry; the first one must be genesis", where=where)
    last, *before = newest
    seq, prev = (before[0].seq, before[0].hash) if before else (0, NO_PREVIOUS)
    entry = chain.check_entry(last, seq=(seq if isinstance(seq, int) else 0) + 1, prev=str(prev))
    if isinstance(entry, chain.Problem):
        raise entry.as_error(where)
    return entry


def row_of(entry: Entry) -> dict[str, object]:
    """Return what the table's columns take, by their names."""
    return {**entry.to_json(), "payload": chain.payload_text(entry)}
