"""Proves the gate on a copy of a register: HALT holds, CONTINUE opens, only a signed release lifts a HALT.

Checks are opened, judged and closed by the same code as real ones; their engines are files that are hashed and never
run, their counts are made up. The register itself is only read. Source: SPEC section 8.
May import: anchorhold.errors, anchorhold.domain, anchorhold.register, anchorhold.matches.jobs, anchorhold.checks,
anchorhold.gate.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from anchorhold.checks.anchors import identities, pin
from anchorhold.checks.closing import abandon_check, close_check
from anchorhold.checks.conditions import frozen_conditions
from anchorhold.checks.identity import FileDigests
from anchorhold.checks.opening import main_identity, open_new_check
from anchorhold.checks.plan import Plan
from anchorhold.checks.start import next_start
from anchorhold.checks.state import checks_of, last_closing, open_check
from anchorhold.domain.contract import DEFAULT_EDITION, edition
from anchorhold.domain.limits import Limit
from anchorhold.domain.project import AnchorEngine, BookChoice, EngineTemplate, MainEngine, Stage
from anchorhold.domain.sentences import Figure, Sentence
from anchorhold.errors import BadState
from anchorhold.gate.asking import ask
from anchorhold.gate.decision import GateAnswer
from anchorhold.gate.limits import unaudited_claims
from anchorhold.gate.releases import moment
from anchorhold.gate.releasing import Review, release, standing_entries
from anchorhold.gate.scratch import scratch_directory
from anchorhold.gate.signers import signers_problem
from anchorhold.gate.signing import sign
from anchorhold.matches.jobs import MatchRules
from anchorhold.register.proposals import Clock, utc_now
from anchorhold.register.reading import ReadableRegister
from anchorhold.register.store import Register

NAME = "anchorhold-self-test"
AUTHOR = "anchorhold gate --self-test"
CLAIMED = 20.0
"""S of every made-up window, Elo."""
EVEN = (5, 10, 20, 10, 5)
AHEAD = (3, 8, 20, 12, 7)
"""42 Elo above ``EVEN``: more than twice of what is claimed."""
POSITION = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n"


@dataclass(frozen=True, slots=True)
class Proof:
    """One thing that must hold, and what was found."""

    claim: str
    holds: bool
    found: str


def self_test(register: ReadableRegister, *, signers: Path | None) -> tuple[Proof, ...]:
    """Prove on a copy that the gate holds and opens as it must.

    Parameters
    ----------
    register : ReadableRegister
        Only read.
    signers : Path, optional
        The project's allowed-signers file; on the copy a throw-away key stands beside its keys.

    Raises
    ------
    RegisterBroken
        The register does not hold: there is nothing to prove with it.
    BadState
        There is no ssh-keygen, or it makes no key; the copy cannot be made.
    """
    standing_entries(register)
    before = b"".join(register.export())
    with scratch_directory() as place:
        clock = _clock_after(moment(register.entries()[-1].recorded_at))
        with Register.restore(str(place / "copy.db"), before, where="the copy", clock=clock) as copy:
            proofs = list(_Copy(copy, place, clock, signers).proofs())
    same = b"".join(register.export()) == before
    proofs.append(
        Proof(
            Sentence("the register itself is untouched"),
            same,
            Sentence("its export has {count} bytes, before and after", count=Figure(len(before))),
        )
    )
    return tuple(proofs)


def _clock_after(last: datetime) -> Clock:
    """Return a clock that never goes behind the register's last entry, also where that lies ahead of now."""
    return lambda: max(utc_now(), last)


class _Copy:
    """A copy of the register that made-up checks are appended to."""

    def __init__(self, register: Register, place: Path, clock: Clock, signers: Path | None) -> None:
        self._register = register
        self._place = place
        self._clock = clock
        self._number = 0
        self._problem = "" if signers is None else signers_problem(signers)
        self._key = _throw_away_key(place / "key")
        self._strange_key = _throw_away_key(place / "strange-key")
        own = self._key.with_suffix(".pub").read_text(encoding="ascii")
        kept = signers.read_text(encoding="utf-8") if signers is not None and not self._problem else ""
        self._signers = place / "allowed_signers"
        self._signers.write_text(f'{kept}\n{NAME} namespaces="anchorhold" {own}', encoding="utf-8")

    def proofs(self) -> Iterator[Proof]:
        """Append one thing after the other, and look at the gate after each."""
        if self._problem:
            yield Proof(Sentence("the allowed-signers file can be read"), False, self._problem)
        if (running := open_check(checks_of(self._register.entries()))) is not None:
            abandon_check(self._register, reason=f"self-test, on a copy: {running.id}", author=AUTHOR)
        for halt in self._answer().held_by:
            self._release(halt.hash)
        self._check(new=AHEAD)
        yield self._expect(Sentence("a CONTINUE opens the gate when no HALT stands"), "open", last="CONTINUE")
        self._check(new=EVEN)
        yield self._expect(Sentence("a HALT holds the gate"), "held", last="HALT")
        halted = self._answer().held_by
        self._check(new=AHEAD)
        yield self._expect(Sentence("a later CONTINUE does not lift it"), "held", last="CONTINUE")
        for halt in halted:
            review = Review(halt=halt.hash, check=halt.check, reviewer=NAME, reason="self-test")
            payload: dict[str, object] = {
                "halt": review.halt, "check": review.check, "reviewer": review.reviewer, "reason": review.reason,
            }  # fmt: skip
            self._register.append("release", payload, author=AUTHOR)
            yield self._expect(Sentence("an unsigned release does not lift it"), "held")
            strange = sign(review.statement(), key=self._strange_key).strip()
            self._register.append("release", {**payload, "signature": strange}, author=AUTHOR)
            yield self._expect(Sentence("a release by a key that is not allowed does not lift it"), "held")
            self._release(halt.hash)
            yield self._expect(Sentence("a release by a key that is allowed lifts it"), "open")

    def _answer(self) -> GateAnswer:
        return ask(self._register, signers=self._signers)

    def _expect(self, claim: str, state: str, *, last: str | None = None) -> Proof:
        answer = self._answer()
        verdict = None if answer.last is None else answer.last.verdict
        found = {
            "open": Sentence("the gate is open"),
            "held": Sentence("the gate is held"),
            "broken": Sentence("the gate is broken"),
        }[answer.state]
        if last is not None:
            found = Sentence("{gate}, the last verdict {verdict}", gate=found, verdict=Sentence(str(verdict)))
        return Proof(claim, answer.state == state and last in (None, verdict), found)

    def _release(self, halt: str) -> None:
        release(
            self._register,
            halt,
            reviewer=NAME,
            reason="self-test",
            sign=lambda signed: sign(signed, key=self._key),
            signers=self._signers,
            author=AUTHOR,
            clock=self._clock,
        )

    def _check(self, *, new: Sequence[int]) -> None:
        """Open, measure and close a check in whose window ``CLAIMED`` Elo are claimed."""
        self._number += 1
        register = self._register
        entries = register.entries()
        claimed = unaudited_claims(entries, last_closing(checks_of(entries))).elo
        stage = {"passed": True, "elo": CLAIMED - (claimed or 0.0), "elo_error": 1.0}
        gain = {"id": f"{NAME} {self._number} {entries[-1].hash[:16]}", "short": stage, "long": stage}
        register.append("gain_test", gain, author=AUTHOR)
        old = next_start(entries).old or f"{NAME} 0"
        plan = self._plan(old, f"{NAME} {self._number}")
        digest_of = FileDigests()
        pin(register, plan.anchors, author=AUTHOR, digest_of=digest_of)
        check = open_new_check(
            register,
            plan,
            old=old,
            new=f"{NAME} {self._number}",
            contract=edition(DEFAULT_EDITION),
            author=AUTHOR,
            digest_of=digest_of,
        )
        for endpoint, counts in (("old", EVEN), ("new", new)):
            version = check.plan.old.version if endpoint == "old" else check.plan.new.version
            measurement: dict[str, object] = {
                "check": check.id,
                "endpoint": endpoint,
                "stage": "long",
                "version": version,
                "main": main_identity(plan, version, digest_of=digest_of),
                "conditions": frozen_conditions(check)["long"],
                "counts": {anchor.name: {"pentanomial": list(counts)} for anchor in plan.anchors},
                "anchors": identities(plan.anchors, digest_of=digest_of),
                "games_sha256": "0" * 64,
            }
            register.append("measurement", measurement, author=AUTHOR)
        close_check(register, author=AUTHOR)

    def _plan(self, old: str, new: str) -> Plan:
        book = self._place / "book.epd"
        book.write_text(POSITION, encoding="utf-8")
        count = edition(DEFAULT_EDITION).parameters.anchors
        return Plan(
            project=NAME,
            main=MainEngine(
                template=None,
                versions={old: self._program(f"main-{self._number - 1}"), new: self._program(f"main-{self._number}")},
            ),
            anchors=tuple(
                AnchorEngine(f"Anchor {n}", self._program(f"anchor-{n}"), 3000.0 + n, 9.0, version="1")
                for n in range(1, count + 1)
            ),
            long=Stage(limit=Limit(depth=1), pairs=sum(EVEN)),
            short=None,
            direct_pairs=0,
            book=BookChoice(path=book),
            rules=MatchRules(),
            workers=1,
            data=self._place,
            runner=NAME,
        )

    def _program(self, name: str) -> EngineTemplate:
        """Put a file there that is hashed and never run."""
        file = self._place / name
        file.write_text(f"#!/bin/false\n{name}\n", encoding="utf-8")
        file.chmod(0o700)
        return EngineTemplate(command=(str(file),))


def _throw_away_key(file: Path) -> Path:
    program = shutil.which("ssh-keygen")
    if program is None:
        raise BadState("the self-test needs ssh-keygen", next_step="Install OpenSSH's client")
    command = [program, "-q", "-t", "ed25519", "-N", "", "-C", NAME, "-f", str(file)]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0 or not file.is_file():
        said = done.stderr.decode("utf-8", "replace").split("\n", 1)[0].strip()
        raise BadState(
            f"ssh-keygen makes no key for the self-test: {said or f'exit status {done.returncode}'}",
            next_step="See that it runs, and that temporary files have room",
        )
    return file
