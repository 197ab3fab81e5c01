"""Where the claimed Elo was lost: S taken apart down to ΔA, how sure each part is, and what would make it surer.

Decides nothing. Elo is logistic, errors are 95 % half-widths. May import: law.result.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from anchorhold.law.result import Range, Result

Cause = Literal["stopping", "selection", "overlap", "transfer", "overlap_and_transfer"]
Step = Literal["direct_match", "more_pairs", "more_direct_pairs", "more_claims", "keep_all_tests", "clear"]


@dataclass(frozen=True, slots=True)
class Loss:
    """One part of S − ΔA; negative where something was found that had not been claimed."""

    cause: Cause
    elo: float
    error: float | None
    """None where both figures come from the same games, so that their difference has no error of its own."""

    @property
    def is_clear(self) -> bool:
        """Whether it differs from 0 by more than its error."""
        return self.error is None or abs(self.elo) > self.error

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {"cause": self.cause, "elo": self.elo, "error": self.error, "clear": self.is_clear}


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was claimed, where it went, and what to do next."""

    claimed: float
    arrived: float
    losses: tuple[Loss, ...]
    """In the order of the chain; they add up to claimed − arrived."""
    step: Step
    pairs: int | None = None
    """How many that step needs, where the pairs of the check are known."""
    anchor: str | None = None
    """Against which anchor more pairs help most."""

    @property
    def largest(self) -> Loss:
        """The largest part that is lost."""
        return max(self.losses, key=lambda loss: loss.elo)

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "claimed": self.claimed,
            "arrived": self.arrived,
            "losses": [loss.to_json() for loss in self.losses],
            "largest": self.largest.cause if self.largest.elo > 0.0 else None,
            "step": self.step,
            "pairs": self.pairs,
            "anchor": self.anchor,
        }


def diagnose(result: Result, *, pairs: int | None = None) -> Diagnosis | None:
    """Take S − ΔA apart; None where there is no R.

    Parameters
    ----------
    pairs : int, optional
        Pairs against each anchor that the check played, from which needed pairs are reckoned.

    Notes
    -----
    S − ΔA = (S − S_mu) + (S_mu − S_sc) + (S_best − D) + (D − ΔA): what the lucky moment of stopping added, what
    choosing the passes added, what the gains do not add up to (or never was, beyond those corrections), and what does
    not arrive against strangers. S_best is the last corrected sum that is known. A part whose figures are missing is
    joined with the next one. Errors: of S_best − D from the half-width of S_best (of S itself U(S)) and the direct
    match's, of D − ΔA from the direct match's and the sampling error of ΔA.
    The step aims at the part that is largest and not clear, or else at the one that is not told apart: pairs are those
    that bring its error down to half of S − ΔA, or of the part itself where that is larger.
    """
    if result.r is None or result.s is None or result.delta_a is None:
        return None
    s, delta_a = result.s, result.delta_a
    losses, best, best_error = [], s, result.s_error
    corrected: tuple[tuple[Cause, float | None, Range | None], ...] = (
        ("stopping", result.s_median_unbiased, result.s_median_unbiased_interval),
        ("selection", result.s_selection_corrected, result.s_selection_corrected_interval),
    )
    for cause, value, interval in corrected:
        if value is not None:
            losses.append(Loss(cause, best - value, None))
            best = value
            if interval is not None:  # results of older programs have none
                best_error = (interval.high - interval.low) / 2.0
    increase = _increase_error(result)
    direct = result.direct
    if direct is None:
        losses.append(Loss("overlap_and_transfer", best - delta_a, _joined(best_error, increase)))
    else:
        losses.append(Loss("overlap", best - direct.elo, _joined(best_error, direct.error)))
        losses.append(Loss("transfer", direct.elo - delta_a, _joined(direct.error, increase)))
    return _with_step(result, s, delta_a, tuple(losses), best_error, increase, pairs)


def _with_step(
    result: Result,
    s: float,
    delta_a: float,
    losses: tuple[Loss, ...],
    best_error: float | None,
    increase: float | None,
    pairs: int | None,
) -> Diagnosis:
    aim = max(abs(s - delta_a), *(abs(loss.elo) for loss in losses)) / 2.0
    direct = result.direct
    if direct is None:
        return Diagnosis(s, delta_a, losses, "direct_match", pairs=_pairs_for(aim, _typical_error(result), pairs))
    overlap, transfer = losses[-2:]
    unclear = [loss for loss in (overlap, transfer) if not loss.is_clear]
    if not unclear:
        step: Step = "clear" if result.s_selection_corrected is not None else "keep_all_tests"
        return Diagnosis(s, delta_a, losses, step)
    worst = max(unclear, key=lambda loss: (loss.elo, loss.error or 0.0))
    # The larger of the two errors that went into it is the one worth its games.
    other = (best_error if worst is overlap else increase) or 0.0
    if direct.error >= other:
        # Of a direct match only the error is known here, and an anchor's match tells what pairs give.
        needed = _pairs_for(aim, _typical_error(result), pairs)
        return Diagnosis(s, delta_a, losses, "more_direct_pairs", pairs=needed)
    if worst is overlap:
        return Diagnosis(s, delta_a, losses, "more_claims")
    factor = (other / aim) ** 2 if aim > 0.0 else math.inf
    needed = math.ceil(pairs * factor) if pairs is not None and 1.0 < factor < 1e6 else None
    return Diagnosis(s, delta_a, losses, "more_pairs", pairs=needed, anchor=_weakest_anchor(result))


def _joined(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else math.hypot(one, other)


def _increase_error(result: Result) -> float | None:
    """Sampling error of ΔA: U(ΔA) counts the anchors' rating errors, which cancel in it."""
    if result.paired is not None and result.paired.error is not None:
        return result.paired.error
    return result.delta_a_error_weighted


def _typical_error(result: Result) -> float | None:
    errors = [anchor.new.error for anchor in result.anchors if anchor.new.error is not None]
    return math.fsum(errors) / len(errors) if errors else None


def _pairs_for(error: float, had: float | None, pairs: int | None) -> int | None:
    """Pairs that bring a half-width from ``had``, with so many pairs, to ``error``."""
    if had is None or pairs is None or error <= 0.0 or not (had / error) ** 2 < 1e6:
        return None
    return math.ceil(pairs * (had / error) ** 2)


def _weakest_anchor(result: Result) -> str | None:
    """The anchor that gives most of the error of ΔA."""
    shares = {
        anchor.name: (anchor.old.weight + anchor.new.weight) ** 2 * (anchor.old.error**2 + anchor.new.error**2)
        for anchor in result.anchors
        if anchor.old.weight is not None
        and anchor.new.weight is not None
        and anchor.old.error is not None
        and anchor.new.error is not None
    }
    return max(shares, key=lambda name: shares[name]) if shares else None
