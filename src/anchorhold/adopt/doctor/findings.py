"""What one look found. May import: nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "skipped", "warning", "failure"]
"""``skipped``: it could not be looked at, or is not needed; the remedy says how it could be."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of a doctor's report."""

    check: str
    """What was looked at, in one or two words."""
    level: Level
    message: str
    remedy: str = ""
    """What to do about it; empty when there is nothing to do."""
