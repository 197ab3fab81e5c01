"""The file that an SQLite register is: what names it, how it is opened for reading, what its errors and guards mean.

With the standard library alone: who only reads need not load SQLAlchemy, which takes as long as reading 10,000 entries.
Source: SPEC section 7. May import: anchorhold.errors, anchorhold.register.guards.
"""

from __future__ import annotations

import os
import sqlite3
import urllib.parse
from collections.abc import Iterable
from pathlib import Path

from anchorhold.errors import AnchorholdError, BadInput, BadState, RegisterBroken
from anchorhold.register.guards import SQLITE_TRIGGERS

LOCK_SECONDS = 60.0
"""How long one process waits for another."""
TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND lower(tbl_name) = 'entries'"
"""Query for ``lost_trigger``."""


def path_of(url: str) -> Path:
    """Path of the file that a register's address names: a plain path, or ``sqlite:///path``.

    Raises
    ------
    BadInput
        No file, or an export.
    """
    if url.endswith(".jsonl"):
        raise BadInput(
            "an export is only read", where=url, next_step="Name the database; 'anchorhold register import' makes one"
        )
    scheme, separator, rest = url.partition("://")
    if separator:
        if not rest.startswith("/") or rest == "/":
            raise BadInput(
                f"cannot keep a register at a {scheme}:// address of this form",
                next_step="Give a path, or sqlite:///path",
            )
        return Path(rest[1:])
    if not url or url == ":memory:":
        raise BadInput(f"cannot keep a register in {url!r}", next_step="Give the path of a file")
    return Path(url)


def require_file(path: Path) -> None:
    """Refuse a path at which no register can be.

    Raises
    ------
    BadInput
        No such file.
    """
    if not path.is_file():
        raise BadInput(
            "there is no register here" if not path.exists() else "is not a file",
            where=str(path),
            next_step="Make one with 'anchorhold register create', or name the right file with --register",
        )


def reading_mode(path: Path) -> dict[str, str]:
    """Choose how a register is opened for reading; it may lie on a disk that nobody here can write to."""
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        # SQLite's own read-only mode would leave the files of its write-ahead log lying about.
        return {"mode": "rw"}
    log = path.with_name(path.name + "-wal")
    if log.exists() and log.stat().st_size:
        return {"mode": "ro"}  # another process writes it, or was killed: the log must be read too
    return {"mode": "ro", "immutable": "1"}


def file_url(path: Path) -> str:
    """Address of a file as SQLite takes it, without a mode."""
    return "file:" + urllib.parse.quote(os.fsencode(path.absolute()))


def lost_trigger(found: Iterable[tuple[object, object]]) -> str:
    """Say which trigger no longer stands as it was made, or does not belong there; empty when all do."""
    texts = {str(name): _words(text) for name, text in found}
    for name in sorted(SQLITE_TRIGGERS.keys() | texts.keys()):
        if name not in texts:
            return f"the trigger {name} is gone"
        if name not in SQLITE_TRIGGERS:
            return f"there is a trigger {name} that does not belong there"
        if texts[name] != _words(SQLITE_TRIGGERS[name]):
            return f"the trigger {name} was replaced"
    return ""


def error_of(error: BaseException | None, *, where: str) -> AnchorholdError:
    """Turn an error of SQLite into one line."""
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return BadState(
            f"another process has held the register for more than {LOCK_SECONDS:g} s",
            where=where,
            next_step="Try again when it has ended",
        )
    if primary == sqlite3.SQLITE_NOTADB:
        return BadInput("is not a register (not an SQLite database)", where=where)
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR, None):
        return RegisterBroken(
            f"the database cannot be read: {error}", where=where, next_step="Restore it from an export"
        )
    return BadState(f"the database does not answer: {error}", where=where)


def _words(text: object) -> str:
    """The text of a trigger; how it is broken into lines does not matter."""
    return " ".join(str(text).split())
