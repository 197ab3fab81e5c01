"""Matches while they are played: each journal is followed pair by pair, and never written to.

What is shown is counted from the pairs themselves; a pair is unpacked once. Elo is seen from the first engine.
May import: anchorhold.checks, anchorhold.domain, anchorhold.errors, anchorhold.matches.journal, anchorhold.stats,
anchorhold.web.overview.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import time
import zlib
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from anchorhold.checks.state import CheckState
from anchorhold.domain.games import GameRecord, PairRecord
from anchorhold.errors import AnchorholdError
from anchorhold.matches.journal import Journal
from anchorhold.matches.journal_lock import is_being_written
from anchorhold.stats.elo import Estimate, NoEstimate, elo_from_pentanomial
from anchorhold.stats.outcomes import Pentanomial
from anchorhold.web.run_plan import RunPlan, Sequential, standing_of

State = Literal["playing", "paused", "complete", "unreadable"]
BUDGET = 0.15
"""Seconds that one look may take; a long journal is caught up with over several."""
RECENT = 60
"""Pairs that the speed is taken from."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The pairs of one endpoint against one opponent at one stage."""

    endpoint: str
    anchor: str
    stage: str
    counts: Pentanomial
    planned: int | None
    estimate: Estimate | None


@dataclass(frozen=True, slots=True)
class LastGame:
    """The game that ended last, with both engines' names."""

    record: PairRecord
    game: GameRecord
    white: str
    black: str


@dataclass(frozen=True, slots=True)
class Match:
    """One run as it is shown."""

    number: int
    """Which one it is on the page, from 1."""
    kind: Literal["check", "oracle", "match", ""]
    title: str
    state: State
    done: int
    planned: int | None
    planned_is_limit: bool = False
    """A sequential test may end before."""
    waiting: int = 0
    """Pairs of the journal that were not read yet."""
    speed: float | None = None
    """Pairs an hour."""
    left: float | None = None
    """Seconds, at this speed."""
    tallies: tuple[Tally, ...] = ()
    faults: tuple[tuple[str, int], ...] = ()
    """Games lost by an engine's own fault, by engine."""
    tests: tuple[Sequential, ...] = ()
    last: LastGame | None = None
    problem: str = ""
    """Why the journal cannot be read."""
    key: str = ""
    """Which journal it is, wherever it stands on the page."""


class Follower:
    """Follows one journal."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._key = hashlib.sha256(os.fsencode(path)).hexdigest()[:12]
        self._identity: tuple[int, int] | None = None
        self._begin()

    def _begin(self) -> None:
        self._place = 0
        self._total = 0
        self._counts: dict[tuple[str, str, str], list[int]] = {}
        self._faults: Counter[str] = Counter()
        self._ends: deque[float] = deque(maxlen=RECENT)
        self._last: PairRecord | None = None
        self._plan: Mapping[str, object] = {}
        self._planned: int | None = None
        self._problem = ""
        self._read: object = None
        self._shown: tuple[bool, Mapping[str, CheckState], Match] | None = None

    def look(self) -> None:
        """Read on where the file grew, for as long as one look may take."""
        mark = _mark(self.path)
        if mark == self._read and not self._problem:
            return
        self._problem = ""
        self._shown = None
        try:
            found = self.path.stat()
            if self._identity != (found.st_dev, found.st_ino):
                self._begin()
                self._identity = (found.st_dev, found.st_ino)
            with Journal.read(self.path) as journal:
                self._plan, self._planned = journal.plan, journal.planned
                until = time.monotonic() + BUDGET
                for place, record in journal.added(after=self._place):
                    self._take(record)
                    self._place = place
                    if time.monotonic() > until:
                        self._total = len(journal)
                        break
                else:
                    self._read = mark
                    self._total = self._done
        except AnchorholdError as error:
            self._problem = error.what
        except (OSError, sqlite3.Error, zlib.error, ValueError, KeyError, TypeError) as error:
            # Whatever a torn file holds: the page says so, and the next look may find it whole.
            self._problem = f"the journal is damaged or was cut off: {error}"

    @property
    def _done(self) -> int:
        return sum(map(sum, self._counts.values()))

    def _take(self, record: PairRecord) -> None:
        key = record.key
        self._counts.setdefault((key.stage, key.endpoint, key.anchor), [0] * 5)[record.half_points] += 1
        for game in record.games:
            if game.fault_of:
                self._faults[key.endpoint if game.fault_of == "first" else key.anchor] += 1
        if (end := _end(record)) is not None:
            self._ends.append(end)
        self._last = record

    def match(self, number: int, checks: Mapping[str, CheckState]) -> Match:
        """Return the run as it stands; made anew when a pair came, the writer came or went, or checks are others."""
        if self._problem:
            return Match(number, "", self.path.name, "unreadable", 0, None, problem=self._problem)
        writing = is_being_written(self.path)
        known = self._shown
        if known is None or known[0] != writing or known[1] is not checks:
            known = self._shown = writing, checks, self._made(checks, writing=writing)
        return replace(known[2], number=number, key=self._key)

    def _made(self, checks: Mapping[str, CheckState], *, writing: bool) -> Match:
        plan = RunPlan.of(self._plan, checks, planned=self._planned, default=self.path.name)
        tests = tuple(
            standing
            for stage, test in plan.tests
            if (standing := standing_of(stage, test, [c for (s, _, _), c in self._counts.items() if s == stage]))
        )
        over = plan.planned is not None and self._total >= plan.planned and not plan.is_limit
        state: State = "playing" if writing else "complete" if over or plan.over(tests) else "paused"
        speed = self._speed() if state == "playing" else None
        left = None
        if speed and plan.planned is not None and self._total < plan.planned:
            left = (plan.planned - self._total) / speed * 3600
        return Match(
            number=0,
            kind=plan.kind,
            title=plan.title,
            state=state,
            done=self._done,
            planned=plan.planned,
            planned_is_limit=plan.is_limit,
            waiting=max(0, self._total - self._done),
            speed=speed,
            left=left,
            tallies=tuple(self._tallies(plan)),
            faults=tuple((plan.name(role), count) for role, count in sorted(self._faults.items())),
            tests=tests,
            last=None if self._last is None else _last_game(self._last, plan),
        )

    def _speed(self) -> float | None:
        ends = sorted(self._ends)
        span = ends[-1] - ends[0] if len(ends) > 2 else 0.0
        return (len(ends) - 1) / span * 3600 if span > 0 else None

    def _tallies(self, plan: RunPlan) -> Iterable[Tally]:
        for stage, endpoint, anchor in [*plan.parts, *sorted(set(self._counts) - set(plan.parts))]:
            counts = Pentanomial(*self._counts.get((stage, endpoint, anchor), [0] * 5))
            try:
                estimate = elo_from_pentanomial(counts)
            except NoEstimate:
                estimate = None
            yield Tally(
                plan.name(endpoint),
                plan.name(anchor),
                stage,
                counts,
                plan.parts.get((stage, endpoint, anchor)),
                estimate,
            )


def _last_game(record: PairRecord, plan: RunPlan) -> LastGame:
    game = record.games[1]
    first, second = plan.name(record.key.endpoint), plan.name(record.key.anchor)
    white, black = (first, second) if game.first_is_white else (second, first)
    return LastGame(record, game, white, black)


def _end(record: PairRecord) -> float | None:
    """When the pair ended, in seconds of the clock: its last game's start and the time of its moves."""
    game = record.games[1]
    try:
        start = datetime.fromisoformat(game.started_at)
    except ValueError:
        return None
    return (start + timedelta(seconds=sum(move.seconds for move in game.moves))).timestamp()


class Matches:
    """All journals that are of interest now.

    Parameters
    ----------
    data : sequence of Path
        Data directories of projects: journals of checks and of oracle runs lie in them.
    places : sequence of Path
        Other journals, or directories in which ``*.journal`` are looked for.
    """

    MOST = 12
    RECENT_SECONDS = 24 * 3600.0
    EVERY = 1.0
    """Seconds between two looks into the journals that are known."""
    FIND_EVERY = 5.0
    """Seconds between two looks for journals that are new."""

    def __init__(self, *, data: Sequence[Path] = (), places: Sequence[Path] = ()) -> None:
        self._data = tuple(data)
        self._places = tuple(places)
        self._followers: dict[Path, Follower] = {}
        self._looked = float("-inf")
        self._sought = float("-inf")

    def look(self) -> None:
        """Find the journals and read on in each; however often it is asked, seldom enough to cost nothing."""
        if time.monotonic() - self._looked < self.EVERY:
            return
        if time.monotonic() - self._sought >= self.FIND_EVERY:
            self._followers = {path: self._followers.get(path) or Follower(path) for path in self._current()}
            self._sought = time.monotonic()
        for follower in self._followers.values():
            follower.look()
        self._looked = time.monotonic()

    def shown(self, checks: Mapping[str, CheckState]) -> tuple[Match, ...]:
        """Return what was found, runs that are being played first."""
        found = [(follower, follower.match(0, checks)) for follower in self._followers.values()]
        order = {"playing": 0, "unreadable": 1, "paused": 2, "complete": 3}
        # Runs that are being played keep their places, however they take turns at writing.
        found.sort(
            key=lambda pair: (
                order[pair[1].state],
                0.0 if pair[1].state == "playing" else -_changed(pair[0].path),
                pair[0].path,
            )
        )
        return tuple(replace(match, number=number) for number, (_, match) in enumerate(found, start=1))

    def _current(self) -> list[Path]:
        found: set[Path] = set()
        for data in self._data:
            found.update(data.glob("checks/*/journal.sqlite"))
            found.update(data.glob("oracle/*/journal.sqlite"))
        for place in self._places:
            found.update(place.glob("*.journal") if place.is_dir() else [place])
        since = time.time() - self.RECENT_SECONDS
        named = {place for place in self._places if not place.is_dir()}
        fresh = [path for path in found if path in named or _changed(path) >= since or is_being_written(path)]
        return sorted(fresh, key=_changed, reverse=True)[: self.MOST]


def _files(path: Path) -> tuple[os.stat_result, ...]:
    """What the system says of a journal and of its write-ahead log, which is written first."""
    found = []
    for file in (path, path.with_name(path.name + "-wal")):
        try:
            found.append(file.stat())
        except OSError:
            continue
    return tuple(found)


def _mark(path: Path) -> object:
    """What changes with every pair that is written."""
    return tuple((file.st_dev, file.st_ino, file.st_size, file.st_mtime_ns) for file in _files(path))


def _changed(path: Path) -> float:
    """When a journal last grew."""
    return max((file.st_mtime for file in _files(path)), default=0.0)
