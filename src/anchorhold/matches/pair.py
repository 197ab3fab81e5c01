"""Plays game pairs: referees both games, says what happened.

Single-threaded; the only waiting is in the switchboard. What an engine does wrong costs it a game, never the match:

- ended or silent once the first move of the game was asked for: that game is lost (``abandoned``), the engine is
  started again before the next game;
- ended or silent before that: nobody has lost anything; it is started again and the game is played;
- ended by SIGKILL, which no crash sends: the pair is played again with fresh processes; an engine to which that happens
  three times in one pair does it itself, and is not believed again;

Failures of the game that ends the pair go with the outcome, so that a whole pair is kept before the match stops. May
import: anchorhold.errors, domain.games, anchorhold.matches.arbiter, engine, family, jobs, seats, switchboard,
tablebases.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NoReturn

from anchorhold.domain.games import GameRecord, PairRecord
from anchorhold.errors import MatchStopped
from anchorhold.matches import family
from anchorhold.matches.arbiter import Arbiter, Side, color_name
from anchorhold.matches.engine import Answer, Engine, EngineFailure, OpponentEnded
from anchorhold.matches.jobs import Mark, Overhead, PairJob, PairOutcome, TablebaseRule
from anchorhold.matches.seats import QUIT_GRACE, Seat, Seats
from anchorhold.matches.switchboard import HANGUP_ONLY, Switchboard

if TYPE_CHECKING:
    from anchorhold.matches.tablebases import Tablebases

EXIT_PARENT_GONE = 3


def _utc_now() -> datetime:
    return datetime.now(UTC)


def _tablebases(rule: TablebaseRule) -> Tablebases:
    # Few matches need them, and every worker of every match would wait for it.
    from anchorhold.matches.tablebases import open_tablebases

    return open_tablebases(rule)


class _KilledFromOutside(Exception):
    """Somebody or the system killed an engine: the pair is to be played again."""


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
        self._seats = Seats(self._switchboard, on_marks=on_marks)
        self._counts = on_marks is None
        """Nobody else counts failures in a row."""
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
        self._seats.begin_pair()
        self._plies, self._turnarounds = 0, []
        cpu = time.process_time()
        games = None
        while games is None:
            games = self._games(job)
        self._seats.release()
        marks = tuple(self._seats.marks) if self._counts else self._seats.untold
        if self._counts:
            # The pair is complete and must be kept: the next failure will stop the match.
            with contextlib.suppress(MatchStopped):
                self._seats.tell(job)
        record = PairRecord(key=job.key, opening=job.opening, variant=job.variant, games=games)
        overhead = Overhead(
            plies=self._plies,
            turnaround=sum(self._turnarounds),
            turnarounds=len(self._turnarounds),
            worst=max(self._turnarounds, default=0.0),
            cpu=time.process_time() - cpu,
        )
        return PairOutcome(
            record=record, events=tuple(self._seats.events), marks=marks, overhead=overhead, sans=tuple(self._sans)
        )

    def _games(self, job: PairJob) -> tuple[GameRecord, GameRecord] | None:
        """Play both games; None when an engine was killed from outside, so that they have to be played again."""
        first, second = self._seats.seat(job)
        self._sans = []
        try:
            one = self._game(job, first, second, first_is_white=True)
            if any(mark.kind == "failure" for mark in self._seats.untold):
                self._seats.tell(job)
            return one, self._game(job, first, second, first_is_white=False)
        except _KilledFromOutside:
            self._seats.drop()
            return None
        except BaseException:
            self._seats.drop()
            raise

    @property
    def pids(self) -> set[int]:
        """Process numbers of the engines that it keeps."""
        return {engine.process.pid for engine in self._seats.engines}

    def close(self, *, grace: float = QUIT_GRACE) -> None:
        """End all engines: quit, terminate, kill, each with its whole process group."""
        self._seats.close(grace=grace)

    def _parent_gone(self, _events: int) -> NoReturn:
        for engine in self._seats.engines:
            engine.kill()
        family.end_children()
        os._exit(EXIT_PARENT_GONE)

    def _game(self, job: PairJob, first: Seat, second: Seat, *, first_is_white: bool) -> GameRecord:
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
                    while not self._seats.prepare(seat, game, job):
                        pass
                if self._referee(game, white, black, job):
                    break
        assert game.verdict is not None
        verdict = game.verdict
        faulty = None if verdict.fault is None else (white if verdict.fault else black)
        for seat in (white, black):
            if seat is not faulty:
                self._seats.marks.append(Mark(seat.side, "clean"))
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

    def _referee(self, game: Arbiter, white: Seat, black: Seat, job: PairJob) -> bool:
        """Play the game to its verdict; False when an engine failed before the first move was asked for."""
        engines = {True: white.seated, False: black.seated}
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
                    self._seats.lost(seats[faulty], failed, "before the first move", job)
                    return False
                if self._seats.was_killed(seats[faulty], failed):
                    raise _KilledFromOutside
                game.abandoned(faulty, "disconnects" if failed.ended else "stalls")
            if mover.warnings or waiter.warnings:
                for side in (True, False):
                    self._seats.take_warnings(seats[side])
        for color in (True, False):
            self._finish(seats[color], game, color, failed)
        return True

    def _take(self, answer: Answer, game: Arbiter, seat: Seat, engine: Engine) -> None:
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

    def _finish(self, seat: Seat, game: Arbiter, color: bool, failed: EngineFailure | None) -> None:
        """After a game: an engine at fault is ended, the other one told."""
        engine, verdict = seat.seated, game.verdict
        assert verdict is not None
        if verdict.fault is color:
            own_moves = sum(1 for ply in range(game.book_plies, len(game.moves.played)) if self._by(game, ply) is color)
            how = f"; it {failed.what}" if failed is not None else ""
            errors = engine.stderr_note() if failed is None else failed.errors
            self._seats.fail(seat, f"{verdict.reason}{how} at its move {own_moves + 1} of the game{errors}")
            return
        try:
            stopped = engine.end_game(game)
        except EngineFailure:
            # It lost nothing any more; the next game will find it gone.
            return
        if not stopped:
            self._seats.restart(seat, f"still thinking after the end of a game ({color_name(color)}): started again")

    @staticmethod
    def _by(game: Arbiter, ply: int) -> bool:
        """Who made the move of this ply."""
        return game.turn if (len(game.moves.played) - ply) % 2 == 0 else not game.turn
