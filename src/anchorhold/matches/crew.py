"""The workers of a run, and the jobs between them.

Workers have a second job waiting while pairs are short, so that no core idles between two pairs. The first worker
begins alone: that its engines start is known before any other process is started; the others follow one by one, so that
engines that load a lot do not all do it at once. May import: anchorhold.errors, anchorhold.domain, anchorhold.matches.
"""

from __future__ import annotations

import os
import selectors
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence

from anchorhold.domain.games import PairKey
from anchorhold.errors import MatchStopped
from anchorhold.matches import family
from anchorhold.matches.jobs import Mark, PairJob, PairOutcome
from anchorhold.matches.journal import describe
from anchorhold.matches.wire import Broken, Marked, Message, Played, Stopped, waits_for_answer
from anchorhold.matches.worker_process import Recruits, WorkerProcess, allow_open_files

SHORT_PAIR = 2.0
"""Seconds: while pairs take less on average, a worker has a second job waiting."""
STAGGER = 0.1
"""Seconds after which the next worker begins although the engines of the one before have not started yet."""
GRACE_OF_KILL = 2.0
MOST_WORKER_ENDS = 5
"""A pair that this many workers did not survive stops the run."""


class Crew:
    """All workers, and the jobs between them.

    Parameters
    ----------
    jobs : Iterator of PairJob
        Drawn one by one.
    size : int
        Most workers.
    cores : Sequence
        The cores of each worker; empty: no pinning.
    recruits : Recruits
        Where the processes come from.
    on_marks : callable
        Told at once what counts for failures in a row; raises MatchStopped when the match is to stop.
    """

    def __init__(
        self,
        jobs: Iterator[PairJob],
        *,
        size: int,
        cores: Sequence[Sequence[int]],
        recruits: Recruits,
        on_marks: Callable[[PairJob, tuple[Mark, ...]], None],
    ) -> None:
        self._jobs = jobs
        self._size = size
        self._free_cores = [tuple(numbers) for numbers in cores]
        self._recruits = recruits
        self._on_marks = on_marks
        self._mark = f"{os.urandom(16).hex()}."
        self._taken_back: deque[PairJob] = deque()
        self._ends: dict[PairKey, int] = {}
        self._workers: list[WorkerProcess] = []
        self._pinned: dict[WorkerProcess, tuple[int, ...]] = {}
        self._next_start: float | None = None
        """When the next worker begins; None: not before engines have started."""
        allow_open_files(workers=size)
        self._selector = selectors.DefaultSelector()
        self._seconds: float | None = None

    def outcomes(self) -> Iterator[tuple[PairJob, PairOutcome]]:
        """Yield what is played, until nothing is left to play."""
        while self._distribute():
            for key, _ in self._selector.select(self._begin_next()):
                worker: WorkerProcess = key.data
                messages = worker.read()
                if messages is None:
                    self._lost(worker)
                    continue
                for message in messages:
                    played = self._take(worker, message)
                    if played is not None:
                        yield played
                        # Whoever takes the outcome would have stopped the match otherwise.
                        if waits_for_answer(played[1].marks):
                            worker.go_on()

    def _take(self, worker: WorkerProcess, message: Message) -> tuple[PairJob, PairOutcome] | None:
        if isinstance(message, Played):
            job = worker.jobs.popleft()
            assert message.outcome.record.key == job.key, "a worker plays its jobs in order"
            self._has_started(worker)
            old = message.seconds if self._seconds is None else self._seconds
            self._seconds = 0.8 * old + 0.2 * message.seconds
            # Before the outcome is looked at, so that the worker does not wait for the disk.
            self._fill(worker)
            return job, message.outcome
        if isinstance(message, Marked):
            self._on_marks(worker.jobs[0], message.marks)
            if message.waits:
                worker.go_on()
            if any(mark.kind == "started" and mark.side == "second" for mark in message.marks):
                self._has_started(worker)
            return None
        if isinstance(message, Stopped):
            raise MatchStopped(message.what, where=message.where, next_step=message.next_step)
        if isinstance(message, Broken):
            raise RuntimeError(f"a worker met a fault of this program:\n{message.traceback}")
        raise AssertionError(f"a worker does not say {type(message).__name__}")

    def _distribute(self) -> bool:
        """Give every free worker a job; say whether anything is being played."""
        while len(self._workers) < self._size and (job := self._next()) is not None:
            cores = self._free_cores.pop() if self._free_cores else ()
            worker = self._recruits.take()
            worker.enlist(mark=self._mark, cores=cores)
            self._pinned[worker] = cores
            self._workers.append(worker)
            self._selector.register(worker.outcomes_end, selectors.EVENT_READ, worker)
            worker.give(job)
        for worker in self._workers:
            self._fill(worker)
        return any(worker.jobs for worker in self._workers)

    def _begin_next(self) -> float | None:
        """Let the next worker begin when it is time; return the seconds until the one after it, None: no one waits."""
        waiting = [worker for worker in self._workers if not worker.begun]
        if not waiting:
            return None
        nobody_plays = not any(worker.begun for worker in self._workers)
        now = time.monotonic()
        if nobody_plays or (self._next_start is not None and now >= self._next_start):
            waiting.pop(0).begin()
            # The very first one may take as long as it needs: what it meets, all would meet.
            self._next_start = None if nobody_plays else now + STAGGER
        if not waiting or self._next_start is None:
            return None
        return max(0.0, self._next_start - now)

    def _has_started(self, worker: WorkerProcess) -> None:
        if worker.starting:
            worker.starting = False
            self._next_start = time.monotonic()

    def _fill(self, worker: WorkerProcess) -> None:
        wanted = 2 if worker.begun and self._seconds is not None and self._seconds < SHORT_PAIR else 1
        while len(worker.jobs) < wanted and (job := self._next()) is not None:
            worker.give(job)

    def _next(self) -> PairJob | None:
        return self._taken_back.popleft() if self._taken_back else next(self._jobs, None)

    def _lost(self, worker: WorkerProcess) -> None:
        """Take back the jobs of a worker that has ended on its own."""
        self._forget(worker)
        worker.bury()
        # Its engines end with it; what they had started may not.
        family.end_marked(f"{self._mark}{worker.process.pid}.")
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

    def _forget(self, worker: WorkerProcess) -> None:
        self._selector.unregister(worker.outcomes_end)
        self._workers.remove(worker)
        cores = self._pinned.pop(worker)
        if cores:
            self._free_cores.append(cores)

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
            family.end_marked(self._mark)
        return finished

    def _wait(self, seconds: float, finished: list[PairOutcome]) -> None:
        deadline = time.monotonic() + seconds
        while self._workers and (left := deadline - time.monotonic()) > 0:
            for key, _ in self._selector.select(left):
                worker: WorkerProcess = key.data
                messages = worker.read()
                ended = messages is None
                # What had arrived when the run was broken off may still lie in the inbox.
                for message in worker.inbox.take(b"") if messages is None else messages:
                    if isinstance(message, Played):
                        finished.append(message.outcome)
                if ended:
                    self._forget(worker)
                    worker.bury()
