"""How soon the referee is woken when an engine writes: at once where clocks run, else when the engine has done.

Without a clock nobody loses time, and a referee who takes the core from an engine at each line of its search costs both
of them two switches a line. Linux only, and only where the user has not chosen a policy. May import: nothing.
"""

from __future__ import annotations

import contextlib
import os
import sys

_changed: list[bool] = []
"""Not empty: this process was an ordinary one at first, and has changed that."""


def let_engines_finish(*, wanted: bool) -> None:
    """Ask the system, from now on, to wake this process at once, or not to interrupt others for it."""
    if not sys.platform.startswith("linux"):
        return
    if not _changed:
        if not wanted or os.sched_getscheduler(0) != os.SCHED_OTHER:
            return
        _changed.append(True)
    # Both have the same share of the processor, and need no privilege; a sandbox may refuse all the same.
    with contextlib.suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_BATCH if wanted else os.SCHED_OTHER, os.sched_param(0))


def as_at_first() -> None:
    """In a child before its program runs: undo what it has inherited."""
    if _changed and os.sched_getscheduler(0) != os.SCHED_OTHER:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
