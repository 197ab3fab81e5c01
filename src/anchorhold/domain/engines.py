"""How one engine is run: command, protocol, options, limit. Not how strong it is.

May import: anchorhold.domain.limits.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from anchorhold.domain.limits import Limit

Protocol = Literal["uci", "xboard"]
OptionValue = str | int | float | bool


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """Everything that is needed to start an engine and to hold it to its limit."""

    name: str
    command: tuple[str, ...]
    limit: Limit
    protocol: Protocol = "uci"
    options: tuple[tuple[str, OptionValue], ...] = ()
    """Engine options by name, in the order in which they are sent."""
    setup: tuple[str, ...] = ()
    """Raw lines sent before every game (XBoard: ``book off``, ``easy``)."""
    depth_command: str = "sd"
    """XBoard only: the word before the depth; phalanx knows ``depth`` and not ``sd``."""
    restart: Literal["never", "pair"] = "never"
    """``pair``: a fresh process for every game pair (for engines that carry state over)."""
    directory: Path | None = None
    """Working directory of the process; None: the caller's."""
    files: tuple[Path, ...] = field(default=())
    """Networks, books, scripts: what the process loads beside its binary, for the identity."""
    margin: float = 0.15
    """Seconds that the clock may be overrun before the game is lost."""
