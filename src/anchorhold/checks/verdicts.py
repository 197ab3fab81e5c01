"""Every verdict of a register again, from stored counts under the contract that its check froze: for the gate.

Whoever can append can also append a verdict that no rule gave, with a right hash. What decides nothing is left out, so
that a build server need not wait for it; ``checks.recompute`` looks at all of it. Every other check of a long register
is looked at in a second process. Source: SPEC sections 7 and 8.
May import: anchorhold.errors, anchorhold.domain, anchorhold.forked, anchorhold.checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from anchorhold.checks import following
from anchorhold.checks.compare import compare_values
from anchorhold.checks.deciding import decision_of_check
from anchorhold.checks.following import Difference
from anchorhold.checks.halves import in_halves
from anchorhold.checks.reuse import reuse_differences
from anchorhold.checks.start import start_after
from anchorhold.checks.state import CheckState, checks_of
from anchorhold.domain.entries import Entry
from anchorhold.errors import BadInput
from anchorhold.forked import LONG


def recompute_verdicts(entries: Sequence[Entry]) -> tuple[Difference, ...]:
    """Recompute verdict and R of every closed check; empty when all of them follow.

    Parameters
    ----------
    entries : sequence of Entry
        All entries of a register whose chain holds, in their order.

    Returns
    -------
    tuple of Difference
        By entry number: verdicts and R that the entries do not give, openings and measurements that do not follow
        from what stood before them, contracts that are not what was released under their number.

    Raises
    ------
    RegisterBroken
        Entries that belong to no check, or say again what was said.
    """
    found, ended = walk(entries)

    def look(half: int) -> Iterator[Difference]:
        for check in ended[half::2]:
            yield from _verdict_and_r(entries, check)

    found.extend(in_halves(look, worthwhile=len(entries) >= LONG and len(ended) > 1))
    return tuple(sorted(found, key=lambda difference: difference.seq))


def _verdict_and_r(entries: Sequence[Entry], ended: Ended) -> Iterator[Difference]:
    check, closed = ended.check, ended.closed
    stored = closed.payload["result"]
    assert isinstance(stored, Mapping)
    try:
        again = decision_of_check(entries, check, closing=ended.closing)
    except BadInput as error:
        yield Difference(closed.seq, check.id, "result", f"cannot be recomputed: {error}")
        return
    for where, one, other in (("verdict", check.verdict, again.verdict), ("r", stored.get("r"), again.r)):
        for place, message in compare_values(where, one, other):
            yield Difference(closed.seq, check.id, f"result.{place}", message)


@dataclass(frozen=True, slots=True)
class Ended:
    """A closed check, whose result is to be judged."""

    check: CheckState
    closed: Entry
    closing: CheckState | None
    """The last check before it that closed its window."""


def walk(entries: Sequence[Entry]) -> tuple[list[Difference], list[Ended]]:
    """Look at every check in its order, its result apart.

    Returns
    -------
    differences, ended
        What does not follow from what stood before it; the checks whose results are still to be looked at.

    Raises
    ------
    RegisterBroken
        Entries that belong to no check, or say again what was said.
    """
    found: list[Difference] = list(following.contracts(entries))
    ended: list[Ended] = []
    pinned = following.in_force(entries)
    closing: CheckState | None = None
    first: CheckState | None = None
    known: dict[str, CheckState] = {}
    for check in checks_of(entries):
        # Only these two say where a check begins; looking at all the checks before it would take quadratic time.
        before = [one for one in (first, closing) if one is not None]
        found.extend(following.opening(check, start_after(before), pinned[check.opened.seq]))
        found.extend(following.measurements(check))
        found.extend(reuse_differences(check, known))
        known[check.id] = check
        if check.closed is not None:
            found.extend(following.closing(check, check.closed))
            ended.append(Ended(check, check.closed, closing))
        if first is None and (check.measurements or check.closed):
            first = check
        if check.closes_window:
            closing = check
    return found, ended
