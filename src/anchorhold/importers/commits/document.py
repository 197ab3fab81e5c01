"""The reading of one message as JSON.

May import: anchorhold.importers.*.
"""

from __future__ import annotations

from collections.abc import Sequence

from anchorhold.importers.base import Problem
from anchorhold.importers.commits.entries import ReadCommit
from anchorhold.importers.report import Report

_FIELDS = (
    "stage", "outcome", "time_control", "threads", "llr", "llr_bounds", "elo_bounds", "wins", "losses", "draws",
    "pentanomial", "elo", "elo_error", "kind",
)  # fmt: skip


def message_document(read: ReadCommit, problems: Sequence[Problem]) -> dict[str, object]:
    """Return the tests in their order, the kind of the commit, and the problems."""
    return {
        "tests": [_test(report) for report in read.reports],
        "commit_kind": read.classified.kind,
        "special_kind": read.classified.special,
        "why": read.classified.why,
        "problems": [problem.to_json() for problem in problems],
    }


def _test(report: Report) -> dict[str, object]:
    values = ((name, getattr(report, name)) for name in _FIELDS)
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values}
