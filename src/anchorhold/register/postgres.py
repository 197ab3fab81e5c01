"""A register's PostgreSQL schema: how it is named, reached, locked and guarded.

One register lies in one schema of a database, the first of the search path, which holds nothing else; another register
in the same database has another schema (``?options=-csearch_path%3Dname``). A writing transaction first takes an
advisory lock of the schema, which the trigger on INSERT takes too: two writers never number from the same last entry,
whoever they are. A commit waits until it is on the disk. Source: SPEC section 7.
May import: sqlalchemy, psycopg, anchorhold.errors, anchorhold.register.guards.
"""

from __future__ import annotations

import json
import re
import urllib.parse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy import event, exc

from anchorhold.errors import AnchorholdError, BadInput, BadState, RegisterBroken, install_line
from anchorhold.register.guards import (
    POSTGRES_FUNCTION_SEARCH_PATH,
    POSTGRES_ID,
    POSTGRES_LOCK,
    POSTGRES_TRIGGERS,
)

if TYPE_CHECKING:
    import psycopg

LOCK_SECONDS = 60
"""How long one writer waits for another."""
STATEMENT_SECONDS = 300
"""How long one statement may take: reading a million entries takes a part of it."""
CONNECT_SECONDS = 10
"""How long the server has to answer, where the address does not say it."""

_SHOWN = ("host", "port", "options", "service")
"""Parameters that a message may show: what tells one register from another."""
_TRIGGERS = """
SELECT t.tgname, t.tgtype, t.tgenabled::text, p.prosrc, p.proconfig,
  t.tgqual IS NULL AND t.tgnargs = 0 AND t.tgattr::text = '' AND NOT p.prosecdef
    AND p.pronamespace = c.relnamespace AND l.lanname = 'plpgsql'
FROM pg_catalog.pg_trigger t
JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid
JOIN pg_catalog.pg_language l ON l.oid = p.prolang
WHERE n.nspname = current_schema() AND c.relname = 'entries' AND NOT t.tgisinternal
"""
_TABLE = """
SELECT c.relkind::text = 'r',
  NOT EXISTS (SELECT 1 FROM pg_catalog.pg_rewrite r WHERE r.ev_class = c.oid),
  NOT c.relrowsecurity,
  NOT EXISTS (SELECT 1 FROM pg_catalog.pg_inherits i WHERE i.inhparent = c.oid)
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = current_schema() AND c.relname = 'entries'
"""
_TABLE_MEANS = (
    "'entries' is no longer a table",
    "a rule rewrites what is done to the table",
    "row security hides rows of the table",
    "another table adds its rows to the table",
)


class PostgresDatabase:
    """A schema with a register in it, or none yet; see ``database.Database``.

    Raises
    ------
    BadInput
        The driver is missing, or the address is not one that libpq can read.
    """

    def __init__(self, url: str) -> None:
        parameters = _parameters(url)
        self._location = _location(parameters)
        self._password = parameters.get("password")
        self._engine = _engine(url, parameters, location=self._location)

    @property
    def location(self) -> str:
        """The address without password."""
        return self._location

    @property
    def engine(self) -> sa.Engine:
        """Opens connections to the server."""
        return self._engine

    def prepare(self) -> None:
        """Refuse a database that cannot hold every text."""
        try:
            with self._engine.connect() as connection:
                encoding = connection.exec_driver_sql("SHOW server_encoding").scalar()
        except exc.DBAPIError as error:
            raise self.error(error) from error
        if encoding != "UTF8":
            raise BadInput(
                f"the database's encoding is {encoding}, expected UTF8",
                where=self._location,
                next_step="Make one with: CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0",
            )

    def lost_guard(self, connection: sa.Connection) -> str:
        """Say which trigger or function no longer stands as it was made, or what else goes round them."""
        table = connection.exec_driver_sql(_TABLE).one()
        for holds, otherwise in zip(table, _TABLE_MEANS, strict=True):
            if not holds:
                return otherwise
        rows = {row[0]: tuple(row[1:]) for row in connection.exec_driver_sql(_TRIGGERS)}
        for name in sorted(POSTGRES_TRIGGERS.keys() | rows.keys()):
            if name not in rows:
                return f"the trigger {name} is gone"
            if name not in POSTGRES_TRIGGERS:
                return f"there is a trigger {name} that does not belong there"
            kind, enabled, body, settings, plain = rows[name]
            if enabled != "A":
                return f"the trigger {name} is switched off"
            expected = POSTGRES_TRIGGERS[name]
            if (
                kind != expected.type
                or body != expected.body
                or settings != [f"search_path={POSTGRES_FUNCTION_SEARCH_PATH}"]
                or not plain
            ):
                return f"the trigger {name} was replaced"
        return ""

    def has_id(self, name: str) -> sa.ColumnElement[bool]:
        """Find the rows by the index over ids."""
        return sa.literal_column(POSTGRES_ID) == json.dumps(name.replace("\0", "\1"), ensure_ascii=False)

    def error(self, error: exc.DBAPIError) -> AnchorholdError:
        """Turn an error of PostgreSQL into one line."""
        state = getattr(error.orig, "sqlstate", None) or ""
        said = self._said(error.orig)
        where = self._location
        if state == "55P03":
            return BadState(
                f"another writer has held the register for more than {LOCK_SECONDS:g} s",
                where=where,
                next_step="Try again when it has ended",
            )
        if state == "57014":
            return BadState(f"the database did not answer within {STATEMENT_SECONDS:g} s ({said})", where=where)
        if state == "42501":
            return BadState(
                f"the database does not allow it: {said}",
                where=where,
                next_step="Reading needs SELECT on entries and alembic_version, appending INSERT on entries, making a "
                "register CREATE on the schema",
            )
        if state == "25006":
            return BadState(f"the database can only be read: {said}", where=where)
        if state.startswith(("42", "22", "XX")):
            return RegisterBroken(f"the database cannot be read: {said}", where=where)
        if error.connection_invalidated or state.startswith(("08", "57P")):
            return BadState(
                f"the connection to the database was lost: {said}",
                where=where,
                next_step="When it runs again, 'anchorhold register log -n 1' says whether the last entry was written",
            )
        if state.startswith(("28", "3D")) or (not state and isinstance(error, exc.OperationalError)):
            return BadState(
                f"cannot reach the database: {said}",
                where=where,
                next_step="Check the address, that the server runs, and user and password",
            )
        return BadState(f"the database does not answer: {said}", where=where)

    def _said(self, error: BaseException | None) -> str:
        """What the server or libpq said, in one line."""
        said = " ".join(str(error).split())
        return said.replace(self._password, "***") if self._password else said


def _driver() -> Any:
    try:
        import psycopg
    except ImportError as error:
        raise BadInput(
            f"a register in PostgreSQL needs the driver psycopg ({' '.join(str(error).split())})",
            next_step=f"Install it, in a clone of anchorhold: {install_line('postgres')}",
        ) from error
    return psycopg


def _parameters(url: str) -> Mapping[str, str]:
    """Read an address as libpq does."""
    psycopg = _driver()
    try:
        return {name: str(value) for name, value in psycopg.conninfo.conninfo_to_dict(url).items()}
    except psycopg.Error as error:
        # libpq repeats the address in most of its messages, with the password in it; a parameter's name is safe.
        unknown = re.match(r'invalid URI query parameter: "(\w+)"', str(error))
        raise BadInput(
            f"the address of the register has an unknown parameter {unknown[1]!r}"
            if unknown
            else "the address of the register is not one that PostgreSQL's library can read",
            next_step="Give it as postgresql://user@host:port/database?parameter=value, other letters as %XX",
        ) from error


def _location(parameters: Mapping[str, str]) -> str:
    user = urllib.parse.quote(parameters.get("user", ""), safe="")
    host, port = parameters.get("host", ""), parameters.get("port", "")
    shown = {name: parameters[name] for name in _SHOWN if name in parameters}
    authority = ""
    if host and "/" not in host and "," not in host:
        authority = (f"[{host}]" if ":" in host else host) + (f":{port}" if port else "")
        shown.pop("host")
        shown.pop("port", None)
    text = f"postgresql://{user}@{authority}" if user else f"postgresql://{authority}"
    text += "/" + urllib.parse.quote(parameters.get("dbname", ""), safe="")
    return text + ("?" + urllib.parse.urlencode(shown, safe="/,:") if shown else "")


def _engine(url: str, parameters: Mapping[str, str], *, location: str) -> sa.Engine:
    psycopg_module = _driver()
    wait = {} if "connect_timeout" in parameters else {"connect_timeout": CONNECT_SECONDS}

    def connect() -> psycopg.Connection[Any]:
        # Statements are not prepared on the server: a pooler in between may give each transaction another one.
        connection: psycopg.Connection[Any] = psycopg_module.connect(
            url, client_encoding="utf8", prepare_threshold=None, **wait
        )
        return connection

    # A process that plays for hours must find the server again after it was restarted.
    engine = sa.create_engine(
        "postgresql+psycopg://",
        creator=connect,
        pool_size=1,
        max_overflow=0,
        pool_pre_ping=True,
        use_native_hstore=False,
    )

    @event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        write = connection.get_execution_options().get("anchorhold_write", False)
        # A writer must see what was committed while it waited for the lock; a reader, one state throughout.
        connection.exec_driver_sql(
            "SET TRANSACTION ISOLATION LEVEL READ COMMITTED"
            if write
            else "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
        )
        schema = connection.exec_driver_sql(
            "SELECT current_schema(), set_config('search_path', coalesce(quote_ident(current_schema()), ''), true), "
            f"set_config('lock_timeout', '{LOCK_SECONDS * 1000}', true), "
            f"set_config('statement_timeout', '{STATEMENT_SECONDS * 1000}', true)"
        ).scalar()
        if schema is None:
            raise BadInput(
                "the search path names no schema that is there",
                where=location,
                next_step="Make it first with: CREATE SCHEMA name",
            )
        if write:
            connection.exec_driver_sql(
                "SELECT set_config('synchronous_commit', 'on', true) "
                "WHERE current_setting('synchronous_commit') = 'off'"
            )
            connection.exec_driver_sql(
                f"SELECT pg_advisory_xact_lock({POSTGRES_LOCK} + oid::bigint) "  # noqa: S608 - a number of our own
                "FROM pg_catalog.pg_namespace WHERE nspname = current_schema()"
            )

    return engine
