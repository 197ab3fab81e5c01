"""May a merge go on? Decided from the register's entries and the allowed-signers file.

Held: while any HALT lacks a release that holds, whatever was checked later, and where an optional limit is exceeded.
Broken: the chain does not hold, or a stored verdict does not follow from the stored counts. A GAP does not hold, and
says that nothing was confirmed. Source: SPEC section 8.
May import: anchorhold.register.chain, anchorhold.domain, anchorhold.errors, anchorhold.gate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from anchorhold.domain.entries import Entry
from anchorhold.domain.payloads import CheckClosed, Verdict, read_payload
from anchorhold.domain.sentences import joined
from anchorhold.gate import words
from anchorhold.gate.attempts import Attempts, attempts_of
from anchorhold.gate.limits import Exceeded, Limits, exceeded_limits
from anchorhold.gate.releases import JudgedRelease, judge_releases
from anchorhold.register.chain import Chain, Problem

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
    edition: int | None = None
    """Contract edition that it was judged under."""
    contract_digest: str | None = None
    releases: tuple[JudgedRelease, ...] = ()
    """Every release entry that names it, oldest first."""

    @property
    def released_by(self) -> JudgedRelease | None:
        """The release that opens its HALT."""
        return next((release for release in self.releases if release.opens), None)

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "seq": self.seq,
            "check": self.check,
            "verdict": self.verdict,
            "r": self.r,
            "hash": self.hash,
            "closed_at": self.closed_at,
            "contract": {"edition": self.edition, "digest": self.contract_digest},
            "releases": [release.to_json() for release in self.releases],
        }


@dataclass(frozen=True, slots=True)
class GateAnswer:
    """The answer, with what it rests on."""

    state: State
    reason: str
    """One sentence: the answer and why."""
    next_step: str = ""
    """What opens the gate; empty when it is open."""
    held_by: tuple[ClosedCheck, ...] = ()
    """Every HALT that stands, oldest first."""
    limits: tuple[Exceeded, ...] = ()
    """Every limit that is exceeded."""
    last: ClosedCheck | None = None
    """The check that closed last."""
    releases: tuple[JudgedRelease, ...] = ()
    """Every release entry of the register, oldest first."""
    attempts: Attempts | None = None
    """The checks of the newest check's window; None without a check."""
    problem: Problem | None = None
    """The first entry that does not hold, when the chain is broken."""
    entries: int | None = None
    """Number of entries; None when the register is broken."""
    head: str | None = None
    """Hash of the last entry; None when the register is broken."""

    @property
    def exit_status(self) -> int:
        """0 open, 1 held, 4 register broken."""
        return EXIT_STATUS[self.state]

    @property
    def without_effect(self) -> tuple[JudgedRelease, ...]:
        """The release entries that open nothing."""
        return tuple(release for release in self.releases if not release.opens)

    def lines(self) -> tuple[str, ...]:
        """Say the answer: one line, and when it is held one more for every release that has no effect."""
        first = joined(" ", filter(None, (self.reason, self.next_step)))
        if self.state != "held":
            return (first,)
        return (first, *(words.without_effect(release) for release in self.without_effect))

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "schema": "anchorhold/gate/1",
            "state": self.state,
            "reason": self.reason,
            "next": self.next_step,
            "held_by": [check.to_json() for check in self.held_by],
            "limits": [limit.to_json() for limit in self.limits],
            "last": None if self.last is None else self.last.to_json(),
            "releases": [release.to_json() for release in self.releases],
            "releases_without_effect": [release.seq for release in self.without_effect],
            "attempts": None if self.attempts is None else self.attempts.to_json(),
            "problem": None if self.problem is None else self.problem.to_json(),
            "entries": self.entries,
            "head": self.head,
        }


def decide(
    chain: Chain, *, signers: Path | None = None, limits: Limits | None = None, now: datetime | None = None
) -> GateAnswer:
    """Say whether a merge may go on, from entries whose chain was looked at already.

    Whether the stored verdicts follow from the counts is the caller's to ask; ``gate.asking`` does both.

    Parameters
    ----------
    signers : Path, optional
        The allowed-signers file; without one nothing opens a HALT.
    limits : Limits, optional
        None: no limits.
    now : datetime, optional
        For limits on age; needed with them only.

    Raises
    ------
    RegisterBroken
        With limits: entries that belong to no check.
    """
    if chain.problem is not None:
        return broken(f"at {chain.problem}", problem=chain.problem)
    entries = chain.entries
    releases = judge_releases(entries, signers=signers)
    closed = [_closed_check(entry, releases) for entry in entries if entry.kind == "check_closed"]
    halts = tuple(check for check in closed if check.verdict == "HALT" and check.released_by is None)
    exceeded = _exceeded(entries, limits, now)
    last = closed[-1] if closed else None
    attempts = attempts_of(entries)
    return GateAnswer(
        state="held" if halts or exceeded else "open",
        reason=words.held(halts, exceeded) if halts or exceeded else words.opened(last, attempts),
        next_step=words.what_opens(halts, exceeded),
        held_by=halts,
        limits=exceeded,
        last=last,
        releases=releases,
        attempts=attempts,
        entries=len(entries),
        head=entries[-1].hash,
    )


def broken(how: str, *, problem: Problem | None = None) -> GateAnswer:
    """Return the answer for a register that does not hold, or cannot be read: no merge, whatever it says."""
    return GateAnswer(state="broken", reason=words.broken(how), problem=problem)


def _exceeded(entries: Sequence[Entry], limits: Limits | None, now: datetime | None) -> tuple[Exceeded, ...]:
    if limits is None or limits == Limits():
        return ()
    assert now is not None, "limits need a clock"
    return exceeded_limits(entries, limits, now=now)


def _closed_check(entry: Entry, releases: Sequence[JudgedRelease]) -> ClosedCheck:
    payload = read_payload(entry.kind, entry.payload)
    assert isinstance(payload, CheckClosed)
    stamp = payload.result.get("contract")
    contract = stamp if isinstance(stamp, dict) else {}
    edition, digest = contract.get("edition"), contract.get("digest")
    return ClosedCheck(
        seq=entry.seq,
        check=payload.check,
        verdict=payload.verdict,
        r=payload.r,
        r_text=payload.r_text,
        hash=entry.hash,
        closed_at=entry.recorded_at,
        edition=edition if isinstance(edition, int) else None,
        contract_digest=digest if isinstance(digest, str) else None,
        releases=tuple(release for release in releases if release.halt == entry.hash),
    )
