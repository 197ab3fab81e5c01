"""Test runs of a server or a match runner as register entries: one for each change, one for each test that failed.

A server keeps the short and the long test of one change as two runs; they belong together by the tested version. An
entry's id is made of the run that decides it, so that a second import finds it, and a grown input adds what is new.
May import: anchorhold.errors, anchorhold.domain, anchorhold.importers.*.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from anchorhold.domain.payloads import read_payload_json
from anchorhold.errors import BadInput
from anchorhold.importers.base import Import, Place, Problem, Remark
from anchorhold.importers.commits.clocks import Clock
from anchorhold.importers.commits.stages import stage_of_clock
from anchorhold.importers.drafts import Draft, stage_payload
from anchorhold.importers.recount import counted_llr, differences, sound_counts
from anchorhold.importers.report import Outcome, Report, kind_of_bounds
from anchorhold.stats.outcomes import contradictions
from anchorhold.stats.sprt import BoundsModel, wald_bounds

Bounds = tuple[float, float]
UNDECIDED_WITHIN = 0.06
"""How far short of its bound an LLR counts as having reached it: servers stop on unrounded values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run with what identifies it and its two versions."""

    id: str
    """Unique among all runs of its tool."""
    report: Report
    finished: bool
    candidate: str
    """The tested version; runs of one candidate belong to one change."""
    base: str
    ended: str = ""
    """When, in a form that sorts; empty when unknown."""
    reason: str = ""
    """What the author said of it."""
    source: str = ""
    exact: bool = True
    """Whether the counts are a program's own, which agree to the last game, and not a text that leaves some out."""
    change: str = ""
    """What its runs have in common where no version is named."""


def report_of_run(
    *,
    place: Place,
    tool: str,
    clock: Clock,
    threads: int,
    hash_mb: int | None,
    bounds: Bounds | None,
    model: BoundsModel | None,
    llr: float | None,
    llr_bounds: Bounds | None,
    games: tuple[int | None, int | None, int | None],
    pentanomial: Sequence[int] | None,
    printed_games: int | None = None,
) -> Report:
    """Return the report of a server's run, with the stage of its clock and the outcome of its counts.

    Parameters
    ----------
    bounds, model
        Elo bounds of a sequential test with their unit; none of a fixed number of games.
    games
        Wins, draws, losses of the tested version.
    pentanomial : sequence of int, optional
        LL, LD, DD+WL, WD, WW.
    printed_games : int, optional
        Their number as the server gives it.
    """
    wins, draws, losses = games
    pairs = None
    if pentanomial is not None:
        ll, ld, middle, wd, ww = pentanomial
        pairs = (ll, ld, middle, wd, ww)
    report = Report(
        place=place,
        tool=tool,
        stage=stage_of_clock(clock),
        kind="fixed_games" if bounds is None else kind_of_bounds(bounds),
        time_control=clock.text,
        nodes=clock.nodes,
        depth=clock.depth,
        movetime=clock.movetime,
        threads=threads,
        hash_mb=hash_mb,
        llr=llr,
        llr_bounds=llr_bounds,
        elo_bounds=bounds,
        bounds_model=model,
        wins=wins,
        losses=losses,
        draws=draws,
        games=printed_games,
        pentanomial=pairs,
    )
    return replace(report, outcome=recounted_outcome(report))


def recounted_outcome(report: Report) -> Outcome:
    """Say how a sequential test ended by its counts; by the printed LLR where no counts can be relied on."""
    counts = sound_counts(report)
    llr = counted_llr(report, counts)
    if llr is None:
        llr = report.llr
    if llr is None or report.elo_bounds is None:
        return "unknown"
    low, high = report.llr_bounds or (wald_bounds(0.05, 0.05).lower, wald_bounds(0.05, 0.05).upper)
    if llr >= high - UNDECIDED_WITHIN:
        return "passed"
    return "failed" if llr <= low + UNDECIDED_WITHIN else "unknown"


def import_of(
    reader: str, runs: Iterable[Run], problems: Sequence[Problem], remarks: Sequence[Remark] = ()
) -> Import[Draft]:
    """Turn runs into proposed entries, oldest first, with every difference between what is printed and the counts."""
    found_problems, found_remarks = list(problems), list(remarks)
    drafts: list[Draft] = []
    ordered = sorted(_once(runs, found_remarks), key=lambda run: run.ended)
    for run in ordered:
        found_remarks += differences(run.report)
    groups: dict[str, list[Run]] = {}
    for run in ordered:
        if not run.finished:
            found_remarks.append(Remark(run.report.place, f"{run.id} has not ended; it is left for a later import"))
        elif run.report.kind not in ("gain", "non_regression"):
            found_remarks.append(Remark(run.report.place, f"{run.id} is no sequential test; it claims no gain"))
        elif fault := impossible_bounds(run.report):
            found_problems.append(Problem(run.report.place, f"{run.id}: {fault}"))
        elif fault := _unreliable(run):
            found_problems.append(Problem(run.report.place, f"{run.id}: its counts cannot be relied on: {fault}"))
        else:
            groups.setdefault(run.candidate or run.change or run.id, []).append(run)
    for group in groups.values():
        drafts += _drafts(group, found_remarks)
    order = {run.id: number for number, run in enumerate(ordered)}
    sound = [draft for draft in drafts if _refused(draft, found_problems) is None]
    sound.sort(key=lambda draft: order[draft.id.partition(":")[2]])
    return Import(reader, tuple(sound), tuple(found_problems), tuple(found_remarks))


def _once(runs: Iterable[Run], remarks: list[Remark]) -> list[Run]:
    """Keep of each run the reading that has most games: pages of a server overlap, and runs go on between them."""
    kept: dict[str, Run] = {}
    for run in runs:
        other = kept.get(run.id)
        if other is None or (run.finished, _games(run)) > (other.finished, _games(other)):
            kept[run.id] = run
        if other is not None:
            remarks.append(Remark(run.report.place, f"{run.id} stands more than once; it counts once"))
    return list(kept.values())


def impossible_bounds(report: Report) -> str:
    """Why no sequential test has a report's bounds; empty when one can have them."""
    if report.elo_bounds is not None and not report.elo_bounds[0] < report.elo_bounds[1]:
        return f"the Elo bounds {report.elo_bounds[0]:g} and {report.elo_bounds[1]:g} are not in rising order"
    if report.llr_bounds is not None and not report.llr_bounds[0] < 0.0 < report.llr_bounds[1]:
        return f"the LLR's bounds {report.llr_bounds[0]:g} and {report.llr_bounds[1]:g} do not lie around 0"
    return ""


def _unreliable(run: Run) -> str:
    """Why the counts of a run cannot be what was played; empty when they can."""
    report, counts = run.report, sound_counts(run.report)
    pairs, games = report.pentanomial_counts, report.trinomial_counts
    if counts.lost:
        return counts.faults[-1]
    if run.exact and pairs is not None and games is not None and (found := contradictions(pairs, games)):
        return found[0]
    return ""


def _games(run: Run) -> int:
    counts = run.report.trinomial_counts
    return 0 if counts is None else counts.games


def _refused(draft: Draft, problems: list[Problem]) -> BadInput | None:
    try:
        read_payload_json(draft.kind, json.dumps(draft.payload, allow_nan=False))
    except BadInput as error:
        problems.append(Problem(draft.place, f"cannot be recorded: {error}"))
        return error
    return None


def _drafts(group: Sequence[Run], remarks: list[Remark]) -> list[Draft]:
    """Return the entries of one candidate."""
    drafts, used = [], set()
    for kind in ("gain", "non_regression"):
        passed = {stage: _chosen(group, kind, stage) for stage in ("short", "long")}
        deciding = passed["long"] or passed["short"]
        if deciding is not None:
            stages = {stage: run for stage, run in passed.items() if run is not None}
            used |= {run.id for run in stages.values()}
            drafts.append(_passed(kind, deciding, stages))
    for run in group:
        if run.id in used:
            continue
        if run.report.outcome == "passed":
            remarks.append(
                Remark(
                    run.report.place,
                    f"{run.id} passed, too, but stands for no stage of its change ({_which(run.report)}); not recorded",
                )
            )
            continue
        drafts.append(_rejected(run, _chosen(group, run.report.kind, "short")))
    return drafts


def _chosen(group: Sequence[Run], kind: str | None, stage: str) -> Run | None:
    """Return the last passed run of a stage on one thread, where the stages are measured."""
    passed = [
        run
        for run in group
        if run.report.passed
        and run.report.kind == kind
        and run.report.stage == stage
        and (kind == "non_regression" or (run.report.threads or 1) == 1)
    ]
    return passed[-1] if passed else None


def _passed(kind: str, deciding: Run, stages: dict[str, Run]) -> Draft:
    payload = _payload(deciding) | {stage: stage_payload(run.report) for stage, run in stages.items()}
    if kind == "non_regression":
        payload["special"] = "simplification"
    elif len(stages) < 2:
        payload["reason"] = f"passed the {next(iter(stages))} stage only" + (
            f": {deciding.reason}" if deciding.reason else ""
        )
    return Draft(
        kind="special_path" if kind == "non_regression" else "gain_test",
        payload=payload,
        place=deciding.report.place,
    )


def _rejected(run: Run, short: Run | None) -> Draft:
    payload = _payload(run)
    how = "failed" if run.report.outcome == "failed" else "was not decided"
    payload["reason"] = f"{how} ({_which(run.report)})" + (f": {run.reason}" if run.reason else "")
    if run.report.stage in ("short", "long"):
        payload[run.report.stage] = stage_payload(run.report)
    if run.report.stage == "long" and short is not None:
        payload["short"] = stage_payload(short.report)
    return Draft(kind="rejected_test", payload=payload, place=run.report.place)


def _payload(run: Run) -> dict[str, object]:
    payload: dict[str, object] = {"id": f"{run.report.tool}:{run.id}"}
    stated = {"candidate": run.candidate, "base": run.base, "reason": run.reason, "source": run.source}
    return payload | {name: value[:2000] for name, value in stated.items() if value.strip()}


def _which(report: Report) -> str:
    stage = (report.stage or "a stage that is not clear").replace("_", " ")
    clock = f" at {report.time_control}" if report.time_control else ""
    threads = f" on {report.threads} threads" if (report.threads or 1) > 1 else ""
    return f"{stage}{clock}{threads}"
