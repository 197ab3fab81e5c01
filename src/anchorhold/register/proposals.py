"""Proposed entries, sealed one behind the other: those whose id no entry has yet.

Entries of imported tests are sealed as the text that they are; the forms of all others are loaded when there are any.
May import: anchorhold.errors, anchorhold.domain.entries and usual_tests, anchorhold.register.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple, Protocol

from anchorhold.domain.entries import NO_PREVIOUS, Entry, id_of
from anchorhold.domain.usual_tests import usual_id
from anchorhold.errors import BadInput, RegisterBroken
from anchorhold.register.sealing import SealedRow, plainly_holds, usual_row, utc_text

Clock = Callable[[], datetime]
Row = Sequence[object]
"""What is stored of an entry, in the order of ``SealedRow``; nothing of it is believed yet."""


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

    @property
    def text(self) -> str:
        """Canonical JSON of the payload."""
        ...


class Standing(NamedTuple):
    """What an entry that stands says."""

    kind: str
    payload: str
    """Canonical JSON."""


@dataclass(frozen=True, slots=True)
class Appended:
    """What became of proposed entries."""

    added: tuple[SealedRow, ...]
    standing: Mapping[str, Standing]
    """The entries that had an id before, by it."""


def sealed_behind(
    last: SealedRow, standing: Mapping[str, Standing], proposed: Iterable[Proposed], *, author: str, clock: Clock
) -> Appended:
    """Return what is to be written behind the last entry; nothing is written here.

    Parameters
    ----------
    standing : mapping
        All that stands and has an id, by it: what ``standing_in`` gives.
    proposed : iterable of Proposed
        Kind and payload of each; one without an id is taken whatever stands there.

    Raises
    ------
    BadInput
        As for ``chain.sealed``.
    """
    new, added = set(standing), list[SealedRow]()
    for one in proposed:
        name = id_of(one.payload)
        if name is not None:
            if name in new:
                continue
            new.add(name)
        now = clock()
        row = usual_row(
            seq=last.seq + 1,
            prev=last.hash,
            kind=one.kind,
            recorded_at=utc_text(now),
            author=author,
            payload=one.text,
        )
        last = _sealed_by_its_form(last, one, author=author, recorded_at=now) if row is None else row
        added.append(last)
    return Appended(tuple(added), standing)


def standing_in(rows: Iterable[Row], *, where: str) -> dict[str, Standing]:
    """Return by its id what every stored entry with one says.

    Raises
    ------
    RegisterBroken
        A stored field has another type, or a payload is not canonical JSON. Links and hashes are not looked at.
    """
    found: dict[str, Standing] = {}
    for row in rows:
        kind, payload = row[2], row[5]
        name = usual_id(kind, payload) if isinstance(kind, str) and isinstance(payload, str) else None
        if name is None:
            name = _id_by_its_form(row, where)
        if name:
            found[name] = Standing(str(kind), str(payload))
    return found


def checked_last(newest: Sequence[Row], *, where: str) -> SealedRow:
    """Return the last entry, which must hold and follow the one before: nothing is built on one that does not.

    Parameters
    ----------
    newest : sequence
        The last one and, where there is one, that before it, in this order.

    Raises
    ------
    RegisterBroken
        There is none, or it does not hold.
    """
    if not newest:
        raise RegisterBroken("there is no entry; the first one must be genesis", where=where)
    last, *before = newest
    seq, prev = (before[0][0], before[0][6]) if before else (0, NO_PREVIOUS)
    seq, prev = (seq if isinstance(seq, int) else 0) + 1, str(prev)
    if not plainly_holds(tuple(last), seq=seq, prev=prev):
        from anchorhold.register import chain  # slow to load

        entry = chain.check_entry(chain.StoredEntry(*last), seq=seq, prev=prev)
        if isinstance(entry, chain.Problem):
            raise entry.as_error(where)
    return SealedRow(*last)  # type: ignore[arg-type]  # their types were looked at


def row_of(entry: Entry) -> SealedRow:
    """Return what the table's columns take."""
    from anchorhold.register import chain  # slow to load

    text = chain.payload_text(entry)
    return SealedRow(entry.seq, entry.prev, entry.kind, entry.recorded_at, entry.author, text, entry.hash)


def _sealed_by_its_form(last: SealedRow, one: Proposed, *, author: str, recorded_at: datetime) -> SealedRow:
    from anchorhold.register import chain  # slow to load

    entry = chain.sealed(
        seq=last.seq + 1, prev=last.hash, kind=one.kind, recorded_at=recorded_at, author=author, payload=one.payload
    )
    return row_of(entry)


def _id_by_its_form(row: Row, where: str) -> str | None:
    from anchorhold.register import chain  # slow to load

    try:
        return id_of(chain.unverified(chain.StoredEntry(*row)).payload)
    except BadInput as error:
        raise RegisterBroken(error.what, where=f"{where}, entry {row[0]}") from error
