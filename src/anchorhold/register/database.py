"""What the register asks of the database that it lies in, and which one an address names.

May import: sqlalchemy, anchorhold.errors, anchorhold.register.sqlite, anchorhold.register.postgres.
"""

from __future__ import annotations

from typing import Protocol

import sqlalchemy as sa
from sqlalchemy import exc

from anchorhold.errors import AnchorholdError
from anchorhold.register.addresses import is_postgres


class Database(Protocol):
    """A database with one register in it, or none yet."""

    @property
    def location(self) -> str:
        """Where it is, for messages: never with a password."""

    @property
    def engine(self) -> sa.Engine:
        """Opens its connections; a transaction with the option ``anchorhold_write`` keeps every other writer out."""

    def prepare(self) -> None:
        """Make a database that has no register yet ready to take one."""

    def lost_guard(self, connection: sa.Connection) -> str:
        """Say which of the guards no longer stands as it was made; empty when all do."""

    def has_id(self, name: str) -> sa.ColumnElement[bool]:
        """Condition that finds every row with this id, by the index, and hardly another."""

    def error(self, error: exc.DBAPIError) -> AnchorholdError:
        """Turn an error of the database into one line."""


def existing(url: str, *, read_only: bool) -> Database:
    """Find the database at an address, which must be there.

    Parameters
    ----------
    url : str
        A path or ``sqlite:///path``; ``postgresql://…`` with all that libpq takes.
    read_only : bool
        Nothing will be written.

    Raises
    ------
    BadInput
        Another kind of address, no such file, no driver.
    """
    if is_postgres(url):
        from anchorhold.register import postgres

        return postgres.PostgresDatabase(url)
    from anchorhold.register import sqlite

    return sqlite.existing(sqlite.path_of(url), read_only=read_only)


def new(url: str) -> Database:
    """Find the database at an address where a register is to be made; raises as ``existing`` does."""
    if is_postgres(url):
        from anchorhold.register import postgres

        return postgres.PostgresDatabase(url)
    from anchorhold.register import sqlite

    return sqlite.new(sqlite.path_of(url))
