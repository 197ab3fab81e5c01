"""Proposed entries into the register: what stands there already is passed over, so that the same input adds nothing.

May import: anchorhold.register, anchorhold.importers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from anchorhold.importers.drafts import Draft
from anchorhold.register.appending import AppendableRegister
from anchorhold.register.proposals import Standing


@dataclass(frozen=True, slots=True)
class Recorded:
    """What became of the proposed entries."""

    added: int
    """How many were appended."""
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
    for draft in proposed:
        if draft.id in standing:
            known.append(draft)
        else:
            standing[draft.id] = Standing(draft.kind, draft.text)
    changed = tuple(draft for draft in known if standing[draft.id] != (draft.kind, draft.text))
    return Recorded(len(done.added), len(known), changed)
