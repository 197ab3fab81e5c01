"""A stretch of a history, read by itself: what each of its commits gives, whatever other commits say.

Two stretches are read beside each other, so everything has a plain form, of lists and texts, which one process can hand
to another. May import: anchorhold.importers.*.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from anchorhold.errors import BadInput
from anchorhold.importers.base import Place, Problem, Remark
from anchorhold.importers.commits.classify import classify
from anchorhold.importers.commits.entries import ReadCommit, drafts_of
from anchorhold.importers.commits.history import Commit
from anchorhold.importers.commits.reading import read_message
from anchorhold.importers.commits.worth import worth_reading
from anchorhold.importers.drafts import Draft
from anchorhold.importers.models import settle_models
from anchorhold.importers.recordable import recordable
from anchorhold.importers.recount import differences_of, sound_counts
from anchorhold.importers.report import Report

Key = tuple[object, ...]
"""What makes two reports the same test: counts and bounds."""


@dataclass(slots=True)
class Read:
    """A commit with a report, or with a title that reverts."""

    commit: Commit
    keys: tuple[Key | None, ...]
    """Of each report; None where too little is printed to know it again, or where it only claims a pass."""
    clear: bool
    """Whether it can be told what kind of change it is."""
    drafts: list[Draft] = field(default_factory=list)
    refused: list[Problem] = field(default_factory=list)
    """Entries that the register would not take."""
    lost: list[Problem] = field(default_factory=list)
    """Counts that cannot be relied on."""


@dataclass(slots=True)
class Stretch:
    """What a part of a history gives, in its order."""

    commits: int = 0
    with_reports: int = 0
    tests: int = 0
    read: list[Read] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    """Of reading the messages."""
    settled: list[Remark] = field(default_factory=list)
    """Which bounds are in another model than their tool's usual one."""
    differences: list[Remark] = field(default_factory=list)
    """Printed figures that are not those of the counts."""

    def plain(self) -> list[Any]:
        """Return the plain form."""
        return [
            self.commits,
            self.with_reports,
            self.tests,
            [
                [
                    *(one.commit.hash, one.commit.message, one.commit.seconds),
                    one.keys,
                    one.clear,
                    [(draft.kind, draft.payload, draft.written, *_place(draft.place)) for draft in one.drafts],
                    _plain(one.refused),
                    _plain(one.lost),
                ]
                for one in self.read
            ],
            _plain(self.problems),
            _plain(self.settled),
            _plain(self.differences),
        ]

    @classmethod
    def from_plain(cls, plain: list[Any]) -> Stretch:
        """Return what ``plain`` was made of."""
        commits, with_reports, tests, read, problems, settled, differences = plain
        return cls(
            commits,
            with_reports,
            tests,
            [
                Read(
                    Commit(name, message, seconds),
                    keys,
                    clear,
                    [
                        Draft(kind=kind, payload=payload, place=Place(*place), written=written)
                        for kind, payload, written, *place in drafts
                    ],
                    _problems(refused),
                    _problems(lost),
                )
                for name, message, seconds, keys, clear, drafts, refused, lost in read
            ],
            _problems(problems),
            [Remark(Place(source, line), what) for source, line, what, _ in settled],
            [Remark(Place(source, line), what) for source, line, what, _ in differences],
        )


def read_commit(message: str, *, commit: str, day: str | None = None) -> tuple[ReadCommit, tuple[Problem, ...]]:
    """Read one message by itself, with what is not clear in it."""
    place = commit[:12]
    reading = read_message(message, source=place)
    classified = classify(message, reading.reports)
    problems = reading.problems
    if classified.kind is None:
        problems += (
            Problem(Place(place, 1), f"what kind of change it is cannot be told: {classified.why}", _title(message)),
        )
    return ReadCommit(commit, message, reading.reports, reading.claims, classified, day), problems


def read_commits(commits: Iterable[Commit], *, smp: bool = False) -> Stretch:
    """Read commits from the oldest to the newest; ``smp``: gains on several threads may stand for a stage."""
    stretch, found = Stretch(), list[tuple[Commit, ReadCommit]]()
    for commit in commits:
        stretch.commits += 1
        if not worth_reading(commit.message):
            continue
        one, problems = read_commit(commit.message, commit=commit.hash, day=commit.day)
        stretch.problems += problems
        if one.reports or one.classified.kind != "none":
            found.append((commit, one))
            stretch.tests += len(one.reports)
            stretch.with_reports += bool(one.reports)
    # Every test is computed again, all at once: what model its bounds are in, and what differs from what was printed.
    reports, stretch.settled = settle_models([report for _, one in found for report in one.reports])
    stretch.differences.extend(differences_of(reports))
    following = iter(reports)
    for commit, one in found:
        settled = tuple(itertools.islice(following, len(one.reports)))
        stretch.read.append(_recorded(commit, replace(one, reports=settled) if stretch.settled else one, smp))
    return stretch


def without(read: Read, repeated: Sequence[int], *, smp: bool) -> tuple[Read, list[Place]]:
    """Read a commit again as if some of its reports were not there; also where those stand."""
    message = read.commit.message
    one, _ = read_commit(message, commit=read.commit.hash, day=read.commit.day)
    reports, _ = settle_models(one.reports)
    kept = [at for at in range(len(reports)) if at not in repeated]
    left = tuple(reports[at] for at in kept)
    claims = frozenset(new for new, at in enumerate(kept) if at in one.claims)
    one = replace(one, reports=left, claims=claims, classified=classify(message, left))
    return _recorded(read.commit, one, smp), [reports[at].place for at in repeated]


def _recorded(commit: Commit, read: ReadCommit, smp: bool) -> Read:
    """Return a commit with the entries that it gives."""
    keys = tuple(None if at in read.claims else _key(report) for at, report in enumerate(read.reports))
    found = Read(commit, keys, read.classified.kind is not None, lost=list(_lost_counts(read.reports)))
    for draft in drafts_of(read, smp=smp):
        try:
            found.drafts.append(recordable(draft))
        except BadInput as error:
            found.refused.append(Problem(draft.place, f"cannot be recorded: {error}", _title(read.message)))
    return found


def _key(report: Report) -> Key | None:
    counts = (report.wins, report.losses, report.draws)
    if None in counts and report.pentanomial is None:
        return None
    return (*counts, report.pentanomial, report.elo_bounds)


def _lost_counts(reports: Iterable[Report]) -> Iterator[Problem]:
    for report in reports:
        counts = sound_counts(report)
        if counts.lost and report.kind != "fixed_games":
            yield Problem(report.place, f"its counts cannot be relied on: {counts.faults[-1]}")


def _title(message: str) -> str:
    return message.lstrip().split("\n", 1)[0]


def _place(place: Place) -> tuple[str, int | None]:
    return place.source, place.line


def _plain(found: Iterable[Problem | Remark]) -> list[Any]:
    return [(*_place(one.place), one.what, one.text if isinstance(one, Problem) else "") for one in found]


def _problems(plain: list[Any]) -> list[Problem]:
    return [Problem(Place(source, line), what, text) for source, line, what, text in plain]
