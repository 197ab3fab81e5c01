"""Recording a human review of a HALT, or that somebody tried.

A review is recorded only when it opens the HALT at that moment: one that was refused stands as a note, which no key
that is added later turns into a release. Source: SPEC section 8.
May import: anchorhold.canonical, anchorhold.errors, anchorhold.domain, anchorhold.register, anchorhold.gate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from anchorhold.canonical import sha256_hex
from anchorhold.domain.entries import Entry
from anchorhold.errors import AnchorholdError, BadInput, BadState, RegisterBroken
from anchorhold.gate.asking import require_verdicts
from anchorhold.gate.releases import judge_releases, latest, moment
from anchorhold.gate.signers import signers_problem
from anchorhold.gate.signing import objection, statement
from anchorhold.gate.words import one_line
from anchorhold.register.proposals import Clock, utc_now
from anchorhold.register.reading import ReadableRegister
from anchorhold.register.store import Register

LEAST_OF_A_HASH = 8
MOST_OF_A_REASON = 2000
MOST_OF_A_NAME = 200
_REFUSED = "Correct it and try again; that it was tried stands in the register"

Sign = Callable[[bytes], str]


@dataclass(frozen=True, slots=True)
class Review:
    """What a reviewer says about one HALT."""

    halt: str
    """Hash of the ``check_closed`` entry."""
    check: str
    reviewer: str
    reason: str

    def statement(self) -> bytes:
        """Return the bytes that are signed."""
        return statement(halt=self.halt, check=self.check, reviewer=self.reviewer, reason=self.reason)


def review_of(entries: Sequence[Entry], which: str, *, reviewer: str, reason: str, signers: Path | None) -> Review:
    """Find the HALT that a review is of.

    Parameters
    ----------
    which : str
        A check, or the hash of the entry that closed it (its first 8 digits or more).

    Raises
    ------
    BadInput
        A reviewer or reason that cannot be signed.
    BadState
        There is no such HALT, or it is released already.
    """
    reviewer, reason = reviewer.strip(), reason.strip()
    if not reviewer or not reviewer.isprintable() or len(reviewer) > MOST_OF_A_NAME:
        raise BadInput(f"expected one line of at most {MOST_OF_A_NAME} characters", where="--reviewer")
    if not reason or len(reason) > MOST_OF_A_REASON or not reason.replace("\n", " ").isprintable():
        raise BadInput(f"expected a text of at most {MOST_OF_A_REASON} characters", where="--reason")
    closed = [entry for entry in entries if entry.kind == "check_closed" and _is(entry, which)]
    halts = [entry for entry in closed if entry.payload["verdict"] == "HALT"]
    if not halts:
        standing = ", ".join(str(entry.payload["check"]) for entry in entries if _is_halt(entry)) or "none"
        what = f"closed with {closed[0].payload['verdict']}, not with HALT" if closed else "is no check that closed"
        raise BadState(f"{one_line(which)!r} {what}", next_step=f"HALTs in this register: {standing}")
    if len(halts) > 1:
        raise BadInput(f"{one_line(which)!r} stands for {len(halts)} HALTs", next_step="Give more of the hash")
    halt = halts[0]
    for release in judge_releases(entries, signers=signers):
        if release.opens and release.halt == halt.hash:
            raise BadState(
                f"the HALT of {halt.payload['check']} is released already, by {one_line(release.reviewer)} "
                f"(entry {release.seq})"
            )
    return Review(halt=halt.hash, check=str(halt.payload["check"]), reviewer=reviewer, reason=reason)


def standing_entries(register: ReadableRegister) -> tuple[Entry, ...]:
    """Return the entries of a register that holds, verdicts included.

    Raises
    ------
    RegisterBroken
        It does not.
    """
    chain = register.verify()
    if chain.problem is not None:
        raise chain.problem.as_error("the register")
    require_verdicts(chain)
    return chain.entries


def release(
    register: Register,
    which: str,
    *,
    reviewer: str,
    reason: str,
    sign: Sign,
    signers: Path | None,
    author: str,
    clock: Clock = utc_now,
) -> Entry:
    """Record a review that opens a HALT; a refused attempt is recorded as a note.

    Parameters
    ----------
    which : str
        A check, or the beginning of the hash of the entry that closed it.
    sign : callable
        Gives the signature over the bytes of the review.
    signers : Path, optional
        The allowed-signers file.
    author : str
        Who records it; need not be the reviewer.
    clock : callable, optional
        The register's clock.

    Raises
    ------
    BadInput, BadState
        The attempt was refused.
    RegisterBroken
        The register does not hold; nothing is recorded.
    """
    entries = standing_entries(register)
    signature = ""
    try:
        review = review_of(entries, which, reviewer=reviewer, reason=reason, signers=signers)
        if problem := signers_problem(signers):
            raise BadState(problem, next_step="Without it nobody can release")
        assert signers is not None
        signature = sign(review.statement())
        now = clock()
        why = objection(review.statement(), signature, signers=signers, reviewer=review.reviewer, at=now)
        if why:
            raise BadState(f"the review opens nothing: {why}", next_step=_REFUSED)

        def guard(found: Sequence[Entry]) -> None:
            again = review_of(found, review.halt, reviewer=reviewer, reason=reason, signers=signers)
            assert again == review
            if clock() < moment(found[-1].recorded_at):
                raise BadState(
                    f"the last entry is dated {found[-1].recorded_at}, ahead of this machine's clock",
                    next_step="Set the clock, or wait: a review that is dated before it would open nothing",
                )
            known = latest(found)
            if clock() < moment(known.recorded_at) and (
                why := objection(
                    again.statement(), signature, signers=signers, reviewer=again.reviewer, at=moment(known.recorded_at)
                )
            ):
                raise BadState(
                    f"entry {known.seq} is dated {known.recorded_at}, ahead of this machine's clock, and then {why}",
                    next_step="Find out which clock is wrong: a review counts only with a key that is valid then, too",
                )

        payload = {
            "halt": review.halt,
            "check": review.check,
            "reviewer": review.reviewer,
            "reason": review.reason,
            "signature": signature.strip(),
        }
        entry = register.append("release", payload, author=author, guard=guard)
    except RegisterBroken:
        raise
    except AnchorholdError as refusal:
        _leave_trace(register, which, reviewer=reviewer, reason=reason, signature=signature, why=refusal, author=author)
        raise
    judged = next(one for one in judge_releases(register.entries(), signers=signers) if one.seq == entry.seq)
    if not judged.opens:
        raise BadState(f"the review was recorded as entry {entry.seq} and opens nothing: {judged.why}")
    return entry


def _is(entry: Entry, which: str) -> bool:
    return entry.payload["check"] == which or (len(which) >= LEAST_OF_A_HASH and entry.hash.startswith(which.lower()))


def _is_halt(entry: Entry) -> bool:
    return entry.kind == "check_closed" and entry.payload["verdict"] == "HALT"


def _leave_trace(
    register: Register, which: str, *, reviewer: str, reason: str, signature: str, why: AnchorholdError, author: str
) -> None:
    signed = f", signature {sha256_hex(signature.strip().encode())}" if signature else ", not signed"
    text = (
        f"release refused: of {one_line(which)!r}, by {one_line(reviewer)!r}, reason {one_line(reason)!r}{signed}: "
        f"{one_line(why.what)}"
    )
    try:
        register.append("note", {"text": text}, author=author)
    except AnchorholdError as error:
        raise BadState(f"{why.what}; and the attempt could not be recorded: {error.what}") from why
