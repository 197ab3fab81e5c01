"""A limit as words of one option: ``depth=5``.

May import: anchorhold.cli.words, anchorhold.domain, anchorhold.errors.
"""

from __future__ import annotations

from anchorhold.cli.words import split
from anchorhold.domain.limits import Limit, TimeControl


def parse_limit(text: str) -> Limit:
    """Read ``depth=5``, ``nodes=1000``, ``st=0.1`` or ``tc=8+0.08``, as in a match."""
    words = split(text, "--limit", keys=("tc", "st", "nodes", "depth"))
    clock = words.members.get("tc")
    return Limit(
        time_control=None if clock is None else TimeControl.parse(clock),
        movetime=words.number("st", above=0.0),
        nodes=words.whole("nodes"),
        depth=words.whole("depth"),
    )
