"""Proposed entries into the register: what stands there already is passed over, so that the same input adds nothing.

May import: anchorhold.canonical, anchorhold.domain, anchorhold.register, anchorhold.importers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from anchorhold.canonical import canonical_json
from anchorhold.domain.entries import Entry
from anchorhold.domain.payloads import id_of
from anchorhold.importers.drafts import Draft
from anchorhold.register.store import Register


@dataclass(frozen=True, slots=True)
class Recorded:
    """What became of the proposed entries."""

    added: tuple[Entry, ...]
    known: int
    """How many stood in the register already."""
    changed: tuple[Draft, ...]
    """Those of ``known`` that would read differently now; the register keeps what it has."""


def record(register: Register, drafts: Iterable[Draft], *, author: str) -> Recorded:
    """Append the entries whose ids the register does not have, in their order.

    Raises
    ------
    BadInput
        A payload that its kind refuses.
    BadState, RegisterBroken
        As for ``Register.append``.
    """
    standing = {name: entry for entry in register.entries() if (name := id_of(entry.payload)) is not None}
    added, changed, known = [], [], 0
    for draft in drafts:
        entry = standing.get(draft.id)
        if entry is None:
            entry = register.append(draft.kind, draft.payload, author=author)
            standing[draft.id] = entry
            added.append(entry)
            continue
        known += 1
        if entry.kind != draft.kind or canonical_json(dict(entry.payload)) != canonical_json(dict(draft.payload)):
            changed.append(draft)
    return Recorded(tuple(added), known, tuple(changed))
