"""Proposed entries into the register: what stands there already is passed over, so that the same input adds nothing.

May import: anchorhold.canonical, anchorhold.domain, anchorhold.register, anchorhold.importers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from anchorhold.canonical import canonical_json
from anchorhold.domain.entries import Entry
from anchorhold.importers.drafts import Draft
from anchorhold.register.appending import AppendableRegister


@dataclass(frozen=True, slots=True)
class Recorded:
    """What became of the proposed entries."""

    added: tuple[Entry, ...]
    known: int
    """How many stood in the register already."""
    changed: tuple[Draft, ...]
    """Those of ``known`` that would read differently now; the register keeps what it has."""


def record(register: AppendableRegister, drafts: Iterable[Draft], *, author: str) -> Recorded:
    """Append the entries whose ids the register does not have, in their order: all of them or none.

    Raises
    ------
    BadInput
        A payload that its kind refuses.
    BadState, RegisterBroken
        As for ``Register.append``.
    """
    proposed = list(drafts)
    done = register.append_new(proposed, author=author)
    standing, known = dict(done.standing), list[Draft]()
    following = iter(done.added)
    for draft in proposed:
        if draft.id in standing:
            known.append(draft)
        else:
            standing[draft.id] = next(following)
    changed = tuple(draft for draft in known if _reads_differently(draft, standing[draft.id]))
    return Recorded(done.added, len(known), changed)


def _reads_differently(draft: Draft, entry: Entry) -> bool:
    return entry.kind != draft.kind or canonical_json(dict(entry.payload)) != canonical_json(dict(draft.payload))
