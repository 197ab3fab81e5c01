import dataclasses
import io
import multiprocessing
import os
import random
import signal
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import chess
import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchorhold.canonical import file_sha256
from anchorhold.checks.oracle_figures import stage_figures
from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.games import PairKey
from anchorhold.domain.limits import Limit
from anchorhold.domain.payloads import GainTest, RejectedTest, Special, SpecialPath, TestStage
from anchorhold.errors import BadInput, BadState, MatchStopped
from anchorhold.matches.books import Book, load_book
from anchorhold.matches.jobs import MatchRules, ResignRule
from anchorhold.matches.journal import Journal
from anchorhold.oracle.places import JOURNAL_FILE, oracle_directory
from anchorhold.oracle.plan import OraclePlan, StagePlan
from anchorhold.oracle.run import OracleResult, StageProgress, run_oracle
from anchorhold.oracle.tally import StageTally
from anchorhold.register.store import Register
from anchorhold.stats.elo import elo_of_score, moments
from anchorhold.stats.outcomes import PAIR_SCORES, Pentanomial
from anchorhold.stats.sprt import Sprt, log_likelihood_ratio
from checks.project import write_engine

# Engines that play at random but judge themselves: the lower their strength, the more often they resign.
STRENGTHS = {"weak": 0, "strong": 50}
RULES = MatchRules(resign=ResignRule(count=1, score=300, two_sided=False), max_moves=30)
GAIN = Sprt(0.0, 150.0, alpha=0.1, beta=0.1)
NO_LOSS = Sprt(-150.0, 0.0, alpha=0.1, beta=0.1)


def clock() -> datetime:
    return datetime(2026, 11, 30, tzinfo=UTC)


class Lab:
    """Engines, a book and a register in one directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        board = chess.Board()
        chance = random.Random(1)
        lines: set[str] = set()
        while len(lines) < 80:
            board.reset()
            for _ in range(4):
                board.push(chance.choice(list(board.legal_moves)))
            lines.add(board.epd())
        (directory / "book.epd").write_text("\n".join(sorted(lines)) + "\n", encoding="utf-8")
        for name, strength in STRENGTHS.items():
            write_engine(directory / name, strength=strength)
        Register.create(str(directory / "register.sqlite"), author="Ada", clock=clock).close()

    @property
    def book(self) -> Book:
        return load_book(self.directory / "book.epd")

    def engine(self, name: str, depth: int) -> EngineSpec:
        return EngineSpec(name=name, command=(str(self.directory / name),), limit=Limit(depth=depth))

    def plan(
        self,
        candidate: str = "strong",
        base: str = "weak",
        *,
        test: Sprt = GAIN,
        max_pairs: int = 60,
        special: Special | None = None,
    ) -> OraclePlan:
        short, long = (
            StagePlan(
                candidate=self.engine(candidate, depth),
                base=self.engine(base, depth),
                test=test,
                max_pairs=max_pairs,
                conditions={"depth": depth},
            )
            for depth in (1, 2)
        )
        return OraclePlan(
            id="dev-1", candidate=candidate, base=base, short=short, long=long, rules=RULES, special=special
        )

    def run(
        self,
        plan: OraclePlan,
        *,
        workers: int = 2,
        on_progress: Callable[[StageProgress], None] | None = None,
    ) -> OracleResult:
        with Register.open(str(self.directory / "register.sqlite"), clock=clock) as register:
            return run_oracle(
                plan,
                book=self.book,
                data=self.directory / "data",
                register=register,
                author="Ada",
                workers=workers,
                on_progress=on_progress,
            )

    def kinds(self) -> list[str]:
        with Register.open(str(self.directory / "register.sqlite")) as register:
            return [entry.kind for entry in register.entries()]

    def file(self, name: str) -> Path:
        return oracle_directory(self.directory / "data", "dev-1") / name


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> OracleResult:
    """Play the test of all tests once, by one worker and without interruption."""
    lab = Lab(tmp_path_factory.mktemp("undisturbed"))
    return lab.run(lab.plan(), workers=1)


def stages(result: OracleResult) -> tuple[TestStage, TestStage]:
    assert result.test.short is not None
    assert result.test.long is not None
    return result.test.short, result.test.long


def answers(result: OracleResult) -> list[object]:
    """Return what must be the same however the run went."""
    return [result.entry.kind, *((s.pentanomial, s.llr, s.elo, s.elo_error) for s in stages(result))]


def recounted(path: Path) -> tuple[int, ...]:
    """Pentanomial of a PGN from its tags alone, seen from the strong engine."""
    points: dict[str, int] = {}
    handle = io.StringIO(path.read_text(encoding="utf-8"))
    while (headers := chess.pgn.read_headers(handle)) is not None:
        won = {"1-0": 2, "0-1": 0, "1/2-1/2": 1}[headers["Result"]]
        mine = won if headers["White"] == "strong" else 2 - won
        points[headers["Opening"]] = points.get(headers["Opening"], 0) + mine
    return tuple(list(points.values()).count(half_points) for half_points in range(5))


def test_a_stronger_candidate_passes_both_stages_and_is_recorded_as_a_gain(lab: Lab) -> None:
    seen: list[StageProgress] = []
    result = lab.run(lab.plan(), on_progress=seen.append)
    assert result.passed
    assert result.recorded_now
    assert isinstance(result.test, GainTest)
    assert lab.kinds() == ["genesis", "gain_test"]
    assert (result.test.candidate, result.test.base) == ("strong", "weak")
    for name, stage in zip(("short", "long"), stages(result), strict=True):
        assert stage.passed
        assert stage.pentanomial is not None
        sample = Pentanomial(*stage.pentanomial)
        assert stage.pentanomial == recounted(lab.file(f"{name}.pgn"))
        assert stage.games_sha256 == file_sha256(lab.file(f"{name}.pgn"))
        assert stage.pairs == sample.pairs
        assert stage.bounds == (0.0, 150.0)
        assert stage.llr is not None
        assert stage.llr == pytest.approx(log_likelihood_ratio(sample, bounds=(0, 150), model="normalized"))
        assert stage.llr >= GAIN.bounds.upper
    long = stages(result)[1]
    assert long.pentanomial is not None
    # Five pairs of which nine games were won: a value, and no half-width that would stay within the scale.
    assert long.elo == pytest.approx(elo_of_score(moments(long.pentanomial, PAIR_SCORES).mean))
    assert long.elo_error is None
    assert {progress.stage for progress in seen} == {"short", "long"}
    assert seen[-1].decision == "passed"


def test_the_number_of_workers_does_not_change_the_answer(lab: Lab, undisturbed: OracleResult) -> None:
    assert answers(lab.run(lab.plan(), workers=3)) == answers(undisturbed)


def test_a_weaker_candidate_fails_the_short_stage_and_never_plays_the_long_one(lab: Lab) -> None:
    result = lab.run(lab.plan("weak", "strong"))
    assert not result.passed
    assert isinstance(result.test, RejectedTest)
    assert result.test.long is None
    assert result.test.short is not None
    assert not result.test.short.passed
    assert result.test.reason is not None
    assert "short stage failed after" in result.test.reason
    assert lab.kinds() == ["genesis", "rejected_test"]


def test_a_test_that_is_undecided_in_the_end_has_not_passed(lab: Lab) -> None:
    result = lab.run(lab.plan(max_pairs=2))
    assert isinstance(result.test, RejectedTest)
    assert result.test.reason is not None
    assert "was not decided in 2 pairs" in result.test.reason


def test_a_special_path_is_recorded_as_such(lab: Lab) -> None:
    result = lab.run(lab.plan(test=NO_LOSS, special="simplification"))
    assert result.passed
    assert isinstance(result.test, SpecialPath)
    assert result.test.special == "simplification"
    assert lab.kinds() == ["genesis", "special_path"]


def test_bounds_against_a_loss_cannot_make_a_gain(lab: Lab) -> None:
    with pytest.raises(BadInput, match="do not ask for a gain"):
        lab.plan(test=NO_LOSS)


def test_a_special_path_that_is_unknown_is_refused_with_the_nearest_name(lab: Lab) -> None:
    with pytest.raises(BadInput, match="did you mean 'simplification'"):
        lab.plan(special="simplificaton")  # type: ignore[arg-type]


def test_a_candidate_is_not_tested_against_itself(lab: Lab) -> None:
    with pytest.raises(BadInput, match="both 'weak'"):
        lab.plan("weak", "weak")


def test_a_recorded_test_is_not_played_again(lab: Lab) -> None:
    first = lab.run(lab.plan(max_pairs=1))
    lab.file(JOURNAL_FILE).unlink()
    again = lab.run(lab.plan(max_pairs=1))
    assert not again.recorded_now
    assert again.entry == first.entry
    assert not lab.file(JOURNAL_FILE).exists()
    assert lab.kinds() == ["genesis", "rejected_test"]


def test_an_id_that_names_another_test_is_refused(lab: Lab) -> None:
    lab.run(lab.plan(max_pairs=1))
    with pytest.raises(BadState, match="for something else"):
        lab.run(lab.plan("weak", "strong"))


def test_an_interrupted_run_goes_on_and_ends_as_if_nothing_had_happened(lab: Lab, undisturbed: OracleResult) -> None:
    calls = 0

    def interrupt(_: StageProgress) -> None:
        nonlocal calls
        calls += 1
        if calls in (4, 9):
            raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            lab.run(lab.plan(), on_progress=interrupt)
    assert lab.kinds() == ["genesis"]
    assert answers(lab.run(lab.plan(), on_progress=interrupt)) == answers(undisturbed)


def _run_in_process(directory: str) -> None:
    lab = object.__new__(Lab)
    lab.directory = Path(directory)
    lab.run(lab.plan())


def test_a_killed_run_loses_no_pair_and_plays_none_twice(lab: Lab, undisturbed: OracleResult) -> None:
    process = multiprocessing.get_context("spawn").Process(target=_run_in_process, args=(str(lab.directory),))
    process.start()
    try:
        before = _wait_for_pairs(lab, 3)
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
    finally:
        process.join(60)
    assert answers(lab.run(lab.plan())) == answers(undisturbed)
    with Journal.read(lab.file(JOURNAL_FILE)) as journal:
        assert before <= set(journal.keys())


def _wait_for_pairs(lab: Lab, wanted: int) -> set[PairKey]:
    give_up = time.monotonic() + 60
    while time.monotonic() < give_up:
        if lab.file(JOURNAL_FILE).exists():
            try:
                with Journal.read(lab.file(JOURNAL_FILE)) as journal:
                    keys = set(journal.keys())
            except BadInput:  # the file is being begun
                keys = set()
            if len(keys) >= wanted:
                return keys
        time.sleep(0.02)
    raise AssertionError("no pairs were played")


def test_a_run_that_was_begun_with_other_bounds_is_not_resumed(lab: Lab) -> None:
    def stop(progress: StageProgress) -> None:
        if progress.sample.pairs:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lab.run(lab.plan(), on_progress=stop)
    with pytest.raises(BadState, match="bounds"):
        lab.run(lab.plan(test=Sprt(0.0, 120.0, alpha=0.1, beta=0.1)))


def test_an_engine_that_does_not_start_records_nothing(lab: Lab) -> None:
    (lab.directory / "strong").write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    with pytest.raises(MatchStopped, match="strong"):
        lab.run(lab.plan())
    assert lab.kinds() == ["genesis"]


@pytest.mark.parametrize("name", ["v1.4..v1.5", "feature/x", "..", ".hidden", "ä" * 300, "a b"])
def test_every_id_has_a_directory_of_its_own(tmp_path: Path, name: str) -> None:
    directory = oracle_directory(tmp_path, name)
    assert directory.parent == tmp_path / "oracle"
    directory.mkdir(parents=True)
    assert oracle_directory(tmp_path, "feature_x") != oracle_directory(tmp_path, "feature/x")


def stage_plan(test: Sprt, max_pairs: int) -> StagePlan:
    engine = EngineSpec(name="x", command=("x",), limit=Limit(depth=1))
    return StagePlan(candidate=engine, base=engine, test=test, max_pairs=max_pairs)


@settings(max_examples=30)
@given(st.lists(st.integers(0, 4), min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_the_order_in_which_pairs_end_does_not_change_the_decision(scores: list[int], chance: random.Random) -> None:
    stage = stage_plan(Sprt(0.0, 100.0, alpha=0.2, beta=0.2), len(scores))
    in_order, shuffled = (StageTally(stage) for _ in range(2))
    numbers = list(range(1, len(scores) + 1))
    for number in numbers:
        in_order.take(number, scores[number - 1])
    chance.shuffle(numbers)
    for number in numbers:
        shuffled.take(number, scores[number - 1])
    assert (shuffled.sample, shuffled.llr, shuffled.decision) == (in_order.sample, in_order.llr, in_order.decision)
    counted = scores[: in_order.sample.pairs]
    assert in_order.sample.as_tuple() == tuple(counted.count(half_points) for half_points in range(5))
    if in_order.decision == "undecided":
        assert in_order.sample.pairs == len(scores)


def test_pairs_beyond_a_gap_wait_for_it() -> None:
    tally = StageTally(stage_plan(Sprt(0.0, 100.0), 10))
    for number in (3, 4, 2):
        tally.take(number, 4)
        assert tally.sample.pairs == 0
    tally.take(1, 2)
    assert tally.sample.as_tuple() == (0, 0, 1, 0, 3)


@pytest.mark.parametrize(("half_points", "decision"), [(4, "passed"), (0, "failed")])
def test_a_stage_that_one_side_wins_outright_ends_at_its_bound(half_points: int, decision: str) -> None:
    test = Sprt(0.0, 5.0)
    tally = StageTally(stage_plan(test, 10_000))
    before = 0.0
    for opening in range(1, 10_001):
        if tally.over():
            break
        before = tally.llr
        tally.take(opening, half_points)
    assert tally.decision == decision
    assert abs(before) < test.bounds.upper <= abs(tally.llr)
    assert tally.sample.pairs < 200
    assert tally.estimate() is None
    assert ("too one-sided for a half-width" in tally.outcome()) is (decision == "passed")


def test_a_corrected_stage_stops_a_little_before_its_bound_and_says_by_how_much() -> None:
    plain = stage_plan(Sprt(0.0, 100.0), 10_000)
    corrected = dataclasses.replace(plain, overshoot_corrected=True)
    early, late = (StageTally(stage) for stage in (corrected, plain))
    chance = random.Random(5)
    for opening in range(1, 2000):
        half_points = chance.choice((1, 2, 2, 3, 3))
        for tally in (early, late):
            if not tally.over():
                tally.take(opening, half_points)
    assert early.decision == late.decision == "passed"
    assert early.sample.pairs <= late.sample.pairs
    upper = plain.test.bounds.upper
    assert upper - early.overshoot[1] <= early.llr
    assert 0.0 < early.overshoot[1] < 0.2
    assert late.overshoot == (0.0, 0.0)
    assert late.llr >= upper


def test_what_a_corrected_stage_decided_is_recomputed_with_the_overshoot_that_it_records() -> None:
    pairs = (2, 20, 60, 41, 5)
    llr = Sprt(0.0, 100.0).llr(Pentanomial(*pairs))
    stage = TestStage(
        passed=True,
        pentanomial=pairs,
        bounds=(0.0, 100.0),
        bounds_model="normalized",
        alpha=0.05,
        beta=0.05,
        llr=llr,
        overshoot=(0.1, 0.1),
    )
    assert 2.844 < llr < 2.944  # the counts are chosen for it
    assert list(stage_figures(stage, is_ours=True)) == []
    without = stage.model_copy(update={"overshoot": None})
    assert [where for where, _ in stage_figures(without, is_ours=True)] == ["passed"]


def test_bayeselo_bounds_are_refused_for_playing(lab: Lab) -> None:
    with pytest.raises(BadInput, match="reading old tests only"):
        lab.plan(test=Sprt(0.0, 5.0, model="bayeselo"))
