"""What the first page says of a register: the gate, every check with its figures, and the claims since the last check.

Figures are the results' own, nothing is computed anew. Elo is logistic, errors are 95 % half-widths.
May import: anchorhold.checks, anchorhold.domain, anchorhold.errors, anchorhold.gate, anchorhold.web.addresses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anchorhold.checks.claimed import Claims, claims_of, windows
from anchorhold.checks.state import CheckState, checks_of
from anchorhold.domain.entries import Entry
from anchorhold.errors import RegisterBroken
from anchorhold.gate.decision import GateAnswer
from anchorhold.web import addresses


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One check."""

    id: str
    page: str
    """Address of its report; there is one when it is closed."""
    status: str
    """open, measured, closed, abandoned."""
    attempt: int
    old: str
    new: str
    edition: int
    halt_below: float | None
    continue_from: float | None
    opened_seq: int
    opened_at: str
    verdict: str | None = None
    closed_seq: int | None = None
    closed_at: str | None = None
    r: float | None = None
    band: tuple[float, float] | None = None
    s: float | None = None
    s_error: float | None = None
    delta_a: float | None = None
    delta_a_error: float | None = None
    released: bool = False
    """A HALT that a valid release opens."""
    reason: str | None = None
    """Why it was abandoned."""


@dataclass(frozen=True, slots=True)
class Overview:
    """A register as the first page shows it."""

    project: str | None
    answer: GateAnswer
    checks: tuple[CheckLine, ...]
    """In the order of their opening."""
    states: tuple[CheckState, ...]
    """The same checks with their entries."""
    claims: Claims | None
    """Of the window that the next check will look at; None when nothing was recorded since the last."""
    entries: int
    head: str | None
    updated: str | None
    """When the last entry was recorded."""

    @property
    def closed(self) -> tuple[CheckLine, ...]:
        """The checks that have a result."""
        return tuple(check for check in self.checks if check.status == "closed")

    @property
    def last(self) -> CheckLine | None:
        """The check that closed last."""
        closed = self.closed
        return closed[-1] if closed else None


def overview_of(entries: Sequence[Entry], answer: GateAnswer, *, project: str | None = None) -> Overview:
    """Gather what the first page shows.

    Parameters
    ----------
    entries : sequence of Entry
        Those whose chain holds, from the first on.
    answer : GateAnswer
        What the gate says of the whole register.
    project : str, optional
        Name to show; None: the one of the register's first entry.
    """
    released = {release.halt for release in answer.releases if release.opens}
    states: tuple[CheckState, ...] = ()
    claims = None
    try:
        states = checks_of(entries)
        claims = _since_the_last(entries)
    except RegisterBroken:
        # The gate's answer says what is wrong; what can be read is shown.
        assert answer.state == "broken"
    return Overview(
        project=project or _project(entries),
        answer=answer,
        checks=tuple(_line(state, released) for state in states),
        states=states,
        claims=claims,
        entries=len(entries),
        head=entries[-1].hash if entries else None,
        updated=entries[-1].recorded_at if entries else None,
    )


def _since_the_last(entries: Sequence[Entry]) -> Claims | None:
    found = windows(entries)
    return claims_of(entries, found[-1]) if found and found[-1].until == entries[-1].seq else None


def _line(state: CheckState, released: set[str]) -> CheckLine:
    parameters = state.plan.contract.parameters
    closed = state.closed
    result = closed.payload.get("result") if closed is not None else None
    figures: Mapping[str, object] = result if isinstance(result, Mapping) else {}
    band = figures.get("band")
    low, high = (_number(band, name) for name in ("low", "high")) if isinstance(band, Mapping) else (None, None)
    return CheckLine(
        id=state.id,
        page=addresses.check_page(state.id, state.opened.seq),
        status=state.status,
        attempt=state.attempt,
        old=state.plan.old.version,
        new=state.plan.new.version,
        edition=state.plan.contract.edition,
        halt_below=_number(parameters, "halt_below"),
        continue_from=_number(parameters, "continue_from"),
        opened_seq=state.opened.seq,
        opened_at=state.opened.recorded_at,
        verdict=state.verdict,
        closed_seq=None if closed is None else closed.seq,
        closed_at=None if closed is None else closed.recorded_at,
        r=_number(figures, "r"),
        band=None if low is None or high is None else (low, high),
        s=_number(figures, "s"),
        s_error=_number(figures, "s_error"),
        delta_a=_number(figures, "delta_a"),
        delta_a_error=_number(figures, "delta_a_error"),
        released=closed is not None and closed.hash in released,
        reason=state.reason,
    )


def _number(members: Mapping[str, object], name: str) -> float | None:
    value = members.get(name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _project(entries: Sequence[Entry]) -> str | None:
    named = entries[0].payload.get("project") if entries else None
    return named if isinstance(named, str) else None
