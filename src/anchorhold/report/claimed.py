"""Claims over time: the running sum of what was counted, with the window of every check.

May import: anchorhold.checks, domain, law, report.*.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from anchorhold.checks.claimed import windows
from anchorhold.checks.law_view import contract_of_register, document_entries
from anchorhold.checks.state import checks_of
from anchorhold.domain.entries import Entry
from anchorhold.law.document import Window
from anchorhold.law.problems import Problems
from anchorhold.law.window import read_window


@dataclass(frozen=True, slots=True)
class Gain:
    """One counted gain with a value."""

    seq: int
    day: date
    """Of the source where it is known, else when it was recorded."""
    id: str
    elo: float
    total: float
    """All that was counted up to it, over all windows."""


@dataclass(frozen=True, slots=True)
class ClaimedWindow:
    """What one window claims."""

    after: int
    until: int
    check: str | None
    """The check that closed it; None for the open one."""
    verdict: str | None
    r: float | None
    closed: date | None
    """Day on which its check was opened: the window ends there."""
    s: float
    error: float | None
    """In quadrature; None when a gain has no half-width."""
    without_value: int
    """Counted gains that have no value and so no part in S."""
    gains: tuple[Gain, ...]


def claimed_over_time(entries: Sequence[Entry], asked: Sequence[Window] | None = None) -> tuple[ClaimedWindow, ...]:
    """Return the counted gains of some windows, by default of all of a register, in order.

    Raises
    ------
    RegisterBroken
        An entry that no evaluation can read.
    """
    contract = contract_of_register(entries)
    checks = {check.opened.seq: check for check in checks_of(entries) if check.closes_window}
    found: list[ClaimedWindow] = []
    total = 0.0
    for window in windows(entries) if asked is None else asked:
        inside = [entry for entry in entries if window.after < entry.seq <= window.until]
        read = read_window(
            document_entries(inside), window, contract=contract, problems=Problems(), short_problems=Problems()
        )
        of = {entry.seq: entry for entry in inside}
        gains: list[Gain] = []
        errors: list[float | None] = []
        # The line runs through the days; entries that an import brought stand in the order of the import.
        for gain in sorted(read.counted, key=lambda gain: (_day(of[gain.seq]), gain.seq)):
            if gain.long is None:
                continue
            total += gain.long.elo
            errors.append(gain.long.error)
            entry = of[gain.seq]
            gains.append(Gain(gain.seq, _day(entry), str(entry.payload.get("id") or ""), gain.long.elo, total))
        check = checks.get(window.until)
        result = check.closed.payload if check is not None and check.closed is not None else {}
        r = result.get("r")
        found.append(
            ClaimedWindow(
                after=window.after,
                until=window.until,
                check=None if check is None else check.id,
                verdict=None if check is None else check.verdict,
                r=float(r) if isinstance(r, int | float) else None,
                closed=None if check is None else date.fromisoformat(check.opened.recorded_at[:10]),
                s=math.fsum(gain.elo for gain in gains),
                error=None if None in errors else math.hypot(*(error for error in errors if error is not None)),
                without_value=len(read.counted) - len(gains),
                gains=tuple(gains),
            )
        )
    return tuple(found)


def _day(entry: Entry) -> date:
    return date.fromisoformat(str(entry.payload.get("date") or entry.recorded_at)[:10])
