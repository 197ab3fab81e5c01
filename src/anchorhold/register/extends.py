"""Does a register go on from what somebody kept of it: its head, or an older export?

A chain that holds says nothing against a register whose tail was removed or written anew. Whoever kept its head finds
both; whoever kept an export also finds at which entry. Pure over entries. Source: SPEC section 7.
May import: anchorhold.errors, anchorhold.domain, anchorhold.register.chain, anchorhold.register.exporting.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from anchorhold.domain.entries import Entry
from anchorhold.errors import BadInput
from anchorhold.register.chain import Problem
from anchorhold.register.exporting import export_line

_HEAD = re.compile(r"([1-9][0-9]{0,14}):([0-9a-f]{64})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Head:
    """Number and hash of a register's last entry at some time."""

    seq: int
    hash: str

    def __str__(self) -> str:
        return f"{self.seq}:{self.hash}"

    @classmethod
    def of(cls, entry: Entry) -> Head:
        """Return the head that an entry is, as long as none follows it."""
        return cls(entry.seq, entry.hash)


def read_head(text: str) -> Head:
    """Read ``SEQ:HASH``, as ``anchorhold register head`` prints it.

    Raises
    ------
    BadInput
        Another form.
    """
    found = _HEAD.fullmatch(text.strip())
    if found is None:
        raise BadInput(
            f"{text[:80]!r} is not the head of a register, expected SEQ:HASH",
            next_step="Give what 'anchorhold register head' printed",
        )
    return Head(int(found[1]), found[2])


def against_head(entries: Sequence[Entry], kept: Head) -> Problem | None:
    """Say why a register does not go on from a kept head; None when it does.

    Parameters
    ----------
    entries : sequence of Entry
        All entries of a register whose chain holds.
    """
    if len(entries) < kept.seq:
        message = f"the kept head is entry {kept.seq}, and the register ends at {len(entries)}: its tail is missing"
        return Problem(len(entries) + 1, "kept head", message)
    found = entries[kept.seq - 1].hash
    if found == kept.hash:
        return None
    message = (
        f"the kept head has the hash {kept.hash[:12]}…, this entry {found[:12]}…: it, or one before it, is another"
    )
    return Problem(kept.seq, "kept head", message)


def against_older(entries: Sequence[Entry], older: bytes, *, where: str) -> Problem | None:
    """Say at which entry a register differs from an older export of it; None when it only added to it.

    Parameters
    ----------
    entries : sequence of Entry
        All entries of a register whose chain holds.
    older : bytes
        The older export, whole.
    where : str
        Its name, for messages.

    Raises
    ------
    BadInput
        The older export is empty or cut off.
    """
    if not older.endswith(b"\n"):
        what = "does not end with a line feed: it is cut off" if older else "is empty"
        raise BadInput(what, where=where, next_step="Give an export that 'anchorhold register export' wrote")
    lines = older[:-1].split(b"\n")
    for entry, line in zip(entries, lines, strict=False):
        if export_line(entry) != line + b"\n":
            return Problem(entry.seq, "extends", f"is not what line {entry.seq} of {where} says")
    if len(entries) < len(lines):
        message = f"{where} goes on to entry {len(lines)}, and the register ends at {len(entries)}: its tail is missing"
        return Problem(len(entries) + 1, "extends", message)
    return None
