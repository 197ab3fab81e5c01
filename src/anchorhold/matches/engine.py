"""What the referee knows of an engine, whichever protocol it speaks.

``uci`` and ``xboard`` derive from ``Engine``. Seconds everywhere. May import: anchorhold.errors, domain.engines, games,
anchorhold.matches.arbiter, jobs, process, switchboard.
"""

from __future__ import annotations

import errno
import signal
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Literal, NamedTuple

from anchorhold.domain.engines import EngineSpec
from anchorhold.errors import MatchStopped
from anchorhold.matches.arbiter import Arbiter
from anchorhold.matches.jobs import MatchRules
from anchorhold.matches.process import EngineProcess, command_line
from anchorhold.matches.switchboard import Switchboard


class EngineFailure(Exception):
    """An engine that has ended or does not answer. Never leaves the match room: ``pair`` makes a result of it."""

    def __init__(self, what: str, *, ended: bool, errors: str = "") -> None:
        self.what = what
        """In words that follow the engine's name, such as ``ended with exit status 1``."""
        self.ended = ended
        """It ended or closed its pipes; else it is silent."""
        self.errors = errors
        """The last lines of its stderr as an appendix to a message, or empty."""
        super().__init__(what + errors)


MACHINE_ERRORS = frozenset(
    {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.ETXTBSY}
)
"""Why the system may refuse to start a program without a fault of that program."""
MACHINE_PATIENCE = 2.0
"""Seconds in which the machine may get over it."""
MACHINE_INTERVAL = 0.1


STRAY = bytes([*range(33), *range(127, 256)])
"""Blanks, control characters, and bytes beyond ASCII: at the ends of a line they mean nothing."""


class OpponentEnded(Exception):
    """The engine that was not to move ended while the other was thinking."""


class Answer(NamedTuple):
    """What an engine said when it was to move."""

    kind: Literal["move", "resign", "result claim", "illegal move claim"]
    text: str
    """The move as it was written, or the line with the claim."""
    seconds: float
    """From the end of sending to the reading of the answer."""
    depth: int | None = None
    score: int | None = None
    mate: int | None = None
    nodes: int | None = None


def whole(token: bytes) -> int | None:
    """A whole number as an engine writes it; None when it is none, or too long to be meant."""
    if len(token) > 18:
        return None
    try:
        return int(token)
    except ValueError:
        return None


class Engine(ABC):
    """One engine with its process, from its start to its end.

    Parameters
    ----------
    spec : EngineSpec
        How it is run.
    rules : MatchRules
        How long the referee waits for it.
    switchboard : Switchboard
        Where its pipes are waited for.
    """

    def __init__(self, spec: EngineSpec, *, rules: MatchRules, switchboard: Switchboard) -> None:
        self.spec = spec
        self.rules = rules
        self.switchboard = switchboard
        self.warnings: list[tuple[str, str]] = []
        """Kind and text of what was odd and did no harm; the referee takes them off."""
        self.went = False
        """It has been asked for a move in the present game."""
        self.asked_at = 0.0
        """When its last ``go`` had been written."""
        self._process: EngineProcess | None = None

    # -- life

    @property
    def process(self) -> EngineProcess:
        """The running process; there is one from ``start`` on."""
        assert self._process is not None
        return self._process

    @property
    def ended(self) -> bool:
        """It has ended or closed its pipes, or was never started."""
        return self._process is None or self._process.ended

    @property
    def fresh_every_game(self) -> bool:
        """It must be started again for each game."""
        return False

    def start(self) -> None:
        """Start the process, greet it, check and send its options.

        Raises
        ------
        EngineFailure
            It cannot be started, ends, or does not answer within ``rules.start_timeout``.
        MatchStopped
            It cannot do what the match asks of it, however often it is started.
        """
        self._process = self._start()
        deadline = self.switchboard.clock() + self.rules.start_timeout
        try:
            self._greet(deadline)
        except BaseException:
            self.kill()
            raise

    def _start(self) -> EngineProcess:
        clock = self.switchboard.clock
        give_up = clock() + MACHINE_PATIENCE
        while True:
            try:
                return EngineProcess(
                    self.spec.command,
                    directory=self.spec.directory,
                    switchboard=self.switchboard,
                    on_lines=self._on_lines,
                )
            except OSError as error:
                if error.errno not in MACHINE_ERRORS:
                    place = f" ({error.filename})" if error.filename and error.filename != self.spec.command[0] else ""
                    raise EngineFailure(f"cannot be started: {error.strerror}{place}", ended=True) from error
                if clock() >= give_up:
                    raise MatchStopped(
                        f"the machine cannot start engine {self.spec.name}: {error.strerror}. This is no fault of the"
                        " engine, and no game is lost by it",
                        where=command_line(self.spec.command),
                        next_step="Use fewer workers, or raise the limits of open files and processes; run again, and"
                        " the match goes on",
                    ) from error
            again = clock() + MACHINE_INTERVAL
            while clock() < again:
                self.switchboard.turn(again)

    @property
    def killed_from_outside(self) -> bool:
        """It was ended by SIGKILL: by somebody, or by the system for want of memory; a crash ends otherwise."""
        return self._process is not None and self._process.exit_status == -signal.SIGKILL

    def quit(self) -> None:
        """Tell it to quit; waiting for it is somebody else's part."""
        if self._process is not None and not self._process.ended:
            self._process.send("quit")

    def kill(self) -> None:
        """End the process and its group at once."""
        if self._process is not None:
            self._process.kill()

    @abstractmethod
    def _greet(self, deadline: float) -> None:
        """Handshake and options."""

    def _on_lines(self, lines: bytes, stamp: float) -> None:
        """Take whole lines of its output, each with its line end."""
        for line in lines.split(b"\n")[:-1]:
            self._on_line(line.strip(STRAY), stamp)

    @abstractmethod
    def _on_line(self, line: bytes, stamp: float) -> None:
        """Take one line of its output, without its end and stray bytes."""

    # -- games

    @abstractmethod
    def new_game(self, game: Arbiter) -> None:
        """Prepare for a game; returns when the engine is ready for its first move.

        Raises
        ------
        EngineFailure
            It ended or is silent.
        MatchStopped
            It cannot play this game at all.
        """

    @abstractmethod
    def think(self, game: Arbiter, *, opponent: Engine) -> Answer | None:
        """Ask for a move in the present position; None: time is up.

        Raises
        ------
        EngineFailure
            It ended, or did not answer before the search.
        OpponentEnded
            The opponent ended meanwhile.
        """

    @abstractmethod
    def end_game(self, game: Arbiter) -> bool:
        """Tell it that the game is over; False: it still thinks and cannot be stopped, so that it must be killed."""

    # -- waiting

    def _wait(self, done: Callable[[], bool], deadline: float, *, opponent: Engine | None = None) -> bool:
        """Wait until ``done``; False when the deadline passes first. What it said before its end still counts."""
        process = self.process
        other = process if opponent is None else opponent.process
        turn = self.switchboard.turn
        while not done():
            if process.ended:
                raise self.failure()
            if other.ended:
                raise OpponentEnded
            if not turn(deadline) and not done():
                if process.ended:
                    raise self.failure()
                return False
        return True

    def failure(self, what: str | None = None) -> EngineFailure:
        """The exception for its end, or for ``what`` it did, with the last lines of its stderr."""
        ended = what is None
        if what is None:
            what = self.process.describe_end() if self._process is not None else "is not running"
        return EngineFailure(what, ended=ended, errors=self.stderr_note())

    def stderr_note(self) -> str:
        """The last lines of its stderr as an appendix to a message; empty when there are none."""
        lines = self._process.last_errors() if self._process is not None else ()
        return f"; its last errors: {' | '.join(lines)}" if lines else ""

    def refuse(self, what: str, *, next_step: str = "") -> MatchStopped:
        """The exception for what this engine cannot do."""
        return MatchStopped(
            f"engine {self.spec.name}: {what}", where=command_line(self.spec.command), next_step=next_step
        )

    def warn(self, kind: str, text: str) -> None:
        """Note something odd; one of each kind is kept, so that a babbling engine cannot fill memory."""
        if all(kind != known for known, _ in self.warnings):
            self.warnings.append((kind, text))
