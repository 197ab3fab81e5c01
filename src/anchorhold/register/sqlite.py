"""A register's SQLite file: how it is named, opened, locked and guarded.

A writing transaction begins IMMEDIATE, so that two processes never number from the same last entry; it is on the disk
when it has ended (WAL, synchronous=FULL). Source: SPEC section 7.
May import: sqlalchemy, anchorhold.errors, anchorhold.register.guards.
"""

from __future__ import annotations

import os
import sqlite3
import urllib.parse
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import event, exc
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from anchorhold.errors import AnchorholdError, BadInput, BadState, RegisterBroken
from anchorhold.register.guards import SQLITE_ID, SQLITE_TRIGGERS

LOCK_SECONDS = 60.0
"""How long one writer waits for another."""


class SqliteDatabase:
    """A file with a register in it, or none yet; see ``database.Database``."""

    def __init__(self, path: Path, engine: sa.Engine) -> None:
        self._path = path
        self._engine = engine

    @property
    def location(self) -> str:
        """The path."""
        return str(self._path)

    @property
    def engine(self) -> sa.Engine:
        """Opens connections to the file."""
        return self._engine

    def prepare(self) -> None:
        """Switch the file to write-ahead logging, which it remembers."""
        try:
            with self._engine.connect() as connection:
                driver = connection.connection.driver_connection
                assert driver is not None
                driver.execute("PRAGMA journal_mode=WAL").close()
        except sqlite3.Error as error:
            raise self.error(exc.DBAPIError("PRAGMA journal_mode=WAL", None, error)) from error

    def lost_guard(self, connection: sa.Connection) -> str:
        """Say which trigger no longer stands as it was made, or does not belong there."""
        found = connection.execute(
            sa.text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND lower(tbl_name) = 'entries'")
        )
        texts = {name: _words(text) for name, text in found}
        for name in sorted(SQLITE_TRIGGERS.keys() | texts.keys()):
            if name not in texts:
                return f"the trigger {name} is gone"
            if name not in SQLITE_TRIGGERS:
                return f"there is a trigger {name} that does not belong there"
            if texts[name] != _words(SQLITE_TRIGGERS[name]):
                return f"the trigger {name} was replaced"
        return ""

    def has_id(self, name: str) -> sa.ColumnElement[bool]:
        """Find the rows by the index over ids."""
        return sa.literal_column(SQLITE_ID) == name.replace("\0", "\1")

    def error(self, error: exc.DBAPIError) -> AnchorholdError:
        """Turn an error of SQLite into one line."""
        code = getattr(error.orig, "sqlite_errorcode", None)
        primary = None if code is None else code & 0xFF
        where = self.location
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
                f"the database cannot be read: {error.orig}", where=where, next_step="Restore it from an export"
            )
        return BadState(f"the database does not answer: {error.orig}", where=where)


def existing(path: Path, *, read_only: bool) -> SqliteDatabase:
    """Open a file that must be there.

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
    return SqliteDatabase(path, _engine(path, **(_reading(path) if read_only else {"mode": "rw"})))


def new(path: Path) -> SqliteDatabase:
    """Open a file that is made when it is not there.

    Raises
    ------
    BadInput
        A directory that does not exist.
    """
    if not path.parent.is_dir():
        raise BadInput(f"there is no directory {path.parent}", where=str(path), next_step="Make it first")
    return SqliteDatabase(path, _engine(path, mode="rwc"))


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


def _reading(path: Path) -> dict[str, str]:
    """Choose how a register is opened for reading; it may lie on a disk that nobody here can write to."""
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        # SQLite's own read-only mode would leave the files of its write-ahead log lying about.
        return {"mode": "rw"}
    log = path.with_name(path.name + "-wal")
    if log.exists() and log.stat().st_size:
        return {"mode": "ro"}  # another process writes it, or was killed: the log must be read too
    return {"mode": "ro", "immutable": "1"}


def _engine(path: Path, **how: str) -> sa.Engine:
    """Open the file in SQLite's own mode (ro, rw, rwc), so that reading or a typing error never makes a file."""
    location = "file:" + urllib.parse.quote(str(path.absolute()))
    url = sa.URL.create("sqlite+pysqlite", database=location, query={**how, "uri": "true"})
    engine = sa.create_engine(url, connect_args={"timeout": LOCK_SECONDS})

    @event.listens_for(engine, "connect")
    def _connect(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
        # sqlite3 must not begin transactions by itself: it would begin them too late, and none for a schema change.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        write = connection.get_execution_options().get("anchorhold_write", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")

    return engine


def _words(text: object) -> str:
    """The text of a trigger; how it is broken into lines does not matter."""
    return " ".join(str(text).split())
