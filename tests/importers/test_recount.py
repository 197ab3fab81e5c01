"""Recounting a report: counts that can be relied on, what they give, and the differences from what was printed."""

import pytest

from anchorhold.importers.base import Place, Problem, quote
from anchorhold.importers.recount import counted_llr, differences, error_rates, sound_counts
from anchorhold.importers.report import Report, kind_of_bounds

HERE = Place("a1b2c3d4", 4)
# Invented; W - L = 314 and 24,040 games follow from the pairs. LLR by fishtest's server (commit b8eecff): 2.959.
SOUND = Report(
    place=HERE,
    tool="fishtest",
    llr=2.96,
    llr_bounds=(-2.94, 2.94),
    elo_bounds=(0.5, 2.5),
    bounds_model="normalized",
    wins=6162,
    losses=5848,
    draws=12030,
    games=24040,
    pentanomial=(61, 2691, 6215, 2979, 74),
)


def changed(**fields: object) -> Report:
    return Report(**{name: getattr(SOUND, name) for name in SOUND.__slots__} | fields)


def test_a_report_that_agrees_with_its_counts_has_no_remark() -> None:
    assert list(differences(SOUND)) == []
    llr = counted_llr(SOUND, sound_counts(SOUND))
    assert llr == pytest.approx(2.959, abs=1e-3)


def test_every_printed_figure_that_differs_is_named_with_its_place() -> None:
    said = [str(one) for one in differences(changed(llr=2.5, elo=9.0, elo_error=1.0))]
    assert [text.partition(":")[0] for text in said] == ["a1b2c3d4, line 4"] * 3
    assert "Elo is printed as 9" in said[0]
    assert "error is printed as 1" in said[1]
    assert "LLR is printed as 2.5" in said[2]


def test_pairs_of_fewer_games_win_over_the_games() -> None:
    counts = sound_counts(changed(wins=6164, draws=12038, games=24050))
    assert counts.pairs is not None
    assert counts.games is None
    assert not counts.lost
    assert "the pairs are not of all games" in counts.faults[0]


def test_a_lost_digit_leaves_no_count_that_rests_on_it() -> None:
    counts = sound_counts(changed(draws=1203, pentanomial=None))
    assert counts.games is None
    assert counts.lost
    assert "24040 games are printed" in counts.faults[0]


def test_counts_that_contradict_each_other_are_left_out() -> None:
    counts = sound_counts(changed(pentanomial=(61, 2691, 62150, 2979, 74), games=None))
    assert counts.lost


@pytest.mark.parametrize(
    ("bounds", "rates"),
    [
        ((-2.94, 2.94), (0.05, 0.05)),
        ((-2.25, 2.89), (0.05, 0.1)),
        ((-2.20, 2.20), (0.1, 0.1)),
        ((-1.39, 1.39), (0.2, 0.2)),
        ((2.94, -2.94), None),
    ],
)
def test_error_rates_follow_from_the_bounds_of_the_llr(
    bounds: tuple[float, float], rates: tuple[float, float] | None
) -> None:
    assert error_rates(bounds) == rates


def test_the_middle_of_the_bounds_decides_between_gain_and_non_regression() -> None:
    assert kind_of_bounds((-0.5, 2.5)) == "gain"
    assert kind_of_bounds((-5.0, 5.0)) == "non_regression"
    assert kind_of_bounds(None) == "unknown"


def test_a_problem_is_one_printable_line_of_bounded_length() -> None:
    line = str(Problem(HERE, "unreadable line", "W: \x1b[2J" + "7" * 1000))
    assert line.isprintable()
    assert len(line) < 260
    assert quote("a\tb") == "a b"
