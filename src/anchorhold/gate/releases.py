"""Which releases of a register have an effect, and why the others have none.

A release entry opens the HALT that it names when a key that the allowed-signers file has for its reviewer signed
exactly this halt, check, reviewer and reason, and was valid when the entry was recorded. No date brings an expired key
back: an entry dated before the HALT or before the entry that precedes it counts for nothing, and where any entry before
it has a later date, the key must be valid then, too.
Source: SPEC section 8. May import: anchorhold.domain, anchorhold.gate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from anchorhold.domain.entries import Entry
from anchorhold.domain.payloads import Release, read_payload
from anchorhold.domain.sentences import Sentence
from anchorhold.gate.signers import signers_problem
from anchorhold.gate.signing import objection, statement
from anchorhold.gate.words import one_line


@dataclass(frozen=True, slots=True)
class JudgedRelease:
    """One release entry with its effect."""

    seq: int
    halt: str
    """Hash of the entry that it names."""
    reviewer: str
    reason: str
    recorded_at: str
    why: str
    """Why it has no effect; empty when it opens the HALT."""

    @property
    def opens(self) -> bool:
        """Does it open the HALT that it names?"""
        return not self.why

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "seq": self.seq,
            "halt": self.halt,
            "reviewer": self.reviewer,
            "reason": self.reason,
            "recorded_at": self.recorded_at,
            "has_effect": self.opens,
            "why_not": self.why or None,
        }


def judge_releases(entries: Sequence[Entry], *, signers: Path | None) -> tuple[JudgedRelease, ...]:
    """Judge every release entry of a register whose chain holds, in order.

    Parameters
    ----------
    signers : Path, optional
        The allowed-signers file; without one no release has an effect.
    """
    closed: dict[str, Entry] = {}
    opened: dict[str, int] = {}
    judged: list[JudgedRelease] = []
    problem: str | None = None
    for place, entry in enumerate(entries):
        if entry.kind == "check_closed":
            closed[entry.hash] = entry
        if entry.kind != "release":
            continue
        release = read_payload(entry.kind, entry.payload)
        assert isinstance(release, Release)
        why = _formal_objection(entry, release, closed, opened, before=entries[place - 1])
        if not why:
            if problem is None:
                problem = signers_problem(signers)
            why = problem or _signature_objection(entry, release, signers, known=latest(entries[:place]))
        if not why:
            opened[release.halt] = entry.seq
        judged.append(
            JudgedRelease(
                seq=entry.seq,
                halt=release.halt,
                reviewer=release.reviewer,
                reason=release.reason,
                recorded_at=entry.recorded_at,
                why=why,
            )
        )
    return tuple(judged)


def _formal_objection(
    entry: Entry, release: Release, closed: Mapping[str, Entry], opened: Mapping[str, int], *, before: Entry
) -> str:
    """What speaks against a release before its signature is looked at."""
    halt = closed.get(release.halt)
    if halt is None:
        return Sentence(
            "it names {hash}…, and no check that closed before it in this register has that hash",
            hash=one_line(release.halt[:12]),
        )
    name = one_line(str(halt.payload["check"]))
    if halt.payload["verdict"] != "HALT":
        verdict = Sentence(str(halt.payload["verdict"]))
        return Sentence("it names {check}, which closed with {verdict}", check=name, verdict=verdict)
    if release.halt in opened:
        return Sentence("the HALT was released before, by entry {seq}", seq=opened[release.halt])
    if release.check is None:
        return Sentence("it names no check, the HALT is that of {check}", check=name)
    if release.check != halt.payload["check"]:
        other_check = one_line(release.check)
        return Sentence("it names the check {other}, the HALT is that of {check}", other=other_check, check=name)
    if release.signature is None:
        return Sentence("it is not signed")
    precedes = Sentence("entry {seq}, which precedes it", seq=before.seq)
    for what, other in ((Sentence("the HALT"), halt), (precedes, before)):
        if moment(entry.recorded_at) < moment(other.recorded_at):
            return Sentence(
                "it is dated {moment}, before {what} ({other})",
                moment=entry.recorded_at,
                what=what,
                other=other.recorded_at,
            )
    return ""


def _signature_objection(entry: Entry, release: Release, signers: Path | None, *, known: Entry) -> str:
    """What speaks against a signature, by the entry's own time and by the latest that stands before it."""
    assert signers is not None
    assert release.check is not None
    assert release.signature is not None
    signed = statement(halt=release.halt, check=release.check, reviewer=release.reviewer, reason=release.reason)
    at = moment(entry.recorded_at)
    why = objection(signed, release.signature, signers=signers, reviewer=release.reviewer, at=at)
    if why or moment(known.recorded_at) <= at:
        return why
    at = moment(known.recorded_at)
    why = objection(signed, release.signature, signers=signers, reviewer=release.reviewer, at=at)
    if not why:
        return ""
    return Sentence(
        "by the time of entry {seq} ({moment}), which stands before it, {why}",
        seq=known.seq,
        moment=known.recorded_at,
        why=why,
    )


def latest(entries: Sequence[Entry]) -> Entry:
    """Return the entry with the latest date; entries are not always dated in their order."""
    return max(entries, key=lambda entry: moment(entry.recorded_at))


def moment(recorded_at: str) -> datetime:
    """Read the time of an entry whose chain holds."""
    return datetime.fromisoformat(recorded_at)
