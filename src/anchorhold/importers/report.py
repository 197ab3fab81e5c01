"""One test as somebody reported it: what is printed, nothing computed; null where it is absent or ambiguous.

Counts and Elo are seen from the tested engine (the candidate). May import: anchorhold.importers.base, anchorhold.stats.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from anchorhold.importers.base import Place
from anchorhold.stats.outcomes import Pentanomial, Trinomial
from anchorhold.stats.sprt import BoundsModel

Stage = Literal["short", "long", "very_long", "other", "unknown"]
Outcome = Literal["passed", "failed", "unknown"]
TestKind = Literal["gain", "non_regression", "fixed_games", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One sequential or fixed test; None is "not printed" or "not clear", ``unknown`` "the report leaves it open"."""

    place: Place
    tool: str
    """Whose form it has: ``fishtest``, ``openbench``, ``fastchess``, ``cutechess`` …"""
    stage: Stage | None = "unknown"
    outcome: Outcome | None = "unknown"
    kind: TestKind | None = "unknown"
    time_control: str | None = None
    """In the field's notation, such as ``8+0.08`` or ``40/10+0``."""
    nodes: int | None = None
    depth: int | None = None
    movetime: float | None = None
    """Seconds per move."""
    threads: int | None = None
    smp: bool = False
    """Whether it says that several threads searched, with or without their number."""
    hash_mb: float | None = None
    llr: float | None = None
    llr_bounds: tuple[float, float] | None = None
    elo_bounds: tuple[float, float] | None = None
    bounds_model: BoundsModel | None = None
    wins: int | None = None
    losses: int | None = None
    draws: int | None = None
    games: int | None = None
    """Number of games as printed, which need not be the sum of the counts."""
    pentanomial: tuple[int, int, int, int, int] | None = None
    """LL, LD, DD+WL, WD, WW."""
    elo: float | None = None
    """Logistic Elo."""
    elo_error: float | None = None
    """95 % half-width."""
    link: str | None = None

    @property
    def trinomial_counts(self) -> Trinomial | None:
        """The games, None unless all three counts are printed."""
        if self.wins is None or self.losses is None or self.draws is None:
            return None
        return Trinomial(wins=self.wins, draws=self.draws, losses=self.losses)

    @property
    def pentanomial_counts(self) -> Pentanomial | None:
        """The pairs, None where they are not printed."""
        return None if self.pentanomial is None else Pentanomial(*self.pentanomial)

    @property
    def passed(self) -> bool:
        """Whether it is known to have passed."""
        return self.outcome == "passed"


def kind_of_bounds(bounds: tuple[float, float] | None) -> TestKind:
    """Gain when the bounds' middle lies above 0, else non-regression; unknown without bounds."""
    if bounds is None:
        return "unknown"
    return "gain" if bounds[0] + bounds[1] > 0 else "non_regression"
