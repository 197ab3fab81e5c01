"""A history, or one message, as an import: the entries that its commits give, each test once, and what is not clear.

May import: anchorhold.forked, anchorhold.importers.*.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from anchorhold.forked import beside
from anchorhold.importers.base import Import, Problem, Remark
from anchorhold.importers.commits.history import Commit, Log
from anchorhold.importers.commits.stretch import Key, Read, Stretch, read_commits, without
from anchorhold.importers.drafts import Draft

READER = "commits/1"
LONG = 200_000
"""Bytes of messages from which on a second process saves more time than it takes."""
FIRST = 0.48
"""Part of a history that this process reads; it also puts both parts together."""


@dataclass(slots=True)
class History:
    """What a history gives, in its order."""

    commits: int = 0
    """All commits that were looked at."""
    with_reports: int = 0
    """Those with a report."""
    tests: int = 0
    """Reports in all of them."""
    drafts: list[Draft] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)

    def as_import(self) -> Import[Draft]:
        """Return it in the form of every importer."""
        return Import(READER, tuple(self.drafts), tuple(self.problems), tuple(self.remarks))


def read_history(commits: Iterable[Commit], *, smp: bool = False) -> History:
    """Read commits from the oldest to the newest; ``smp``: gains on several threads may stand for a stage."""
    return history_of([read_commits(commits, smp=smp)], smp=smp)


def read_log(log: Log, *, smp: bool = False) -> History:
    """Read a history that git writes; the later part of a long one in a second process."""
    size = log.size()
    middle = int(size * FIRST)
    with beside(lambda: read_commits(log.commits(middle), smp=smp).plain(), worthwhile=size >= LONG) as later:
        earlier = read_commits(log.commits(0, middle), smp=smp)
        return history_of([earlier, Stretch.from_plain(later.result())], smp=smp)


def history_of(stretches: Sequence[Stretch], *, smp: bool = False) -> History:
    """Put the stretches of a history together, from the oldest to the newest.

    A test that an earlier commit has reported already (a cherry-pick, a squash that repeats its parts, a quotation) is
    named in a remark and speaks for no second change.
    """
    history, seen = History(), dict[Key, str]()
    for stretch in stretches:
        history.commits += stretch.commits
        history.with_reports += stretch.with_reports
        history.tests += stretch.tests
        history.problems += stretch.problems
    for stretch in stretches:
        history.remarks += stretch.settled
    for stretch in stretches:
        history.remarks += stretch.differences
    for read in (read for stretch in stretches for read in stretch.read):
        repeated = [at for at, key in enumerate(read.keys) if key is not None and key in seen]
        one = _without_repeated(read, repeated, seen, history, smp=smp) if repeated else read
        history.problems += read.lost
        history.problems += one.refused
        history.drafts += one.drafts
        if one.clear:  # else nothing of it is recorded, and a later commit may still speak for it
            for key in one.keys:
                if key is not None:
                    seen[key] = read.commit.hash
    return history


def _without_repeated(
    read: Read, repeated: Sequence[int], seen: dict[Key, str], history: History, *, smp: bool
) -> Read:
    """Take out what an earlier commit has reported."""
    kept, places = without(read, repeated, smp=smp)
    for at, place in zip(repeated, places, strict=True):
        key = read.keys[at]
        assert key is not None
        history.remarks.append(Remark(place, f"the same test stands in commit {seen[key][:12]}; it counts there"))
    return kept
