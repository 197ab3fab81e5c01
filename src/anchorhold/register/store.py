"""The register on disk: the only file that opens its database.

An entry is numbered, linked and written under one immediate write transaction, so that two processes never lose an
entry or number one twice; it is acknowledged only when it is on the disk (WAL, synchronous=FULL). Reading makes no
claim about the chain beyond each payload's form: ``verify`` does. Source: SPEC section 7.
May import: sqlalchemy, alembic, anchorhold.canonical, anchorhold.errors, anchorhold.domain, anchorhold.register.
"""

from __future__ import annotations

import os
import sqlite3
import urllib.parse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import sqlalchemy as sa
from sqlalchemy import event, exc
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from anchorhold.domain.entries import NO_PREVIOUS, Entry
from anchorhold.domain.payloads import id_of
from anchorhold.errors import BadInput, BadState, RegisterBroken
from anchorhold.register import chain
from anchorhold.register.tables import HEAD_REVISION, entries, revision

Guard = Callable[[Sequence[Entry]], None]
Clock = Callable[[], datetime]

FORM = "anchorhold/register/1"
LOCK_SECONDS = 60.0
"""How long one writer waits for another."""
_TRIGGERS = frozenset({"entries_never_change", "entries_never_go", "entries_follow"})


def utc_now() -> datetime:
    """The clock that registers use when none is given."""
    return datetime.now(UTC)


class Register:
    """An append-only register of entries, in one SQLite file. A context manager.

    Make one with ``create``, ``open`` or ``restore``.
    """

    def __init__(self, engine: sa.Engine, *, path: Path, clock: Clock, read_only: bool) -> None:
        self._engine = engine
        self._path = path
        self._clock = clock
        self._read_only = read_only

    @classmethod
    def create(cls, url: str, *, author: str, clock: Clock = utc_now, project: str | None = None) -> Self:
        """Make a new register with its genesis entry.

        Raises
        ------
        BadInput
            A URL of another database, a directory that does not exist, an author that cannot be written.
        BadState
            There is a file of that name already.
        """
        payload: dict[str, object] = {"schema": FORM}
        if project is not None:
            payload["project"] = project
        genesis = chain.sealed(
            seq=1, prev=NO_PREVIOUS, kind="genesis", recorded_at=clock(), author=author, payload=payload
        )
        return cls._create(url, [genesis], clock=clock)

    @classmethod
    def restore(cls, url: str, exported: bytes, *, where: str, clock: Clock = utc_now) -> Self:
        """Make a new register from an export; exporting it again gives the same bytes.

        Parameters
        ----------
        url : str
            Where the new register is made; there must be none.
        exported : bytes
            The whole export.
        where : str
            Name of the export, for messages.

        Raises
        ------
        BadInput, RegisterBroken
            The export is not one, or does not hold; nothing is made.
        BadState
            There is a file of that name already.
        """
        return cls._create(url, chain.read_export(exported, where=where), clock=clock)

    @classmethod
    def open(cls, url: str, *, clock: Clock = utc_now, read_only: bool = False) -> Self:
        """Open a register that exists.

        Raises
        ------
        BadInput
            No such file, not a register, or one of a newer program.
        """
        path = path_of(url)
        if not path.is_file():
            what = "there is no register here" if not path.exists() else "is not a file"
            raise BadInput(
                what,
                where=str(path),
                next_step="Make one with 'anchorhold register create', or name the right file with --register",
            )
        engine = _engine(path, **(_reading(path) if read_only else {"mode": "rw"}))
        register = cls(engine, path=path, clock=clock, read_only=read_only)
        try:
            register._require_schema()
        except BaseException:
            register.close()
            raise
        return register

    @property
    def path(self) -> Path:
        """The database file."""
        return self._path

    def append(self, kind: str, payload: Mapping[str, object], *, author: str, guard: Guard | None = None) -> Entry:
        """Append one entry; when this returns, the entry is on the disk.

        Parameters
        ----------
        kind : str
            One of ``domain.entries.KINDS``, not ``genesis``.
        payload : Mapping
            See ``domain.payloads``.
        author : str
            Who records it.
        guard : callable, optional
            Called with all entries inside the write transaction, before the new one is written; what it raises
            prevents the entry.

        Raises
        ------
        BadInput
            Unknown kind or member, a value of another type.
        BadState
            The id stands already, the register was opened for reading, another process holds it for too long, the
            disk is full.
        RegisterBroken
            The last entry's hash does not hold, or the database has lost its triggers; with a guard, any entry.
        """
        if self._read_only:
            raise BadState("the register is open for reading only", where=str(self._path))
        with self._transaction(write=True) as connection:
            self._require_triggers(connection)
            if guard is None:
                last = self._checked_head(connection)
            else:
                found = chain.verify(_stored(connection))
                if found.problem is not None:
                    raise found.problem.as_error(str(self._path))
                guard(found.entries)
                last = found.entries[-1]
            self._refuse_second(connection, id_of(payload))
            entry = chain.sealed(
                seq=last.seq + 1,
                prev=last.hash,
                kind=kind,
                recorded_at=self._clock(),
                author=author,
                payload=payload,
            )
            connection.execute(sa.insert(entries), _row(entry))
        return entry

    def entries(self, *, after: int = 0, until: int | None = None) -> list[Entry]:
        """Return the entries ``after`` + 1 … ``until`` (all by default) in their order.

        Raises
        ------
        RegisterBroken
            A stored field has another type, or a payload is not canonical JSON. Links and hashes are not looked at.
        """
        with self._transaction() as connection:
            return [self._entry(stored) for stored in _stored(connection, after=after, until=until)]

    def head(self) -> Entry | None:
        """Return the last entry."""
        with self._transaction() as connection:
            last = _last(connection)
        return None if last is None else self._entry(last)

    def verify(self) -> chain.Chain:
        """Check every stored entry, and that the database still refuses changes.

        Raises
        ------
        RegisterBroken
            The database has lost a trigger, or cannot be read.
        """
        with self._transaction() as connection:
            self._require_triggers(connection)
            return chain.verify(_stored(connection))

    def export(self) -> Iterator[bytes]:
        """Give the lines of an export, of a register that holds.

        Raises
        ------
        RegisterBroken
            An entry does not hold; no line is given.
        """
        found = self.verify()
        if found.problem is not None:
            raise found.problem.as_error(str(self._path))
        return map(chain.export_line, found.entries)

    def close(self) -> None:
        """Let go of the file."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @classmethod
    def _create(cls, url: str, first: Iterable[Entry], *, clock: Clock) -> Self:
        path = path_of(url)
        if not path.parent.is_dir():
            raise BadInput(f"there is no directory {path.parent}", where=str(path), next_step="Make it first")
        if path.exists() and path.stat().st_size:
            # Looked at before anything is changed: a new register switches its file to write-ahead logging.
            with cls(_engine(path, mode="rw"), path=path, clock=clock, read_only=True) as found:
                found._require_no_tables()
        register = cls(_engine(path, mode="rwc"), path=path, clock=clock, read_only=False)
        try:
            # Schema and entries in one transaction: whoever is killed here leaves an empty file, which the next
            # attempt takes over, and never half a register.
            with register._transaction(write=True) as connection:
                register._require_no_tables(connection)
                _upgrade(connection)
                for entry in first:
                    connection.execute(sa.insert(entries), _row(entry))
        except BaseException:
            register.close()
            raise
        return register

    def _require_no_tables(self, connection: sa.Connection | None = None) -> None:
        if connection is None:
            with self._transaction() as connection:
                return self._require_no_tables(connection)
        if tables := sa.inspect(connection).get_table_names():
            raise BadState(
                "there is a register here already" if entries.name in tables else "is another database",
                where=str(self._path),
                next_step="Use it as it is, or choose another name",
            )
        return None

    @contextmanager
    def _transaction(self, *, write: bool = False) -> Iterator[sa.Connection]:
        """Open a transaction; database errors become ours at this border."""
        try:
            with self._engine.connect() as connection:
                connection = connection.execution_options(anchorhold_write=write)
                with connection.begin():
                    yield connection
        except exc.IntegrityError as error:
            raise RegisterBroken(f"the database refuses the entry: {error.orig}", where=str(self._path)) from error
        except exc.DBAPIError as error:
            raise self._database_error(error) from error

    def _database_error(self, error: exc.DBAPIError) -> BadInput | BadState | RegisterBroken:
        code = getattr(error.orig, "sqlite_errorcode", None)
        primary = None if code is None else code & 0xFF
        where = str(self._path)
        if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return BadState(
                f"another process has held the register for more than {LOCK_SECONDS:g} s",
                where=where,
                next_step="Try again when it has ended",
            )
        if primary == sqlite3.SQLITE_NOTADB:
            return BadInput("is not a register (not an SQLite database)", where=where)
        if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR, None):
            return RegisterBroken(
                f"the database cannot be read: {error.orig}", where=where, next_step="Restore it from an export"
            )
        return BadState(f"the database does not answer: {error.orig}", where=where)

    def _require_schema(self) -> None:
        with self._transaction() as connection:
            if not {entries.name, revision.name} <= set(sa.inspect(connection).get_table_names()):
                raise BadInput(
                    "is not a register (it has no entries)",
                    where=str(self._path),
                    next_step="Name the right file with --register",
                )
            found = connection.execute(sa.select(revision.c.version_num)).scalar()
        if found != HEAD_REVISION:
            raise BadInput(
                f"the register has schema {found!r}, this program knows {HEAD_REVISION!r}",
                where=str(self._path),
                next_step="Use the anchorhold that wrote it, or a newer one",
            )

    def _require_triggers(self, connection: sa.Connection) -> None:
        found = connection.execute(
            sa.text("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'entries'")
        )
        if missing := _TRIGGERS - set(found.scalars()):
            raise RegisterBroken(
                f"the database no longer refuses changes: the trigger {min(missing)} is gone",
                where=str(self._path),
                next_step="Compare it with an export before anything is added",
            )

    def _checked_head(self, connection: sa.Connection) -> Entry:
        """Return the last entry, whose number and hash hold: nothing is built on one that does not."""
        last = _last(connection)
        if last is None:
            raise RegisterBroken("there is no entry; the first one must be genesis", where=str(self._path))
        count = connection.execute(sa.select(sa.func.count()).select_from(entries)).scalar_one()
        entry = chain.check_entry(last, seq=count, prev=str(last.prev))
        if isinstance(entry, chain.Problem):
            raise entry.as_error(str(self._path))
        return entry

    def _refuse_second(self, connection: sa.Connection, name: str | None) -> None:
        """Refuse an id that stands already: it would make its window unsound, and could never be taken out."""
        if name is None:
            return
        query = sa.select(entries).order_by(entries.c.seq)
        if name.isascii() and name.isprintable() and not set(name) & set('"\\'):  # JSON writes such a name as it is
            query = query.where(entries.c.payload.contains(name, autoescape=True))
        for row in connection.execute(query):
            entry = self._entry(chain.StoredEntry(**row._mapping))
            if id_of(entry.payload) == name:
                raise BadState(
                    f"the id {name!r} stands already, at entry {entry.seq}",
                    where=str(self._path),
                    next_step="An id names one thing; give this one another",
                )

    def _entry(self, stored: chain.StoredEntry) -> Entry:
        try:
            return chain.unverified(stored)
        except BadInput as error:
            raise RegisterBroken(error.what, where=f"{self._path}, entry {stored.seq}") from error


def path_of(url: str) -> Path:
    """Path of the database file of a register URL: a plain path, or ``sqlite:///path``.

    Raises
    ------
    BadInput
        Another kind of URL, or no file.
    """
    if url.endswith(".jsonl"):
        raise BadInput(
            "an export is only read", where=url, next_step="Name the database; 'anchorhold register import' makes one"
        )
    scheme, separator, rest = url.partition("://")
    if separator:
        if scheme != "sqlite" or not rest.startswith("/") or rest == "/":
            raise BadInput(
                f"cannot keep a register at a {scheme}:// address of this form",
                next_step="Give a path, or sqlite:///path; this version keeps registers in SQLite files",
            )
        return Path(rest[1:])
    if not url or url == ":memory:":
        raise BadInput(f"cannot keep a register in {url!r}", next_step="Give the path of a file")
    return Path(url)


def _reading(path: Path) -> dict[str, str]:
    """Choose how a register is opened for reading; it may lie on a disk that nobody here can write to."""
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        # SQLite's own read-only mode would leave the files of its write-ahead log lying about.
        return {"mode": "rw"}
    log = path.with_name(path.name + "-wal")
    if log.exists() and log.stat().st_size:
        return {"mode": "ro"}  # another process writes it, or was killed: the log must be read too
    return {"mode": "ro", "immutable": "1"}


def _engine(path: Path, **how: str) -> sa.Engine:
    """Open the file in SQLite's own mode (ro, rw, rwc), so that reading or a typing error never makes a file."""
    location = "file:" + urllib.parse.quote(str(path.absolute()))
    url = sa.URL.create("sqlite+pysqlite", database=location, query={**how, "uri": "true"})
    engine = sa.create_engine(url, connect_args={"timeout": LOCK_SECONDS})

    @event.listens_for(engine, "connect")
    def _connect(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
        # sqlite3 must not begin transactions by itself: it would begin them too late, and none for a schema change.
        connection.isolation_level = None
        cursor = connection.cursor()
        if how["mode"] == "rwc":  # the file remembers it
            cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        write = connection.get_execution_options().get("anchorhold_write", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")

    return engine


def _upgrade(connection: sa.Connection) -> None:
    """Bring the schema to the newest revision, inside the connection's transaction."""
    from alembic import command  # slow to load, and needed only here
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _stored(connection: sa.Connection, *, after: int = 0, until: int | None = None) -> Iterator[chain.StoredEntry]:
    query = sa.select(entries).where(entries.c.seq > after).order_by(entries.c.seq)
    if until is not None:
        query = query.where(entries.c.seq <= until)
    for row in connection.execute(query):
        yield chain.StoredEntry(**row._mapping)


def _last(connection: sa.Connection) -> chain.StoredEntry | None:
    row = connection.execute(sa.select(entries).order_by(entries.c.seq.desc()).limit(1)).first()
    return None if row is None else chain.StoredEntry(**row._mapping)


def _row(entry: Entry) -> dict[str, Any]:
    return {**entry.to_json(), "payload": chain.payload_text(entry)}
