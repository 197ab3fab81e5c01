"""Matches of cutechess-cli, from its console output.

It prints wins, losses, draws, no pairs, and of a sequential test the LLR with its bounds but not the Elo bounds: who
imports must give them. Source: cutechess at commit 5e84232. May import: anchorhold.importers.*, anchorhold.stats.
"""

from __future__ import annotations

from dataclasses import replace

from anchorhold.importers.base import Problem, Remark
from anchorhold.importers.console import read_console
from anchorhold.importers.counts import MatchCounts
from anchorhold.importers.matches import MatchImport, fixed_or_sequential, run_of_match
from anchorhold.importers.runs import Run, import_of
from anchorhold.stats.sprt import BoundsModel

READER = "cutechess/1"


def read_cutechess(
    texts: list[tuple[str, str]],
    *,
    bounds: tuple[float, float] | None = None,
    model: BoundsModel = "bayeselo",
    time_control: str | None = None,
) -> MatchImport:
    """Read console outputs.

    Parameters
    ----------
    bounds : tuple of float, optional
        Elo bounds of the sequential tests in them.
    model : str
        Unit of the bounds; cutechess counts in BayesElo.
    time_control : str, optional
        Of these matches; it decides the stage.
    """
    runs: list[Run] = []
    matches: list[MatchCounts] = []
    problems: list[Problem] = []
    remarks: list[Remark] = []
    for source, text in texts:
        console = read_console(text, source=source, tool="cutechess")
        problems += console.problems
        remarks += console.remarks
        for match in console.matches:
            matches.append(match.counts)
            if not match.sequential:
                remarks.append(fixed_or_sequential(match.place, match.counts))
            elif bounds is None:
                what = "a sequential test, whose Elo bounds cutechess does not print; give them with --bounds"
                problems.append(Problem(match.place, what))
            else:
                match.report = replace(match.report, elo_bounds=bounds)
                runs.append(run_of_match(match, tool="cutechess", time_control=time_control, model=model))
    return MatchImport(import_of(READER, runs, problems, remarks), tuple(matches))
