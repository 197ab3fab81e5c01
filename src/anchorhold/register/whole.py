"""All entries of a register checked in their order, the end of a long one in a second process.

The end begins from the hash that the entry before it states; that this entry holds, and so its hash, is what the check
of the beginning says. Source: SPEC section 7.
May import: anchorhold.domain, anchorhold.register.chain and stretches, anchorhold.forked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from anchorhold.domain.entries import NO_PREVIOUS, Entry
from anchorhold.forked import LONG, beside, is_possible
from anchorhold.register.chain import Chain, Problem, Row, verify
from anchorhold.register.stretches import LENGTH, believed_rows, plain_stretch

FIRST = 0.45
"""Part of the entries that this process checks; it also reads those that the other one checks."""
FIRST_WITH_MORE = 0.35
"""The same where this process has something else to do first."""
Stored = TypeVar("Stored")
"""What is stored of an entry, in the form in which it is stored: a row of a table, a line of an export."""
Check = Callable[[Stored, int, str], Entry | Problem]
"""Checks what is stored of an entry: at this place, from 1, and after this hash."""
Apart = Callable[[Sequence[Stored]], Sequence[Row]]
"""Takes stored entries apart, up to the first that cannot be an entry, or of which only a check can tell."""
Meanwhile = Callable[[], object]
"""What a process may do while another one works for it, such as loading what comes next."""


def check_all(
    rows: Sequence[Stored],
    *,
    check: Check[Stored],
    apart: Apart[Stored],
    long: int | None = None,
    meanwhile: Meanwhile | None = None,
) -> Chain:
    """Check every row, as ``chain.verify`` does, and stop at the first that does not hold.

    Parameters
    ----------
    rows : sequence
        All that is stored, in its order.
    check : callable
        Says what does not hold of one.
    apart : callable
        Takes some apart without looking at them.
    long : int
        Number of rows from which on a second process is worth its while; ``LONG`` by default.
    meanwhile : callable, optional
        Done first in this process while a second one checks; not called without one.
    """
    middle = int(len(rows) * (FIRST if meanwhile is None else FIRST_WITH_MORE))
    edge = apart(rows[middle - 1 : middle]) if len(rows) >= (LONG if long is None else long) and is_possible() else ()
    hash_before = edge[0][-1] if edge else None
    if not isinstance(hash_before, str):
        return _checked(rows, check, apart)
    prev = hash_before

    def later() -> list[dict[str, object]]:
        problem = _checked(rows[middle:], check, apart, after=middle, prev=prev).problem
        return [] if problem is None else [problem.to_json()]

    with beside(later, worthwhile=True) as rest:
        if meanwhile is not None:
            meanwhile()
        first = _checked(rows[:middle], check, apart)
        if first.problem is not None:
            return first
        entries = [*first.entries, *believed_rows(apart(rows[middle:]))]
        found = rest.result()
    if not found and len(entries) == len(rows):
        return Chain(tuple(entries), None)
    if found:
        problem = Problem.from_json(found[0])
        if len(entries) >= problem.seq - 1:
            return Chain(tuple(entries[: problem.seq - 1]), problem)
    return _checked(rows, check, apart)  # an entry that could not be read by a glance, and holds


def _checked(
    rows: Sequence[Stored], check: Check[Stored], apart: Apart[Stored], *, after: int = 0, prev: str = NO_PREVIOUS
) -> Chain:
    entries: list[Entry] = []
    for start in range(0, len(rows), LENGTH):
        stretch = rows[start : start + LENGTH]
        taken = apart(stretch)
        plain = plain_stretch(taken, after=after + start, prev=prev) if len(taken) == len(stretch) else None
        if plain is None:
            for place, row in enumerate(stretch, start=after + start + 1):
                checked = check(row, place, prev)
                if isinstance(checked, Problem):
                    return Chain(tuple(entries), checked)
                entries.append(checked)
                prev = checked.hash
        else:
            entries.extend(plain)
            prev = entries[-1].hash
    return Chain(tuple(entries), None) if entries else verify(())
