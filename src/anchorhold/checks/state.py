"""How far each check of a register has come: pure over entries.

A window is closed only by a check with the verdict CONTINUE, WARN or HALT. Source: SPEC section 7.
May import: anchorhold.errors, anchorhold.domain.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from anchorhold.domain.entries import Entry
from anchorhold.domain.payloads import CheckAbandoned, CheckClosed, CheckOpened, Measurement, Payload, read_payload_json
from anchorhold.errors import BadInput, BadState, RegisterBroken

CLOSING = frozenset({"CONTINUE", "WARN", "HALT"})
Status = Literal["open", "measured", "closed", "abandoned"]
Part = tuple[str, str]
"""Endpoint (old, new, direct) and stage."""
PayloadT = TypeVar("PayloadT", bound=Payload)


@dataclass(frozen=True, slots=True)
class CheckState:
    """One check with the entries that belong to it."""

    id: str
    opened: Entry
    plan: CheckOpened
    """Payload of the opening: all that was fixed before a game."""
    measurements: tuple[Entry, ...]
    closed: Entry | None
    abandoned: Entry | None
    attempt: int
    """1 for the first check of its window, 2 for the next …"""
    verdict: str | None
    """The verdict, None before the close."""
    recorded: Mapping[Part, Measurement]
    """The recorded measurements."""

    @property
    def status(self) -> Status:
        """Where the check stands."""
        if self.closed:
            return "closed"
        if self.abandoned:
            return "abandoned"
        return "measured" if not self.missing() else "open"

    @property
    def closes_window(self) -> bool:
        """Does the next window begin with this check?"""
        return self.verdict in CLOSING

    @property
    def reason(self) -> str | None:
        """Why it was abandoned."""
        return None if self.abandoned is None else payload_of(self.abandoned, CheckAbandoned).reason

    def planned(self) -> list[Part]:
        """Return the measurements that the opening plans."""
        pairs = self.plan.planned_pairs
        parts: list[Part] = [("old", "long"), ("new", "long")]
        if pairs.short is not None:
            parts += [("old", "short"), ("new", "short")]
        if pairs.direct is not None:
            parts.append(("direct", "long"))
        return parts

    def measured(self) -> dict[Part, Measurement]:
        """Return the recorded measurements."""
        return dict(self.recorded)

    def missing(self) -> list[Part]:
        """Return the planned measurements that are not recorded."""
        return [part for part in self.planned() if part not in self.recorded]


def payload_of(entry: Entry, kind: type[PayloadT]) -> PayloadT:
    """Read an entry's payload as its type.

    Raises
    ------
    RegisterBroken
        The payload has another form.
    """
    try:
        # Entries that were read from a register are JSON already; canonical form, which is slow, is the chain's matter.
        payload = read_payload_json(entry.kind, json.dumps(dict(entry.payload)))
    except BadInput as error:
        raise RegisterBroken(f"entry {entry.seq} cannot be read: {error}") from error
    assert isinstance(payload, kind)
    return payload


def part_of(measurement: Measurement) -> Part:
    """Return endpoint and stage of a measurement."""
    return measurement.endpoint, measurement.stage


def checks_of(entries: Sequence[Entry]) -> tuple[CheckState, ...]:
    """Gather the checks of a register, in the order of their opening.

    Raises
    ------
    RegisterBroken
        An entry belongs to no open check, or says again what was said: no command of this program writes that.
    """
    found: dict[str, _Gathered] = {}
    still_open: _Gathered | None = None
    for entry in entries:
        if entry.kind == "check_opened":
            opened = payload_of(entry, CheckOpened)
            if opened.check in found:
                raise _misplaced(entry, f"opens the check {opened.check!r} again")
            if still_open is not None:
                raise _misplaced(entry, f"opens the check {opened.check!r} while {still_open.plan.check!r} is open")
            still_open = found[opened.check] = _Gathered(entry, opened)
        elif entry.kind in ("measurement", "check_closed", "check_abandoned"):
            name = str(entry.payload.get("check"))
            if still_open is None or still_open.plan.check != name:
                raise _misplaced(entry, f"belongs to the check {name!r}, which is not open there")
            if entry.kind == "measurement":
                still_open.measure(entry)
                continue
            still_open.ended = entry
            if entry.kind == "check_closed":
                still_open.verdict = payload_of(entry, CheckClosed).verdict
            still_open = None
    attempts: Counter[int] = Counter()
    states: list[CheckState] = []
    for check in found.values():
        after = check.plan.window.after
        attempts[after] += 1
        states.append(
            CheckState(
                id=check.plan.check,
                opened=check.opened,
                plan=check.plan,
                measurements=tuple(check.measurements),
                closed=check.ended if check.ended and check.ended.kind == "check_closed" else None,
                abandoned=check.ended if check.ended and check.ended.kind == "check_abandoned" else None,
                attempt=attempts[after],
                verdict=check.verdict,
                recorded=check.recorded,
            )
        )
    return tuple(states)


@dataclass(slots=True)
class _Gathered:
    opened: Entry
    plan: CheckOpened
    measurements: list[Entry] = field(default_factory=list)
    recorded: dict[Part, Measurement] = field(default_factory=dict)
    ended: Entry | None = None
    verdict: str | None = None

    def measure(self, entry: Entry) -> None:
        measurement = payload_of(entry, Measurement)
        endpoint, stage = part = part_of(measurement)
        if part in self.recorded:
            raise _misplaced(entry, f"measures {endpoint} at the {stage} stage of {self.plan.check!r} again")
        self.measurements.append(entry)
        self.recorded[part] = measurement


def _misplaced(entry: Entry, what: str) -> RegisterBroken:
    return RegisterBroken(
        f"entry {entry.seq} ({entry.kind}) {what}",
        next_step="No command of this program writes that; find out who added the entry",
    )


def open_check(checks: Sequence[CheckState]) -> CheckState | None:
    """Return the check that is neither closed nor abandoned; there is one at most."""
    return next((check for check in checks if check.closed is None and check.abandoned is None), None)


def the_open_check(entries: Sequence[Entry]) -> CheckState:
    """Return the check that is open.

    Raises
    ------
    BadState
        None is.
    """
    check = open_check(checks_of(entries))
    if check is None:
        raise BadState("no check is open", next_step="Open one with 'anchorhold check open'")
    return check


def last_closing(checks: Sequence[CheckState]) -> CheckState | None:
    """Return the last check that closed its window."""
    return next((check for check in reversed(checks) if check.closes_window), None)


def find_check(checks: Sequence[CheckState], check_id: str | None) -> CheckState:
    """Return a check by its id; the last one when no id is given.

    Raises
    ------
    BadState
        There is no such check.
    """
    if check_id is None:
        if not checks:
            raise BadState("the register holds no check", next_step="Open one with 'anchorhold check open'")
        return checks[-1]
    for check in checks:
        if check.id == check_id:
            return check
    known = ", ".join(check.id for check in checks[-5:]) or "none"
    raise BadState(f"there is no check {check_id!r}; the register's last are: {known}")


def last_anchor_set(entries: Sequence[Entry]) -> Entry | None:
    """Return the newest anchor_set entry."""
    return next((entry for entry in reversed(entries) if entry.kind == "anchor_set"), None)
