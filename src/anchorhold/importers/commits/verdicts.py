"""What the figures of a report say by themselves: whether it passed, and what its Elo bounds are in.

May import: anchorhold.importers.commits.fields, anchorhold.importers.report, anchorhold.stats.
"""

from __future__ import annotations

from anchorhold.importers.commits.fields import Bounds, Fields
from anchorhold.importers.report import Outcome
from anchorhold.stats.sprt import BoundsModel

REACHED = 0.06
"""How far short of its printed bound an LLR counts as having reached it: servers stop on unrounded values, and one
accepted report in nine prints 2.91 to 2.93 against 2.94."""
USUAL_BOUND = 2.94
"""Bound of the LLR where none is printed but the Elo bounds are: α = β = 0.05."""


def outcome_by_llr(fields: Fields) -> Outcome | None:
    """Return the outcome that the figures give; None where there is no LLR, or nothing to hold it against."""
    if fields.llr is None:
        return None
    bounds = fields.llr_bounds
    if bounds is None:
        if fields.elo_bounds is None:
            return None
        bounds = (-USUAL_BOUND, USUAL_BOUND)
    if fields.llr >= max(bounds) - REACHED:
        return "passed"
    return "failed" if fields.llr <= min(bounds) + REACHED else "unknown"


def model_of(fields: Fields, bracket: str) -> BoundsModel | None:
    """Return the model of the Elo bounds; it is part of them (SPEC section 12). None where no tool tells it."""
    if not bracket:
        return None
    if fields.family in {"openbench", "fastchess"}:
        return "normalized"
    if fields.family in {"fishtest", "page"}:
        if bracket == "[" and fields.llr_bounds is not None and not _is_usual(fields.llr_bounds):
            return "normalized"  # OpenBench's bounds, printed in fishtest's form
        models: dict[str, BoundsModel] = {"<": "normalized", "{": "logistic", "[": "bayeselo"}
        return models.get(bracket)
    return "bayeselo" if fields.family == "cutechess" and bracket == "[" else None


def _is_usual(bounds: Bounds) -> bool:
    return abs(bounds[1] - USUAL_BOUND) < 0.02 and abs(bounds[0] + USUAL_BOUND) < 0.02
