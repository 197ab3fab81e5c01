"""Half of a long reckoning in a second process, on a machine with a second core: a copy of this one that hands back
its part and ends.

The second process sees what stood in memory when it was made, and changes nothing here. Whatever becomes of it (no
second core, killed, out of memory, an error), the part is then done in this process: never is it left out.
May import: nothing.
"""

from __future__ import annotations

import marshal
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Generic, TypeVar

LONG = 5_000
"""Entries of a register from which on a second process saves more time than it takes."""
T = TypeVar("T")


class Part(Generic[T]):
    """A part of a reckoning that may be under way in another process. Made by ``beside``."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._process: int | None = None
        self._answer = -1

    def result(self) -> T:
        """Return what the part gives; raises what the part raises. To be asked once."""
        if self._process is not None and (answer := self._received()) is not None:
            found: T = marshal.loads(answer)  # noqa: S302 - what a copy of this very process wrote
            return found
        return self._work()

    def _begin(self) -> None:
        reading, writing = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        try:
            with warnings.catch_warnings():
                # Of numpy's own threads, which wait, and which it makes anew in a copy.
                warnings.filterwarnings("ignore", message=".*multi-threaded", category=DeprecationWarning)
                process = os.fork()
        except OSError:  # too many processes: this one does all of it
            os.close(reading)
            os.close(writing)
            return
        if process == 0:
            _hand_back(self._work, writing)
        os.close(writing)
        self._process, self._answer = process, reading

    def _received(self) -> bytes | None:
        """Wait for the other process; None when it did not hand back its part whole."""
        with os.fdopen(self._answer, "rb") as pipe:
            self._answer = -1
            answer = pipe.read()
        assert self._process is not None
        _, status = os.waitpid(self._process, 0)
        self._process = None
        return answer if os.waitstatus_to_exitcode(status) == 0 else None

    def _end(self) -> None:
        """End the other process, when its part is no longer asked for."""
        if self._answer >= 0:
            os.close(self._answer)
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
            self._process = None


@contextmanager
def beside(work: Callable[[], T], *, worthwhile: bool) -> Iterator[Part[T]]:
    """Begin a part of a reckoning beside this process, where that is possible.

    Parameters
    ----------
    work : callable
        Computes the part from what is in memory, as lists, tuples, dicts, texts, bytes and numbers. It may be
        called here, too.
    worthwhile : bool
        False: it is short, and done when it is asked for.
    """
    part = Part(work)
    if worthwhile and is_possible():
        part._begin()
    try:
        yield part
    finally:
        part._end()


def is_possible() -> bool:
    """Is there a second core, and nothing in this process that a copy of it could not go on with?"""
    if not hasattr(os, "fork") or not hasattr(os, "sched_getaffinity"):
        return False
    # A copy has this thread alone: a lock that another holds would never be given back in it.
    return len(os.sched_getaffinity(0)) > 1 and threading.active_count() == 1


def _hand_back(work: Callable[[], object], writing: int) -> None:
    """Do the part in the second process, and end it without any of the first one's cleaning up."""
    status = 1
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
            signal.signal(number, signal.SIG_DFL)
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(marshal.dumps(work()))  # type: ignore[arg-type]  # of what it cannot write it says so
        status = 0
    finally:  # after an error, too: the first process does the part again, and meets it where somebody can read it
        os._exit(status)
