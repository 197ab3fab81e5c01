"""What two engines scored against each other, as any input tells it.

May import: anchorhold.stats.outcomes.
"""

from __future__ import annotations

from dataclasses import dataclass

from anchorhold.stats.outcomes import Pentanomial, Trinomial


@dataclass(frozen=True, slots=True)
class MatchCounts:
    """What two engines scored against each other, seen from ``first``."""

    first: str
    second: str
    pentanomial: Pentanomial | None
    """None where the input does not tell which games are pairs."""
    trinomial: Trinomial

    def swapped(self) -> MatchCounts:
        """Return the same match seen from the other engine."""
        pairs = None if self.pentanomial is None else self.pentanomial.swapped()
        return MatchCounts(self.second, self.first, pairs, self.trinomial.swapped())

    def plus(self, other: MatchCounts) -> MatchCounts:
        """Return both matches of the same two engines as one."""
        assert (self.first, self.second) == (other.first, other.second)
        one, two = self.trinomial, other.trinomial
        games = Trinomial(wins=one.wins + two.wins, draws=one.draws + two.draws, losses=one.losses + two.losses)
        pairs = None
        if self.pentanomial is not None and other.pentanomial is not None:
            both = zip(self.pentanomial.as_tuple(), other.pentanomial.as_tuple(), strict=True)
            pairs = Pentanomial(*(a + b for a, b in both))
        return MatchCounts(self.first, self.second, pairs, games)

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        games = self.trinomial
        return {
            "first": self.first,
            "second": self.second,
            "pentanomial": None if self.pentanomial is None else list(self.pentanomial.as_tuple()),
            "wins": games.wins,
            "draws": games.draws,
            "losses": games.losses,
        }
