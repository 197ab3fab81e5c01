"""What kind of change a commit is, by its tests and its title; open where several answers are possible.

Rules: a reverting title is a retraction; a passed short and a passed long gain test make a gain test; only
non-regression passes a simplification; only short gain passes of a speed-up a change of tempo; else none. May import:
anchorhold.importers.report.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from anchorhold.importers.patterns import Pattern
from anchorhold.importers.report import Outcome, Report, Stage, TestKind

CommitKind = Literal["gain_test", "special_path", "retraction", "none"]
SpecialKind = Literal["simplification", "tempo_change"]

_PREFIX = r"^(?:\s*(?:\[[^\]]{1,40}\]|[\w./-]{1,30}:|fixup!|squash!)\s*)?"
_REVERT = Pattern(_PREFIX + r"re?-?vert(?:s|ed|ing)?\b", re.IGNORECASE)
_UNDO = Pattern(
    _PREFIX
    + r"(?:undo(?:es|ne|ing)?|back(?:s|ed)?[\s-]?out|roll(?:s|ed)?[\s-]?back|partial(?:ly)?\s+(?:undo|revert)\w*)\b",
    re.IGNORECASE,
)
_MERGE = Pattern(r"^Merge\b", re.IGNORECASE)
_REVERTED = Pattern(r"\bThis reverts commits?\s+([0-9a-f]{7,40})\b", re.IGNORECASE)
_REVERTED_TITLE = Pattern(r"^revert\s+[\"\u201c'](.+)[\"\u201d']\s*(?:\(#\d+\))?\s*$", re.IGNORECASE)
_SPEED_UP = Pattern(
    r"\bspeed(?:s|ing|ed)?[\s-]?ups?\b|\bspeed(?:s|ing)?\s+up\b|\bnodes/second\b|\bnps\b.*[+]\s?\d|\bfaster\s+(?:by|\()",
    re.IGNORECASE,
)
_SPEED_TITLE = Pattern(r"\bfaster\b|\boptimi[sz](?:e|ed|ation|ing)s?\b|\bspeed", re.IGNORECASE)
_MOST_OPEN = 6
"""Tests with something open beyond which not every combination is tried; the answer is then open too."""


@dataclass(frozen=True, slots=True)
class Classified:
    """What a commit is; None is "cannot be told"."""

    kind: CommitKind | None
    special: SpecialKind | None
    why: str


@dataclass(frozen=True, slots=True)
class _Known:
    """A test with nothing open."""

    stage: Stage
    outcome: Outcome
    kind: TestKind


def classify(message: str, reports: Sequence[Report]) -> Classified:
    """Say what kind of change a message describes."""
    titles = titles_of(message)
    if any(_REVERT.match(title) and not _UNDO.match(title) for title in titles):
        return Classified("retraction", None, "its title reverts a change")
    answers = {_by_tests(tests, message, titles) for tests in _possible(reports)} if _few_open(reports) else set()
    if any(_UNDO.match(title) for title in titles):
        if answers == {("none", None)}:
            return Classified("retraction", None, "its title undoes a change")
        return Classified(None, None, "its title undoes a change, but it has passed tests of its own")
    if len(answers) != 1:
        return Classified(None, None, f"open: {_what_is_open(reports)}")
    kind, special = next(iter(answers))
    if kind is None:
        return Classified(None, None, "a speed-up whose gain test passed at another stage than the short one")
    return Classified(kind, special, _reason(kind, special, reports))


def titles_of(message: str) -> list[str]:
    """Return the title, and for a merge also the first line below it: there the pull request's title stands."""
    lines = [line for line in map(str.strip, message.lstrip().replace("\r", "\n", 20).split("\n", 20)[:20]) if line]
    return lines[: 2 if lines and _MERGE.match(lines[0]) else 1]


def reverted(message: str) -> tuple[str, ...]:
    """Return what a retraction names: commits, else the title that it quotes, else nothing."""
    commits = tuple(dict.fromkeys(_REVERTED.findall(message)))
    if commits:
        return commits
    for title in titles_of(message):
        if found := _REVERTED_TITLE.match(title):
            return (found.group(1),)
    return ()


def _few_open(reports: Sequence[Report]) -> bool:
    return sum(len(_options(one.stage, one.outcome, one.kind)) > 1 for one in reports) <= _MOST_OPEN


@lru_cache(maxsize=256)
def _options(stage: Stage | None, outcome: Outcome | None, kind: TestKind | None) -> tuple[_Known, ...]:
    """Return what a test may be; histories have few combinations."""
    stages: tuple[Stage, ...] = (stage,) if stage is not None else ("short", "long", "other")
    outcomes: tuple[Outcome, ...] = (outcome,) if outcome is not None else ("passed", "failed")
    kinds: tuple[TestKind, ...] = ("gain", "non_regression") if kind is None or kind == "unknown" else (kind,)
    if kind == "fixed_games" or outcomes == ("failed",) or outcomes == ("unknown",):
        return (_Known("unknown", "unknown", "fixed_games"),)
    return tuple(_Known(*choice) for choice in itertools.product(stages, outcomes, kinds))


def _possible(reports: Sequence[Report]) -> Iterator[tuple[_Known, ...]]:
    return itertools.product(*(_options(one.stage, one.outcome, one.kind) for one in reports))


def _by_tests(
    tests: Sequence[_Known], message: str, titles: Sequence[str]
) -> tuple[CommitKind | None, SpecialKind | None]:
    passed = [test for test in tests if test.outcome == "passed" and test.kind != "fixed_games"]
    gains = {test.stage for test in passed if test.kind == "gain"}
    if {"short", "long"} <= gains:
        return "gain_test", None
    if not passed:
        return "none", None
    if not gains:
        return "special_path", "simplification"
    if _says_speed_up(message, titles):
        if gains == {"short"}:
            return "special_path", "tempo_change"
        if gains <= {"other", "unknown"}:
            return None, None
    return "none", None


def _says_speed_up(message: str, titles: Sequence[str]) -> bool:
    alike = message.lower()
    if "speed" not in alike and "nps" not in alike and "faster" not in alike and "nodes/second" not in alike:
        return any(_SPEED_TITLE.search(title) for title in titles)  # of a tuned change, too: optimised
    return bool(_SPEED_UP.search(message)) or any(_SPEED_TITLE.search(title) for title in titles)


def _what_is_open(reports: Sequence[Report]) -> str:
    names = ("stage", "outcome", "kind")
    found = {
        name
        for report in reports
        for name in names
        if getattr(report, name) in {None} | ({"unknown"} if name == "kind" else set())
    }
    if found == {"kind"}:
        return "a test prints no Elo bounds, so it may be of gain or of non-regression"
    return f"the {' and '.join(name for name in names if name in found)} of a test decides" if found else "too much"


def _reason(kind: CommitKind, special: SpecialKind | None, reports: Sequence[Report]) -> str:
    if kind == "gain_test":
        return "a short and a long gain test passed"
    if special == "simplification":
        return "only non-regression tests passed"
    if special == "tempo_change":
        return "a speed-up: gain tests passed at the short stage only"
    if not reports:
        return "no test report"
    return (
        "no passed test"
        if not any(report.passed for report in reports)
        else "gain tests passed, but not at both stages"
    )
