"""The newest head of the register that a hook has seen, kept in the repository: an older copy, or one with its end
written anew, is found even when it holds by itself.

One file, one line: SEQ:HASH and the digest of the register's address, so that another register begins anew.
May import: anchorhold.errors, anchorhold.register.extends, anchorhold.domain.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from anchorhold.domain.entries import Entry
from anchorhold.errors import BadInput, BadState, RegisterBroken
from anchorhold.register.extends import Head, against_head, read_head

FILE = "anchorhold-head"


def require_continued(entries: Sequence[Entry], *, register: str, directory: Path) -> None:
    """Refuse a register that does not contain the head that was kept; keep its own, where it does.

    Parameters
    ----------
    entries : Sequence[Entry]
        All entries of a register whose chain holds.
    register : str
        Its path or URL.
    directory : Path
        Where the file lies.

    Raises
    ------
    RegisterBroken
        Entries that were seen once are gone, or are others now.
    BadInput, BadState
        The file cannot be read or written.
    """
    path = directory / FILE
    kept = _read(path, register)
    if kept is not None and (problem := against_head(entries, kept)) is not None:
        raise RegisterBroken(
            f"{problem}. This hook has seen it; if the register was rightly restored, remove {path}",
        )
    now = Head.of(entries[-1])
    if kept is None or now.seq > kept.seq:
        _write(path, f"{now} {_digest(register)}\n")


def _read(path: Path, register: str) -> Head | None:
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


def _digest(register: str) -> str:
    # The address may hold a password.
    return hashlib.sha256(register.encode()).hexdigest()


def _write(path: Path, text: str) -> None:
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text)
        Path(name).replace(path)
    except OSError as error:
        raise BadState(f"cannot be written: {error.strerror}", where=str(path)) from error
