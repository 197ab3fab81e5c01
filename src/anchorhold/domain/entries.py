"""Register entries: kinds, and what links one entry to the one before.

Source: SPEC section 7. May import: anchorhold.canonical.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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
