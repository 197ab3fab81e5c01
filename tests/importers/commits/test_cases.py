"""Messages in every shape that the field has used, against readings made by hand (tests/golden/commits/README.md)."""

import json
from pathlib import Path
from typing import Any

import pytest

from anchorhold.importers.commits.document import message_document
from anchorhold.importers.commits.stretch import read_commit

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent.parent / "golden" / "commits" / "cases.json").read_text(encoding="utf-8")
)


def test_the_cases_are_there() -> None:
    assert len(CASES) == 71


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_every_field_reads_as_by_hand(case: dict[str, Any]) -> None:
    read, problems = read_commit(case["message"], commit="message")
    found, expected = message_document(read, problems), case["expected"]
    for field in ("tests", "commit_kind", "special_kind"):
        assert found[field] == expected[field]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_a_field_that_is_not_clear_comes_with_a_problem(case: dict[str, Any]) -> None:
    read, problems = read_commit(case["message"], commit="message")
    for report in read.reports:
        if report.stage is None or report.outcome is None or report.kind is None:
            assert any(problem.place.line == report.place.line for problem in problems)
    if read.classified.kind is None:
        assert any("what kind of change" in problem.what for problem in problems)
