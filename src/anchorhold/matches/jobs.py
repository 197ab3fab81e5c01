"""What a worker is told to play, and what it tells back: one game pair.

A job is one opening, both colours, one first engine against one second engine at one stage. Seconds everywhere.
Source: SPEC section 10. May import: anchorhold.domain.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.games import Opening, PairKey, PairRecord, Variant


@dataclass(frozen=True, slots=True)
class DrawRule:
    """Adjudicate a draw from full move ``number`` on: both sides within ``score`` for ``count`` moves."""

    number: int
    count: int
    score: int
    """Centipawns."""


@dataclass(frozen=True, slots=True)
class ResignRule:
    """Adjudicate a loss when the score stays at or below −``score`` for ``count`` moves of that side."""

    count: int
    score: int
    """Centipawns."""
    two_sided: bool = True
    """The opponent's score must agree."""


@dataclass(frozen=True, slots=True)
class TablebaseRule:
    """Adjudicate what Syzygy tablebases know."""

    directories: tuple[Path, ...]
    pieces: int | None = None
    """Most pieces of a position that is looked up, kings included; None: as many as the largest table."""
    fifty_moves: bool = True
    """Whether a win that the fifty-move rule spoils is a draw."""
    decides: Literal["both", "wins", "draws"] = "both"
    """Which games may be ended."""


@dataclass(frozen=True, slots=True)
class MatchRules:
    """How games are judged beyond the rules of chess, and how long the referee waits for an engine."""

    draw: DrawRule | None = None
    resign: ResignRule | None = None
    max_moves: int | None = None
    """Full moves after which a game is adjudicated a draw; None: no maximum."""
    tablebases: TablebaseRule | None = None
    wait: float = 0.0
    """Seconds to rest before every game."""
    start_timeout: float = 30.0
    """From process start to ``uciok`` and ``readyok``, or the end of the XBoard features."""
    ping_timeout: float = 10.0
    """For ``isready`` and ``ping`` between moves and games."""
    stall_timeout: float = 60.0
    """For one move without a clock (nodes, depth): reaching it ends the game as ``abandoned``."""
    max_failures: int = 5
    """An engine that fails in this many games in a row stops the match."""

    def to_json(self) -> dict[str, object]:
        """Return the adjudication by moves and scores as it stands in a check's conditions; tablebases stand apart."""
        members: dict[str, object] = {}
        if self.draw:
            members["draw"] = {"number": self.draw.number, "count": self.draw.count, "score": self.draw.score}
        if self.resign:
            sides = "both" if self.resign.two_sided else "one"
            members["resign"] = {"count": self.resign.count, "score": self.resign.score, "sides": sides}
        if self.max_moves:
            members["max_moves"] = self.max_moves
        return members


@dataclass(frozen=True, slots=True)
class PairJob:
    """One pair to play."""

    key: PairKey
    first: EngineSpec
    second: EngineSpec
    opening: Opening
    variant: Variant
    rules: MatchRules


@dataclass(frozen=True, slots=True)
class EngineEvent:
    """Something that an engine did beside playing: a warning, a fault, a restart."""

    engine: str
    side: Literal["first", "second"]
    kind: Literal["warning", "fault", "restart", "failed restart"]
    message: str


@dataclass(frozen=True, slots=True)
class Mark:
    """One step in the count of an engine's failures in a row; see ``failures``."""

    side: Literal["first", "second"]
    kind: Literal["started", "no start", "failure", "clean"]
    """``clean``: a game ended without this engine's fault. ``no start``: one of its processes could not be started."""
    message: str = ""
    """Begins with the engine's name."""


@dataclass(frozen=True, slots=True)
class Overhead:
    """What the referee itself cost; adds up over pairs. Seconds, sums over all plies."""

    plies: int = 0
    """Moves that engines were asked for."""
    turnaround: float = 0.0
    """From the moment a move could be read until the opponent's ``go`` was written; where that waits for ``readyok``,
    that is included."""
    turnarounds: int = 0
    """How often that was measured: for every move that was answered by another one."""
    worst: float = 0.0
    """The longest of them."""
    cpu: float = 0.0
    """Processor time of the referees (engines not included), and of the runner where it is the sum of a run."""

    def __add__(self, other: Overhead) -> Overhead:
        """Add what another pair cost."""
        return Overhead(
            plies=self.plies + other.plies,
            turnaround=self.turnaround + other.turnaround,
            turnarounds=self.turnarounds + other.turnarounds,
            worst=max(self.worst, other.worst),
            cpu=self.cpu + other.cpu,
        )

    @property
    def turnaround_per_ply(self) -> float | None:
        """Mean seconds between a move and the next ``go``; None before there was one."""
        return self.turnaround / self.turnarounds if self.turnarounds else None

    @property
    def cpu_per_ply(self) -> float | None:
        """Processor seconds of the referee per move; None before there was one."""
        return self.cpu / self.plies if self.plies else None


@dataclass(frozen=True, slots=True)
class PairOutcome:
    """What a worker hands back for one job."""

    record: PairRecord
    events: tuple[EngineEvent, ...] = ()
    marks: tuple[Mark, ...] = ()
    """For the count of failures: what the player has not told already, in order."""
    overhead: Overhead = Overhead()
    sans: tuple[tuple[str, ...], ...] = ()
    """All moves of each game in SAN, the book moves first, so that nobody needs to play them again; empty: not told."""


@dataclass(frozen=True, slots=True)
class RunReport:
    """What one call of ``runner.run`` did."""

    pairs: int
    """Pairs that were played now; those that the journal had already are not among them."""
    overhead: Overhead
