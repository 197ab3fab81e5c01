"""May a merge go on? Decided from the register's entries alone.

Held: when the chain is broken, or while any HALT stands without a valid release that names it; no later check lifts
it. Signed releases are not supported yet, so nothing opens a HALT. A GAP does not hold, and says that nothing was
confirmed. Source: SPEC section 8. May import: anchorhold.register.chain, anchorhold.domain, anchorhold.errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from anchorhold.domain.entries import Entry
from anchorhold.domain.payloads import CheckClosed, Release, Verdict, read_payload
from anchorhold.register.chain import Chain, Problem, chain_of

State = Literal["open", "held", "broken"]
EXIT_STATUS: dict[State, int] = {"open": 0, "held": 1, "broken": 4}


@dataclass(frozen=True, slots=True)
class ClosedCheck:
    """A closed check as the gate sees it."""

    seq: int
    check: str
    verdict: Verdict
    r: float | None
    r_text: str
    """R as it is said; empty where there is none."""
    hash: str
    closed_at: str

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "seq": self.seq,
            "check": self.check,
            "verdict": self.verdict,
            "r": self.r,
            "hash": self.hash,
            "closed_at": self.closed_at,
        }


@dataclass(frozen=True, slots=True)
class GateAnswer:
    """The answer, with what it rests on."""

    state: State
    reason: str
    """One sentence or two, in plain words."""
    held_by: tuple[ClosedCheck, ...] = ()
    """Every HALT that stands, oldest first."""
    last: ClosedCheck | None = None
    """The check that closed last."""
    releases_without_effect: tuple[int, ...] = ()
    """Numbers of release entries that name a HALT and do not open it."""
    problem: Problem | None = None
    """The first entry that does not hold, when the register is broken."""
    entries: int | None = None
    """Number of entries; None when the register is broken."""
    head: str | None = None
    """Hash of the last entry; None when the register is broken."""

    @property
    def exit_status(self) -> int:
        """0 open, 1 held, 4 register broken."""
        return EXIT_STATUS[self.state]

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "schema": "anchorhold/gate/1",
            "state": self.state,
            "reason": self.reason,
            "held_by": [check.to_json() for check in self.held_by],
            "last": None if self.last is None else self.last.to_json(),
            "releases_without_effect": list(self.releases_without_effect),
            "problem": None if self.problem is None else self.problem.to_json(),
            "entries": self.entries,
            "head": self.head,
        }


def decide(entries: Sequence[Entry]) -> GateAnswer:
    """Say whether a merge may go on.

    Parameters
    ----------
    entries : Sequence[Entry]
        All entries of the register, in their order; nothing about them is believed before the chain is checked.

    Returns
    -------
    GateAnswer
        ``open``, ``held`` or ``broken``; never raises for what stands in the register.
    """
    return answer(chain_of(entries))


def answer(chain: Chain) -> GateAnswer:
    """Say whether a merge may go on, from entries whose chain was looked at already; see ``decide``."""
    if chain.problem is not None:
        return broken(f"at {chain.problem}", problem=chain.problem)
    entries = chain.entries
    closed: list[ClosedCheck] = []
    releases: list[tuple[int, Release]] = []
    for entry in entries:
        if entry.kind == "check_closed":
            closed.append(_closed_check(entry))
        elif entry.kind == "release":
            release = read_payload(entry.kind, entry.payload)
            assert isinstance(release, Release)
            releases.append((entry.seq, release))
    halts = tuple(check for check in closed if check.verdict == "HALT")
    named = {check.hash for check in halts}
    without_effect = tuple(seq for seq, release in releases if release.halt in named)
    last = closed[-1] if closed else None
    return GateAnswer(
        state="held" if halts else "open",
        reason=_held(halts, without_effect) if halts else _open(last),
        held_by=halts,
        last=last,
        releases_without_effect=without_effect,
        entries=len(entries),
        head=entries[-1].hash,
    )


def broken(how: str, *, problem: Problem | None = None) -> GateAnswer:
    """Return the answer for a register that does not hold, or cannot be read: no merge, whatever it says."""
    return GateAnswer(
        state="broken",
        reason=f"Merging is held: the register is broken, {how}. Nothing in it counts until that is cleared up.",
        problem=problem,
    )


def _closed_check(entry: Entry) -> ClosedCheck:
    payload = read_payload(entry.kind, entry.payload)
    assert isinstance(payload, CheckClosed)
    return ClosedCheck(
        seq=entry.seq,
        check=payload.check,
        verdict=payload.verdict,
        r=payload.r,
        r_text=payload.r_text,
        hash=entry.hash,
        closed_at=entry.recorded_at,
    )


def _held(halts: Sequence[ClosedCheck], without_effect: Sequence[int]) -> str:
    first = halts[0]
    found = f"check {first.check} closed with HALT{_with_r(first)} (entry {first.seq}, {first.hash[:12]}…)"
    if len(halts) > 1:
        found += f", and {len(halts) - 1} more HALT{'s' if len(halts) > 2 else ''} after it"
    reason = (
        f"Merging is held: {found}. Only a human review opens it, and this version does not know signed releases yet."
    )
    if without_effect:
        shown = ", ".join(str(seq) for seq in without_effect)
        plural = len(without_effect) > 1
        reason += f" The release {'entries' if plural else 'entry'} {shown} {'have' if plural else 'has'} no effect."
    return reason


def _open(last: ClosedCheck | None) -> str:
    if last is None:
        return "Merging may go on: no check has closed yet, so nothing was confirmed."
    subject = f"check {last.check} closed with {last.verdict}{_with_r(last)}"
    return {
        "CONTINUE": f"Merging may go on: {subject}.",
        "WARN": f"Merging may go on, with a warning: {subject}.",
        "GAP": f"Merging may go on, but nothing was confirmed: {subject}.",
        "DEFECTIVE": f"Merging may go on, but nothing was confirmed: {subject}, counts for nothing and must be mended.",
    }[last.verdict]


def _with_r(check: ClosedCheck) -> str:
    return f", R = {check.r_text}" if check.r_text else ""
