"""What a test says of itself, against its own counts."""

import pytest

from anchorhold.checks.oracle_figures import stage_figures
from anchorhold.domain.payloads import TestStage

COUNTS = [214, 7743, 17343, 8086, 230]
OURS: dict[str, object] = {
    "passed": True,
    "pentanomial": COUNTS,
    "pairs": sum(COUNTS),
    "elo": 1.9379119425107598,
    "elo_error": 1.34378084501618,
    "bounds": [0.0, 2.0],
    "bounds_model": "normalized",
    "alpha": 0.05,
    "beta": 0.05,
    "llr": 3.104616079439501,
}


def wrong(changes: dict[str, object], *, is_ours: bool) -> list[str]:
    stage = TestStage.model_validate({**OURS, **changes})
    return [where for where, _ in stage_figures(stage, is_ours=is_ours)]


def test_a_stage_that_says_what_its_counts_give_holds() -> None:
    assert wrong({}, is_ours=True) == []
    assert wrong({}, is_ours=False) == []
    assert wrong({"elo": 1.94, "elo_error": 1.34, "llr": None, "pairs": None}, is_ours=True) == []


@pytest.mark.parametrize(
    ("changes", "ours", "taken_over"),
    [
        ({"elo": 1.0}, ["elo"], []),
        ({"elo": 4.7}, ["elo"], ["elo"]),
        ({"elo": 30.0}, ["elo"], ["elo"]),
        ({"elo_error": 0.5}, ["elo_error"], []),
        ({"pairs": sum(COUNTS) + 1}, ["pairs"], ["pairs"]),
        ({"llr": 2.95}, ["llr"], []),
        ({"passed": False}, ["passed"], ["passed"]),
        ({"pentanomial": COUNTS[::-1], "elo": None, "elo_error": None, "llr": None}, ["passed"], ["passed"]),
        ({"bounds": [0.0, 2.0], "alpha": 0.01, "beta": 0.01}, ["passed"], []),
        ({"bounds": [0.0, 3.0]}, ["llr"], []),
        ({"bounds": None}, [], []),
        ({"bounds": [-500.0, 500.0]}, [], []),
    ],
)
def test_a_figure_that_the_counts_do_not_give_is_named(
    changes: dict[str, object], ours: list[str], taken_over: list[str]
) -> None:
    assert wrong(changes, is_ours=True) == ours
    assert wrong(changes, is_ours=False) == taken_over


def test_a_value_without_counts_cannot_be_recomputed() -> None:
    assert wrong({"pentanomial": None}, is_ours=True) == []


def test_games_are_looked_at_where_pairs_are_not_known() -> None:
    games = {"pentanomial": None, "pairs": None, "wins": 300, "draws": 400, "losses": 300, "llr": None}
    assert wrong({**games, "elo": 0.0, "elo_error": None, "bounds": None}, is_ours=True) == []
    assert wrong({**games, "elo": 60.0, "elo_error": None, "bounds": None}, is_ours=True) == ["elo"]
