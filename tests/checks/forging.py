"""Registers in which somebody changed a payload and made every hash after it fit."""

import copy
from collections.abc import Callable, Sequence

from anchorhold.domain.entries import NO_PREVIOUS, Entry, entry_hash

Payload = dict[str, object]


def forged(entries: Sequence[Entry], seq: int, change: Callable[[Payload], object]) -> list[Entry]:
    """Return a register in which one payload was changed, and every hash made to fit."""
    return rechained(entries, {seq: change})


def rechained(entries: Sequence[Entry], changes: dict[int, Callable[[Payload], object]]) -> list[Entry]:
    """Number and link entries anew, in the order given, with the payloads at some places changed."""
    found: list[Entry] = []
    for place, entry in enumerate(entries, start=1):
        payload: Payload = copy.deepcopy(dict(entry.payload))
        if place in changes:
            changes[place](payload)
        fields = {
            "seq": place,
            "prev": found[-1].hash if found else NO_PREVIOUS,
            "kind": entry.kind,
            "recorded_at": entry.recorded_at,
            "author": entry.author,
            "payload": payload,
        }
        found.append(Entry(**fields, hash=entry_hash(**fields)))  # type: ignore[arg-type]
    return found


def last(entries: Sequence[Entry], kind: str) -> int:
    """Return the number of the last entry of a kind."""
    return max(entry.seq for entry in entries if entry.kind == kind)


def set_in(payload: Payload, path: str, value: object) -> None:
    """Change one member, named by its path; None as a value is null."""
    *parents, name = path.split(".")
    part: object = payload
    for parent in parents:
        part = part[int(parent)] if isinstance(part, list) else part[parent]  # type: ignore[index]
    if isinstance(part, list):
        part[int(name)] = value
    else:
        part[name] = value  # type: ignore[index]
