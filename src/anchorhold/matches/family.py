"""What an engine leaves behind: every process that descends from it is found by a mark and ended with it.

A process group is not enough: a child may lead a session of its own. So each engine gets a mark in its environment,
which its descendants inherit, and on Linux this process adopts those whose parents have ended. Elsewhere only the
process group is ended. May import: nothing.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

RUN_MARK = "ANCHORHOLD_RUN"
ENGINE_MARK = "ANCHORHOLD_ENGINE"
"""Names in the environment of engines; nothing reads them but this file."""
PATIENCE = 5.0
"""Seconds in which killed processes must be gone; what hangs in the kernel is left to the system."""

_LINUX = sys.platform.startswith("linux")
_PR_SET_CHILD_SUBREAPER = 36
_PR_GET_CHILD_SUBREAPER = 37


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends, from now on; for processes that do nothing else."""
    if _LINUX:
        _c_library().prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


@contextlib.contextmanager
def marked(name: str, value: str) -> Iterator[None]:
    """Let processes that are started in here carry a mark."""
    # putenv alone: what this process itself reads from its environment stays as it is.
    os.putenv(name, value)
    try:
        yield
    finally:
        os.unsetenv(name)


def end_family(*, mark: str, session: int) -> None:
    """Kill and reap what one engine has left behind: what carries its mark, and what belongs to its session."""
    # Orphans come to a process that adopts them; else they may be anywhere.
    look = _children if _adopts() else _processes
    wanted = f"{ENGINE_MARK}={mark}"

    def found() -> list[int]:
        # A child that has ended shows no mark any more, but still its session.
        ours = [pid for pid in _children() if _session(pid) == session]
        return ours + [pid for pid in look() if pid not in ours and _carries(pid, wanted)]

    _end_all(found)


def end_children() -> None:
    """Kill and reap all children of this process, adopted ones too."""
    _end_all(_children)


def end_marked(prefix: str) -> None:
    """Kill every process of this user whose run mark begins so, wherever it hangs in the tree; reap our own."""
    wanted = f"{RUN_MARK}={prefix}"
    _end_all(lambda: [pid for pid in _processes() if _carries(pid, wanted, whole=False)])


def reap_ended(*, spared: Collection[int]) -> None:
    """Reap adopted children that have ended on their own; ``spared`` are somebody else's to reap."""
    for pid in _children():
        if pid not in spared:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def _end_all(look: Callable[[], list[int]]) -> None:
    deadline = time.monotonic() + PATIENCE
    # The children of a killed child are found in the next round: they come to us, or keep their mark.
    while (found := look()) and time.monotonic() < deadline:
        for pid in found:
            _kill(pid)
        for pid in found:
            _reap(pid, deadline)


@functools.cache
def _c_library() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def _adopts() -> bool:
    if not _LINUX:
        return False
    answer = ctypes.c_int()
    _c_library().prctl(_PR_GET_CHILD_SUBREAPER, ctypes.byref(answer), 0, 0, 0)
    return bool(answer.value)


def _children() -> list[int]:
    found: list[int] = []
    for path in Path("/proc/self/task").glob("*/children") if _LINUX else ():
        with contextlib.suppress(OSError):
            found += [int(word) for word in path.read_text(encoding="ascii").split()]
    return found


def _session(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except OSError:
        return None


def _processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()] if _LINUX else []


def _carries(pid: int, mark: str, *, whole: bool = True) -> bool:
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False  # gone, or not ours
    wanted = mark.encode()
    return any(entry == wanted if whole else entry.startswith(wanted) for entry in environment)


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def _reap(pid: int, deadline: float) -> None:
    """Wait for a killed process: as its parent, else by looking until it is gone or a zombie, not ours to reap."""
    while time.monotonic() < deadline:
        try:
            if os.waitpid(pid, os.WNOHANG)[0] == pid:
                return
        except ChildProcessError:
            if not _lives(pid):
                return
        time.sleep(0.001)


def _lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state not in (b"Z", b"X")
