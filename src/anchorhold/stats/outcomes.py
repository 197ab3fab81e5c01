"""Counts of games and of game pairs: the samples that every estimate starts from.

A pair is two games from one opening with colours swapped. Counts are seen from the first-named engine
(main, the candidate) everywhere; the sign turns only in ``swapped()``. May import: anchorhold.stats.border: whoever
reads a register reads counts, and need not wait for numpy.
"""

from __future__ import annotations

from dataclasses import dataclass

from anchorhold.stats.border import expect

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
GAME_SCORES = (0.0, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class Trinomial:
    """How many games were won, drawn and lost by the first engine."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """Number of games."""
        return self.wins + self.draws + self.losses

    def counts(self) -> tuple[int, int, int]:
        """Losses, draws, wins: in the order of GAME_SCORES."""
        return (self.losses, self.draws, self.wins)

    def swapped(self) -> Trinomial:
        """Return the same games seen from the second engine."""
        return Trinomial(wins=self.losses, draws=self.draws, losses=self.wins)


@dataclass(frozen=True, slots=True)
class Pentanomial:
    """How many pairs ended with 0, ½, 1, 1½ and 2 points for the first engine."""

    ll: int
    ld: int
    dd_wl: int
    wd: int
    ww: int

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return self.ll + self.ld + self.dd_wl + self.wd + self.ww

    def as_tuple(self) -> tuple[int, int, int, int, int]:
        """LL, LD, DD+WL, WD, WW."""
        return (self.ll, self.ld, self.dd_wl, self.wd, self.ww)

    def counts(self) -> tuple[int, int, int, int, int]:
        """LL, LD, DD+WL, WD, WW: in the order of PAIR_SCORES."""
        return self.as_tuple()

    def swapped(self) -> Pentanomial:
        """Return the same pairs seen from the second engine."""
        return Pentanomial(ll=self.ww, ld=self.wd, dd_wl=self.dd_wl, wd=self.ld, ww=self.ll)

    def plus(self, half_points: int) -> Pentanomial:
        """Return the counts with one more pair of 0 to 4 half points."""
        expect(0 <= half_points <= 4, f"a pair has 0 to 4 half points, not {half_points}")
        counts = list(self.as_tuple())
        counts[half_points] += 1
        return Pentanomial(*counts)


@dataclass(frozen=True, slots=True)
class JointTable:
    """Pairs by the old version's result (rows) and the new version's (columns), on the same openings.

    Both indices run over LL, LD, DD+WL, WD, WW, each seen from main.
    """

    rows: tuple[tuple[int, int, int, int, int], ...]

    def old(self) -> Pentanomial:
        """Return the old version's pentanomial: the row sums."""
        return Pentanomial(*(sum(row) for row in self.rows))

    def new(self) -> Pentanomial:
        """Return the new version's pentanomial: the column sums."""
        return Pentanomial(*(sum(row[column] for row in self.rows) for column in range(5)))


def contradictions(pairs: Pentanomial, games: Trinomial) -> list[str]:
    """Say why counts of pairs and counts of games cannot be of the same games; empty when they can."""
    found = []
    if games.games != 2 * pairs.pairs:
        found.append(f"wins + draws + losses is {games.games}, twice the pairs is {2 * pairs.pairs}")
    balance = 2 * pairs.ww + pairs.wd - pairs.ld - 2 * pairs.ll
    if games.wins - games.losses != balance:
        found.append(f"wins − losses is {games.wins - games.losses}, the pairs give {balance}")
    least = pairs.wd + pairs.ld
    most = least + 2 * pairs.dd_wl
    if not least <= games.draws <= most:
        found.append(f"{games.draws} draws, the pairs allow {least} to {most}")
    return found
