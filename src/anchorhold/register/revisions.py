"""The revisions of the register's schema that this program knows.

Held here so that opening a register need load neither alembic nor SQLAlchemy. May import: anchorhold.errors.
"""

from __future__ import annotations

from collections.abc import Collection

from anchorhold.errors import BadInput

HEAD_REVISION = "2"
"""Newest revision in ``migrations/versions``: the schema that this program writes."""
OLDER_REVISIONS = ("1",)
"""Revisions that this program reads as they are, and brings up to date before it writes."""
TABLES = frozenset({"entries", "alembic_version"})
"""What a register has of any revision; alembic keeps the revision in the second."""
NAME_THE_RIGHT_ONE = "Name the right one with --register, or make one with 'anchorhold register create'"


def require_tables(found: Collection[str], *, where: str) -> None:
    """Refuse a database that is no register.

    Raises
    ------
    BadInput
        A table is not there.
    """
    if not set(found) >= TABLES:
        raise BadInput("is not a register (it has no entries)", where=where, next_step=NAME_THE_RIGHT_ONE)


def require_known(revision: object, *, where: str) -> str:
    """Return the revision that a database has.

    Raises
    ------
    BadInput
        This program does not know it.
    """
    if revision != HEAD_REVISION and revision not in OLDER_REVISIONS:
        raise BadInput(
            f"the register has schema {revision!r}, this program knows {HEAD_REVISION!r}",
            where=where,
            next_step="Use the anchorhold that wrote it, or a newer one",
        )
    return str(revision)
