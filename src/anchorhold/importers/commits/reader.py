"""A history, or one message, as an import: commits with their reports, the entries they give, and what is not clear.

May import: anchorhold.importers.*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from anchorhold.importers.base import Import, Place, Problem, Remark
from anchorhold.importers.commits.classify import classify
from anchorhold.importers.commits.entries import ReadCommit, drafts_of
from anchorhold.importers.commits.history import Commit
from anchorhold.importers.commits.reading import read_message
from anchorhold.importers.drafts import Draft
from anchorhold.importers.models import settle_models
from anchorhold.importers.recordable import refusal
from anchorhold.importers.recount import differences_of, sound_counts
from anchorhold.importers.report import Report

READER = "commits/1"

# A message with none of these has neither a report nor a reverting title; half of a history is passed over here.
_WORDS = ("LLR", "LR:", "Ptnml", "Penta", "Elo", "ELO", "elo", "SPRT", "Score", "Total:", "Games", "W:", "ins:", "wins")
_BACK = re.compile(r"re-?vert|undo|back(?:s|ed)?[\s-]?out|roll(?:s|ed)?[\s-]?back", re.IGNORECASE)
_BACK_PARTS = ("vert", "undo", "back")
_TITLES = 1000
"""Characters in which the titles of a message stand."""
_COUNTS = re.compile(r"[+]\s?\d+[\s,;]+[-=]\s?\d+[\s,;]+[-=]| - \d+ - \d")


def worth_reading(message: str) -> bool:
    """Whether a message may hold a report or revert something."""
    for word in _WORDS:
        if word in message:
            return True
    if ("+" in message or " - " in message) and _COUNTS.search(message):
        return True
    titles = message[:_TITLES].casefold()
    return any(part in titles for part in _BACK_PARTS) and _BACK.search(message, 0, _TITLES) is not None


@dataclass(slots=True)
class History:
    """What a history gives, in its order."""

    commits: int = 0
    """All commits that were looked at."""
    read: list[ReadCommit] = field(default_factory=list)
    """Those with a report, or with a title that reverts."""
    drafts: list[Draft] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)

    @property
    def tests(self) -> int:
        """Reports in all of them."""
        return sum(len(one.reports) for one in self.read)

    def as_import(self) -> Import[Draft]:
        """Return it in the form of every importer."""
        return Import(READER, tuple(self.drafts), tuple(self.problems), tuple(self.remarks))


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


def read_history(commits: Iterable[Commit], *, smp: bool = False) -> History:
    """Read commits from the oldest to the newest; ``smp``: gains on several threads may stand for a stage.

    A test that an earlier commit has reported already (a cherry-pick, a squash that repeats its parts, a quotation) is
    named in a remark and speaks for no second change.
    """
    history, seen = History(), dict[object, str]()
    for commit in commits:
        history.commits += 1
        if not worth_reading(commit.message):
            continue
        one, problems = read_commit(commit.message, commit=commit.hash, day=commit.day)
        history.problems += problems
        if one.reports or one.classified.kind != "none":
            history.read.append(one)
    _settle(history)
    for one in history.read:
        history.problems += _lost_counts(one.reports)
        _record(history, _without_repeated(one, seen, history), smp=smp)
    return history


def _settle(history: History) -> None:
    """Compute every test again, all at once: what model its bounds are in, and what differs from what was printed."""
    reports, remarks = settle_models([report for one in history.read for report in one.reports])
    history.remarks += remarks
    history.remarks += differences_of(reports)
    following = iter(reports)
    history.read = [replace(one, reports=tuple(next(following) for _ in one.reports)) for one in history.read]


def _without_repeated(read: ReadCommit, seen: dict[object, str], history: History) -> ReadCommit:
    """Take out what an earlier commit has reported."""
    keys = [None if at in read.claims else _key(report) for at, report in enumerate(read.reports)]
    kept = [at for at, key in enumerate(keys) if key is None or key not in seen]
    for at, (report, key) in enumerate(zip(read.reports, keys, strict=True)):
        if at not in kept:
            what = f"the same test stands in commit {seen[key][:12]}; it counts there"
            history.remarks.append(Remark(report.place, what))
    if len(kept) < len(read.reports):
        reports = tuple(read.reports[at] for at in kept)
        claims = frozenset(new for new, at in enumerate(kept) if at in read.claims)
        read = replace(read, reports=reports, claims=claims, classified=classify(read.message, reports))
    if read.classified.kind is not None:  # else nothing of it is recorded, and a later commit may still speak for it
        seen.update((keys[at], read.commit) for at in kept if keys[at] is not None)
    return read


def _key(report: Report) -> object | None:
    """What makes two reports the same test: counts and bounds; None where too little is printed."""
    counts = (report.wins, report.losses, report.draws)
    if None in counts and report.pentanomial is None:
        return None
    return (*counts, report.pentanomial, report.elo_bounds)


def _record(history: History, read: ReadCommit, *, smp: bool) -> None:
    for draft in drafts_of(read, smp=smp):
        why = refusal(draft)
        if why is not None:
            history.problems.append(Problem(draft.place, f"cannot be recorded: {why}", _title(read.message)))
        else:
            history.drafts.append(draft)


def _lost_counts(reports: Iterable[Report]) -> Iterable[Problem]:
    for report in reports:
        counts = sound_counts(report)
        if counts.lost and report.kind != "fixed_games":
            yield Problem(report.place, f"its counts cannot be relied on: {counts.faults[-1]}")


def _title(message: str) -> str:
    return message.lstrip().split("\n", 1)[0]
