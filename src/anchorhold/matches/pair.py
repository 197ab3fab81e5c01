"""Plays game pairs: keeps the engines, referees both games, says what happened.

Single-threaded; the only waiting is in the switchboard. What an engine does wrong costs it a game, never the match:

- ended or silent once the first move of the game was asked for: that game is lost (``abandoned``), the engine is
  started again before the next game;
- ended or silent before that: nobody has lost anything; it is started again and the game is played;
- ended by SIGKILL, which no crash sends: the pair is played again with fresh processes; an engine to which that happens
  three times in one pair does it itself, and is not believed again;
- a first start that fails stops the match; a restart that fails is tried again.

Whoever counts failures in a row is asked after each one, before the engine is started again; those of the game that
ends the pair go with the outcome, so that a whole pair is kept before the match stops. May import: anchorhold.errors,
domain.engines, domain.games, anchorhold.matches.arbiter, engine, failures, family, jobs, process, switchboard,
tablebases, uci, xboard.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal, NoReturn

from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.games import GameRecord, PairRecord
from anchorhold.errors import MatchStopped
from anchorhold.matches import family
from anchorhold.matches.arbiter import Arbiter, Side, color_name
from anchorhold.matches.engine import Answer, Engine, EngineFailure, OpponentEnded
from anchorhold.matches.failures import FailureCount
from anchorhold.matches.jobs import EngineEvent, Mark, Overhead, PairJob, PairOutcome, TablebaseRule
from anchorhold.matches.process import stop_all
from anchorhold.matches.switchboard import HANGUP_ONLY, Switchboard
from anchorhold.matches.uci import UciEngine

if TYPE_CHECKING:
    from anchorhold.matches.tablebases import Tablebases

MOST_IDLE = 16
"""Engines that are kept between pairs; beyond that the one idle for longest is ended."""
MOST_KILLS = 3
"""An engine that is ended by SIGKILL so often in one pair is not killed from outside."""
QUIT_GRACE = 1.0
EXIT_PARENT_GONE = 3

SideName = Literal["first", "second"]
EventKind = Literal["warning", "fault", "restart", "failed restart"]


def _utc_now() -> datetime:
    return datetime.now(UTC)


# What few matches need is loaded by those: every worker of every match would wait for it.


def _tablebases(rule: TablebaseRule) -> Tablebases:
    from anchorhold.matches.tablebases import open_tablebases

    return open_tablebases(rule)


def _kind(spec: EngineSpec) -> type[Engine]:
    if spec.protocol == "uci":
        return UciEngine
    from anchorhold.matches.xboard import XboardEngine

    return XboardEngine


class _KilledFromOutside(Exception):
    """Somebody or the system killed an engine: the pair is to be played again."""


class _Seat:
    """One side of a pair: its spec and the engine that sits there now."""

    def __init__(self, spec: EngineSpec, side: SideName) -> None:
        self.spec = spec
        self.side: SideName = side
        self.engine: Engine | None = None


class PairPlayer:
    """Plays pairs with processes that live as long as it makes sense; close it when done.

    Parameters
    ----------
    on_idle : callable, optional
        Called about four times a second while an engine thinks.
    watch : int, optional
        A pipe or socket of the parent: when it hangs up, all engines are killed and this process exits.
    clock : callable
        Monotonic seconds.
    now : callable
        The time of day, for the game records.
    on_marks : callable, optional
        Told what counts for failures in a row, in order: at once what an engine's first start came to, and every
        failure within a pair; raises MatchStopped when the match is to stop. None: this player counts for itself, and
        all marks go with the outcome.
    """

    def __init__(
        self,
        *,
        on_idle: Callable[[], None] | None = None,
        watch: int | None = None,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = _utc_now,
        on_marks: Callable[[PairJob, tuple[Mark, ...]], None] | None = None,
    ) -> None:
        self._switchboard = Switchboard(on_idle=on_idle, clock=clock)
        self._now = now
        self._idle: list[Engine] = []
        self._leaving: list[Engine] = []
        self._seats: tuple[_Seat, ...] = ()
        self._started: set[EngineSpec] = set()
        self._restarting: set[EngineSpec] = set()
        """Lost by a fault: a new process is a restart, worth an event, also in the next pair."""
        self._kills: Counter[EngineSpec] = Counter()
        """How often it was ended by SIGKILL in this pair."""
        self._own_killers: set[EngineSpec] = set()
        self._on_marks = on_marks
        self._own_count = FailureCount()
        self._marks: list[Mark] = []
        self._told = 0
        self._warned: set[tuple[EngineSpec, str]] = set()
        self._events: list[EngineEvent] = []
        self._sans: list[tuple[str, ...]] = []
        """Moves of this pair's games."""
        self._plies = 0
        self._turnarounds: list[float] = []
        """Seconds, of this pair."""
        if watch is not None:
            self._switchboard.register(watch, HANGUP_ONLY, self._parent_gone)

    def __enter__(self) -> PairPlayer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- playing

    def play(self, job: PairJob) -> PairOutcome:
        """Play both games of a pair, the first engine with White first.

        Raises
        ------
        MatchStopped
            An engine cannot be started at all, cannot do what the match asks, or fails again and again before a game.
        BadInput
            The opening cannot be played.
        """
        self._events = []
        self._plies, self._turnarounds = 0, []
        self._marks, self._told = [], 0
        self._kills.clear()
        cpu = time.process_time()
        games = None
        while games is None:
            games = self._games(job)
        for seat in self._seats:
            self._release(seat)
        self._seats = ()
        marks = tuple(self._marks if self._on_marks is None else self._marks[self._told :])
        if self._on_marks is None:
            # The pair is complete and must be kept: the next failure will stop the match.
            with contextlib.suppress(MatchStopped):
                self._tell(job)
        record = PairRecord(key=job.key, opening=job.opening, variant=job.variant, games=games)
        overhead = Overhead(
            plies=self._plies,
            turnaround=sum(self._turnarounds),
            turnarounds=len(self._turnarounds),
            worst=max(self._turnarounds, default=0.0),
            cpu=time.process_time() - cpu,
        )
        return PairOutcome(
            record=record, events=tuple(self._events), marks=marks, overhead=overhead, sans=tuple(self._sans)
        )

    def _games(self, job: PairJob) -> tuple[GameRecord, GameRecord] | None:
        """Play both games; None when an engine was killed from outside, so that they have to be played again."""
        first, second = _Seat(job.first, "first"), _Seat(job.second, "second")
        self._seats = (first, second)
        self._sans = []
        try:
            one = self._game(job, first, second, first_is_white=True)
            if any(mark.kind == "failure" for mark in self._marks[self._told :]):
                self._tell(job)
            return one, self._game(job, first, second, first_is_white=False)
        except _KilledFromOutside:
            for seat in self._seats:
                self._drop(seat)
            return None
        except BaseException:
            # Whatever they were doing, they are in no known state.
            for seat in self._seats:
                self._drop(seat)
            raise

    @property
    def pids(self) -> set[int]:
        """Process numbers of the engines that it keeps."""
        seated = [seat.engine for seat in self._seats if seat.engine is not None]
        return {engine.process.pid for engine in (*self._idle, *self._leaving, *seated)}

    def close(self, *, grace: float = QUIT_GRACE) -> None:
        """End all engines: quit, terminate, kill, each with its whole process group."""
        engines = [*self._idle, *(seat.engine for seat in self._seats if seat.engine is not None)]
        self._idle, self._seats = [], ()
        self._quit(engines, grace=grace)

    def _quit(self, engines: list[Engine], *, grace: float) -> None:
        # While they are waited for the parent may go, too: then they have to be found.
        self._leaving = engines
        for engine in engines:
            engine.quit()
        stop_all([engine.process for engine in engines], switchboard=self._switchboard, grace=grace)
        self._leaving = []

    def _parent_gone(self, _events: int) -> NoReturn:
        seated = [seat.engine for seat in self._seats if seat.engine is not None]
        for engine in (*self._idle, *self._leaving, *seated):
            engine.kill()
        family.end_children()
        os._exit(EXIT_PARENT_GONE)

    def _game(self, job: PairJob, first: _Seat, second: _Seat, *, first_is_white: bool) -> GameRecord:
        white, black = (first, second) if first_is_white else (second, first)
        self._rest(job.rules.wait)
        game = Arbiter(
            opening=job.opening,
            variant=job.variant,
            white=Side(white.spec.limit, white.spec.margin),
            black=Side(black.spec.limit, black.spec.margin),
            rules=job.rules,
            tablebases=None if job.rules.tablebases is None else _tablebases(job.rules.tablebases),
        )
        started_at = self._now().strftime("%Y-%m-%dT%H:%M:%SZ")
        if game.verdict is None:
            while True:
                for seat in (white, black):
                    while not self._prepare(seat, game, job):
                        pass
                if self._referee(game, white, black, job):
                    break
        assert game.verdict is not None
        verdict = game.verdict
        faulty = None if verdict.fault is None else (white if verdict.fault else black)
        for seat in (white, black):
            if seat is not faulty:
                self._marks.append(Mark(seat.side, "clean"))
        self._sans.append(tuple(game.moves.sans))
        return GameRecord(
            first_is_white=first_is_white,
            result=verdict.result,
            termination=verdict.termination,
            reason=verdict.reason,
            moves=tuple(game.records),
            started_at=started_at,
            fault_of="" if faulty is None else faulty.side,
        )

    def _rest(self, seconds: float) -> None:
        """Wait without becoming deaf to the parent."""
        until = self._switchboard.clock() + seconds
        while self._switchboard.clock() < until:
            self._switchboard.turn(until)

    def _prepare(self, seat: _Seat, game: Arbiter, job: PairJob) -> bool:
        """Have the seat's engine ready for the game; False when it failed and must be prepared again."""
        if seat.engine is not None and (seat.engine.ended or seat.engine.fresh_every_game):
            if seat.engine.ended:
                self._lost(seat, seat.engine.failure(), "between two games", job)
            else:
                self._drop_politely(seat)
        if seat.engine is None:
            self._fill(seat, job)
        assert seat.engine is not None
        try:
            seat.engine.new_game(game)
        except EngineFailure as failure:
            self._lost(seat, failure, "before the game began", job)
            return False
        return True

    def _referee(self, game: Arbiter, white: _Seat, black: _Seat, job: PairJob) -> bool:
        """Play the game to its verdict; False when an engine failed before the first move was asked for."""
        engines = {True: self._engine(white), False: self._engine(black)}
        seats = {True: white, False: black}
        failed: EngineFailure | None = None
        moved_at: float | None = None
        while game.verdict is None:
            color = faulty = game.turn
            mover, waiter = engines[color], engines[not color]
            try:
                answer = mover.think(game, opponent=waiter)
            except EngineFailure as failure:
                failed = failure
            except OpponentEnded:
                failed, faulty = waiter.failure(), not color
            else:
                if answer is None:
                    game.time_is_up()
                else:
                    self._plies += 1
                    if moved_at is not None:
                        self._turnarounds.append(max(0.0, mover.asked_at - moved_at))
                    moved_at = mover.asked_at + answer.seconds
                    self._take(answer, game, seats[color], mover)
            if failed is not None:
                if not (mover.went or waiter.went):
                    self._lost(seats[faulty], failed, "before the first move", job)
                    return False
                self._believe_a_kill(seats[faulty], failed)
                game.abandoned(faulty, "disconnects" if failed.ended else "stalls")
            if mover.warnings or waiter.warnings:
                for side in (True, False):
                    self._take_warnings(seats[side], engines[side])
        for color in (True, False):
            self._finish(seats[color], game, color, failed)
        return True

    def _believe_a_kill(self, seat: _Seat, failure: EngineFailure) -> None:
        """Have the pair played again when the engine was killed from outside."""
        if not self._engine(seat).killed_from_outside or seat.spec in self._own_killers:
            return
        if self._count_kill(seat, failure):
            raise _KilledFromOutside

    def _count_kill(self, seat: _Seat, failure: EngineFailure) -> bool:
        """Count an end by SIGKILL; False when it happened so often that it is the engine's own."""
        self._kills[seat.spec] += 1
        if self._kills[seat.spec] == MOST_KILLS:
            self._own_killers.add(seat.spec)
            return False
        self._event(seat, "warning", f"{failure.what}, which no crash sends: it is started again")
        return True

    def _take(self, answer: Answer, game: Arbiter, seat: _Seat, engine: Engine) -> None:
        color = game.turn
        if answer.kind == "move":
            warning = game.answer(
                answer.text,
                seconds=answer.seconds,
                depth=answer.depth,
                score=answer.score,
                mate=answer.mate,
                nodes=answer.nodes,
                san_allowed=seat.spec.protocol == "xboard",
            )
            if warning:
                engine.warn("spelling", warning)
        elif answer.kind == "resign":
            game.resigns(color)
        elif answer.kind == "result claim":
            game.claims_result(color, answer.text)
        else:
            game.claims_illegal_move(color, answer.text)

    def _finish(self, seat: _Seat, game: Arbiter, color: bool, failed: EngineFailure | None) -> None:
        """After a game: an engine at fault is ended, the other one told."""
        engine, verdict = self._engine(seat), game.verdict
        assert verdict is not None
        if verdict.fault is color:
            own_moves = sum(1 for ply in range(game.book_plies, len(game.moves.played)) if self._by(game, ply) is color)
            how = f"; it {failed.what}" if failed is not None else ""
            errors = engine.stderr_note() if failed is None else failed.errors
            self._fault(seat, f"{verdict.reason}{how} at its move {own_moves + 1} of the game{errors}")
            self._drop(seat)
            self._restarting.add(seat.spec)
            return
        try:
            stopped = engine.end_game(game)
        except EngineFailure:
            # It lost nothing any more; the next game will find it gone.
            return
        if not stopped:
            self._event(seat, "warning", f"still thinking after the end of a game ({color_name(color)}): started again")
            self._drop(seat)

    @staticmethod
    def _by(game: Arbiter, ply: int) -> bool:
        """Who made the move of this ply."""
        return game.turn if (len(game.moves.played) - ply) % 2 == 0 else not game.turn

    # -- engines

    def _engine(self, seat: _Seat) -> Engine:
        assert seat.engine is not None
        return seat.engine

    def _fill(self, seat: _Seat, job: PairJob) -> None:
        """Put an engine on the seat: an idle one of the same spec, or a new process."""
        spec = seat.spec
        for place, engine in enumerate(self._idle):
            if engine.spec == spec:
                del self._idle[place]
                if engine.ended:
                    seat.engine = engine
                    self._lost(seat, engine.failure(), "between two pairs", job)
                    break
                engine.rules = job.rules
                seat.engine = engine
                return
        while seat.engine is None:
            engine = _kind(spec)(spec, rules=job.rules, switchboard=self._switchboard)
            try:
                engine.start()
            except EngineFailure as failure:
                if engine.killed_from_outside and spec not in self._own_killers:
                    self._count_kill(seat, failure)
                    continue
                if spec in self._started:
                    self._event(seat, "failed restart", str(failure))
                self._marks.append(Mark(seat.side, "no start", f"{spec.name} {failure}"))
                self._tell(job)
                continue
            seat.engine = engine
        if spec not in self._started:
            self._started.add(spec)
            self._marks.append(Mark(seat.side, "started"))
            self._tell(job)
        if spec in self._restarting:
            self._restarting.discard(spec)
            self._event(seat, "restart", "was started again")

    def _lost(self, seat: _Seat, failure: EngineFailure, when: str, job: PairJob) -> None:
        """The engine failed outside a game: one failure, nothing lost."""
        self._fault(seat, f"{failure.what} {when}{failure.errors}")
        self._drop(seat)
        self._restarting.add(seat.spec)
        self._tell(job)

    def _fault(self, seat: _Seat, what: str) -> None:
        self._event(seat, "fault", what)
        self._marks.append(Mark(seat.side, "failure", f"{seat.spec.name}: {what}"))

    def _tell(self, job: PairJob) -> None:
        """Tell whoever counts what has not been told yet."""
        marks = tuple(self._marks[self._told :])
        self._told = len(self._marks)
        (self._on_marks or self._own_count.take)(job, marks)

    def _release(self, seat: _Seat) -> None:
        """After a pair: keep the engine, or end it."""
        engine, seat.engine = seat.engine, None
        if engine is None:
            return
        if engine.spec.restart == "pair" or engine.fresh_every_game:
            self._quit([engine], grace=QUIT_GRACE)
            return
        self._idle.append(engine)
        if len(self._idle) > MOST_IDLE:
            self._quit([self._idle.pop(0)], grace=QUIT_GRACE)

    def _drop(self, seat: _Seat) -> None:
        engine, seat.engine = seat.engine, None
        if engine is not None:
            engine.kill()

    def _drop_politely(self, seat: _Seat) -> None:
        engine, seat.engine = seat.engine, None
        if engine is not None:
            self._quit([engine], grace=QUIT_GRACE)

    # -- events

    def _event(self, seat: _Seat, kind: EventKind, message: str) -> None:
        self._events.append(
            EngineEvent(engine=seat.spec.name, side=seat.side, kind=kind, message=f"{seat.spec.name}: {message}")
        )

    def _take_warnings(self, seat: _Seat, engine: Engine) -> None:
        while engine.warnings:
            kind, text = engine.warnings.pop()
            if (seat.spec, kind) not in self._warned:
                self._warned.add((seat.spec, kind))
                self._event(seat, "warning", text)
