"""An SQLite register that is only read: what ``store.Register`` answers, without loading SQLAlchemy.

Source: SPEC section 7. May import: anchorhold.errors, anchorhold.domain, anchorhold.register.
"""

from __future__ import annotations

import sqlite3
import urllib.parse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from anchorhold.domain.entries import Entry
from anchorhold.errors import BadInput, RegisterBroken
from anchorhold.register import chain, exporting
from anchorhold.register.guards import no_longer_guarded
from anchorhold.register.revisions import require_known, require_tables
from anchorhold.register.sqlite_file import (
    LOCK_SECONDS,
    TRIGGERS,
    error_of,
    file_url,
    lost_trigger,
    reading_mode,
    require_file,
)
from anchorhold.register.whole import Meanwhile, check_all

_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"
COLUMNS = "SELECT seq, prev, kind, recorded_at, author, payload, hash FROM entries"


class SqliteReader:
    """The register in an SQLite file, for reading; see ``reading.ReadableRegister``. A context manager.

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

    def entries(self, *, after: int = 0, until: int | None = None) -> list[Entry]:
        """Return the entries ``after`` + 1 … ``until`` (all by default) in their order.

        Raises
        ------
        RegisterBroken
            A stored field has another type, or a payload is not canonical JSON. Links and hashes are not looked at.
        """
        bounds, values = ("seq > ?", [after]) if until is None else ("seq > ? AND seq <= ?", [after, until])
        with self._transaction() as connection:
            rows = connection.execute(f"{COLUMNS} WHERE {bounds} ORDER BY seq", values)
            return [self._entry(chain.StoredEntry(*row)) for row in rows]

    def head(self) -> Entry | None:
        """Return the last entry."""
        with self._transaction() as connection:
            row = connection.execute(f"{COLUMNS} ORDER BY seq DESC LIMIT 1").fetchone()
        return None if row is None else self._entry(chain.StoredEntry(*row))

    def verify(self, *, meanwhile: Meanwhile | None = None) -> chain.Chain:
        """Check every stored entry, and that the database still refuses changes; see ``whole.check_all``.

        Raises
        ------
        RegisterBroken
            The database no longer refuses changes, or cannot be read.
        """
        with self._transaction() as connection:
            if lost := lost_trigger(connection.execute(TRIGGERS)):
                raise no_longer_guarded(lost, where=self.location)
            # Every row: one numbered 0, less, or not at all must not be passed over.
            query = f"{COLUMNS} ORDER BY seq"
            try:
                rows = connection.execute(query).fetchall()
            except sqlite3.Error:
                # A page that cannot be read: what stands before it is looked at first.
                return chain.verify(chain.StoredEntry(*row) for row in connection.execute(query))
        return check_all(
            rows,
            check=lambda row, place, prev: chain.check_entry(chain.StoredEntry(*row), seq=place, prev=prev),
            apart=lambda stretch: stretch,
            meanwhile=meanwhile,
        )

    def export(self) -> Iterator[bytes]:
        """Give the lines of an export, of a register that holds.

        Raises
        ------
        RegisterBroken
            An entry does not hold; no line is given.
        """
        return exporting.export_lines(self.verify(), where=self.location)

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

    def _entry(self, stored: chain.StoredEntry) -> Entry:
        try:
            return chain.unverified(stored)
        except BadInput as error:
            raise RegisterBroken(error.what, where=f"{self.location}, entry {stored.seq}") from error
