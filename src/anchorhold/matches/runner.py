"""The match runner: worker processes that play pairs, and the one process that writes the journal.

A pair that is in the journal is not played again, so that a run that was interrupted is resumed by running it again.
Workers have a second job waiting while pairs are short, so that no core idles between two pairs.
Source: SPEC section 10. May import: anchorhold.errors, anchorhold.domain, anchorhold.matches.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shlex
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.games import PairKey
from anchorhold.errors import BadInput, MatchStopped
from anchorhold.matches.jobs import Overhead, PairJob, PairOutcome, RunReport
from anchorhold.matches.journal import Journal, describe
from anchorhold.matches.wire import Broken, Hello, Inbox, Message, Played, Stopped, send

SHORT_PAIR = 2.0
"""Seconds: while pairs take less on average, a worker has a second job waiting."""
GRACE_AT_END = 10.0
"""Seconds that workers have to close their engines when all is played."""
GRACE_AT_STOP = 1.5
"""The same when the run is broken off; then engines are killed."""
GRACE_OF_KILL = 2.0
MOST_WORKER_ENDS = 3
"""A pair that this many workers did not survive stops the run."""
CHUNK = 1 << 16


def run(
    jobs: Iterable[PairJob],
    *,
    journal: Journal,
    workers: int,
    on_outcome: Callable[[PairOutcome], None] | None = None,
    until: Callable[[], bool] | None = None,
) -> RunReport:
    """Play all jobs that are not in the journal yet, with so many worker processes.

    Parameters
    ----------
    jobs : Iterable of PairJob
        Drawn one by one as workers get free.
    journal : Journal
        Open for writing; gets each pair when it is finished, before anybody hears of it.
    workers : int
        Pairs that are played at a time.
    on_outcome : callable, optional
        Called with each pair that was played now (not with those of earlier runs), in the order in which they end.
    until : callable, optional
        Asked before the first pair and after each; when it says yes the run ends, and pairs that are being played then
        are broken off.

    Returns
    -------
    RunReport
        How many pairs were played now, and what refereeing them cost.

    Raises
    ------
    MatchStopped
        An engine cannot be started, or failed in ``MatchRules.max_failures`` games in a row. What was played is kept.
    KeyboardInterrupt
        As pressed; engines and workers are ended before it goes on.
    """
    if workers < 1:
        raise BadInput(f"{workers} workers: at least 1 is needed")
    if until is not None and until():
        return RunReport(pairs=0, overhead=Overhead())
    waiting = (job for job in jobs if not journal.has(job.key))
    crew = _Crew(waiting, size=workers)
    failures = _Failures()
    pairs, overhead, cpu = 0, Overhead(), time.process_time()
    try:
        for job, outcome in crew.outcomes():
            journal.add(outcome.record)
            pairs += 1
            overhead += outcome.overhead
            if on_outcome is not None:
                on_outcome(outcome)
            failures.count(job, outcome)
            if until is not None and until():
                break
        else:
            crew.end(grace=GRACE_AT_END)
    finally:
        # Whatever ended the loop: pairs that were finished meanwhile are kept, nothing is left running.
        for outcome in crew.end(grace=GRACE_AT_STOP, at_once=True):
            if not journal.has(outcome.record.key):
                journal.add(outcome.record)
                pairs += 1
                overhead += outcome.overhead
    return RunReport(pairs=pairs, overhead=overhead + Overhead(cpu=time.process_time() - cpu))


class _Failures:
    """How often in a row each engine has failed by its own fault."""

    def __init__(self) -> None:
        self._in_a_row: dict[str, int] = {}
        self._last_words: dict[str, str] = {}

    def count(self, job: PairJob, outcome: PairOutcome) -> None:
        """Take one pair into account.

        Raises
        ------
        MatchStopped
            An engine has reached the most that is allowed.
        """
        sides: tuple[tuple[str, EngineSpec], ...] = (("first", job.first), ("second", job.second))
        for side, engine in sides:
            for event in outcome.events:
                if event.side == side and event.kind in ("fault", "failed restart"):
                    self._last_words[engine.name] = event.message
            in_a_row = self._in_a_row.get(engine.name, 0)
            in_a_row += sum(event.side == side and event.kind == "failed restart" for event in outcome.events)
            worst = in_a_row
            for game in outcome.record.games:
                in_a_row = in_a_row + 1 if game.fault_of == side else 0
                worst = max(worst, in_a_row)
            self._in_a_row[engine.name] = in_a_row
            if worst >= job.rules.max_failures:
                last_words = self._last_words.get(engine.name, "nothing is known about the last time")
                raise MatchStopped(
                    f"{engine.name} failed {worst} times in a row; the last time: {last_words}",
                    where=f"engine {engine.name} ({shlex.join(engine.command)})",
                    next_step="Mend the engine or its settings and run again: the pairs played so far are kept",
                )


class _Worker:
    """One worker process with the jobs it was given, the first of them being played."""

    def __init__(self) -> None:
        read_end, self._watch = os.pipe()
        try:
            self.process = subprocess.Popen(
                # -P: a file of the user's directory must not stand in for a module.
                [sys.executable, "-P", "-m", "anchorhold.matches.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                pass_fds=(read_end,),
                # Its own group: Ctrl-C reaches the runner, which then ends its workers in order.
                process_group=0,
            )
        except OSError as error:
            os.close(self._watch)
            raise MatchStopped(
                f"a worker process cannot be started: {error.strerror}", next_step="Try fewer workers"
            ) from error
        finally:
            os.close(read_end)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._jobs_end = self.process.stdin.fileno()
        self.outcomes_end = self.process.stdout.fileno()
        self.jobs: deque[PairJob] = deque()
        self.inbox = Inbox()
        self._tell(Hello(watch=read_end, parent=os.getpid()))

    def give(self, job: PairJob) -> None:
        """Hand over a job, to be played after those it has."""
        self.jobs.append(job)
        self._tell(job)

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


class _Crew:
    """All workers, and the jobs between them."""

    def __init__(self, jobs: Iterator[PairJob], *, size: int) -> None:
        self._jobs = jobs
        self._size = size
        self._taken_back: deque[PairJob] = deque()
        self._ends: dict[PairKey, int] = {}
        self._workers: list[_Worker] = []
        self._selector = selectors.DefaultSelector()
        self._seconds: float | None = None

    def outcomes(self) -> Iterator[tuple[PairJob, PairOutcome]]:
        """Yield what is played, until nothing is left to play."""
        while self._distribute():
            for key, _ in self._selector.select():
                worker: _Worker = key.data
                messages = worker.read()
                if messages is None:
                    self._lost(worker)
                    continue
                for message in messages:
                    yield self._take(worker, message)

    def _take(self, worker: _Worker, message: Message) -> tuple[PairJob, PairOutcome]:
        if isinstance(message, Played):
            job = worker.jobs.popleft()
            assert message.outcome.record.key == job.key, "a worker plays its jobs in order"
            old = message.seconds if self._seconds is None else self._seconds
            self._seconds = 0.8 * old + 0.2 * message.seconds
            # Before the outcome is looked at, so that the worker does not wait for the disk.
            self._fill(worker)
            return job, message.outcome
        if isinstance(message, Stopped):
            raise MatchStopped(message.what, where=message.where, next_step=message.next_step)
        if isinstance(message, Broken):
            raise RuntimeError(f"a worker met a fault of this program:\n{message.traceback}")
        raise AssertionError(f"a worker does not say {type(message).__name__}")

    def _distribute(self) -> bool:
        """Give every free worker a job; say whether anything is being played."""
        while len(self._workers) < self._size and (job := self._next()) is not None:
            worker = _Worker()
            self._workers.append(worker)
            self._selector.register(worker.outcomes_end, selectors.EVENT_READ, worker)
            worker.give(job)
        for worker in self._workers:
            self._fill(worker)
        return any(worker.jobs for worker in self._workers)

    def _fill(self, worker: _Worker) -> None:
        wanted = 2 if self._seconds is not None and self._seconds < SHORT_PAIR else 1
        while len(worker.jobs) < wanted and (job := self._next()) is not None:
            worker.give(job)

    def _next(self) -> PairJob | None:
        return self._taken_back.popleft() if self._taken_back else next(self._jobs, None)

    def _lost(self, worker: _Worker) -> None:
        """Take back the jobs of a worker that has ended on its own."""
        self._forget(worker)
        worker.bury()
        if not worker.jobs:
            return
        key = worker.jobs[0].key
        self._ends[key] = self._ends.get(key, 0) + 1
        if self._ends[key] >= MOST_WORKER_ENDS:
            raise MatchStopped(
                f"{MOST_WORKER_ENDS} worker processes ended while they played {describe(key)}, the last with status"
                f" {worker.process.returncode}",
                next_step="See whether the machine runs out of memory; fewer workers need less",
            )
        self._taken_back.extend(worker.jobs)

    def _forget(self, worker: _Worker) -> None:
        self._selector.unregister(worker.outcomes_end)
        self._workers.remove(worker)

    def end(self, *, grace: float, at_once: bool = False) -> list[PairOutcome]:
        """End all workers and their engines; return the pairs that were finished meanwhile.

        Parameters
        ----------
        grace : float
            Seconds to end in good order; after that engines are killed.
        at_once : bool
            Break off the pairs that are being played.
        """
        finished: list[PairOutcome] = []
        try:
            for worker in self._workers:
                worker.no_more_jobs()
                if at_once:
                    worker.leave()
            self._wait(grace, finished)
            for worker in self._workers:
                worker.leave_at_once()
            self._wait(GRACE_OF_KILL, finished)
        finally:
            # Also when a second Ctrl-C comes in here. The system ends the engines of a worker that is killed.
            for worker in list(self._workers):
                self._forget(worker)
                worker.bury()
        return finished

    def _wait(self, seconds: float, finished: list[PairOutcome]) -> None:
        deadline = time.monotonic() + seconds
        while self._workers and (left := deadline - time.monotonic()) > 0:
            for key, _ in self._selector.select(left):
                worker: _Worker = key.data
                messages = worker.read()
                ended = messages is None
                # What had arrived when the run was broken off may still lie in the inbox.
                for message in worker.inbox.take(b"") if messages is None else messages:
                    if isinstance(message, Played):
                        finished.append(message.outcome)
                if ended:
                    self._forget(worker)
                    worker.bury()
