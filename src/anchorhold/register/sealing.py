"""What makes an entry of a payload's text: its hash and its time, and whether it plainly holds at its place.

Source: SPEC section 7. May import: anchorhold.canonical, anchorhold.errors, anchorhold.domain.entries and usual_tests.
"""

from __future__ import annotations

from datetime import UTC, datetime
from json.encoder import encode_basestring as quoted
from typing import NamedTuple

from anchorhold.canonical import sha256_hex
from anchorhold.domain.entries import author_problem, is_utc
from anchorhold.domain.usual_tests import is_usual
from anchorhold.errors import BadInput


class SealedRow(NamedTuple):
    """One entry as the table's columns take it."""

    seq: int
    prev: str
    kind: str
    recorded_at: str
    author: str
    payload: str
    """Canonical JSON."""
    hash: str


def hash_of(*, seq: int, prev: str, kind: str, recorded_at: str, author: str, payload: str) -> str:
    """``domain.entries.entry_hash``, from a payload that is canonical JSON already: members stand in its order.

    Raises
    ------
    BadInput
        A text that UTF-8 cannot write.
    """
    text = (
        f'{{"author":{quoted(author)},"kind":{quoted(kind)},"payload":{payload},"prev":{quoted(prev)},'
        f'"recorded_at":{quoted(recorded_at)},"seq":{seq}}}'
    )
    try:
        return sha256_hex(text.encode())
    except UnicodeEncodeError as error:
        raise BadInput(f"cannot be written as canonical JSON: {error}") from error


def utc_text(time: datetime) -> str:
    """Write a time as entries have it: UTC, RFC 3339, whole seconds.

    Raises
    ------
    BadInput
        A time without a zone.
    """
    if time.tzinfo is None:
        raise BadInput("the time of an entry has no time zone", next_step="give a clock that knows its zone")
    return time.astimezone(UTC).replace(tzinfo=None, microsecond=0).isoformat() + "Z"


def usual_row(*, seq: int, prev: str, kind: str, recorded_at: str, author: str, payload: str) -> SealedRow | None:
    """Seal an entry whose payload is in the usual form; None for any other, of which only its kind's form can tell."""
    if seq == 1 or kind == "genesis" or not is_usual(kind, payload) or author_problem(author):
        return None
    sealed_by = hash_of(seq=seq, prev=prev, kind=kind, recorded_at=recorded_at, author=author, payload=payload)
    return SealedRow(seq, prev, kind, recorded_at, author, payload, sealed_by)


def plainly_holds(row: tuple[object, ...], *, seq: int, prev: str) -> bool:
    """Whether what is stored holds as entry ``seq`` behind the hash ``prev``; False says nothing.

    Parameters
    ----------
    row : tuple
        The columns, in the order of ``SealedRow``.
    """
    number, before, kind, recorded_at, author, payload, sealed_by = row
    if not (
        isinstance(kind, str) and isinstance(recorded_at, str) and isinstance(author, str) and isinstance(payload, str)
    ):
        return False
    return (
        type(number) is int
        and number == seq
        and before == prev
        and (kind == "genesis") == (seq == 1)
        and is_utc(recorded_at)
        and not author_problem(author)
        and is_usual(kind, payload)
        and sealed_by == hash_of(seq=seq, prev=prev, kind=kind, recorded_at=recorded_at, author=author, payload=payload)
    )
