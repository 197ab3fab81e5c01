"""Who writes to a journal: one process at a time, by a lock that the system gives back when that process ends.

May import: anchorhold.errors.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from anchorhold.errors import BadInput, BadState


def lock(path: Path) -> int:
    """Take the writer's lock, which the system gives back when the process ends in whatever way."""
    name = _lock_file(path)
    while True:
        try:
            descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise BadInput(f"cannot be opened: {error.strerror}", where=str(name)) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            raise BadState(
                "another process writes to this journal",
                where=str(path),
                next_step="Wait until it has ended, or end it",
            ) from error
        # Whoever had it may have taken the file away between the two calls: then this lock keeps nobody out.
        try:
            if os.path.samestat(os.fstat(descriptor), name.stat()):
                return descriptor
        except FileNotFoundError:
            pass
        os.close(descriptor)


def unlock(path: Path, descriptor: int) -> None:
    """Take the lock's file away and give the lock back; whoever holds a lock on the old file sees that it is gone."""
    _lock_file(path).unlink(missing_ok=True)
    os.close(descriptor)


def _lock_file(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def is_being_written(path: Path) -> bool:
    """Whether a process writes to the journal now; takes no lock, so that the question keeps no writer out."""
    try:
        inode = _lock_file(path).stat().st_ino
        held = Path("/proc/locks").read_text(encoding="ascii")
    except FileNotFoundError:
        # Without a table of locks the file itself must do; a killed run leaves it behind.
        return _lock_file(path).exists()
    return any("FLOCK" in line and f":{inode} " in line for line in held.splitlines())
