"""Games and game pairs as they were played: keys, openings, moves, terminations.

Results are seen from the first engine of the key (main, the candidate). Seconds everywhere. May import: nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Result = Literal["1-0", "0-1", "1/2-1/2"]
Termination = Literal["normal", "adjudication", "time forfeit", "rules infraction", "abandoned"]
Variant = Literal["standard", "chess960"]


@dataclass(frozen=True, slots=True, order=True)
class PairKey:
    """What makes a pair unique in storage: no two pairs of a journal share it."""

    run: str
    """The check, oracle run or match that the pair belongs to."""
    endpoint: str
    """Name of the first engine's role: ``old``, ``new``, ``candidate``, or an engine's name in a plain match."""
    anchor: str
    """Name of the second engine: the anchor, ``base``, ``old`` in a direct match, or an engine's name."""
    stage: str
    """``long``, ``short``, or ``match``."""
    opening: int
    """Number of the opening in the schedule, from 1."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A starting position and the book moves played from it."""

    fen: str | None
    """None: the usual starting position."""
    moves: tuple[str, ...]
    """UCI notation (king takes rook for castling in Chess960)."""
    source: str = ""
    """Book file and line or game, for messages."""


class MoveRecord(NamedTuple):
    """One move by an engine, with what it said about it; there are so many that they must cost little."""

    uci: str
    seconds: float
    depth: int | None = None
    score: int | None = None
    """Centipawns from the mover's side; None when mate or unknown."""
    mate: int | None = None
    """Moves to mate, from the mover's side: positive when it mates."""
    nodes: int | None = None


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One finished game of a pair."""

    first_is_white: bool
    result: Result
    termination: Termination
    reason: str
    """In words, such as ``White mates`` or ``Black disconnects``."""
    moves: tuple[MoveRecord, ...]
    started_at: str
    """UTC, RFC 3339."""
    fault_of: Literal["first", "second", ""] = ""
    """Who lost by its own fault (crash, time, illegal move); empty: nobody."""

    @property
    def first_half_points(self) -> int:
        """Half points of the first engine: 0, 1 or 2."""
        if self.result == "1/2-1/2":
            return 1
        return 2 if (self.result == "1-0") == self.first_is_white else 0


@dataclass(frozen=True, slots=True)
class PairRecord:
    """One finished pair: both games, from one opening, with colours swapped."""

    key: PairKey
    opening: Opening
    variant: Variant
    games: tuple[GameRecord, GameRecord]

    @property
    def half_points(self) -> int:
        """Half points of the first engine over both games, 0 to 4: the pentanomial class."""
        return self.games[0].first_half_points + self.games[1].first_half_points
