"""How long an engine may think: clocks and fixed limits, in the field's notation.

Seconds inside; milliseconds only on the engine's wire. May import: anchorhold.errors.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from anchorhold.errors import BadInput

_NUMBER = r"\d+(?:\.\d+)?"
_TIME_CONTROL = re.compile(
    rf"(?:(?P<moves>\d+)/)?(?:(?P<minutes>\d+):)?(?P<base>{_NUMBER})(?:\+(?P<increment>{_NUMBER}))?"
)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A chess clock: base time and increment in seconds, moves per session where there are sessions."""

    base: float
    increment: float = 0.0
    moves: int | None = None

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read ``8+0.08``, ``40/60+0.6`` or ``1:30+1`` (minutes and seconds).

        Raises
        ------
        BadInput
            Another form, a base of 0 or sessions of 0 moves.
        """
        found = _TIME_CONTROL.fullmatch(text.strip())
        if not found:
            raise BadInput(f"time control {text!r} is not of the form 8+0.08 or 40/60+0.6 (seconds)")
        moves = int(found["moves"]) if found["moves"] else None
        base = 60.0 * int(found["minutes"] or 0) + float(found["base"])
        if base <= 0 or moves == 0:
            raise BadInput(f"time control {text!r} leaves no time to play")
        return cls(base=base, increment=float(found["increment"] or 0.0), moves=moves)

    def __str__(self) -> str:
        session = f"{self.moves}/" if self.moves else ""
        increment = f"+{self.increment:g}" if self.increment else ""
        return f"{session}{self.base:g}{increment}"


@dataclass(frozen=True, slots=True)
class Limit:
    """What bounds the thinking of one engine: a clock, seconds a move, nodes, depth; several may hold at once."""

    time_control: TimeControl | None = None
    movetime: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        if self.time_control is None and self.movetime is None and self.nodes is None and self.depth is None:
            raise BadInput("a limit needs one of time_control, movetime, nodes, depth")
        if self.time_control is not None and self.movetime is not None:
            raise BadInput("time_control and movetime exclude each other")

    @property
    def on_clock(self) -> bool:
        """Whether time is bounded."""
        return self.time_control is not None or self.movetime is not None

    @classmethod
    def from_json(cls, members: Mapping[str, object], *, where: str = "limit") -> Limit:
        """Read a limit from its JSON or TOML form, such as ``{"depth": 7}`` or ``{"time_control": "8+0.08"}``.

        Raises
        ------
        BadInput
            An unknown member, a value of another type or below 1 (above 0 for movetime), or no bound at all.
        """
        unknown = set(members) - {"time_control", "movetime", "nodes", "depth"}
        if unknown:
            raise BadInput(
                f"unknown limit {min(unknown)!r}; known are time_control, movetime, nodes, depth", where=where
            )
        clock = members.get("time_control")
        if clock is not None and not isinstance(clock, str):
            raise BadInput(f"time_control is {clock!r}, expected a text such as '8+0.08'", where=where)
        movetime = members.get("movetime")
        if movetime is not None and (
            isinstance(movetime, bool) or not isinstance(movetime, int | float) or movetime <= 0
        ):
            raise BadInput(f"movetime is {movetime!r}, expected seconds above 0", where=where)
        whole: dict[str, int | None] = {}
        for name in ("nodes", "depth"):
            value = members.get(name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
                raise BadInput(f"{name} is {value!r}, expected a whole number of at least 1", where=where)
            whole[name] = value
        return cls(
            time_control=None if clock is None else TimeControl.parse(clock),
            movetime=None if movetime is None else float(movetime),
            nodes=whole["nodes"],
            depth=whole["depth"],
        )

    def to_json(self) -> dict[str, object]:
        """Return the JSON form, without the bounds that are not set."""
        members: dict[str, object] = {}
        if self.time_control is not None:
            members["time_control"] = str(self.time_control)
        if self.movetime is not None:
            members["movetime"] = self.movetime
        if self.nodes is not None:
            members["nodes"] = self.nodes
        if self.depth is not None:
            members["depth"] = self.depth
        return members
