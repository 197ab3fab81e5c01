"""The gate's sentences. May import: anchorhold.domain; anchorhold.gate, for types."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from anchorhold.domain.contract import BUILT_IN
from anchorhold.domain.sentences import Figure, Sentence, joined

if TYPE_CHECKING:
    from anchorhold.gate.attempts import Attempts
    from anchorhold.gate.decision import ClosedCheck
    from anchorhold.gate.limits import Exceeded
    from anchorhold.gate.releases import JudgedRelease

LONGEST = 300
"""Characters of a stranger's text that are shown."""


def opened(last: ClosedCheck | None, attempts: Attempts | None) -> Sentence:
    """Say that a merge may go on, and what that is worth."""
    if last is None:
        first = Sentence("Merging may go on: no check has closed yet, so nothing was confirmed")
        return _with_attempts(first, attempts)
    subject = _closed(last)
    release = last.released_by
    if last.verdict == "CONTINUE":
        said = Sentence("Merging may go on: {check}", check=subject)
    elif last.verdict == "WARN":
        said = Sentence("Merging may go on, with a warning: {check}", check=subject)
    elif last.verdict == "HALT":
        assert release is not None, "a HALT that opens the gate was released"
        said = Sentence(
            "Merging may go on: {check}, and {reviewer} released it (entry {seq})",
            check=subject,
            reviewer=one_line(release.reviewer),
            seq=release.seq,
        )
    elif last.verdict == "GAP":
        said = Sentence("Merging may go on, but nothing was confirmed: {check}", check=subject)
    else:
        said = Sentence(
            "Merging may go on, but nothing was confirmed: {check}, counts for nothing and must be mended",
            check=subject,
        )
    return _with_attempts(said, attempts)


def held(halts: Sequence[ClosedCheck], exceeded: Sequence[Exceeded]) -> Sentence:
    """Say what holds the gate."""
    found: list[str] = []
    if halts:
        first = halts[0]
        halt = Sentence("{check} (entry {seq}, {hash}…)", check=_closed(first), seq=first.seq, hash=first.hash[:12])
        if len(halts) == 1:
            found.append(Sentence("{halt}, and no release of it holds", halt=halt))
        elif len(halts) == 2:
            found.append(Sentence("{halt}, and 1 more HALT after it, and no release of them holds", halt=halt))
        else:
            more = Figure(len(halts) - 1)
            found.append(
                Sentence("{halt}, and {more} more HALTs after it, and no release of them holds", halt=halt, more=more)
            )
    found += [limit.message for limit in exceeded]
    return Sentence("Merging is held: {why}.", why=joined("; ", found))


def what_opens(halts: Sequence[ClosedCheck], exceeded: Sequence[Exceeded]) -> str:
    """Say what to do about a held gate; empty when it is open."""
    steps: list[str] = []
    if halts:
        commands = [
            f"anchorhold release {shlex.quote(one_line(halt.check))} --reviewer NAME --reason TEXT --key FILE"
            for halt in halts
        ]
        steps.append(
            Sentence(
                "A reviewer named in the allowed-signers file opens it with: {commands}.",
                commands=_all_of(commands),
            )
        )
    if exceeded:
        steps.append(Sentence("Check what was merged since: anchorhold check run --new VERSION."))
    return joined(" ", steps) if steps else ""


def broken(how: str) -> Sentence:
    """Say that the register does not hold."""
    return Sentence(
        "Merging is held: the register is broken, {how}. Nothing in it counts until that is cleared up.",
        how=one_line(how),
    )


def without_effect(release: JudgedRelease) -> Sentence:
    """Say in one line why a release opens nothing."""
    return Sentence(
        "Release at entry {seq}, by {reviewer}, has no effect: {why}.",
        seq=release.seq,
        reviewer=one_line(release.reviewer),
        why=release.why if isinstance(release.why, Sentence) else one_line(release.why),
    )


def one_line(text: str) -> str:
    """Show a text that may come from a stranger: one line, no control characters, not endless."""
    shown = "".join(character if character.isprintable() else " " for character in text)
    return shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…"


def _all_of(parts: Sequence[str]) -> str:
    said = parts[0]
    for part in parts[1:]:
        said = Sentence("{one} and {other}", one=said, other=part)
    return said


def _with_attempts(sentence: Sentence, attempts: Attempts | None) -> Sentence:
    if attempts is None or not attempts.repeated:
        return Sentence("{sentence}.", sentence=sentence)
    ended = joined(", ", (joined(" ", (str(count), Sentence(one_line(how)))) for how, count in attempts.ended))
    return Sentence(
        "{sentence}; its window was tried {count} times ({ended}).",
        sentence=sentence,
        count=Figure(attempts.checks),
        ended=ended,
    )


def _closed(check: ClosedCheck) -> Sentence:
    """A check with its verdict, R, and a project's own edition: its thresholds may be any."""
    closed = Sentence(
        "check {check} closed with {verdict}", check=one_line(check.check), verdict=Sentence(check.verdict)
    )
    if check.edition not in (None, *BUILT_IN):
        closed = Sentence("{closed} under the project's own edition {edition}", closed=closed, edition=check.edition)
    if not check.r_text:
        return closed
    decimals = len(check.r_text.partition(".")[2])
    r = check.r_text if check.r is None else Figure(float(check.r_text), decimals)
    return Sentence("{closed}, R = {r}", closed=closed, r=r)
