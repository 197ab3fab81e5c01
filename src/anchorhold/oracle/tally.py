"""One stage as it is counted: the contiguous beginning of the openings, its log-likelihood ratio, its decision.

Pair n counts when the pairs 1 … n are all finished, and the first n whose log-likelihood ratio reaches a bound ends the
stage. So the answer does not depend on which game happens to end first, nor on the number of workers; pairs beyond it
are not counted. Results are seen from the candidate. Source: SPEC section 11.
May import: anchorhold.stats, anchorhold.oracle.
"""

from __future__ import annotations

from anchorhold.oracle.plan import StagePlan
from anchorhold.stats.elo import EDITION_7, Estimate, NoEstimate, elo_from_pentanomial, elo_of_score, moments
from anchorhold.stats.outcomes import PAIR_SCORES, Pentanomial
from anchorhold.stats.overshoot import Overshoot
from anchorhold.stats.sprt import Decision


class StageTally:
    """The contiguous beginning of a stage: pairs are taken in any order, counted in that of their openings."""

    def __init__(self, stage: StagePlan) -> None:
        self._stage = stage
        self._waiting: dict[int, int] = {}
        self.sample = Pentanomial(0, 0, 0, 0, 0)
        self.llr = 0.0
        self.decision: Decision = "undecided"
        self._seen = Overshoot()

    @property
    def overshoot(self) -> tuple[float, float]:
        """By how much the lower and the upper bound are moved inwards now."""
        return (self._seen.low, self._seen.high) if self._stage.overshoot_corrected else (0.0, 0.0)

    def take(self, opening: int, half_points: int) -> None:
        """Take one finished pair; count it and those that waited for it, until the stage is decided."""
        self._waiting[opening] = half_points
        while self.decision == "undecided" and (next_one := self._waiting.pop(self.sample.pairs + 1, None)) is not None:
            self.sample = self.sample.plus(next_one)
            self.llr = self._stage.test.llr(self.sample)
            self._seen.update(self.llr)
            self.decision = self._stage.test.decide(self.llr, overshoot=self.overshoot)

    def estimate(self) -> Estimate | None:
        """Return the Elo of what is counted, None while it has none."""
        try:
            return elo_from_pentanomial(self.sample)
        except NoEstimate:
            return None

    def elo_of_mean(self) -> float:
        """Return elo(μ) of what is counted, clipped as elo is everywhere: the value of a pass that is too one-sided.

        Such a pass has no half-width, nor has the sum that it enters. fishtest gives the same value for such counts.
        """
        return elo_of_score(moments(self.sample.counts(), PAIR_SCORES, zero_count=EDITION_7.zero_count).mean)

    def over(self) -> bool:
        """Say whether nothing that is still to be played could change the answer."""
        return self.decision != "undecided" or self.sample.pairs >= self._stage.max_pairs

    def outcome(self) -> str:
        """Say in words how the stage ended."""
        pairs = self.sample.pairs
        if self.decision != "undecided":
            shape = "" if self.decision == "failed" or self.estimate() else ", too one-sided for a half-width"
            return f"{self.decision} after {pairs} pairs (LLR {self.llr:.2f}){shape}"
        return f"was not decided in {pairs} pairs (LLR {self.llr:.2f})"
