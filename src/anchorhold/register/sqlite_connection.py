"""The connection to a register in an SQLite file, without SQLAlchemy: opening, transactions, errors.

Source: SPEC section 7. May import: anchorhold.errors, anchorhold.register.
"""

from __future__ import annotations

import sqlite3
import urllib.parse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from anchorhold.register.revisions import require_known, require_tables
from anchorhold.register.sqlite_file import LOCK_SECONDS, error_of, file_url, reading_mode, require_file

COLUMNS = "SELECT seq, prev, kind, recorded_at, author, payload, hash FROM entries"
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"


class SqliteConnection:
    """An open register. A context manager.

    Parameters
    ----------
    path : Path
        The file.
    mode : mapping, optional
        How SQLite opens it; by default as it can be read.

    Raises
    ------
    BadInput
        No such file, not a register, or one of a newer program.
    BadState
        The database does not answer.
    """

    def __init__(self, path: Path, *, mode: Mapping[str, str] | None = None) -> None:
        require_file(path)
        self._path = path
        with self._errors():
            how = urllib.parse.urlencode(reading_mode(path) if mode is None else mode)
            self._connection = sqlite3.connect(
                f"{file_url(path)}?{how}", uri=True, timeout=LOCK_SECONDS, isolation_level=None
            )
        try:
            with self._transaction() as connection:
                tables = [str(name) for (name,) in connection.execute(_TABLES)]
                require_tables(tables, where=self.location)
                found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
            self.revision = require_known(None if found is None else found[0], where=self.location)
            """Of its schema."""
        except BaseException:
            self.close()
            raise

    @property
    def location(self) -> str:
        """The path."""
        return str(self._path)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all that is read in it is of one moment."""
        with self._errors():
            self._connection.execute("BEGIN")
            try:
                yield self._connection
            finally:
                if self._connection.in_transaction:  # SQLite may have ended it after an error
                    self._connection.execute("ROLLBACK")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise error_of(error, where=self.location) from error
