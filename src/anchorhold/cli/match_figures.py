"""The figures of a plain match, counted pair by pair: what each engine made of each other, and who stands where.

Seen from the first engine of each meeting. May import: anchorhold.domain, anchorhold.errors, anchorhold.matches,
anchorhold.stats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from anchorhold.domain.games import PairRecord
from anchorhold.errors import BadInput
from anchorhold.stats.elo import Estimate, NoEstimate
from anchorhold.stats.figures import printed_elo
from anchorhold.stats.outcomes import Pentanomial, Trinomial
from anchorhold.stats.sprt import Sprt

if TYPE_CHECKING:
    from anchorhold.stats.ratings import Rating


@dataclass(frozen=True, slots=True)
class Meeting:
    """What one engine made of another."""

    first: str
    second: str
    pairs: Pentanomial
    games: Trinomial
    estimate: Estimate | None
    no_estimate: str
    """Why there is no estimate; empty when there is one."""
    terminations: Mapping[str, int] = field(default_factory=dict)
    faults: Mapping[str, int] = field(default_factory=dict)
    """Games lost by own fault, by engine; engines without any are left out."""


@dataclass(frozen=True, slots=True)
class SprtState:
    """Where a sequential test stands."""

    test: Sprt
    llr: float
    decision: str
    """``passed``, ``failed`` or ``undecided``."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one engine stands after all its meetings."""

    name: str
    points: float
    games: int
    rating: Rating | None
    """Elo about the pool's mean of 0; None: no ratings can be given."""


@dataclass(frozen=True, slots=True)
class Standings:
    """All engines, the best first."""

    rows: tuple[Standing, ...]
    no_ratings: str
    """Why there are no ratings; empty when there are."""


class Tallies:
    """Counts of all meetings, pair by pair.

    Parameters
    ----------
    meetings : Sequence of pairs of str
        First and second engine of each, in the order in which they are shown.
    until : int
        Openings up to this number count.
    """

    def __init__(self, meetings: Sequence[tuple[str, str]], *, until: int) -> None:
        self._tallies = {meeting: _Tally() for meeting in meetings}
        self._until = until
        self.pairs = 0
        """How many have been counted."""

    def add(self, record: PairRecord) -> None:
        """Count one pair."""
        if record.key.opening <= self._until:
            self._tallies[record.key.endpoint, record.key.anchor].add(record)
            self.pairs += 1

    def add_all(self, records: Iterable[PairRecord]) -> Tallies:
        """Count all pairs; return self."""
        for record in records:
            self.add(record)
        return self

    def meetings(self) -> list[Meeting]:
        """Return the figures of all meetings."""
        return [tally.meeting(*names) for names, tally in self._tallies.items()]


class _Tally:
    def __init__(self) -> None:
        self.pairs = [0] * 5
        self.games = [0] * 3
        self.terminations: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()

    def add(self, record: PairRecord) -> None:
        self.pairs[record.half_points] += 1
        for game in record.games:
            self.games[game.first_half_points] += 1
            self.terminations[game.termination] += 1
            if game.fault_of:
                self.faults[record.key.endpoint if game.fault_of == "first" else record.key.anchor] += 1

    def meeting(self, first: str, second: str) -> Meeting:
        pairs = Pentanomial(*self.pairs)
        estimate, why_not = None, ""
        try:
            estimate = printed_elo(pairs)
        except NoEstimate as reason:
            why_not = str(reason)
        losses, draws, wins = self.games
        return Meeting(
            first=first,
            second=second,
            pairs=pairs,
            games=Trinomial(wins=wins, draws=draws, losses=losses),
            estimate=estimate,
            no_estimate=why_not,
            terminations=dict(self.terminations),
            faults=dict(self.faults),
        )


def standings(meetings: Sequence[Meeting]) -> Standings:
    """Rate all engines from all meetings, about a mean of 0; without ratings they are ordered by their scores."""
    from anchorhold.stats.ratings import PairedResult, rate_pool  # slow to load, and most matches are between two

    points: Counter[str] = Counter()
    games: Counter[str] = Counter()
    for meeting in meetings:
        played = meeting.games
        for name, won in ((meeting.first, played.wins), (meeting.second, played.losses)):
            points[name] += 2 * won + played.draws
            games[name] += played.games
    why_not, ratings = "", {}
    try:
        pool = rate_pool([PairedResult(m.first, m.second, m.pairs) for m in meetings], mean=0.0)
        ratings = {rating.name: rating for rating in pool.ratings}
    except BadInput as reason:
        why_not = reason.what
    rows = [Standing(name, points[name] / 2, count, ratings.get(name)) for name, count in games.items()]
    return Standings(rows=tuple(sorted(rows, key=_place)), no_ratings=why_not)


def _place(row: Standing) -> tuple[float, float, str]:
    share = row.points / row.games if row.games else 0.0
    return (0.0 if row.rating is None else -row.rating.rating, -share, row.name)
