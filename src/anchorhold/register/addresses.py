"""Which kind of database a register's address names.

May import: anchorhold.errors.
"""

from __future__ import annotations

from anchorhold.errors import BadInput


def is_postgres(url: str) -> bool:
    """Whether an address names a PostgreSQL database, and not a file.

    Raises
    ------
    BadInput
        Another kind of database.
    """
    scheme, separator, _ = url.partition("://")
    if separator and scheme not in ("sqlite", "postgresql", "postgres"):
        raise BadInput(
            f"cannot keep a register at a {scheme}:// address",
            next_step="Give a path, sqlite:///path, or postgresql://user@host/database",
        )
    return bool(separator) and scheme != "sqlite"
