"""Revision 2: an index over the entries' ids, so that a second one is refused without a scan; PostgreSQL's guards.

May import: alembic, sqlalchemy, anchorhold.register.guards.
"""

from __future__ import annotations

from alembic import op

from anchorhold.register.guards import (
    POSTGRES_ID,
    POSTGRES_TRIGGERS,
    SQLITE_ID,
    create_function,
    create_trigger,
)

revision = "2"
down_revision = "1"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the index, and on PostgreSQL the triggers."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute(f"CREATE INDEX entries_by_id ON entries ({SQLITE_ID})")
        return
    for name, trigger in POSTGRES_TRIGGERS.items():
        op.execute(create_function(name, trigger))
        for statement in create_trigger(name, trigger):
            op.execute(statement)
    # By hash: a B-tree has no room for an id of 10,000 letters.
    op.execute(f"CREATE INDEX entries_by_id ON entries USING hash (({POSTGRES_ID}))")
