"""The processes that play pairs, as their runner sees them: started, given jobs, listened to, ended.

A process loads what it needs before it is enlisted, so that whoever knows that pairs will be played can start some
early. May import: anchorhold.errors, anchorhold.matches.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Self

from anchorhold.errors import MatchStopped
from anchorhold.matches.jobs import PairJob
from anchorhold.matches.wire import GoOn, Hello, Inbox, Message, send

CHUNK = 1 << 16
FILES_OF_WORKER = 3
"""Open files of this process for each worker."""
FILES_BESIDE_WORKERS = 64


def allow_open_files(*, workers: int) -> None:
    """Raise this process's own limit of open files as far as it may, where that of so many workers would not fit."""
    wanted = FILES_BESIDE_WORKERS + FILES_OF_WORKER * workers
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


class WorkerProcess:
    """One worker process with the jobs it was given, the first of them being played.

    Raises
    ------
    MatchStopped
        The process cannot be started.
    """

    def __init__(self) -> None:
        self._watched = self._watch = -1
        try:
            self._watched, self._watch = os.pipe()
            self.process = subprocess.Popen(
                # -P: a file of the user's directory must not stand in for a module.
                [sys.executable, "-P", "-m", "anchorhold.matches.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                pass_fds=(self._watched,),
                # Its own group: Ctrl-C reaches the runner, which then ends its workers in order.
                process_group=0,
            )
        except OSError as error:
            self.leave_at_once()
            raise MatchStopped(
                f"a worker process cannot be started: {error.strerror}",
                next_step="Use fewer workers, or raise the limits of open files and processes; what was played is kept",
            ) from error
        finally:
            if self._watched >= 0:
                os.close(self._watched)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._jobs_end = self.process.stdin.fileno()
        self.outcomes_end = self.process.stdout.fileno()
        self.jobs: deque[PairJob] = deque()
        self.inbox = Inbox()
        self.begun = False
        """It has been told to play its first job."""
        self.starting = True
        """Its first engines have not both started yet."""

    def enlist(self, *, mark: str, cores: Sequence[int] = ()) -> None:
        """Say whom it works for, before it is given anything.

        Parameters
        ----------
        mark : str
            What its engines carry.
        cores : Sequence of int
            What it and its engines are pinned to; empty: nothing.
        """
        # The number by which the process itself knows its end of the pipe.
        self._tell(Hello(watch=self._watched, parent=os.getpid(), mark=mark, cores=tuple(cores)))

    def give(self, job: PairJob) -> None:
        """Hand over a job, to be played after those it has; nothing is told before ``begin``."""
        self.jobs.append(job)
        if self.begun:
            self._tell(job)

    def begin(self) -> None:
        """Let it play."""
        self.begun = True
        for job in self.jobs:
            self._tell(job)

    def go_on(self) -> None:
        """Answer to failures that do not stop the match."""
        self._tell(GoOn())

    def _tell(self, message: Message) -> None:
        # A worker that is gone shows at the other pipe, where its jobs are taken back.
        with contextlib.suppress(BrokenPipeError):
            send(self._jobs_end, message)

    def read(self) -> Iterator[Message] | None:
        """Return the messages that have arrived; None when the worker has ended."""
        data = os.read(self.outcomes_end, CHUNK)
        return self.inbox.take(data) if data else None

    def no_more_jobs(self) -> None:
        """Let it end after what it has."""
        if self.process.stdin is not None and not self.process.stdin.closed:
            self.process.stdin.close()

    def leave(self) -> None:
        """Let it break off its pair and end its engines."""
        self.process.send_signal(signal.SIGTERM)

    def leave_at_once(self) -> None:
        """Let it kill its engines."""
        if self._watch >= 0:
            os.close(self._watch)
            self._watch = -1

    def bury(self) -> None:
        """End it if it lives, reap it, close the pipes."""
        self.leave_at_once()
        self.no_more_jobs()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


class Recruits:
    """Worker processes that load while their runner still prepares the run; use as a context, which ends those left.

    Parameters
    ----------
    count : int
        How many to start.

    Raises
    ------
    MatchStopped
        A process cannot be started.
    """

    def __init__(self, count: int) -> None:
        self._waiting: deque[WorkerProcess] = deque()
        self.hold(count)

    def hold(self, count: int) -> None:
        """Have exactly so many waiting: start those that are missing, end those too many.

        Raises
        ------
        MatchStopped
            A process cannot be started; then none is left waiting.
        """
        allow_open_files(workers=count)
        while len(self._waiting) > count:
            self._waiting.pop().bury()
        try:
            while len(self._waiting) < count:
                self._waiting.append(WorkerProcess())
        except BaseException:
            self.hold(0)
            raise

    def take(self) -> WorkerProcess:
        """Return one that is to be enlisted: one of those that were started, else a new one."""
        return self._waiting.popleft() if self._waiting else WorkerProcess()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.hold(0)
