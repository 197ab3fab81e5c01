"""The engines of a pair: started, kept between pairs, started again after a fault, ended; what befell them is noted.

An engine sits on a seat while its pair is played. Between pairs it is kept idle for whoever needs the same. A first
start that fails stops the match; a restart that fails is tried again; whoever counts failures in a row is asked after
each one, before the engine is started again. May import: anchorhold.errors, domain.engines, anchorhold.matches.arbiter,
engine, failures, jobs, process, switchboard, uci, xboard.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Literal

from anchorhold.domain.engines import EngineSpec
from anchorhold.matches.arbiter import Arbiter
from anchorhold.matches.engine import Engine, EngineFailure
from anchorhold.matches.failures import FailureCount
from anchorhold.matches.jobs import EngineEvent, Mark, PairJob
from anchorhold.matches.process import stop_all
from anchorhold.matches.switchboard import Switchboard
from anchorhold.matches.uci import UciEngine

MOST_IDLE = 16
"""Engines that are kept between pairs; beyond that the one idle for longest is ended."""
MOST_KILLS = 3
"""An engine that is ended by SIGKILL so often in one pair is not killed from outside."""
QUIT_GRACE = 1.0

SideName = Literal["first", "second"]
EventKind = Literal["warning", "fault", "restart", "failed restart"]


def _kind(spec: EngineSpec) -> type[Engine]:
    if spec.protocol == "uci":
        return UciEngine
    # Few matches need it, and every worker of every match would wait for it.
    from anchorhold.matches.xboard import XboardEngine

    return XboardEngine


class Seat:
    """One side of a pair: its spec and the engine that sits there now."""

    def __init__(self, spec: EngineSpec, side: SideName) -> None:
        self.spec = spec
        self.side: SideName = side
        self.engine: Engine | None = None

    @property
    def seated(self) -> Engine:
        """The engine, where one has been prepared."""
        assert self.engine is not None
        return self.engine


class Seats:
    """The seats of one pair after the other, and the engines that wait for theirs.

    Parameters
    ----------
    switchboard : Switchboard
        Where the engines' pipes are waited for.
    on_marks : callable, optional
        Told what counts for failures in a row; see ``pair.PairPlayer``. None: counted here.
    """

    def __init__(
        self, switchboard: Switchboard, *, on_marks: Callable[[PairJob, tuple[Mark, ...]], None] | None = None
    ) -> None:
        self._switchboard = switchboard
        self._idle: list[Engine] = []
        self._leaving: list[Engine] = []
        self._taken: tuple[Seat, ...] = ()
        self._started: set[EngineSpec] = set()
        self._restarting: set[EngineSpec] = set()
        """Lost by a fault: a new process is a restart, worth an event, also in the next pair."""
        self._kills: Counter[EngineSpec] = Counter()
        """How often it was ended by SIGKILL in this pair."""
        self._own_killers: set[EngineSpec] = set()
        self._on_marks = on_marks or FailureCount().take
        self._told = 0
        self._warned: set[tuple[EngineSpec, str]] = set()
        self.events: list[EngineEvent] = []
        """Of this pair."""
        self.marks: list[Mark] = []
        """Of this pair, in order."""

    # -- pairs

    def begin_pair(self) -> None:
        """Forget what the pair before came to."""
        self.events, self.marks, self._told = [], [], 0
        self._kills.clear()

    def seat(self, job: PairJob) -> tuple[Seat, Seat]:
        """Return the seats of a pair, the first engine's and the second's; they are filled by ``prepare``."""
        self._taken = first, second = Seat(job.first, "first"), Seat(job.second, "second")
        return first, second

    def release(self) -> None:
        """After a pair: keep its engines for the next ones, or end them."""
        for seat in self._taken:
            self._release(seat)
        self._taken = ()

    def drop(self) -> None:
        """Kill the engines of the pair: whatever they were doing, they are in no known state."""
        for seat in self._taken:
            self._drop(seat)

    @property
    def engines(self) -> tuple[Engine, ...]:
        """All that have not ended: idle, seated, or about to leave."""
        seated = [seat.engine for seat in self._taken if seat.engine is not None]
        return (*self._idle, *self._leaving, *seated)

    def close(self, *, grace: float) -> None:
        """End all engines: quit, terminate, kill, each with its whole process group."""
        engines = list(self.engines)
        self._idle, self._taken = [], ()
        self._quit(engines, grace=grace)

    def _quit(self, engines: list[Engine], *, grace: float) -> None:
        # While they are waited for the parent may go, too: then they have to be found.
        self._leaving = engines
        for engine in engines:
            engine.quit()
        stop_all([engine.process for engine in engines], switchboard=self._switchboard, grace=grace)
        self._leaving = []

    # -- an engine on its seat

    def prepare(self, seat: Seat, game: Arbiter, job: PairJob) -> bool:
        """Have the seat's engine ready for the game; False when it failed and must be prepared again."""
        if seat.engine is not None and (seat.engine.ended or seat.engine.fresh_every_game):
            if seat.engine.ended:
                self.lost(seat, seat.engine.failure(), "between two games", job)
            else:
                self._drop_politely(seat)
        if seat.engine is None:
            self._fill(seat, job)
        assert seat.engine is not None
        try:
            seat.engine.new_game(game)
        except EngineFailure as failure:
            self.lost(seat, failure, "before the game began", job)
            return False
        return True

    def was_killed(self, seat: Seat, failure: EngineFailure) -> bool:
        """Say whether an engine that ended was killed from outside, so that the pair is to be played again."""
        if not seat.seated.killed_from_outside or seat.spec in self._own_killers:
            return False
        return self._count_kill(seat, failure)

    def _count_kill(self, seat: Seat, failure: EngineFailure) -> bool:
        """Count an end by SIGKILL; False when it happened so often that it is the engine's own."""
        self._kills[seat.spec] += 1
        if self._kills[seat.spec] == MOST_KILLS:
            self._own_killers.add(seat.spec)
            return False
        self._event(seat, "warning", f"{failure.what}, which no crash sends: it is started again")
        return True

    def _fill(self, seat: Seat, job: PairJob) -> None:
        """Put an engine on the seat: an idle one of the same spec, or a new process."""
        spec = seat.spec
        for place, engine in enumerate(self._idle):
            if engine.spec == spec:
                del self._idle[place]
                if engine.ended:
                    seat.engine = engine
                    self.lost(seat, engine.failure(), "between two pairs", job)
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
                self.marks.append(Mark(seat.side, "no start", f"{spec.name} {failure}"))
                self.tell(job)
                continue
            seat.engine = engine
        if spec not in self._started:
            self._started.add(spec)
            self.marks.append(Mark(seat.side, "started"))
            self.tell(job)
        if spec in self._restarting:
            self._restarting.discard(spec)
            self._event(seat, "restart", "was started again")

    def lost(self, seat: Seat, failure: EngineFailure, when: str, job: PairJob) -> None:
        """The engine failed outside a game: one failure, nothing lost."""
        self.fail(seat, f"{failure.what} {when}{failure.errors}")
        self.tell(job)

    def _fault(self, seat: Seat, what: str) -> None:
        self._event(seat, "fault", what)
        self.marks.append(Mark(seat.side, "failure", f"{seat.spec.name}: {what}"))

    def tell(self, job: PairJob) -> None:
        """Tell whoever counts what has not been told yet."""
        marks = self.untold
        self._told = len(self.marks)
        self._on_marks(job, marks)

    @property
    def untold(self) -> tuple[Mark, ...]:
        """The marks that nobody was told yet."""
        return tuple(self.marks[self._told :])

    def fail(self, seat: Seat, what: str) -> None:
        """A game was lost by the engine's fault: it is ended, and started again for the next game."""
        self._fault(seat, what)
        self._drop(seat)
        self._restarting.add(seat.spec)

    def restart(self, seat: Seat, why: str) -> None:
        """End the engine without its fault; a new process takes the seat."""
        self._event(seat, "warning", why)
        self._drop(seat)

    def _release(self, seat: Seat) -> None:
        engine, seat.engine = seat.engine, None
        if engine is None:
            return
        if engine.spec.restart == "pair" or engine.fresh_every_game:
            self._quit([engine], grace=QUIT_GRACE)
            return
        self._idle.append(engine)
        if len(self._idle) > MOST_IDLE:
            self._quit([self._idle.pop(0)], grace=QUIT_GRACE)

    def _drop(self, seat: Seat) -> None:
        engine, seat.engine = seat.engine, None
        if engine is not None:
            engine.kill()

    def _drop_politely(self, seat: Seat) -> None:
        engine, seat.engine = seat.engine, None
        if engine is not None:
            self._quit([engine], grace=QUIT_GRACE)

    # -- events

    def _event(self, seat: Seat, kind: EventKind, message: str) -> None:
        self.events.append(
            EngineEvent(engine=seat.spec.name, side=seat.side, kind=kind, message=f"{seat.spec.name}: {message}")
        )

    def take_warnings(self, seat: Seat) -> None:
        """Note what was odd about its engine, each kind once."""
        engine = seat.seated
        while engine.warnings:
            kind, text = engine.warnings.pop()
            if (seat.spec, kind) not in self._warned:
                self._warned.add((seat.spec, kind))
                self._event(seat, "warning", text)
