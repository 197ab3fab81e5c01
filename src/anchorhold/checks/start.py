"""Where the next check begins: its window and its old version, as the register alone says.

Windows tile the register, and a GAP, a DEFECTIVE or an abandoned measurement leaves both as they were.
Source: SPEC sections 3 and 7. May import: anchorhold.errors, anchorhold.domain, anchorhold.checks.state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anchorhold.checks.state import CheckState, checks_of, last_closing, open_check
from anchorhold.domain.entries import Entry
from anchorhold.errors import BadState

GENESIS = 1
"""The first window begins after this entry."""


@dataclass(frozen=True, slots=True)
class Start:
    """Where the next check begins: what the register alone says about it."""

    check: str
    """Id of the next check."""
    after: int
    """Its window begins after this entry."""
    old: str | None
    """The only version that may be old; None: the first check, as stated at opening."""
    because: str
    """Why it must be that version."""


def next_start(entries: Sequence[Entry]) -> Start:
    """Say where the next check begins.

    Raises
    ------
    BadState
        A check is open.
    """
    checks = checks_of(entries)
    opened = open_check(checks)
    if opened is not None:
        raise BadState(
            f"the check {opened.id} is open ({opened.plan.old.version} to {opened.plan.new.version})",
            next_step="Go on with it ('anchorhold check run'), or abandon it ('anchorhold check abandon')",
        )
    return start_after(checks)


def start_after(checks: Sequence[CheckState]) -> Start:
    """Say where the check after these begins; none of them is open."""
    check = f"check-{len(checks) + 1}"
    closing = last_closing(checks)
    if closing is not None:
        return Start(
            check,
            after=closing.opened.seq,
            old=closing.plan.new.version,
            because=f"it is the new version of {closing.id}, the last check that closed its window",
        )
    # Nothing is flushed by an empty, broken or disliked measurement: the first window keeps its old version.
    measured = [one for one in checks if one.measurements or one.closed]
    if measured:
        old, first = measured[0].plan.old.version, measured[0].id
        return Start(check, after=GENESIS, old=old, because=f"the first window is still open, and {first} measured it")
    return Start(check, after=GENESIS, old=None, because="")
