"""Revision 1: the table of entries, which takes the next entry of the chain and nothing else.

The triggers hold for every writer, this program or a person with SQL: no row is changed or deleted, and a new one
must carry the next number and the last hash. INSERT OR REPLACE deletes without firing delete triggers; it is refused
because the row it would replace has a number or hash that is taken. May import: alembic, sqlalchemy.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None
branch_labels = None
depends_on = None

SQLITE_TRIGGERS = (
    """
    CREATE TRIGGER entries_never_change BEFORE UPDATE ON entries
    BEGIN SELECT RAISE(ABORT, 'the register is append-only: an entry is never changed'); END
    """,
    """
    CREATE TRIGGER entries_never_go BEFORE DELETE ON entries
    BEGIN SELECT RAISE(ABORT, 'the register is append-only: an entry is never deleted'); END
    """,
    """
    CREATE TRIGGER entries_follow BEFORE INSERT ON entries
    BEGIN
      SELECT RAISE(ABORT, 'the register is append-only: an entry with this number or hash exists')
      WHERE EXISTS (SELECT 1 FROM entries WHERE seq = NEW.seq OR hash = NEW.hash OR prev = NEW.prev);
      SELECT RAISE(ABORT, 'an entry must carry the next number')
      WHERE NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM entries);
      SELECT RAISE(ABORT, 'an entry must carry the hash of the entry before')
      WHERE NEW.prev IS NOT coalesce((SELECT hash FROM entries ORDER BY seq DESC LIMIT 1),
        '0000000000000000000000000000000000000000000000000000000000000000');
    END
    """,
)


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
    for trigger in SQLITE_TRIGGERS:
        op.execute(trigger)
