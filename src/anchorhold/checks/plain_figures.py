"""Which tests plainly say what their counts give: thousands looked at at once, so that only the others are one by one.

Nothing is found wrong here. A stage whose figures lie well within what ``checks.oracle_figures`` allows is right; of
any other, that alone says whether it is, and what is wrong. Source: SPEC sections 3, 7, 11 and 12.
May import: numpy, anchorhold.domain, anchorhold.stats.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anchorhold.stats.elo_many import elos_from_pentanomials
from anchorhold.stats.overshoot import MOST
from anchorhold.stats.sprt import LARGEST_BOUND, BoundsModel
from anchorhold.stats.sprt_many import log_likelihood_ratios
from anchorhold.stats.vectors import Vector

SURELY = 0.9
"""Part of a tolerance within which a figure is right, however the last digits of its recomputation fall."""
CLEAR = 1e-6
"""Distance of an LLR from a bound, or of an Elo from what is allowed, from which on rounding decides nothing."""
_MODELS: tuple[BoundsModel, ...] = ("normalized", "logistic")
_LARGEST_COUNT = 1e15
Flags = npt.NDArray[np.bool_]
Report = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Tolerances:
    """By how much a stored figure of a test that this program played may differ from what its counts give."""

    elo: float
    """Elo, of the value and of its half-width."""
    llr: float
    """Part of the LLR."""


def plainly_right(reports: Sequence[Report], *, ours: Sequence[bool], tolerances: Tolerances) -> list[bool]:
    """Say of each stage whether its figures are plainly right; False says nothing.

    Parameters
    ----------
    reports : sequence of mapping
        Stages of tests as they stand in a register, whose form was looked at already.
    ours : sequence of bool
        Which of them this program played.
    """
    found = [False] * len(reports)
    places = [place for place, report in enumerate(reports) if _has_sound_pairs(report)]
    if not places:
        return found
    chosen = [reports[place] for place in places]
    own = np.array([ours[place] for place in places])
    counts = np.array([report["pentanomial"] for report in chosen], dtype=np.float64)
    right = _elo_is_right(chosen, counts, own, tolerances) & _llr_is_right(chosen, counts, own, tolerances)
    for place, is_right in zip(places, right.tolist(), strict=True):
        found[place] = is_right
    return found


def _has_sound_pairs(report: Report) -> bool:
    pairs = report.get("pentanomial")
    if not isinstance(pairs, list) or not sum(pairs) < _LARGEST_COUNT:
        return False
    return report.get("pairs") in (None, sum(pairs))


def _column(reports: Sequence[Report], name: str) -> Vector:
    """One figure of every stage; NaN where it does not stand."""
    return np.array([report.get(name) for report in reports], dtype=np.float64)


def _pairs_of(reports: Sequence[Report], name: str, *, absent: tuple[float, float]) -> Vector:
    return np.array([report.get(name) or absent for report in reports], dtype=np.float64)


def _elo_is_right(reports: Sequence[Report], counts: Vector, ours: Flags, tolerances: Tolerances) -> Flags:
    counted = elos_from_pentanomials(counts)
    elo, error = _column(reports, "elo"), _column(reports, "elo_error")
    reach = np.where(np.isnan(error), counted.error, error) + counted.error - CLEAR
    allowed = np.where(ours, SURELY * tolerances.elo, reach)
    near = np.isnan(elo) | (np.abs(elo - counted.elo) <= allowed)
    error_near = ~ours | np.isnan(error) | (np.abs(error - counted.error) <= SURELY * tolerances.elo)
    return np.asarray(counted.known & near & error_near)


def _llr_is_right(reports: Sequence[Report], counts: Vector, ours: Flags, tolerances: Tolerances) -> Flags:
    bounds = _pairs_of(reports, "bounds", absent=(math.nan, math.nan))
    alpha, beta = _column(reports, "alpha"), _column(reports, "beta")
    models = np.array([str(report.get("bounds_model")) for report in reports])
    tested = ~(np.isnan(bounds).any(axis=1) | np.isnan(alpha) | np.isnan(beta) | (models == "None"))
    right = ~tested
    passed = np.array([report["passed"] is True for report in reports])
    stored = _column(reports, "llr")
    moved = _pairs_of(reports, "overshoot", absent=(0.0, 0.0))
    for model in _MODELS:
        rows = np.flatnonzero(tested & (models == model) & (np.abs(bounds).max(axis=1) <= LARGEST_BOUND))
        found = log_likelihood_ratios(counts[rows], bounds[rows], model=model)
        llr, own = found.llr, ours[rows]
        low = np.log(beta[rows]) - np.log1p(-alpha[rows])
        high = np.log1p(-beta[rows]) - np.log(alpha[rows])
        low += np.minimum(moved[rows, 0], -MOST * low)
        high -= np.minimum(moved[rows, 1], MOST * high)
        decided = np.where(passed[rows], np.where(own, llr >= high + CLEAR, llr >= low + CLEAR), llr <= high - CLEAR)
        near = ~own | np.isnan(stored[rows]) | (np.abs(stored[rows] - llr) <= SURELY * tolerances.llr * np.abs(llr))
        right[rows] = found.known & decided & near
    return np.asarray(right)
