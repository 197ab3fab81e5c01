"""Register entries that an import proposes: kind and payload, with the place they come from.

May import: anchorhold.canonical, anchorhold.importers.base, anchorhold.importers.recount, anchorhold.importers.report.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from anchorhold.canonical import canonical_json
from anchorhold.importers.base import Place
from anchorhold.importers.recount import error_rates, sound_counts
from anchorhold.importers.report import Report

_MOST = 2**53
"""Larger ones are written otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One entry as it would be appended. ``payload["id"]`` is derived from the source, so that it is found again."""

    kind: str
    payload: Mapping[str, object]
    place: Place
    written: str | None = None
    """Canonical JSON of the payload, where it was written already."""

    @property
    def text(self) -> str:
        """Canonical JSON of the payload.

        Raises
        ------
        BadInput
            A number that no register takes.
        """
        return canonical_json(dict(self.payload)).decode() if self.written is None else self.written

    @property
    def id(self) -> str:
        """By which the register knows it."""
        return str(self.payload["id"])


def stage_payload(report: Report) -> dict[str, object]:
    """Return a report as one stage of a test in the register; counts that contradict themselves are left out."""
    counts = sound_counts(report)
    stage: dict[str, object] = {"passed": report.passed}
    if report.elo is not None:
        stage["elo"] = _short(report.elo)
    if report.elo_error is not None and report.elo_error > 0:
        stage["elo_error"] = _short(report.elo_error)
    if counts.pairs is not None:
        stage["pentanomial"] = list(counts.pairs.as_tuple())
        stage["pairs"] = counts.pairs.pairs
    if counts.games is not None:
        stage |= {"wins": counts.games.wins, "draws": counts.games.draws, "losses": counts.games.losses}
    if report.elo_bounds is not None and report.elo_bounds[0] < report.elo_bounds[1]:
        stage["bounds"] = [_short(bound) for bound in report.elo_bounds]
        if report.bounds_model is not None:
            stage["bounds_model"] = report.bounds_model
    if report.llr_bounds is not None and (rates := error_rates(report.llr_bounds)) is not None:
        stage["alpha"], stage["beta"] = rates
    if report.llr is not None:
        stage["llr"] = _short(report.llr)
    stage["outcome"] = report.outcome if report.outcome is not None else "not clear"
    conditions = _conditions(report)
    if conditions:
        stage["conditions"] = conditions
    return stage


def _short(number: float) -> float:
    """Return a number as the register will have it: whole ones without ``.0``."""
    whole = int(number)
    return whole if whole == number and abs(whole) < _MOST else number


def _conditions(report: Report) -> dict[str, object]:
    stated = {
        "time_control": report.time_control,
        "movetime": report.movetime and _short(report.movetime),
        "nodes": report.nodes,
        "depth": report.depth,
        "threads": report.threads,
        "hash_mb": report.hash_mb and _short(report.hash_mb),
    }
    return {name: value for name, value in stated.items() if value}
