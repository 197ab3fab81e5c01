"""docs/explanation/derivations.md: its figures are those of its formulas, and of the program."""

import math
from pathlib import Path

import pytest

from anchorhold.stats.elo import elo_from_pentanomial
from anchorhold.stats.outcomes import Pentanomial
from docs import pages

PAGE = pages.DOCS / "explanation" / "derivations.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_figures_of_the_page_follow_from_its_formulas() -> None:
    slope = 400 / math.log(10) * 4
    assert f"{slope:.1f} Elo for one point" in TEXT
    of_one = slope * math.sqrt(1 / 16_000)
    assert f"{of_one:.1f} Elo.\n" in TEXT
    assert f"{of_one * math.sqrt(2 / 6):.1f} Elo.\n" in TEXT
    pairs = (3.29 * slope * math.sqrt(2 / 6) / (4 * 0.35 * 20)) ** 2
    assert round(pairs, -2) == 2200


def test_the_approximation_of_the_half_width_holds_near_equality() -> None:
    counts = (62, 250, 376, 250, 62)  # a variance of 1/16, as in the example
    found = elo_from_pentanomial(Pentanomial(*counts))
    mean = sum(count * score / 4 for score, count in enumerate(counts)) / 1000
    variance = sum(count * (score / 4 - mean) ** 2 for score, count in enumerate(counts)) / 1000
    assert variance == pytest.approx(1 / 16, rel=0.01)
    assert found.error == pytest.approx(1.96 * 694.9 * math.sqrt(variance / 1000), rel=0.01)


def test_the_program_says_the_same(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    pages.run(PAGE, tmp_path, home=tmp_path / "home", record=pytestconfig.getoption("--record"))
