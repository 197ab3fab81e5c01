"""The worker process: plays one pair after the other until its pipe ends. Started by ``runner`` alone.

Jobs come through standard input, outcomes go through standard output; one thread. It ends with its engines when the
runner ends, in whatever way. May import: anchorhold.errors, anchorhold.matches.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import signal
import sys
import time
from collections import deque
from types import FrameType

from anchorhold.errors import AnchorholdError
from anchorhold.matches import family
from anchorhold.matches.jobs import Mark, PairJob
from anchorhold.matches.pair import PairPlayer
from anchorhold.matches.seats import QUIT_GRACE
from anchorhold.matches.wire import (
    Broken,
    GoOn,
    Hello,
    Marked,
    Message,
    Played,
    Stopped,
    receive,
    send,
    waits_for_answer,
)

GRACE_AT_STOP = 0.3
"""Seconds that engines have for ``quit`` when the run is broken off."""

_PR_SET_PDEATHSIG = 1


def main() -> int:
    """Play what the runner asks for; return the exit status."""
    signal.signal(signal.SIGTERM, _leave)
    jobs, outcomes = _take_pipes()
    hello = receive(jobs)
    if not isinstance(hello, Hello):
        return 0
    _end_with(hello.parent)
    family.adopt_orphans()
    if hello.cores:
        os.sched_setaffinity(0, hello.cores)
    # What is loaded stays, and games make no cycles: looking for garbage again and again would only cost time.
    gc.freeze()
    gc.set_threshold(50_000)
    post = _Post(jobs, outcomes)
    player = PairPlayer(watch=hello.watch, on_marks=post.tell)
    grace = QUIT_GRACE
    try:
        with family.marked(family.RUN_MARK, f"{hello.mark}{os.getpid()}."):
            while (job := post.next_job()) is not None:
                begun = time.monotonic()
                if hello.cores:
                    _give_way(job)
                outcome = player.play(job)
                send(outcomes, Played(outcome=outcome, seconds=time.monotonic() - begun))
                family.reap_ended(spared=player.pids)
                if waits_for_answer(outcome.marks):
                    post.wait_for_answer()
    except (BrokenPipeError, _RunnerGone):
        return 1  # the runner is gone: nobody is left to tell
    except AnchorholdError as error:
        _tell(outcomes, Stopped(what=error.what, where=error.where, next_step=error.next_step))
    except Exception:  # noqa: BLE001 - the process border: the runner raises it again on its side
        import traceback  # slow to load, and hardly ever needed

        _tell(outcomes, Broken(traceback=traceback.format_exc()))
        return 1
    except SystemExit:
        grace = GRACE_AT_STOP
    finally:
        # It is leaving already: a signal now must interrupt neither this nor the end of the interpreter.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        player.close(grace=grace)
        family.end_children()
    return 0


class _RunnerGone(Exception):
    """The runner closed its pipe while an answer was waited for."""


class _Post:
    """Both pipes to the runner."""

    def __init__(self, jobs: int, outcomes: int) -> None:
        self._jobs = jobs
        self._outcomes = outcomes
        self._waiting: deque[PairJob] = deque()

    def next_job(self) -> PairJob | None:
        """Wait for a job; None when there will be no more."""
        if self._waiting:
            return self._waiting.popleft()
        message = receive(self._jobs)
        return message if isinstance(message, PairJob) else None

    def tell(self, _job: PairJob, marks: tuple[Mark, ...]) -> None:
        """Tell what counts for failures in a row; after a failure wait until the runner says that the match goes on."""
        waits = waits_for_answer(marks)
        send(self._outcomes, Marked(marks=marks, waits=waits))
        if waits:
            self.wait_for_answer()

    def wait_for_answer(self) -> None:
        """Wait until the runner says that the match goes on; jobs that come meanwhile wait, too."""
        while True:
            message: Message | None = receive(self._jobs)
            if message is None:
                raise _RunnerGone
            if isinstance(message, GoOn):
                return
            assert isinstance(message, PairJob), "the runner sends jobs and answers"
            self._waiting.append(message)


def _give_way(job: PairJob) -> None:
    """Let engines on the referee's own core finish what they write before it is woken, unless a clock runs.

    Else it would take the core from an engine for every line, to find that the move is not there yet.
    """
    on_clock = job.first.limit.on_clock or job.second.limit.on_clock
    policy = os.SCHED_OTHER if on_clock else os.SCHED_BATCH
    if os.sched_getscheduler(0) != policy:
        # Engines inherit it, but none that plays on a clock. Where a sandbox forbids it, all is as it would be without.
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, policy, os.sched_param(0))


def _leave(_number: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(0)


def _tell(outcomes: int, message: Stopped | Broken) -> None:
    with contextlib.suppress(BrokenPipeError):
        send(outcomes, message)


def _take_pipes() -> tuple[int, int]:
    """Move both pipes away from 0 and 1, where a stray print would write into the outcomes."""
    jobs, outcomes = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return jobs, outcomes


def _end_with(parent: int) -> None:
    """Let the system send SIGTERM when the runner dies; the watched descriptor says it too, on every system."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        raise SystemExit(0)


if __name__ == "__main__":
    raise SystemExit(main())
