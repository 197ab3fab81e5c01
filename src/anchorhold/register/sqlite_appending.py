"""An SQLite register that entries are added to: what ``store.Register`` does, without loading SQLAlchemy.

Source: SPEC section 7. May import: anchorhold.errors, anchorhold.domain, anchorhold.register.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from anchorhold.errors import RegisterBroken
from anchorhold.register.guards import no_longer_guarded
from anchorhold.register.proposals import Appended, Clock, Proposed, checked_last, sealed_behind, standing_in
from anchorhold.register.sqlite_connection import COLUMNS, SqliteConnection
from anchorhold.register.sqlite_file import TRIGGERS, lost_trigger

_INSERT = "INSERT INTO entries (seq, prev, kind, recorded_at, author, payload, hash) VALUES (?, ?, ?, ?, ?, ?, ?)"


class SqliteAppender(SqliteConnection):
    """The register in an SQLite file of the newest revision, for adding to it. A context manager.

    Parameters
    ----------
    path : Path
        The file.

    Raises
    ------
    BadInput, BadState
        As for reading.
    """

    def __init__(self, path: Path, *, clock: Clock) -> None:
        super().__init__(path, mode={"mode": "rw"})
        self._clock = clock
        with self._errors():
            self._connection.execute("PRAGMA synchronous=FULL")

    def append_new(self, proposed: Iterable[Proposed], *, author: str) -> Appended:
        """Append every proposed entry whose id no entry has, in their order, in one transaction: all of them or none.

        Raises
        ------
        BadInput, BadState, RegisterBroken
            As ``store.Register.append_new``; nothing is appended then.
        """
        with self._writing() as connection:
            if lost := lost_trigger(connection.execute(TRIGGERS)):
                raise no_longer_guarded(lost, where=self.location)
            rows = connection.execute(f"{COLUMNS} ORDER BY seq DESC LIMIT 2").fetchall()
            last = checked_last(rows, where=self.location)
            standing = standing_in(connection.execute(f"{COLUMNS} ORDER BY seq"), where=self.location)
            done = sealed_behind(last, standing, proposed, author=author, clock=self._clock)
            if done.added and connection.executemany(_INSERT, done.added).rowcount != len(done.added):
                # Somebody's trigger took a row away without an error: it must not be acknowledged.
                raise RegisterBroken("the database did not take the entry", where=self.location)
        return done

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction that keeps every other writer out; on the disk when it has ended."""
        connection = self._connection
        with self._errors():
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except sqlite3.IntegrityError as error:
                said = " ".join(str(error).split())
                raise RegisterBroken(f"the database refuses the entry: {said}", where=self.location) from error
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
