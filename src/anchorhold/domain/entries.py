"""Register entries: kinds, and what links one entry to the one before.

Source: SPEC section 7. May import: anchorhold.canonical.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from anchorhold.canonical import digest

Kind = Literal[
    "genesis",
    "contract",
    "anchor_set",
    "gain_test",
    "rejected_test",
    "special_path",
    "epoch_change",
    "retraction",
    "check_opened",
    "measurement",
    "check_closed",
    "check_abandoned",
    "release",
    "note",
]
KINDS: tuple[str, ...] = get_args(Kind)
NO_PREVIOUS = "0" * 64
MAX_AUTHOR = 200
_RECORDED_AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the register; never changed once appended."""

    seq: int
    """1, 2, 3 …"""
    prev: str
    """Hash of the entry before; 64 zeros for the first."""
    kind: str
    recorded_at: str
    """UTC, RFC 3339, such as ``2026-11-30T04:05:06Z``."""
    author: str
    payload: Mapping[str, object]
    hash: str
    """SHA-256 of the canonical JSON of all the other fields."""

    def to_json(self) -> dict[str, object]:
        """Return the JSON form: one line of an export."""
        return {
            "seq": self.seq,
            "prev": self.prev,
            "kind": self.kind,
            "recorded_at": self.recorded_at,
            "author": self.author,
            "payload": dict(self.payload),
            "hash": self.hash,
        }


def entry_hash(*, seq: int, prev: str, kind: str, recorded_at: str, author: str, payload: Mapping[str, object]) -> str:
    """SHA-256 of the canonical JSON of all fields but the hash itself."""
    return digest(
        {
            "seq": seq,
            "prev": prev,
            "kind": kind,
            "recorded_at": recorded_at,
            "author": author,
            "payload": dict(payload),
        }
    )


def id_of(payload: Mapping[str, object]) -> str | None:
    """Return the id by which a window knows an entry, None when it has none."""
    name = payload.get("id")
    return name if isinstance(name, str) else None


def is_utc(text: str) -> bool:
    """Whether a text is a time in UTC as an entry has it."""
    if not _RECORDED_AT.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text[:19])
    except ValueError:
        return False
    return True


def author_problem(author: str) -> str:
    """Say what is wrong with an author, after their name; empty for nothing."""
    if not author.strip():
        return "is empty"
    if author != author.strip() or not author.isprintable():
        return "has characters that a line of a log cannot show"
    return f"is longer than {MAX_AUTHOR} characters" if len(author) > MAX_AUTHOR else ""
