"""The worker process: plays one pair after the other until its pipe ends. Started by ``runner`` alone.

Jobs come through standard input, outcomes go through standard output; one thread. It ends with its engines when the
runner ends, in whatever way. May import: anchorhold.errors, anchorhold.matches.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
import traceback
from types import FrameType

from anchorhold.errors import AnchorholdError
from anchorhold.matches.jobs import PairJob
from anchorhold.matches.pair import QUIT_GRACE, PairPlayer
from anchorhold.matches.wire import Broken, Hello, Played, Stopped, receive, send

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
    player = PairPlayer(watch=hello.watch)
    grace = QUIT_GRACE
    try:
        while isinstance(job := receive(jobs), PairJob):
            begun = time.monotonic()
            outcome = player.play(job)
            send(outcomes, Played(outcome=outcome, seconds=time.monotonic() - begun))
    except BrokenPipeError:
        return 1  # the runner is gone: nobody is left to tell
    except AnchorholdError as error:
        _tell(outcomes, Stopped(what=error.what, where=error.where, next_step=error.next_step))
    except Exception:  # noqa: BLE001 - the process border: the runner raises it again on its side
        _tell(outcomes, Broken(traceback=traceback.format_exc()))
        return 1
    except SystemExit:
        grace = GRACE_AT_STOP
    finally:
        # It is leaving already: a signal now must interrupt neither this nor the end of the interpreter.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        player.close(grace=grace)
    return 0


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
