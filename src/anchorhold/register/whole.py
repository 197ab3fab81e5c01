"""All entries of a register checked in their order, the end of a long one in a second process.

The end begins from the hash that the entry before it states; that this entry holds, and so its hash, is what the check
of the beginning says. Source: SPEC section 7.
May import: anchorhold.domain, anchorhold.register.chain, anchorhold.forked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from anchorhold.domain.entries import NO_PREVIOUS, Entry
from anchorhold.forked import LONG, beside, is_possible
from anchorhold.register.chain import Chain, Problem, StoredEntry, believed, verify

FIRST = 0.45
"""Part of the entries that this process checks; it also reads those that the other one checks."""
FIRST_WITH_MORE = 0.35
"""The same where this process has something else to do first."""
Row = TypeVar("Row")
Check = Callable[[Row, int, str], Entry | Problem]
"""Checks what is stored of an entry: at this place, from 1, and after this hash."""
Meanwhile = Callable[[], object]
"""What a process may do while another one works for it, such as loading what comes next."""


def check_all(
    rows: Sequence[Row],
    *,
    check: Check[Row],
    glance: Callable[[Row], StoredEntry | None],
    long: int | None = None,
    meanwhile: Meanwhile | None = None,
) -> Chain:
    """Check every row, as ``chain.verify`` does, and stop at the first that does not hold.

    Parameters
    ----------
    rows : sequence
        All that is stored, in its order.
    glance : callable
        Reads a row without looking at it; None when it cannot be an entry, or only ``check`` can tell.
    long : int
        Number of rows from which on a second process is worth its while; ``LONG`` by default.
    meanwhile : callable, optional
        Done first in this process while a second one checks; not called without one.
    """
    middle = int(len(rows) * (FIRST if meanwhile is None else FIRST_WITH_MORE))
    edge = glance(rows[middle - 1]) if len(rows) >= (LONG if long is None else long) and is_possible() else None
    if edge is None or not isinstance(edge.hash, str):
        return _checked(rows, check)
    hash_before = edge.hash

    def later() -> list[dict[str, object]]:
        problem = _checked(rows[middle:], check, after=middle, prev=hash_before).problem
        return [] if problem is None else [problem.to_json()]

    with beside(later, worthwhile=True) as rest:
        if meanwhile is not None:
            meanwhile()
        first = _checked(rows[:middle], check)
        if first.problem is not None:
            return first
        entries = list(first.entries)
        for row in rows[middle:]:
            stored = glance(row)
            entry = None if stored is None else believed(stored)
            if entry is None:
                break
            entries.append(entry)
        found = rest.result()
    if not found and len(entries) == len(rows):
        return Chain(tuple(entries), None)
    if found:
        problem = Problem.from_json(found[0])
        if len(entries) >= problem.seq - 1:
            return Chain(tuple(entries[: problem.seq - 1]), problem)
    return _checked(rows, check)  # an entry that could not be read by a glance, and holds


def _checked(rows: Sequence[Row], check: Check[Row], *, after: int = 0, prev: str = NO_PREVIOUS) -> Chain:
    entries: list[Entry] = []
    for place, row in enumerate(rows, start=after + 1):
        checked = check(row, place, prev)
        if isinstance(checked, Problem):
            return Chain(tuple(entries), checked)
        entries.append(checked)
        prev = checked.hash
    return Chain(tuple(entries), None) if entries else verify(())
