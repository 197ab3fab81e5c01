"""What is read at once is read as line by line."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.importers.commits.reading import read_closely, read_message
from anchorhold.importers.commits.usual import usual_reports
from importers.commits.test_cases import CASES

ROWS = (
    "LLR: 2.95 (-2.94,2.94) <0.00,2.00>\nTotal: 65952 W: 16769 L: 16452 D: 32731\n"
    "Ptnml(0-2): 132, 6050, 20275, 6407, 112"
)
FAILED = "LLR: -2.95 (-2.94,2.94) [-0.50,1.50]\nTotal: 20 W: 5 L: 5 D: 10"
LINK = "https://tests.example.org/tests/view/858345194"
USUAL = f"Speed up\n\nProse.\n\nPassed STC:\n{ROWS}\n{LINK}\n\nPassed LTC:\n{LINK}\n{ROWS}\n\nBench: 936955"

pieces = st.sampled_from(
    [
        "",
        " ",
        "Prose about all tests.",
        "Passed STC:",
        "passed LTC",
        "Failed STC",
        "STC 10+0.1 th 1:",
        "SMP LTC 8 threads",
        "STC and LTC:",
        "Both tests passed at 8+0.08 with 64 MB",
        "VLTC",
        LINK,
        f"see {LINK}",
        "Bench: 936955",
        "---",
        "`LTC`",
        "A passed pawn at 3 plies",
        "> Passed STC:",
        "closes #12",
        "name engine elo",
        "LLR",
        "long long words " * 9,
        ROWS,
        ROWS,
        FAILED,
        ROWS.replace("2.95", "1.95"),
        ROWS.replace("<0.00,2.00>", "{-1.75,0.25}"),
        ROWS.replace("<0.00", "<2.00"),
        ROWS.replace("<0.00", "<3.00"),
        ROWS + ", 7",
        "Total: 20 W: 5 L: 5 D: 10",
        "Elo: 3.1 +- 2",
        "\r",
    ]
)


def same(message: str) -> bool:
    """Compare both ways; says whether the message was read at once."""
    found = usual_reports(message, source="x")
    if found is not None:
        closely = read_closely(message, source="x")
        assert (found, frozenset(), ()) == (closely.reports, closely.claims, closely.problems)
    return found is not None


@given(st.lists(pieces, max_size=14))
def test_any_message_is_read_alike(lines: list[str]) -> None:
    same("\n".join(lines))


@given(
    st.lists(st.tuples(st.sampled_from(["Passed STC:", "STC:", "LTC", "Prose."]), pieces, pieces, pieces), max_size=4)
)
def test_reports_under_headings_are_read_alike(tests: list[tuple[str, ...]]) -> None:
    same("\n".join(f"{head}\n{below}\n{ROWS}\n{after}\n{last}" for head, below, after, last in tests))


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_the_cases_are_read_alike(case: dict[str, Any]) -> None:
    same(case["message"])


def test_the_usual_message_is_read_at_once() -> None:
    assert same(USUAL)
    assert [report.stage for report in read_message(USUAL, source="x").reports] == ["short", "long"]
