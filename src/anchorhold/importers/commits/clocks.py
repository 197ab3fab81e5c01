"""Time controls, threads and memory as labels and rows print them.

May import: anchorhold.importers.commits.numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from anchorhold.importers.commits.numbers import count
from anchorhold.importers.patterns import Pattern

_DECIMAL = r"\d+(?:\.\d+)?|\.\d+"
_CLOCK = Pattern(
    rf"(?<![\w.+/=-])(?:tc\s*[=:]\s*)?(?:(?P<moves>\d+|all)/)?(?P<base>{_DECIMAL})\s*(?:s|\"|'')?"
    rf"\s?\+\s?(?P<inc>{_DECIMAL})\s*(?:s(?:ec)?\b)?(?![\w.%/]|\+)",
    re.IGNORECASE,
)
_SESSION = Pattern(
    rf"(?<![\w.+/-])(?:tc\s*[=:]\s*)?(?P<moves>\d+)/(?P<base>{_DECIMAL})\s*(?:s(?:ec)?\b)?(?![\w.%/+])", re.IGNORECASE
)
_FIXED = Pattern(r"(?<![\w])(?P<what>N|MT|D|nodes|depth|movetime|st)\s*=\s*(?P<value>[\d.]+)", re.IGNORECASE)
_PER_MOVE = Pattern(rf"(?<![\w.])(?P<value>{_DECIMAL})\s*s?\s*/\s*move\b", re.IGNORECASE)
_NODES = Pattern(r"(?<![\w.])(?P<value>\d+(?:[,_]\d{3})*)(?P<k>k)? nodes\b(?!/)", re.IGNORECASE)
_THREADS = (
    Pattern(r"\bth(?:reads?)?\s*[=:]\s*(\d+)", re.IGNORECASE),
    Pattern(r"(?<![\w.+])(\d+)[\s-]?(?:x\s)?(?:threads?|thr?|t|cores?|cpus?)\b", re.IGNORECASE),
    Pattern(r"\b(?:th|t)\s?(\d+)\b", re.IGNORECASE),
    Pattern(r"\bthreads?\s+(\d+)\b", re.IGNORECASE),
    Pattern(r"\bSMP\s*[(=x]?\s*(\d+)\b(?!\.?\d*[+/.])", re.IGNORECASE),
)
_HASH = Pattern(r"\bhash\s*[=:]?\s*(\d+)|(?<![\w.])(\d+)\s?MB\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """How long the engines thought; None is "not printed"."""

    text: str | None = None
    """In the field's notation, such as ``8+0.08``, ``40/10+0``."""
    base: float | None = None
    """Seconds."""
    increment: float | None = None
    moves: int | None = None
    """Moves per session."""
    seconds_said: bool = False
    """Whether the unit is beyond doubt: decimals, an ``s``, or an increment."""
    nodes: int | None = None
    depth: int | None = None
    movetime: float | None = None
    """Seconds."""

    @property
    def known(self) -> bool:
        """Whether anything is printed."""
        return self.text is not None or self.nodes is not None or self.depth is not None or self.movetime is not None


def clock_in(text: str) -> Clock:
    """Return the first clock that a text prints."""
    if found := _FIXED.search(text):
        what, value = found.group("what").lower(), float(found.group("value").strip(".") or 0)
        if what in {"n", "nodes"}:
            return Clock(nodes=int(value))
        if what in {"d", "depth"}:
            return Clock(depth=int(value))
        return Clock(movetime=value / 1000.0 if what in {"mt", "movetime"} else value)
    if (found := _CLOCK.search(text)) or (found := _SESSION.search(text)):
        parts = found.groupdict()
        base, increment = float(parts["base"]), float(parts.get("inc") or 0)
        moves = int(parts["moves"]) if (parts["moves"] or "all") != "all" else None
        shown = f"{base:g}" + (f"+{increment:g}" if parts.get("inc") is not None else "")
        return Clock(
            text=shown if moves is None else f"{moves}/{shown}",
            base=base,
            increment=increment,
            moves=moves,
            seconds_said=increment > 0 or "s" in found.group().lower() or "." in found.group(),
        )
    if found := _PER_MOVE.search(text):
        return Clock(movetime=float(found.group("value")))
    if found := _NODES.search(text):
        nodes = count(found.group("value"))
        return Clock(nodes=None if nodes is None else nodes * (1000 if found.group("k") else 1))
    return Clock()


def threads_in(text: str) -> int | None:
    """Return the number of threads that a text prints."""
    for pattern in _THREADS:
        if found := pattern.search(text):
            threads = int(found.group(1)) if len(found.group(1)) < 6 else 0
            return threads or None
    return None


def hash_in(text: str) -> int | None:
    """Return the megabytes of hash table that a text prints."""
    found = _HASH.search(text)
    if not found:
        return None
    digits: str = found.group(1) or found.group(2)
    return int(digits) if len(digits) < 10 else None
