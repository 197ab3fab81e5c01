"""The journal of a run: the one truth about the pairs that were played, one row per pair.

A SQLite file. A pair is there when ``add`` has returned, also after kill -9 or loss of power; its key keeps it from
being there twice; nothing is changed or taken out again, the database itself refuses it. One process writes, others may
read meanwhile. PGN and all counts derive from here. Source: SPEC section 10.
May import: anchorhold.canonical, anchorhold.errors, anchorhold.stats, anchorhold.domain,
anchorhold.matches.journal_lock, plans, records.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self, cast

from anchorhold.canonical import canonical_json, sha256_hex
from anchorhold.domain.games import PairKey, PairRecord
from anchorhold.errors import BadInput, BadState
from anchorhold.matches.journal_lock import lock, unlock
from anchorhold.matches.plans import plan_differences
from anchorhold.matches.records import pack, unpack
from anchorhold.stats.outcomes import JointTable, Pentanomial

FORMAT = "anchorhold/journal/1"

_SCHEMA = """
BEGIN IMMEDIATE;
CREATE TABLE head (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT;
CREATE TABLE pairs (
    run TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    anchor TEXT NOT NULL,
    stage TEXT NOT NULL,
    opening INTEGER NOT NULL CHECK (opening >= 1),
    half_points INTEGER NOT NULL CHECK (half_points BETWEEN 0 AND 4),
    record BLOB NOT NULL,
    PRIMARY KEY (run, endpoint, anchor, stage, opening)
) STRICT;
CREATE TRIGGER pairs_stay BEFORE UPDATE ON pairs BEGIN SELECT raise(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER pairs_remain BEFORE DELETE ON pairs BEGIN SELECT raise(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER head_stays BEFORE UPDATE ON head BEGIN SELECT raise(ABORT, 'the plan is fixed'); END;
CREATE TRIGGER head_remains BEFORE DELETE ON head BEGIN SELECT raise(ABORT, 'the plan is fixed'); END;
"""

_ORDER = "ORDER BY run, endpoint, anchor, stage, opening"


@dataclass(frozen=True, slots=True)
class PairScore:
    """The number of one pair's opening with what the first engine made of it."""

    opening: int
    half_points: int
    """0 to 4."""


class Journal:
    """The pairs of one run on disk; made by ``open`` (to write) or ``read``."""

    def __init__(self, database: sqlite3.Connection, *, path: Path, lock: int | None) -> None:
        self._database = database
        self._path = path
        self._lock = lock

    @classmethod
    def open(cls, path: Path, *, plan: Mapping[str, object]) -> Self:
        """Open a journal for writing, or begin one; the plan is what must be the same when a run is resumed.

        Parameters
        ----------
        path : Path
            The file; its folder must exist. Beside it lies ``<name>.lock`` while the journal is in use.
        plan : Mapping
            JSON values: engines, limits, book, rules, numbers of pairs.

        Raises
        ------
        BadState
            Another process writes to this journal, or it was begun with another plan.
        BadInput
            The file is no journal or cannot be opened.
        """
        text = canonical_json(dict(plan)).decode()
        held = lock(path)
        try:
            database = _connect(f"{path.absolute().as_uri()}?mode=rwc", path)
            try:
                # FULL with a write-ahead log: a commit is on the disk before it is acknowledged.
                database.execute("PRAGMA journal_mode = WAL")
                database.execute("PRAGMA synchronous = FULL")
                _begin(database, text, path)
                _same_plan(database, text, path)
            except BaseException:
                database.close()
                raise
        except sqlite3.Error as error:
            unlock(path, held)
            raise BadInput(f"cannot be used as a journal: {error}", where=str(path)) from error
        except BaseException:
            unlock(path, held)
            raise
        return cls(database, path=path, lock=held)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Open a journal for reading only, also while another process writes to it.

        Raises
        ------
        BadInput
            There is no such file, or it is no journal.
        """
        if not path.is_file():
            raise BadInput("there is no such journal", where=str(path))
        try:
            database = _connect(f"{path.absolute().as_uri()}?mode=ro", path)
            try:
                _head(database, "format")
            except BaseException:
                database.close()
                raise
        except sqlite3.Error as error:
            raise BadInput(f"cannot be read as a journal: {error}", where=str(path)) from error
        return cls(database, path=path, lock=None)

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    @property
    def plan(self) -> Mapping[str, object]:
        """The plan that the journal was begun with."""
        return cast(Mapping[str, object], json.loads(_head(self._database, "plan")))

    @property
    def plan_digest(self) -> str:
        """SHA-256 of the plan's canonical JSON."""
        return sha256_hex(_head(self._database, "plan").encode())

    @property
    def planned(self) -> int | None:
        """Pairs that the run which wrote last was to have in the end; None when none said so."""
        query = "SELECT value FROM head WHERE name LIKE 'planned %' ORDER BY rowid DESC LIMIT 1"
        found = self._database.execute(query).fetchone()
        return None if found is None else int(found[0])

    def intend(self, pairs: int) -> None:
        """Say how many pairs this run is to have in the end, for those who follow it: no part of the plan, so a later
        run may have more.

        Raises
        ------
        BadState
            The journal was opened for reading only, or cannot be written.
        """
        if self._lock is None:
            raise BadState("was opened for reading only", where=str(self._path))
        if pairs == self.planned:
            return
        try:
            with self._database:
                query = "INSERT INTO head SELECT 'planned ' || (count(*) + 1), ? FROM head WHERE name LIKE 'planned %'"
                self._database.execute(query, (str(pairs),))
        except sqlite3.Error as error:
            raise BadState(f"cannot be written: {error}", where=str(self._path)) from error

    def add(self, record: PairRecord) -> None:
        """Keep one finished pair; on return it is on the disk.

        Raises
        ------
        BadState
            The pair is there already, or the journal was opened for reading only.
        """
        self.add_all([record])

    def add_all(self, records: Iterable[PairRecord]) -> None:
        """Keep several pairs, all of them or, when anything is raised, none.

        Raises
        ------
        BadState
            As for ``add``.
        """
        if self._lock is None:
            raise BadState("was opened for reading only", where=str(self._path))
        key: PairKey | None = None
        try:
            with self._database:
                for record in records:
                    key = record.key
                    self._database.execute(
                        "INSERT INTO pairs VALUES (?, ?, ?, ?, ?, ?, ?)",
                        (key.run, key.endpoint, key.anchor, key.stage, key.opening, record.half_points, pack(record)),
                    )
        except sqlite3.IntegrityError as error:
            raise BadState(f"{_pair(key)} cannot be added: {error}", where=str(self._path)) from error
        except sqlite3.Error as error:
            raise BadState(
                f"{_pair(key)} cannot be written: {error}",
                where=str(self._path),
                next_step="Make room on the disk and start the run again: what was played so far is kept",
            ) from error

    def has(self, key: PairKey) -> bool:
        """Whether the pair is there."""
        found = self._database.execute(
            "SELECT 1 FROM pairs WHERE run = ? AND endpoint = ? AND anchor = ? AND stage = ? AND opening = ?",
            (key.run, key.endpoint, key.anchor, key.stage, key.opening),
        )
        return found.fetchone() is not None

    def get(self, key: PairKey) -> PairRecord | None:
        """Return one pair; None when it is not there."""
        found = self._database.execute(
            "SELECT record FROM pairs WHERE run = ? AND endpoint = ? AND anchor = ? AND stage = ? AND opening = ?",
            (key.run, key.endpoint, key.anchor, key.stage, key.opening),
        ).fetchone()
        return None if found is None else unpack(key, found[0])

    def keys(self) -> Iterator[PairKey]:
        """Yield the keys of all pairs, in key order."""
        for row in self._database.execute(f"SELECT run, endpoint, anchor, stage, opening FROM pairs {_ORDER}"):  # noqa: S608
            yield PairKey(*row)

    def __len__(self) -> int:
        return int(self._database.execute("SELECT count(*) FROM pairs").fetchone()[0])

    def pairs(
        self,
        *,
        run: str | None = None,
        endpoint: str | None = None,
        anchor: str | None = None,
        stage: str | None = None,
    ) -> Iterator[PairRecord]:
        """Yield the pairs with the given parts of their key (None: any), in key order."""
        where, values = _filter(run, endpoint, anchor, stage)
        # Only fixed texts are put together here; values go in as parameters.
        query = f"SELECT run, endpoint, anchor, stage, opening, record FROM pairs {where} {_ORDER}"  # noqa: S608
        for *key, blob in self._database.execute(query, values):
            yield unpack(PairKey(*key), blob)

    def added(self, *, after: int = 0) -> Iterator[tuple[int, PairRecord]]:
        """Yield the pairs in the order in which they were added, each with its place, from the one after ``after`` on.

        Places only grow: whoever follows a run reads on from the last place that was seen.
        """
        columns = "rowid, run, endpoint, anchor, stage, opening, record"
        query = f"SELECT {columns} FROM pairs WHERE rowid > ? ORDER BY rowid"  # noqa: S608
        for place, *key, blob in self._database.execute(query, (after,)):
            yield place, unpack(PairKey(*key), blob)

    def scores(self, *, run: str, endpoint: str, anchor: str, stage: str) -> Iterator[PairScore]:
        """Yield the scores of one endpoint against one anchor at one stage, in the order of the openings."""
        where, values = _filter(run, endpoint, anchor, stage)
        query = f"SELECT opening, half_points FROM pairs {where} ORDER BY opening"  # noqa: S608
        for opening, half_points in self._database.execute(query, values):
            yield PairScore(opening=opening, half_points=half_points)

    def pentanomial(self, *, run: str, endpoint: str, anchor: str, stage: str, until: int | None = None) -> Pentanomial:
        """Count one endpoint's pairs against one anchor at one stage, by points.

        Parameters
        ----------
        until : int, optional
            Count openings up to this number only.
        """
        where, values = _filter(run, endpoint, anchor, stage)
        if until is not None:
            where, values = f"{where} AND opening <= ?", (*values, until)
        counts = [0] * 5
        query = f"SELECT half_points, count(*) FROM pairs {where} GROUP BY half_points"  # noqa: S608
        for half_points, count in self._database.execute(query, values):
            counts[half_points] = count
        return Pentanomial(*counts)

    def joint(self, *, run: str, anchor: str, stage: str, old: str = "old", new: str = "new") -> JointTable:
        """Count the openings that both endpoints played against one anchor, by the old's points and the new's."""
        table = [[0] * 5 for _ in range(5)]
        query = (
            "SELECT a.half_points, b.half_points, count(*) FROM pairs AS a JOIN pairs AS b"
            " ON b.run = a.run AND b.anchor = a.anchor AND b.stage = a.stage AND b.opening = a.opening"
            " WHERE a.run = ? AND a.anchor = ? AND a.stage = ? AND a.endpoint = ? AND b.endpoint = ?"
            " GROUP BY a.half_points, b.half_points"
        )
        for row, column, count in self._database.execute(query, (run, anchor, stage, old, new)):
            table[row][column] = count
        return JointTable(rows=tuple((r[0], r[1], r[2], r[3], r[4]) for r in table))

    def close(self) -> None:
        """Close the file and let others write to it; closing twice is harmless."""
        self._database.close()
        if self._lock is not None:
            unlock(self._path, self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def describe(key: PairKey) -> str:
    """Name a pair in words, for messages."""
    return f"{key.endpoint} against {key.anchor}, {key.stage} stage, opening {key.opening} of {key.run}"


def _pair(key: PairKey | None) -> str:
    return "nothing" if key is None else f"the pair {describe(key)}"


def _connect(uri: str, path: Path) -> sqlite3.Connection:
    try:
        database = sqlite3.connect(uri, uri=True, timeout=30.0, isolation_level="IMMEDIATE")
    except sqlite3.Error as error:
        raise BadInput(f"the journal cannot be opened: {error}", where=str(path)) from error
    return database


def _begin(database: sqlite3.Connection, plan: str, path: Path) -> None:
    tables = {row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if tables == {"head", "pairs"}:
        return
    if tables:
        raise BadInput("is a database, but no journal", where=str(path), next_step="Give another file name")
    # One transaction: a run killed in here leaves an empty file, which the next one begins again.
    database.executescript(_SCHEMA)
    database.execute("INSERT INTO head VALUES ('format', ?), ('plan', ?)", (FORMAT, plan))
    database.commit()


def _head(database: sqlite3.Connection, name: str) -> str:
    found = database.execute("SELECT value FROM head WHERE name = ?", (name,)).fetchone()
    if found is None:
        raise sqlite3.DatabaseError(f"its head does not say {name!r}")
    return str(found[0])


def _same_plan(database: sqlite3.Connection, plan: str, path: Path) -> None:
    made_by = _head(database, "format")
    if made_by != FORMAT:
        raise BadInput(f"is a journal of the form {made_by!r}, expected {FORMAT!r}", where=str(path))
    known = _head(database, "plan")
    if known != plan:
        differences = plan_differences(json.loads(known), json.loads(plan))
        more = f" and {len(differences) - 3} more" if len(differences) > 3 else ""
        raise BadState(
            f"the journal was begun with another plan: {'; '.join(differences[:3])}{more}",
            where=str(path),
            next_step="Resume with the settings of the first run, or give a new journal",
        )


def _filter(
    run: str | None, endpoint: str | None, anchor: str | None, stage: str | None
) -> tuple[str, tuple[str | int, ...]]:
    wanted = [("run", run), ("endpoint", endpoint), ("anchor", anchor), ("stage", stage)]
    parts = [(f"{name} = ?", value) for name, value in wanted if value is not None]
    if not parts:
        return "", ()
    return "WHERE " + " AND ".join(part for part, _ in parts), tuple(value for _, value in parts)
