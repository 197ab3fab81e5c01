"""How often the present window was tried: checks abandoned, GAP or DEFECTIVE, and begun again.

Re-run until green must be seen. May import: anchorhold.domain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from anchorhold.domain.entries import Entry


@dataclass(frozen=True, slots=True)
class Attempts:
    """The checks of the newest check's window."""

    checks: int
    """All that were opened."""
    ended: tuple[tuple[str, int], ...]
    """How they ended (``abandoned``, a verdict, ``open``), each with its number, the first to occur first."""

    @property
    def repeated(self) -> bool:
        """Was the window tried more than once?"""
        return self.checks > 1

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {"checks": self.checks, "ended": dict(self.ended)}


def attempts_of(entries: Sequence[Entry]) -> Attempts | None:
    """Count the checks of the window in which the newest check was opened; None when there was no check."""
    after: dict[str, object] = {}
    ended: dict[str, str] = {}
    newest: str | None = None
    for entry in entries:
        if entry.kind not in ("check_opened", "check_closed", "check_abandoned"):
            continue
        check = str(entry.payload["check"])
        if entry.kind == "check_opened":
            window = entry.payload["window"]
            assert isinstance(window, dict)
            newest, after[check] = check, window["after"]
        else:
            ended[check] = "abandoned" if entry.kind == "check_abandoned" else str(entry.payload["verdict"])
    if newest is None:
        return None
    same = [check for check, begin in after.items() if begin == after[newest]]
    counts = Counter(ended.get(check, "open") for check in same)
    return Attempts(checks=len(same), ended=tuple(counts.items()))
