"""Where registers lie in tests, SQLite or PostgreSQL, and what anybody can do there who has SQL."""

import itertools
import shutil
import sqlite3
from abc import ABC, abstractmethod
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import psycopg

from anchorhold.register.store import Register
from postgres import Cluster

NOW = datetime(2026, 11, 30, 4, 5, 6, tzinfo=UTC)
_numbers = itertools.count(1)


def clock() -> datetime:
    return NOW


class Place(ABC):
    """One database; its register lies at ``url``, others at ``other()``."""

    url: str
    refusals: tuple[type[Exception], ...]
    """What the database raises for a row that it does not take."""
    random_hash: str
    """SQL for the hash of an entry that nobody has seen."""

    @abstractmethod
    def other(self) -> str:
        """Address at which there is no register yet."""

    @abstractmethod
    def sql(self, *statements: str) -> None:
        """Run statements, as this program would never."""

    @abstractmethod
    def without_guards(self, *statements: str) -> None:
        """Change what the database refuses to change, and put its triggers and index back."""

    def take_over(self, exported: bytes) -> None:
        """Make the register from an export."""
        Register.restore(self.url, exported, where="export", clock=clock).close()


class SqlitePlace(Place):
    refusals = (sqlite3.IntegrityError,)
    random_hash = "lower(hex(randomblob(32)))"

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.path = directory / "register.db"
        self.url = str(self.path)

    def other(self) -> str:
        return str(self.directory / f"other{next(_numbers)}.db")

    def sql(self, *statements: str) -> None:
        with closing(sqlite3.connect(self.path, isolation_level=None)) as connection:
            for statement in statements:
                connection.execute(statement)

    def without_guards(self, *statements: str) -> None:
        with closing(sqlite3.connect(self.path, isolation_level=None)) as connection:
            kept = connection.execute(
                "SELECT type, name, sql FROM sqlite_master WHERE type = 'trigger' OR (type = 'index' AND sql NOT NULL)"
            ).fetchall()
            for kind, name, _ in kept:
                connection.execute(f"DROP {kind} {name}")
            for statement in statements:
                connection.execute(statement)
            for _, _, text in kept:
                connection.execute(text)

    def copy(self, register: Path) -> None:
        shutil.copy(register, self.path)


class PostgresPlace(Place):
    refusals = (psycopg.errors.IntegrityError,)
    random_hash = "encode(sha256(random()::text::bytea), 'hex')"

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.url = self.other()

    def other(self) -> str:
        schema = f"register{next(_numbers)}"
        with psycopg.connect(self.cluster.url(), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {schema}")
        return self.cluster.url(schema=schema)

    def sql(self, *statements: str) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def without_guards(self, *statements: str) -> None:
        names = ("entries_never_change", "entries_never_go", "entries_never_go_at_once", "entries_follow")
        self.sql(
            *(f"ALTER TABLE entries DISABLE TRIGGER {name}" for name in names),
            *statements,
            *(f"ALTER TABLE entries ENABLE ALWAYS TRIGGER {name}" for name in names),
        )
