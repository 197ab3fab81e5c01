"""The SQL by which the database itself keeps the register append-only, and the index over ids: what migrations make.

Held apart from the migrations so that a register is compared with it without loading alembic. A text that was released
is never edited: a new revision gets new ones. The guards hold for every writer, this program or a person with SQL: no
row is changed or deleted, and a new one must carry the next number and the last hash. May import: anchorhold.errors.
"""

from __future__ import annotations

from dataclasses import dataclass

from anchorhold.errors import RegisterBroken

# INSERT OR REPLACE deletes without firing delete triggers; it is refused because the row that it would replace has a
# number or hash that is taken.
SQLITE_TRIGGERS = {
    "entries_never_change": """
    CREATE TRIGGER entries_never_change BEFORE UPDATE ON entries
    BEGIN SELECT RAISE(ABORT, 'the register is append-only: an entry is never changed'); END
    """,
    "entries_never_go": """
    CREATE TRIGGER entries_never_go BEFORE DELETE ON entries
    BEGIN SELECT RAISE(ABORT, 'the register is append-only: an entry is never deleted'); END
    """,
    "entries_follow": """
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
}

POSTGRES_LOCK = 0x616E6368 << 32
"""Plus the number of the schema: the advisory lock that every writer of the schema's register takes first."""


@dataclass(frozen=True, slots=True)
class PostgresTrigger:
    """One trigger with the function that it calls; both have one name."""

    event: str
    type: int
    """As in ``pg_trigger.tgtype``: 1 row, 2 before, 4 insert, 8 delete, 16 update, 32 truncate."""
    body: str
    """The function's text, PL/pgSQL."""


def no_longer_guarded(lost: str, *, where: str) -> RegisterBroken:
    """Return the error about a database that has lost a guard."""
    return RegisterBroken(
        f"the database no longer refuses changes: {lost}",
        where=where,
        next_step="Compare it with an export before anything is added",
    )


def _refusal(message: str) -> str:
    return f"""
BEGIN
  RAISE EXCEPTION 'the register is append-only: {message}' USING ERRCODE = 'integrity_constraint_violation';
END
"""


# By row and not by statement: a statement on a table that entries were made to inherit from fires only the former.
# The table is named by what fires the trigger, since the search path is the writer's.
POSTGRES_TRIGGERS = {
    "entries_never_change": PostgresTrigger(
        "BEFORE UPDATE ON entries FOR EACH ROW", 1 + 2 + 16, _refusal("an entry is never changed")
    ),
    "entries_never_go": PostgresTrigger(
        "BEFORE DELETE ON entries FOR EACH ROW", 1 + 2 + 8, _refusal("an entry is never deleted")
    ),
    "entries_never_go_at_once": PostgresTrigger(
        "BEFORE TRUNCATE ON entries FOR EACH STATEMENT", 2 + 32, _refusal("entries are never deleted")
    ),
    "entries_follow": PostgresTrigger(
        "BEFORE INSERT ON entries FOR EACH ROW",
        1 + 2 + 4,
        f"""
DECLARE
  last_seq bigint;
  last_hash text;
BEGIN
  PERFORM pg_advisory_xact_lock({POSTGRES_LOCK} + (SELECT relnamespace::bigint FROM pg_class WHERE oid = TG_RELID));
  EXECUTE format('SELECT seq, hash FROM %I.%I ORDER BY seq DESC LIMIT 1', TG_TABLE_SCHEMA, TG_TABLE_NAME)
    INTO last_seq, last_hash;
  IF NEW.seq IS DISTINCT FROM coalesce(last_seq, 0) + 1 THEN
    RAISE EXCEPTION 'an entry must carry the next number' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF NEW.prev IS DISTINCT FROM coalesce(last_hash, repeat('0', 64)) THEN
    RAISE EXCEPTION 'an entry must carry the hash of the entry before' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
""",  # noqa: S608 - a number of our own
    ),
}
POSTGRES_FUNCTION_SEARCH_PATH = "pg_catalog, pg_temp"


def create_function(name: str, trigger: PostgresTrigger) -> str:
    """SQL that makes the function of a PostgreSQL trigger."""
    return (
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql "
        f"SET search_path = {POSTGRES_FUNCTION_SEARCH_PATH} AS $guard${trigger.body}$guard$"
    )


def create_trigger(name: str, trigger: PostgresTrigger) -> tuple[str, str]:
    """SQL that makes a PostgreSQL trigger, and lets it fire in a replication session too."""
    return (
        f"CREATE TRIGGER {name} {trigger.event} EXECUTE FUNCTION {name}()",
        f"ALTER TABLE entries ENABLE ALWAYS TRIGGER {name}",
    )


# Neither database can take the letter NUL out of JSON text, so the indexed id has U+0001 in its place: the index finds
# candidates, and whoever asks compares the ids themselves.
SQLITE_ID = r"json_extract(replace(payload, '\u0000', '\u0001'), '$.id')"
"""The payload's id as text."""
POSTGRES_ID = r"CAST(CAST(replace(payload, '\u0000', '\u0001') AS json) -> 'id' AS text)"
"""The payload's id as canonical JSON."""
