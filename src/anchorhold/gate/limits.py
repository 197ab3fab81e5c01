"""Optional limits: how much may be merged, and for how long, before a check must close its window again.

Unaudited is what the next check's window would hold: the entries after the one that opened the last check that closed
its window, counted as SPEC section 3 counts them. All limits are off by default. Source: SPEC section 8.
May import: anchorhold.errors, anchorhold.domain, anchorhold.law, anchorhold.checks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from anchorhold.domain.entries import Entry
from anchorhold.domain.sentences import Figure, Sentence
from anchorhold.gate.releases import moment
from anchorhold.gate.words import one_line

if TYPE_CHECKING:
    from anchorhold.checks.state import CheckState

GENESIS = 1
CLOCKS_DIFFER = timedelta(days=1)
"""A last check that is dated further ahead than this is no young check, but a wrong clock."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What may stay unaudited; None: as much as there is."""

    elo: float | None = None
    """S of the claims."""
    tests: int | None = None
    """Counted gain tests."""
    days: float | None = None
    """Age of the last check that closed its window, of the register where there is none."""


@dataclass(frozen=True, slots=True)
class Exceeded:
    """One limit that holds the gate."""

    limit: str
    """``max_unaudited_elo``, ``max_unaudited_tests`` or ``max_age_days``."""
    allowed: float
    found: float | None
    """None: it cannot be told."""
    message: str

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {"limit": self.limit, "allowed": self.allowed, "found": self.found, "message": self.message}


@dataclass(frozen=True, slots=True)
class Unaudited:
    """The claims that no check has looked at yet."""

    tests: int
    """Counted gain tests."""
    elo: float | None
    """S; None when a claim has no value."""


def exceeded_limits(entries: Sequence[Entry], limits: Limits, *, now: datetime) -> tuple[Exceeded, ...]:
    """Name the limits that a register exceeds.

    Raises
    ------
    RegisterBroken
        Entries that belong to no check.
    """
    if limits == Limits():
        return ()
    # Loads the law, which takes longer than all the rest of the gate.
    from anchorhold.checks.state import checks_of, last_closing

    closing = last_closing(checks_of(entries))
    found: list[Exceeded] = []
    if limits.elo is not None or limits.tests is not None:
        unaudited = unaudited_claims(entries, closing)
        if limits.elo is not None and (unaudited.elo is None or unaudited.elo > limits.elo):
            message = (
                Sentence(
                    "an unknown sum of Elo are claimed and unaudited, {allowed} are allowed", allowed=_plain(limits.elo)
                )
                if unaudited.elo is None
                else Sentence(
                    "{elo} Elo are claimed and unaudited, {allowed} are allowed",
                    elo=Figure(unaudited.elo, 2),
                    allowed=_plain(limits.elo),
                )
            )
            found.append(Exceeded("max_unaudited_elo", limits.elo, unaudited.elo, message))
        if limits.tests is not None and unaudited.tests > limits.tests:
            message = Sentence(
                "{tests} gain tests are unaudited, {allowed} are allowed",
                tests=Figure(unaudited.tests),
                allowed=Figure(limits.tests),
            )
            found.append(Exceeded("max_unaudited_tests", limits.tests, unaudited.tests, message))
    if limits.days is not None and (too_old := _age(entries, closing, limits.days, now=now)):
        found.append(too_old)
    return tuple(found)


def unaudited_claims(entries: Sequence[Entry], closing: CheckState | None) -> Unaudited:
    """Read the window that the next check would have, up to the last entry."""
    from anchorhold.checks.unaudited import claims_after

    claims = claims_after(entries, after=GENESIS if closing is None else closing.opened.seq)
    elo = None if any(claim is None for claim in claims) else math.fsum(claim.elo for claim in claims if claim)
    return Unaudited(tests=len(claims), elo=elo)


def _age(entries: Sequence[Entry], closing: CheckState | None, allowed: float, *, now: datetime) -> Exceeded | None:
    last = entries[0] if closing is None or closing.closed is None else closing.closed
    what = (
        Sentence("no check has closed its window since the register was made")
        if closing is None
        else Sentence("the last check that closed its window, {check}, did so", check=one_line(closing.id))
    )
    age = now - moment(last.recorded_at)
    days = age / timedelta(days=1)
    if age < -CLOCKS_DIFFER:
        ahead = Sentence("{what} at {moment}, which lies ahead of now", what=what, moment=last.recorded_at)
        return Exceeded("max_age_days", allowed, days, ahead)
    if days <= allowed:
        return None
    old = Sentence(
        "{what} {days} days ago, {allowed} are allowed", what=what, days=Figure(days, 1), allowed=_plain(allowed)
    )
    return Exceeded("max_age_days", allowed, days, old)


def _plain(limit: float) -> Figure | str:
    """A limit as it was given."""
    return Figure(limit) if limit == int(limit) and abs(limit) < 1e6 else f"{limit:g}"
