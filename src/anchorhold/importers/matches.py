"""Matches as imports: their counts, and how one that was a sequential test becomes a run.

May import: anchorhold.importers.*, anchorhold.stats.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Protocol

from anchorhold.importers.base import Import, Place, Remark
from anchorhold.importers.commits.clocks import clock_in
from anchorhold.importers.commits.stages import stage_of_clock
from anchorhold.importers.counts import MatchCounts
from anchorhold.importers.drafts import Draft
from anchorhold.importers.report import Report, kind_of_bounds
from anchorhold.importers.runs import Run, recounted_outcome
from anchorhold.stats.sprt import BoundsModel


@dataclass(frozen=True, slots=True)
class MatchImport:
    """Entries that follow from an input, and the counts of every match in it."""

    drafts: Import[Draft]
    matches: tuple[MatchCounts, ...]


class SequentialMatch(Protocol):
    """A match of a console output that was a sequential test."""

    @property
    def place(self) -> Place:
        """Where its standing is printed."""

    @property
    def counts(self) -> MatchCounts:
        """The standing."""

    @property
    def report(self) -> Report:
        """What else is printed of it."""

    @property
    def ended(self) -> bool:
        """Whether the output goes on to its end."""


def reported(counts: MatchCounts, report: Report) -> Report:
    """Return the report with these counts, and with the kind and outcome that follow from them."""
    filled = replace(
        report,
        kind=kind_of_bounds(report.elo_bounds),
        wins=counts.trinomial.wins,
        losses=counts.trinomial.losses,
        draws=counts.trinomial.draws,
        pentanomial=None if counts.pentanomial is None else counts.pentanomial.as_tuple(),
    )
    return replace(filled, outcome=recounted_outcome(filled))


def run_of_match(match: SequentialMatch, *, tool: str, time_control: str | None, model: BoundsModel) -> Run:
    """Return a sequential match as a run.

    A console names nothing but the engines, so its id is made of their names, the bounds and the clock.
    """
    report = match.report
    if report.time_control is None and time_control is not None:
        clock = clock_in(time_control)
        report = replace(
            report, time_control=clock.text, nodes=clock.nodes, depth=clock.depth, stage=stage_of_clock(clock)
        )
    if report.bounds_model is None:
        report = replace(report, bounds_model=model)
    report = reported(match.counts, report)
    counts = match.counts
    identity = (counts.first, counts.second, report.elo_bounds, report.time_control)
    return Run(
        id=hashlib.sha256(repr(identity).encode()).hexdigest()[:16],
        report=report,
        finished=report.outcome != "unknown" or match.ended,
        candidate=counts.first,
        base=counts.second,
        source=f"{tool} output {match.place.source}",
        exact=False,
    )


def fixed_or_sequential(place: Place, counts: MatchCounts) -> Remark:
    """Say that a match was no sequential test."""
    return Remark(place, f"{counts.first} against {counts.second} is no sequential test; it claims no gain")
