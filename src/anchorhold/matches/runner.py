"""The match runner: hands jobs to worker processes, and is the one process that writes the journal.

A pair that is in the journal is not played again, so that a run that was interrupted is resumed by running it again.
Source: SPEC section 10. May import: anchorhold.errors, anchorhold.domain, anchorhold.matches.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from anchorhold.errors import BadInput
from anchorhold.matches.crew import Crew
from anchorhold.matches.failures import FailureCount
from anchorhold.matches.jobs import Overhead, PairJob, PairOutcome, RunReport
from anchorhold.matches.journal import Journal
from anchorhold.matches.worker_process import Recruits

GRACE_AT_END = 10.0
"""Seconds that workers have to close their engines when all is played."""
GRACE_AT_STOP = 1.5
"""The same when the run is broken off; then engines are killed."""


class Play(Protocol):
    """Plays jobs somewhere: ``run`` with its workers on this machine, ``cluster.run`` on others."""

    def __call__(
        self,
        jobs: Iterable[PairJob],
        *,
        journal: Journal,
        on_outcome: Callable[[PairOutcome], None] | None = None,
        until: Callable[[], bool] | None = None,
    ) -> RunReport:
        """Play all jobs that are not in the journal yet; see ``run``."""


def run(
    jobs: Iterable[PairJob],
    *,
    journal: Journal,
    workers: int,
    cores: Sequence[Sequence[int]] = (),
    recruits: Recruits | None = None,
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
    cores : Sequence, optional
        The cores of each worker, to which it and its engines are pinned (``host.pin_plan``); empty: no pinning.
    recruits : Recruits, optional
        Worker processes that were started beforehand.
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
        An engine cannot be started, or failed ``MatchRules.max_failures`` times in a row over all workers. What was
        played is kept.
    KeyboardInterrupt
        As pressed; engines and workers are ended before it goes on.
    """
    if workers < 1:
        raise BadInput(f"{workers} workers: at least 1 is needed")
    if cores and len(cores) < workers:
        raise BadInput(f"cores are given for {len(cores)} workers, but there are {workers}")
    if until is not None and until():
        return RunReport(pairs=0, overhead=Overhead())
    failures = FailureCount()
    crew = Crew(
        (job for job in jobs if not journal.has(job.key)),
        size=workers,
        cores=cores,
        recruits=recruits or Recruits(0),
        on_marks=failures.take,
    )
    pairs, overhead, cpu = 0, Overhead(), time.process_time()
    try:
        for job, outcome in crew.outcomes():
            journal.add(outcome.record)
            pairs += 1
            overhead += outcome.overhead
            if on_outcome is not None:
                on_outcome(outcome)
            failures.take(job, outcome.marks)
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
