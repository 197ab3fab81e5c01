"""The newest head of the register that a hook has seen, kept in the repository: an older copy, or one with its end
written anew, is found even when it holds by itself.

One file, one line: SEQ:HASH and the digest of the register's address, so that another register begins anew. Hooks may
run at once: each compares with the head that was kept before it read the register, and only a newer head replaces one.
May import: anchorhold.errors, anchorhold.register.extends, anchorhold.domain.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from anchorhold.domain.entries import Entry
from anchorhold.errors import BadInput, BadState, RegisterBroken
from anchorhold.register.extends import Head, against_head, read_head

FILE = "anchorhold-head"
LOCK = f"{FILE}.lock"
"""Stays empty; the system gives back the lock on it when its holder ends in whatever way."""


def kept_head(*, register: str, directory: Path) -> Head | None:
    """Return the head that was kept; to be asked before the register is read.

    Parameters
    ----------
    register : str
        The register's path or URL.
    directory : Path
        Where the file lies.

    Returns
    -------
    Head | None
        None: nothing was kept of this register.

    Raises
    ------
    BadInput
        The file cannot be read.
    """
    path = directory / FILE
    try:
        words = path.read_text(encoding="ascii").split()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"cannot be read: {error}", where=str(path)) from error
    if len(words) != 2:
        raise BadInput("is not SEQ:HASH and a digest", where=str(path), next_step="Remove it when you know why")
    head = read_head(words[0])
    return head if words[1] == _digest(register) else None


def require_continued(entries: Sequence[Entry], *, before: Head | None, register: str, directory: Path) -> None:
    """Refuse a register that does not contain the head that was kept; keep its own, where it does.

    Parameters
    ----------
    entries : Sequence[Entry]
        All entries of a register whose chain holds.
    before : Head, optional
        What ``kept_head`` gave before the entries were read.

    Raises
    ------
    RegisterBroken
        Entries that were seen once are gone, or are others now.
    BadInput, BadState
        The file cannot be read or written.
    """
    now = Head.of(entries[-1])
    _require(entries, before, directory)
    if before == now:
        return
    with _turn(directory):
        kept = kept_head(register=register, directory=directory)
        if kept is not None and kept.seq > now.seq:
            return  # another hook has read the register later than this one, and seen more of it
        _require(entries, kept, directory)
        if kept != now:
            _write(directory / FILE, f"{now} {_digest(register)}\n")


def _require(entries: Sequence[Entry], kept: Head | None, directory: Path) -> None:
    if kept is not None and (problem := against_head(entries, kept)) is not None:
        raise RegisterBroken(
            f"{problem}. This hook has seen it; if the register was rightly restored, remove {directory / FILE}",
        )


def _digest(register: str) -> str:
    # The address may hold a password.
    return hashlib.sha256(register.encode()).hexdigest()


@contextmanager
def _turn(directory: Path) -> Iterator[None]:
    """Wait until no other hook is between reading the kept head and replacing it."""
    path = directory / LOCK
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise BadState(f"cannot be opened: {error.strerror}", where=str(path)) from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        except OSError as error:
            raise BadState(f"cannot be locked: {error.strerror}", where=str(path)) from error
        yield
    finally:
        os.close(descriptor)


def _write(path: Path, text: str) -> None:
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text)
            # Whoever may push may write to the directory, and must be able to read what another's push kept.
            os.fchmod(file.fileno(), path.parent.stat().st_mode & 0o666)
        Path(name).replace(path)
    except OSError as error:
        raise BadState(f"cannot be written: {error.strerror}", where=str(path)) from error
