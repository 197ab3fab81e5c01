"""The register's table, as SQLAlchemy Core sees it.

The schema itself, with the triggers that make it append-only, is made by ``migrations``. May import: sqlalchemy.
"""

from __future__ import annotations

from sqlalchemy import Column, Integer, MetaData, Table, Text

metadata = MetaData()

entries = Table(
    "entries",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("prev", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("recorded_at", Text, nullable=False),
    Column("author", Text, nullable=False),
    Column("payload", Text, nullable=False),
    Column("hash", Text, nullable=False, unique=True),
)
"""One row per entry; ``payload`` is canonical JSON, byte for byte what the hash was taken over."""

revision = Table("alembic_version", MetaData(), Column("version_num", Text, primary_key=True))
"""Kept by alembic: the revision of the schema that a database has."""
