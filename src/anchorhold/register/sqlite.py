"""A register's SQLite file: how it is named, opened, locked and guarded.

A writing transaction begins IMMEDIATE, so that two processes never number from the same last entry; it is on the disk
when it has ended (WAL, synchronous=FULL). Source: SPEC section 7.
May import: sqlalchemy, anchorhold.errors, anchorhold.register.guards, anchorhold.register.sqlite_file.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import event, exc
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from anchorhold.errors import AnchorholdError, BadInput
from anchorhold.register.guards import SQLITE_ID
from anchorhold.register.sqlite_file import (
    LOCK_SECONDS,
    TRIGGERS,
    error_of,
    file_url,
    lost_trigger,
    path_of,
    reading_mode,
    require_file,
)

__all__ = ["LOCK_SECONDS", "SqliteDatabase", "existing", "new", "path_of"]


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
        return lost_trigger((name, text) for name, text in connection.execute(sa.text(TRIGGERS)))

    def has_id(self, name: str) -> sa.ColumnElement[bool]:
        """Find the rows by the index over ids."""
        return sa.literal_column(SQLITE_ID) == name.replace("\0", "\1")

    def error(self, error: exc.DBAPIError) -> AnchorholdError:
        """Turn an error of SQLite into one line."""
        return error_of(error.orig, where=self.location)


def existing(path: Path, *, read_only: bool) -> SqliteDatabase:
    """Open a file that must be there.

    Raises
    ------
    BadInput
        No such file.
    """
    require_file(path)
    return SqliteDatabase(path, _engine(path, **(reading_mode(path) if read_only else {"mode": "rw"})))


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


def _engine(path: Path, **how: str) -> sa.Engine:
    """Open the file in SQLite's own mode (ro, rw, rwc), so that reading or a typing error never makes a file."""
    url = sa.URL.create("sqlite+pysqlite", database=file_url(path), query={**how, "uri": "true"})
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
