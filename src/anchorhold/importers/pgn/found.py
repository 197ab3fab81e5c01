"""What PGN inputs hold, once counted: pairs of engines, the list of games, and all that was not counted.

May import: anchorhold.importers.base, anchorhold.importers.counts, anchorhold.importers.pgn.pairing, anchorhold.stats.
"""

from __future__ import annotations

from dataclasses import dataclass

from anchorhold.importers.base import Place, Problem, Remark
from anchorhold.importers.counts import MatchCounts
from anchorhold.importers.pgn.pairing import PairedBy
from anchorhold.stats.outcomes import Pentanomial, Trinomial

READER = "pgn/1"


@dataclass(frozen=True, slots=True)
class EnginePair:
    """What two engines scored against each other, seen from ``first``."""

    first: str
    second: str
    stage: str
    """The Stage tag, empty where there is none."""
    pentanomial: Pentanomial
    """Pairs whose two games are both counted."""
    trinomial: Trinomial
    """All counted games, those without a partner included."""
    singles: int
    """Counted games without a counted partner."""
    paired_by: PairedBy
    paired: Trinomial
    """The games that are in pairs."""

    @property
    def counts(self) -> MatchCounts:
        """The counts alone."""
        pairs = self.pentanomial if self.pentanomial.pairs else None
        return MatchCounts(self.first, self.second, pairs, self.trinomial)

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        games = self.trinomial
        return {
            "first": self.first,
            "second": self.second,
            "stage": self.stage or None,
            "pentanomial": list(self.pentanomial.as_tuple()),
            "pairs": self.pentanomial.pairs,
            "wins": games.wins,
            "draws": games.draws,
            "losses": games.losses,
            "singles": self.singles,
            "paired_by": self.paired_by,
        }


@dataclass(frozen=True, slots=True)
class GameLine:
    """One game as it was read, for a list of all games."""

    place: Place
    round: str
    white: str
    black: str
    result: str
    """``1-0``, ``0-1``, ``1/2-1/2``, ``*``, or ``conflict``."""
    plies: int
    counted: bool
    why_not: str | None
    termination: str
    start_fen: str | None

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "source": self.place.source,
            "line": self.place.line,
            "round": self.round,
            "white": self.white,
            "black": self.black,
            "result": self.result,
            "plies": self.plies,
            "counted": self.counted,
            "why_not": self.why_not,
            "termination": self.termination or None,
            "start_fen": self.start_fen,
        }


@dataclass(frozen=True, slots=True)
class PgnImport:
    """All that PGN inputs hold."""

    records: tuple[EnginePair, ...]
    problems: tuple[Problem, ...]
    remarks: tuple[Remark, ...]
    games: int
    not_counted: dict[str, int]
    """How many games are not counted, by reason."""
    replayed: int
    """Games that were played over on a board."""
    unlisted: int = 0
    """Problems and remarks beyond MOST_LISTED."""
    lines: tuple[GameLine, ...] = ()
    reader: str = READER
