"""The quick screen lets no row of a report through: what it calls words, no reader takes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.importers.commits.claims import claim_in
from anchorhold.importers.commits.rows import looks_like_data, read_row
from anchorhold.importers.commits.screen import worth_a_look
from anchorhold.importers.commits.stretch import read_commit
from anchorhold.importers.commits.text import lines_of
from importers.commits.messages import LONG, SHORT
from importers.commits.test_cases import CASES

PARTS = [
    "LLR",
    "LR:",
    "2.95",
    "(-2.94,2.94)",
    "[0,5]",
    "<0.00, 2.00>",
    "Total:",
    "Games",
    "W:",
    "w :",
    "L = 12",
    "D: 7",
    "wins",
    "12 losses",
    "draws",
    "won 5",
    "Ptnml(0-2):",
    "1, 2, 3, 4, 5",
    "Elo",
    "+- 3.1",
    "±",
    "Score of A vs B:",
    "1 - 2 - 3",
    "[0.5]",
    "SPRT",
    "|",
    "@",
    "H1 was accepted",
    "lbound",
    "Results of A vs B (10+0.1, 1t):",
    "Bench: 123",
    "+5 -3 =7",
    "W/L/D 1/2/3",
    "WW",
    "bounds",
    "--wins 3 --losses 4 --draws 5",
    "Name Elo Games",
    "Distr:",
    "https://a.example/1",
    "passed",
    "`",
    "**",
    "\u00a0",
    "the",
    "1,234",
    ":",
    "-",
    "(",
    "{",
    "12",
]


def misses(message: str) -> list[str]:
    """Lines that the screen passes over and a reader would take."""
    lines = lines_of(message)
    seen = worth_a_look(lines.raws)
    return [
        raw
        for at, raw in enumerate(lines.raws)
        if at not in seen and (read_row(lines[at].text) or claim_in(lines[at].text) or looks_like_data(lines[at].text))
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_no_row_of_the_field_is_passed_over(case: dict[str, str]) -> None:
    assert misses(case["message"]) == []


@given(st.lists(st.sampled_from(PARTS), max_size=8), st.sampled_from(["", "> ", "* ", "  ", "- ", "**"]))
def test_no_mixture_of_their_parts_is_passed_over(parts: list[str], lead: str) -> None:
    assert misses(lead + " ".join(parts)) == []


def test_the_head_of_a_console_block_is_seen_though_its_conditions_have_figures() -> None:
    block = (
        "Results of new vs old (10+0.1, 1t, 16MB, b.epd):\nElo: 6.95 +/- 14.29, nElo: 10.49 +/- 21.53\n"
        "Games: 1000, Wins: 260, Losses: 240, Draws: 500, Points: 510.0 (51.00 %)\n"
        "Ptnml(0-2): [20, 130, 180, 150, 20]\n"
    )
    [report] = read_commit(f"Title\n\nbody\n{block}", commit="c")[0].reports
    assert (report.tool, report.place.line, report.time_control) == ("fastchess", 4, "10+0.1")


def test_prose_addresses_and_bench_figures_are_passed_over() -> None:
    prose = (
        "Simplify the search\n\nIt was added in 2019.\n\nhttps://tests.example.org/tests/view/5f\n\ncloses #3021\n\n"
        "Bench: 4711002"
    )
    assert worth_a_look(prose.split("\n")) == []
    for text in (SHORT, LONG):
        lines = text.split("\n")
        assert {at for at, line in enumerate(lines) if "LLR" in line} <= set(worth_a_look(lines))
