"""The register: entries are read from its database, and appended to it one after the other.

An entry is numbered, linked and written under one write transaction that keeps every other writer out, so that two
processes never lose an entry or number one twice; it is acknowledged only when it is on the disk. Reading makes no
claim about the chain beyond each payload's form: ``verify`` does. A register of an older schema is read as it is, and
brought up to date in one transaction when it is first opened for writing. Source: SPEC section 7.
May import: sqlalchemy, alembic, anchorhold.errors, anchorhold.domain, anchorhold.register.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import sqlalchemy as sa
from sqlalchemy import exc

from anchorhold.domain.entries import NO_PREVIOUS, Entry, id_of
from anchorhold.errors import BadInput, BadState, RegisterBroken
from anchorhold.register import chain, exporting
from anchorhold.register.database import Database, existing, new
from anchorhold.register.guards import no_longer_guarded
from anchorhold.register.proposals import (
    Appended,
    Clock,
    Proposed,
    checked_last,
    row_of,
    sealed_behind,
    standing_in,
    utc_now,
)
from anchorhold.register.revisions import HEAD_REVISION, require_known, require_tables
from anchorhold.register.sealing import SealedRow
from anchorhold.register.tables import entries, revision
from anchorhold.register.whole import Meanwhile

Guard = Callable[[Sequence[Entry]], None]

FORM = "anchorhold/register/1"
_ROWS_AT_ONCE = 1000


class Register:
    """An append-only register of entries, in an SQLite file or a PostgreSQL schema. A context manager.

    Make one with ``create``, ``open`` or ``restore``.
    """

    def __init__(self, database: Database, *, clock: Clock, read_only: bool) -> None:
        self._database = database
        self._clock = clock
        self._read_only = read_only

    @classmethod
    def create(cls, url: str, *, author: str, clock: Clock = utc_now, project: str | None = None) -> Self:
        """Make a new register with its genesis entry.

        Raises
        ------
        BadInput
            An address of another kind, a directory that does not exist, an author that cannot be written.
        BadState
            There is a register or another database already, or the database does not answer.
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
            There is a register or another database already, or the database does not answer.
        """
        return cls._create(url, exporting.read_export(exported, where=where), clock=clock)

    @classmethod
    def open(cls, url: str, *, clock: Clock = utc_now, read_only: bool = False) -> Self:
        """Open a register that exists.

        Raises
        ------
        BadInput
            No such file or database, not a register, or one of a newer program.
        BadState
            The database does not answer.
        RegisterBroken
            One of an older program that must be brought up to date, and has lost its triggers.
        """
        register = cls(existing(url, read_only=read_only), clock=clock, read_only=read_only)
        try:
            with register._transaction() as connection:
                found = register._known_revision(connection)
            if found != HEAD_REVISION and not read_only:
                register._bring_up_to_date()
        except BaseException:
            register.close()
            raise
        return register

    @property
    def location(self) -> str:
        """Where it is: the path of a file, or an address without its password."""
        return self._database.location

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
            The last entry does not hold, or the database no longer refuses changes; with a guard, any entry.
        """
        if self._read_only:
            raise BadState("the register is open for reading only", where=self.location)
        with self._transaction(write=True) as connection:
            self._require_guards(connection)
            last: Entry | SealedRow
            if guard is None:
                last = self._checked_head(connection)
            else:
                found = chain.verify(_stored(connection))
                if found.problem is not None:
                    raise found.problem.as_error(self.location)
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
            self._write(connection, [row_of(entry)])
        return entry

    def append_new(self, proposed: Iterable[Proposed], *, author: str) -> Appended:
        """Append every proposed entry whose id no entry has, in their order, in one transaction: all of them or none.

        Parameters
        ----------
        proposed : iterable of Proposed
            Kind and payload of each; one without an id is appended whatever stands there.
        author : str
            Who records them.

        Raises
        ------
        BadInput, BadState, RegisterBroken
            As for ``append``; nothing is appended then.
        """
        if self._read_only:
            raise BadState("the register is open for reading only", where=self.location)
        with self._transaction(write=True) as connection:
            self._require_guards(connection)
            last = self._checked_head(connection)
            standing = standing_in(connection.execute(sa.select(entries).order_by(entries.c.seq)), where=self.location)
            done = sealed_behind(last, standing, proposed, author=author, clock=self._clock)
            for at in range(0, len(done.added), _ROWS_AT_ONCE):
                self._write(connection, done.added[at : at + _ROWS_AT_ONCE])
        return done

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

    def verify(self, *, meanwhile: Meanwhile | None = None) -> chain.Chain:  # noqa: ARG002 - one process does it all
        """Check every stored entry, and that the database still refuses changes.

        Raises
        ------
        RegisterBroken
            The database no longer refuses changes, or cannot be read.
        """
        with self._transaction() as connection:
            self._require_guards(connection)
            return chain.verify(_stored(connection))

    def export(self) -> Iterator[bytes]:
        """Give the lines of an export, of a register that holds.

        Raises
        ------
        RegisterBroken
            An entry does not hold; no line is given.
        """
        return exporting.export_lines(self.verify(), where=self.location)

    def close(self) -> None:
        """Let go of the database."""
        self._database.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @classmethod
    def _create(cls, url: str, first: Sequence[Entry], *, clock: Clock) -> Self:
        register = cls(new(url), clock=clock, read_only=False)
        try:
            # Looked at before anything is changed: a file is about to be switched to write-ahead logging.
            with register._transaction() as connection:
                register._require_no_tables(connection)
            register._database.prepare()
            # Schema and entries in one transaction: whoever is killed here leaves an empty database, which the next
            # attempt takes over, and never half a register.
            with register._transaction(write=True) as connection:
                register._require_no_tables(connection)
                _upgrade(connection)
                register._write(connection, [row_of(entry) for entry in first])
        except BaseException:
            register.close()
            raise
        return register

    def _require_no_tables(self, connection: sa.Connection) -> None:
        if tables := sa.inspect(connection).get_table_names():
            raise BadState(
                "there is a register here already" if entries.name in tables else "is another database",
                where=self.location,
                next_step="Use it as it is, or choose another name",
            )

    @contextmanager
    def _transaction(self, *, write: bool = False) -> Iterator[sa.Connection]:
        """Open a transaction; database errors become ours at this border."""
        try:
            with self._database.engine.connect() as connection:
                connection = connection.execution_options(anchorhold_write=write)
                with connection.begin():
                    yield connection
        except exc.IntegrityError as error:
            said = " ".join(str(error.orig).split())
            raise RegisterBroken(f"the database refuses the entry: {said}", where=self.location) from error
        except exc.DBAPIError as error:
            raise self._database.error(error) from error

    def _known_revision(self, connection: sa.Connection) -> str:
        """Return the schema that the database has; it must be one that this program knows."""
        require_tables(sa.inspect(connection).get_table_names(), where=self.location)
        found = connection.execute(sa.select(revision.c.version_num)).scalar()
        return require_known(found, where=self.location)

    def _bring_up_to_date(self) -> None:
        with self._transaction(write=True) as connection:
            # Another process may have done it while this one waited.
            if self._known_revision(connection) != HEAD_REVISION:
                self._require_guards(connection)
                _upgrade(connection)

    def _require_guards(self, connection: sa.Connection) -> None:
        if lost := self._database.lost_guard(connection):
            raise no_longer_guarded(lost, where=self.location)

    def _checked_head(self, connection: sa.Connection) -> SealedRow:
        """Return the last entry, which must hold and follow the one before: nothing is built on one that does not."""
        rows = connection.execute(sa.select(entries).order_by(entries.c.seq.desc()).limit(2)).all()
        return checked_last([tuple(row) for row in rows], where=self.location)

    def _write(self, connection: sa.Connection, rows: Sequence[SealedRow]) -> None:
        done = connection.execute(
            sa.insert(entries), [row._asdict() for row in rows], execution_options={"preserve_rowcount": True}
        )
        if done.rowcount != len(rows):
            # Somebody's trigger or rule took a row away without an error: it must not be acknowledged.
            raise RegisterBroken("the database did not take the entry", where=self.location)

    def _refuse_second(self, connection: sa.Connection, name: str | None) -> None:
        """Refuse an id that stands already: it would make its window unsound, and could never be taken out."""
        if name is None:
            return
        query = sa.select(entries).where(self._database.has_id(name)).order_by(entries.c.seq)
        for row in connection.execute(query):
            entry = self._entry(chain.StoredEntry(*row))
            if id_of(entry.payload) == name:
                raise BadState(
                    f"the id {name!r} stands already, at entry {entry.seq}",
                    where=self.location,
                    next_step="An id names one thing; give this one another",
                )

    def _entry(self, stored: chain.StoredEntry) -> Entry:
        try:
            return chain.unverified(stored)
        except BadInput as error:
            raise RegisterBroken(error.what, where=f"{self.location}, entry {stored.seq}") from error


def _upgrade(connection: sa.Connection) -> None:
    """Bring the schema to the newest revision, inside the connection's transaction."""
    from alembic import command  # slow to load, and needed only here
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _stored(
    connection: sa.Connection, *, after: int | None = None, until: int | None = None
) -> Iterator[chain.StoredEntry]:
    query = sa.select(entries).order_by(entries.c.seq)
    if after is not None:  # else every row is read: one numbered 0, less, or not at all must not be passed over
        query = query.where(entries.c.seq > after)
    if until is not None:
        query = query.where(entries.c.seq <= until)
    for row in connection.execute(query):
        yield chain.StoredEntry(*row)


def _last(connection: sa.Connection) -> chain.StoredEntry | None:
    row = connection.execute(sa.select(entries).order_by(entries.c.seq.desc()).limit(1)).first()
    return None if row is None else chain.StoredEntry(*row)
