"""The oracle (Orakel): a candidate against its predecessor, short stage then long stage, each a sequential test.

The stop is decided on the contiguous beginning of the openings: pair n counts when the pairs 1 … n are all finished,
and the first n whose log-likelihood ratio reaches a bound ends the stage. So the answer does not depend on which game
happens to end first, nor on the number of workers; pairs beyond it stay in the journal and are not counted. Results are
seen from the candidate. Source: SPEC section 11.
May import: anchorhold.errors, anchorhold.canonical, anchorhold.stats, anchorhold.domain, anchorhold.matches,
anchorhold.register.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal, get_args

from anchorhold.canonical import nearest, sha256_hex
from anchorhold.domain.builds import BuildFacts
from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.entries import Entry
from anchorhold.domain.payloads import GainTest, RejectedTest, Special, SpecialPath, id_of, read_payload
from anchorhold.errors import BadInput, BadState
from anchorhold.matches.books import Book
from anchorhold.matches.jobs import EngineEvent, MatchRules, PairOutcome
from anchorhold.matches.journal import Journal
from anchorhold.matches.pgn import PgnNames, save_pgn
from anchorhold.matches.runner import Play, run
from anchorhold.matches.schedule import duel_jobs
from anchorhold.register.store import Register
from anchorhold.stats.elo import Estimate, NoEstimate, elo_from_pentanomial
from anchorhold.stats.outcomes import Pentanomial
from anchorhold.stats.overshoot import Overshoot
from anchorhold.stats.sprt import Decision, Sprt

StageName = Literal["short", "long"]
STAGES: tuple[StageName, ...] = get_args(StageName)
SPECIALS: tuple[str, ...] = get_args(Special)
CANDIDATE, BASE = "candidate", "base"
JOURNAL_FILE = "journal.sqlite"
TEST_KINDS = frozenset({"gain_test", "rejected_test", "special_path"})


@dataclass(frozen=True, slots=True)
class StagePlan:
    """One stage: who plays under which limit, and when it stops."""

    candidate: EngineSpec
    base: EngineSpec
    test: Sprt
    max_pairs: int
    """A test that is undecided after so many pairs has not passed."""
    conditions: Mapping[str, object] = field(default_factory=dict)
    """As they are recorded (``domain.payloads.Conditions``)."""
    overshoot_corrected: bool = False
    """Whether the test stops before its bound by the overshoot seen so far; else at Wald's bound or beyond it."""


@dataclass(frozen=True, slots=True)
class OraclePlan:
    """All that is fixed before the first game of an oracle run."""

    id: str
    """Under which the test stands in the register; names one test for ever."""
    candidate: str
    """Version that is tested."""
    base: str
    """Version that it is tested against."""
    short: StagePlan
    long: StagePlan
    rules: MatchRules
    special: Special | None = None
    """A special path (Sonderweg): recorded as such, counted as zero."""
    identities: Mapping[str, object] = field(default_factory=dict)
    """What is run for both versions, by hashing: a run is resumed with the same files only."""
    builds: Mapping[str, BuildFacts] = field(default_factory=dict)
    """``candidate`` and ``base``, where they were built from source: as it is recorded."""

    def __post_init__(self) -> None:
        if not self.id.strip():
            raise BadInput("the test needs an id")
        if self.candidate == self.base:
            raise BadInput(
                f"candidate and base are both {self.base!r}", next_step="Name the version that the candidate came from."
            )
        if self.special is not None and self.special not in SPECIALS:
            raise BadInput(
                f"unknown special path {self.special!r}",
                next_step=nearest(self.special, SPECIALS) or f"Known are: {', '.join(SPECIALS)}.",
            )
        for name in STAGES:
            stage = self.stage(name)
            if stage.max_pairs < 1:
                raise BadInput(f"the {name} stage has at most {stage.max_pairs} pairs, expected at least 1")
            if stage.test.model == "bayeselo":
                raise BadInput(
                    f"the {name} stage has BayesElo bounds, which are for reading old tests only",
                    next_step="Give normalized or logistic bounds.",
                )
            # A pass at such bounds says "not much worse", and would be added up as a gain.
            if self.special is None and not stage.test.wants_gain:
                raise BadInput(
                    f"the {name} stage's bounds {stage.test.elo0:g} and {stage.test.elo1:g} do not ask for a gain",
                    next_step="Give bounds whose middle is above 0, or name the special path, such as simplification.",
                )

    def stage(self, name: StageName) -> StagePlan:
        """Return one stage."""
        return self.short if name == "short" else self.long

    def to_json(self) -> dict[str, object]:
        """Return what must be the same when an interrupted run is resumed."""
        return {
            "oracle": self.id,
            "candidate": self.candidate,
            "base": self.base,
            "special": self.special,
            "identities": dict(self.identities),
            "stages": {
                name: {
                    "bounds": [float(stage.test.elo0), float(stage.test.elo1)],
                    "bounds_model": stage.test.model,
                    "alpha": stage.test.alpha,
                    "beta": stage.test.beta,
                    "max_pairs": stage.max_pairs,
                    "limits": [stage.candidate.limit.to_json(), stage.base.limit.to_json()],
                    "conditions": dict(stage.conditions),
                    # Only where it is asked for, so that runs begun before it existed go on.
                    **({"overshoot": "dynamic"} if stage.overshoot_corrected else {}),
                }
                for name in STAGES
                for stage in (self.stage(name),)
            },
        }


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


def oracle_directory(data: Path, test_id: str) -> Path:
    """Return the directory of one oracle run; ids that are no file names get one that is still their own."""
    name = re.sub(r"[^A-Za-z0-9._+-]", "_", test_id)[:80]
    if name != test_id or name.startswith("."):
        name = f"{name.lstrip('.')}-{sha256_hex(test_id.encode())[:12]}"
    return data / "oracle" / name


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


class StageTally:
    """The contiguous beginning of a stage: pairs are taken in any order, counted in that of their openings."""

    def __init__(self, stage: StagePlan, *, needs_elo: bool) -> None:
        self._stage = stage
        self._needs_elo = needs_elo
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
            decision = self._stage.test.decide(self.llr, overshoot=self.overshoot)
            # A gain without an Elo could not be counted, so the stage goes on until it has one.
            if decision != "passed" or not self._needs_elo or self.estimate() is not None:
                self.decision = decision

    def estimate(self) -> Estimate | None:
        """Return the Elo of what is counted, None while it has none."""
        try:
            return elo_from_pentanomial(self.sample)
        except NoEstimate:
            return None

    def over(self) -> bool:
        """Say whether nothing that is still to be played could change the answer."""
        return self.decision != "undecided" or self.sample.pairs >= self._stage.max_pairs

    def outcome(self) -> str:
        """Say in words how the stage ended."""
        pairs = self.sample.pairs
        if self.decision != "undecided":
            return f"{self.decision} after {pairs} pairs (LLR {self.llr:.2f})"
        if self._stage.test.decide(self.llr, overshoot=self.overshoot) == "passed":
            return f"was too one-sided in {pairs} pairs to estimate an Elo (LLR {self.llr:.2f})"
        return f"was not decided in {pairs} pairs (LLR {self.llr:.2f})"


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
    # Only the long stage's Elo of a gain test is ever counted.
    tally = StageTally(stage, needs_elo=name == "long" and plan.special is None)
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
    if stage.conditions:
        payload["conditions"] = dict(stage.conditions)
    return payload
