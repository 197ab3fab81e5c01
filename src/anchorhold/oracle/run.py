"""Playing an oracle run: both stages, or what is left of them, and the entry that records how it ended.

Pairs beyond a stage's decision stay in the journal and are not counted (``oracle.tally``). Results are seen from the
candidate. Source: SPEC section 11.
May import: anchorhold.errors, anchorhold.canonical, anchorhold.stats, anchorhold.domain, anchorhold.matches,
anchorhold.register, anchorhold.oracle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from anchorhold.domain.entries import Entry, id_of
from anchorhold.domain.payloads import GainTest, RejectedTest, SpecialPath, read_payload
from anchorhold.errors import BadState
from anchorhold.matches.books import Book
from anchorhold.matches.jobs import EngineEvent, PairOutcome
from anchorhold.matches.journal import Journal
from anchorhold.matches.pgn import PgnNames, save_pgn
from anchorhold.matches.runner import Play, run
from anchorhold.matches.schedule import duel_jobs
from anchorhold.oracle.places import JOURNAL_FILE, oracle_directory
from anchorhold.oracle.plan import STAGES, OraclePlan, StageName, StagePlan
from anchorhold.oracle.tally import StageTally
from anchorhold.register.store import Register
from anchorhold.stats.elo import Estimate
from anchorhold.stats.outcomes import Pentanomial
from anchorhold.stats.sprt import Decision

CANDIDATE, BASE = "candidate", "base"
TEST_KINDS = frozenset({"gain_test", "rejected_test", "special_path"})


@dataclass(frozen=True, slots=True)
class StageProgress:
    """Where a stage stands."""

    stage: StageName
    sample: Pentanomial
    """The contiguous beginning, seen from the candidate."""
    llr: float
    lower: float
    upper: float
    max_pairs: int
    estimate: Estimate | None
    """None while the counts carry none."""
    decision: Decision
    events: tuple[EngineEvent, ...] = ()
    """What the engines did beside playing in the pair that was just finished."""


@dataclass(frozen=True, slots=True)
class OracleResult:
    """How an oracle run ended, as the register has it."""

    entry: Entry
    test: GainTest | RejectedTest | SpecialPath
    """The entry's payload, typed."""
    recorded_now: bool
    """False: the test was in the register already, and nothing was played."""

    @property
    def passed(self) -> bool:
        """Whether both stages passed."""
        return self.entry.kind != "rejected_test"


OnProgress = Callable[[StageProgress], None]


def run_oracle(
    plan: OraclePlan,
    *,
    book: Book,
    data: Path,
    register: Register,
    author: str,
    workers: int,
    on_progress: OnProgress | None = None,
    play: Play | None = None,
) -> OracleResult:
    """Play both stages, or what is left of them, and append the outcome to the register.

    Interrupted at any moment, the same call goes on where this one stopped. A test that the register has already is not
    played again.

    Parameters
    ----------
    plan : OraclePlan
        Fixed; a run that was begun with another one is refused.
    book : Book
        Openings 1, 2, 3 … at either stage; they come again when the book is used up.
    data : Path
        Directory of the project's data; journal and games lie in ``oracle/<id>`` in it.
    register : Register
        Open for writing.
    author : str
        Who is named in the entry.
    workers : int
        Pairs that are played at a time; does not change the answer when engines are deterministic under their limit.
    on_progress : callable, optional
        Called at the start of a stage and after every pair.
    play : callable, optional
        Who plays; by default this machine with so many workers.

    Returns
    -------
    OracleResult
        A ``gain_test`` (passed both), a ``special_path`` (passed both, special) or a ``rejected_test``.

    Raises
    ------
    BadState
        The id stands in the register for something else, or the run was begun with another plan.
    MatchStopped
        An engine cannot be started, or fails too often in a row; nothing is recorded, what was played is kept.
    """
    if (known := _recorded(register.entries(), plan)) is not None:
        return known
    directory = oracle_directory(data, plan.id)
    directory.mkdir(parents=True, exist_ok=True)
    # Whatever the oracle decides is recorded, a rejection as well: its tests show how large true gains are.
    payload: dict[str, object] = {"id": plan.id, "candidate": plan.candidate, "base": plan.base, "all_kept": True}
    if plan.builds:
        payload["builds"] = {role: facts.to_json() for role, facts in plan.builds.items()}
    failure = None
    play = play or partial(run, workers=workers)
    with Journal.open(directory / JOURNAL_FILE, plan=plan.to_json()) as journal:
        for name in STAGES:
            tally = _play(plan, name, book=book, journal=journal, play=play, on_progress=on_progress)
            games_sha256 = _save_games(plan, name, tally, journal, directory / f"{name}.pgn")
            payload[name] = {**_stage_payload(plan.stage(name), tally), "games_sha256": games_sha256}
            if tally.decision != "passed":
                failure = f"the {name} stage {tally.outcome()}"
                break
    kind = _kind(plan, payload, failure)
    entry = register.append(kind, payload, author=author)
    return OracleResult(entry=entry, test=_typed(entry), recorded_now=True)


def _kind(plan: OraclePlan, payload: dict[str, object], failure: str | None) -> str:
    if failure is not None:
        payload["reason"] = failure if plan.special is None else f"{plan.special}: {failure}"
        return "rejected_test"
    if plan.special is not None:
        payload["special"] = plan.special
        return "special_path"
    return "gain_test"


def _recorded(entries: Sequence[Entry], plan: OraclePlan) -> OracleResult | None:
    """Find the test in the register: it may have been recorded just before an interruption."""
    for entry in entries:
        if id_of(entry.payload) != plan.id:
            continue
        versions = (entry.payload.get("candidate"), entry.payload.get("base"))
        if entry.kind not in TEST_KINDS or versions != (plan.candidate, plan.base):
            raise BadState(
                f"the id {plan.id!r} stands already, at entry {entry.seq}, for something else",
                where=f"register, entry {entry.seq}",
                next_step="Give this test an id of its own with --id.",
            )
        return OracleResult(entry=entry, test=_typed(entry), recorded_now=False)
    return None


def _typed(entry: Entry) -> GainTest | RejectedTest | SpecialPath:
    test = read_payload(entry.kind, entry.payload)
    assert isinstance(test, GainTest | RejectedTest | SpecialPath)
    return test


def _play(
    plan: OraclePlan,
    name: StageName,
    *,
    book: Book,
    journal: Journal,
    play: Play,
    on_progress: OnProgress | None,
) -> StageTally:
    stage = plan.stage(name)
    tally = StageTally(stage)
    for score in journal.scores(run=plan.id, endpoint=CANDIDATE, anchor=BASE, stage=name):
        tally.take(score.opening, score.half_points)

    def report(events: tuple[EngineEvent, ...] = ()) -> None:
        if on_progress is not None:
            bounds = stage.test.bounds
            on_progress(
                StageProgress(
                    stage=name,
                    sample=tally.sample,
                    llr=tally.llr,
                    lower=bounds.lower,
                    upper=bounds.upper,
                    max_pairs=stage.max_pairs,
                    estimate=tally.estimate(),
                    decision=tally.decision,
                    events=events,
                )
            )

    def finished(outcome: PairOutcome) -> None:
        tally.take(outcome.record.key.opening, outcome.record.half_points)
        report(outcome.events)

    report()
    jobs = duel_jobs(
        run=plan.id,
        stage=name,
        first=stage.candidate,
        second=stage.base,
        endpoint=CANDIDATE,
        anchor=BASE,
        book=book,
        pairs=stage.max_pairs,
        rules=plan.rules,
    )
    play(jobs, journal=journal, on_outcome=finished, until=tally.over)
    return tally


def _save_games(plan: OraclePlan, name: StageName, tally: StageTally, journal: Journal, path: Path) -> str:
    """Write the counted pairs as PGN; pairs beyond the decision are no part of the test."""
    counted = (
        record
        for record in journal.pairs(run=plan.id, endpoint=CANDIDATE, anchor=BASE, stage=name)
        if record.key.opening <= tally.sample.pairs
    )
    stage = plan.stage(name)
    names = PgnNames(
        event=f"oracle {plan.id}",
        engines={CANDIDATE: plan.candidate, BASE: plan.base},
        limits={(CANDIDATE, name): stage.candidate.limit, (BASE, name): stage.base.limit},
    )
    return save_pgn(counted, path, names=names)


def _stage_payload(stage: StagePlan, tally: StageTally) -> dict[str, object]:
    """Return one stage in the form of the register (``domain.payloads.TestStage``)."""
    payload: dict[str, object] = {
        "passed": tally.decision == "passed",
        "pentanomial": list(tally.sample.as_tuple()),
        "pairs": tally.sample.pairs,
        "bounds": [float(stage.test.elo0), float(stage.test.elo1)],
        "bounds_model": stage.test.model,
        "alpha": stage.test.alpha,
        "beta": stage.test.beta,
        "llr": tally.llr,
        "outcome": tally.outcome(),
    }
    if stage.overshoot_corrected:
        payload["overshoot"] = list(tally.overshoot)
    if (estimate := tally.estimate()) is not None:
        payload["elo"] = estimate.elo
        payload["elo_error"] = estimate.error
    elif tally.decision == "passed":
        # A gain that has no value could not be counted, nor its window ever be closed.
        payload["elo"] = tally.elo_of_mean()
    if stage.conditions:
        payload["conditions"] = dict(stage.conditions)
    return payload
