"""What git says on standard input of a hook: which refs the push moves from where to where.

Source: githooks(5). May import: anchorhold.errors.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from anchorhold.errors import BadInput

Kind = Literal["pre-receive", "pre-push"]
KINDS: tuple[Kind, ...] = ("pre-receive", "pre-push")
_OID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Update:
    """One ref that a push moves."""

    ref: str
    """Full name in the repository that is pushed to."""
    old: str | None
    """Commit before the push; None: the ref is made by it."""
    new: str | None
    """Commit after the push; None: the ref is deleted by it."""


def read_updates(kind: Kind, text: str) -> tuple[Update, ...]:
    """Read the lines that git gives to a hook.

    Raises
    ------
    BadInput
        A line of another form; nothing is guessed.
    """
    found: list[Update] = []
    for place, line in enumerate(text.split("\n"), start=1):
        if not line:
            continue
        words = line.split(" ")
        if kind == "pre-receive" and len(words) == 3:
            old, new, ref = words
        elif kind == "pre-push" and len(words) == 4:
            _, new, ref, old = words
        else:
            raise _unknown(kind, place, line)
        if not (_OID.fullmatch(old) and _OID.fullmatch(new) and ref.startswith("refs/")):
            raise _unknown(kind, place, line)
        found.append(Update(ref=ref, old=_commit(old), new=_commit(new)))
    return tuple(found)


def _commit(oid: str) -> str | None:
    return oid if oid.strip("0") else None


def _unknown(kind: Kind, place: int, line: str) -> BadInput:
    expected = "OLD NEW REF" if kind == "pre-receive" else "LOCAL-REF NEW REF OLD"
    return BadInput(f"{line[:120]!r} is not {expected!r}", where=f"{kind}, line {place} of what git says")
