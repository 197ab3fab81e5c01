"""Revision 1: the table of entries, which takes the next entry of the chain and nothing else.

Registers of this revision lie in SQLite only; on PostgreSQL the guards come with revision 2, in the same transaction.
May import: alembic, sqlalchemy, anchorhold.register.guards.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from anchorhold.register.guards import SQLITE_TRIGGERS

revision = "1"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table and its triggers."""
    op.create_table(
        "entries",
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("prev", sa.Text, nullable=False, unique=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("recorded_at", sa.Text, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False, unique=True),
        sa.CheckConstraint("length(hash) = 64", name="hash_is_sha256"),
        sa.CheckConstraint("length(prev) = 64", name="prev_is_sha256"),
    )
    if op.get_bind().dialect.name == "sqlite":
        for trigger in SQLITE_TRIGGERS.values():
            op.execute(trigger)
