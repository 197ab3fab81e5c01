"""All checks of a register in their order, for the picture of R over time: verdicts, contracts, attempts, releases.

May import: anchorhold.checks, domain, law, report.*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anchorhold.checks.state import CheckState, checks_of, payload_of
from anchorhold.domain.entries import Entry
from anchorhold.domain.payloads import Release


@dataclass(frozen=True, slots=True)
class PastCheck:
    """One check of the register."""

    id: str
    version: str
    """New."""
    verdict: str | None
    """None for one that is open or abandoned."""
    abandoned: bool
    r: float | None
    low: float | None
    """Monte-Carlo band."""
    high: float | None
    edition: int
    attempt: int
    recorded_at: str
    """Of the closing, else of the opening."""
    released: bool
    """A release names its HALT; whether its signature holds is the gate's to say."""


def history_of(entries: Sequence[Entry], *, until: str | None = None) -> tuple[PastCheck, ...]:
    """Return the checks of a register, up to the one of an id.

    Raises
    ------
    RegisterBroken
        An entry cannot be read as what its kind holds.
    """
    released = {payload_of(entry, Release).halt for entry in entries if entry.kind == "release"}
    found = []
    for check in checks_of(entries):
        found.append(_past(check, released))
        if check.id == until:
            break
    return tuple(found)


def _past(check: CheckState, released: set[str]) -> PastCheck:
    result = check.closed.payload.get("result") if check.closed else None
    members: Mapping[str, object] = result if isinstance(result, Mapping) else {}
    band = members.get("band")
    ends = band if isinstance(band, Mapping) else {}
    last = check.closed or check.abandoned or check.opened
    return PastCheck(
        id=check.id,
        version=check.plan.new.version,
        verdict=check.verdict,
        abandoned=check.abandoned is not None,
        r=_number(members.get("r")),
        low=_number(ends.get("low")),
        high=_number(ends.get("high")),
        edition=check.plan.contract.edition,
        attempt=check.attempt,
        recorded_at=last.recorded_at,
        released=check.closed is not None and check.closed.hash in released,
    )


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
