"""The gate's sentences. May import: anchorhold.domain.contract; anchorhold.gate, for types."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from anchorhold.domain.contract import BUILT_IN

if TYPE_CHECKING:
    from anchorhold.gate.attempts import Attempts
    from anchorhold.gate.decision import ClosedCheck
    from anchorhold.gate.limits import Exceeded
    from anchorhold.gate.releases import JudgedRelease

LONGEST = 300
"""Characters of a stranger's text that are shown."""


def opened(last: ClosedCheck | None, attempts: Attempts | None) -> str:
    """Say that a merge may go on, and what that is worth."""
    if last is None:
        return _with_attempts("Merging may go on: no check has closed yet, so nothing was confirmed", attempts)
    subject = f"check {one_line(last.check)} closed with {last.verdict}{_with_r(last)}"
    release = last.released_by
    said = {
        "CONTINUE": f"Merging may go on: {subject}",
        "WARN": f"Merging may go on, with a warning: {subject}",
        "HALT": f"Merging may go on: {subject}, and "
        + ("" if release is None else f"{one_line(release.reviewer)} released it (entry {release.seq})"),
        "GAP": f"Merging may go on, but nothing was confirmed: {subject}",
        "DEFECTIVE": f"Merging may go on, but nothing was confirmed: {subject}, counts for nothing and must be mended",
    }[last.verdict]
    return _with_attempts(said, attempts)


def held(halts: Sequence[ClosedCheck], exceeded: Sequence[Exceeded]) -> str:
    """Say what holds the gate."""
    found: list[str] = []
    if halts:
        first = halts[0]
        halt = f"check {one_line(first.check)} closed with HALT{_with_r(first)} (entry {first.seq}, {first.hash[:12]}…)"
        if len(halts) > 1:
            halt += f", and {len(halts) - 1} more HALT{'s' if len(halts) > 2 else ''} after it"
        found.append(f"{halt}, and no release of {'it' if len(halts) == 1 else 'them'} holds")
    found += [limit.message for limit in exceeded]
    return f"Merging is held: {'; '.join(found)}."


def what_opens(halts: Sequence[ClosedCheck], exceeded: Sequence[Exceeded]) -> str:
    """Say what to do about a held gate; empty when it is open."""
    steps: list[str] = []
    if halts:
        commands = [
            f"anchorhold release {shlex.quote(one_line(halt.check))} --reviewer NAME --reason TEXT --key FILE"
            for halt in halts
        ]
        steps.append(f"A reviewer named in the allowed-signers file opens it with: {' and '.join(commands)}.")
    if exceeded:
        steps.append("Check what was merged since: anchorhold check run --new VERSION.")
    return " ".join(steps)


def broken(how: str) -> str:
    """Say that the register does not hold."""
    return f"Merging is held: the register is broken, {one_line(how)}. Nothing in it counts until that is cleared up."


def without_effect(release: JudgedRelease) -> str:
    """Say in one line why a release opens nothing."""
    return f"Release at entry {release.seq}, by {one_line(release.reviewer)}, has no effect: {one_line(release.why)}."


def one_line(text: str) -> str:
    """Show a text that may come from a stranger: one line, no control characters, not endless."""
    shown = "".join(character if character.isprintable() else " " for character in text)
    return shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…"


def _with_attempts(sentence: str, attempts: Attempts | None) -> str:
    if attempts is None or not attempts.repeated:
        return f"{sentence}."
    ended = ", ".join(f"{count} {one_line(how)}" for how, count in attempts.ended)
    return f"{sentence}; its window was tried {attempts.checks} times ({ended})."


def _with_r(check: ClosedCheck) -> str:
    """R, and a project's own edition: its thresholds may be any."""
    own = f" under the project's own edition {check.edition}" if check.edition not in (None, *BUILT_IN) else ""
    return own + (f", R = {check.r_text}" if check.r_text else "")
