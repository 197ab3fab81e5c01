"""An SQLite register that is only read: what ``store.Register`` answers, without loading SQLAlchemy.

Source: SPEC section 7. May import: anchorhold.errors, anchorhold.domain, anchorhold.register.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from anchorhold.domain.entries import Entry
from anchorhold.errors import BadInput, RegisterBroken
from anchorhold.register import chain, exporting
from anchorhold.register.guards import no_longer_guarded
from anchorhold.register.sqlite_connection import COLUMNS, SqliteConnection
from anchorhold.register.sqlite_file import TRIGGERS, lost_trigger
from anchorhold.register.whole import Meanwhile, check_all


class SqliteReader(SqliteConnection):
    """The register in an SQLite file, for reading; see ``reading.ReadableRegister``."""

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

    def _entry(self, stored: chain.StoredEntry) -> Entry:
        try:
            return chain.unverified(stored)
        except BadInput as error:
            raise RegisterBroken(error.what, where=f"{self.location}, entry {stored.seq}") from error
