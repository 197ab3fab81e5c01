"""``anchorhold calibrate``: the same seed gives the same figures, each with the error of the simulation."""

import json

import pytest
from typer.testing import CliRunner

from anchorhold.cli.app import app

WORDS = ("calibrate", "--checks", "20", "--gains", "4", "--pairs", "200", "--workers", "1")


def test_every_figure_has_its_error_and_a_seed_repeats_it() -> None:
    first, again, other = (
        CliRunner().invoke(app, [*WORDS, "--json", "--seed", seed], catch_exceptions=False).stdout
        for seed in ("3", "3", "4")
    )
    assert first == again
    assert first != other
    report = json.loads(first)
    assert [share["share"] for share in report["shares"]] == [1.0, 0.75, 0.6, 0.4, 0.2, 0.0]
    for share in report["shares"]:
        for figure in (share["halt"], share["increase_weighted"], share["band_true"]):
            assert 0.0 <= figure["value"] <= 1.0
            assert 0.0 < figure["error"] < 0.1
            assert figure["of"] == 250


def test_the_table_has_a_column_for_every_true_share() -> None:
    shown = CliRunner().invoke(app, [*WORDS], catch_exceptions=False).stdout.splitlines()
    halt = next(line for line in shown if line.startswith("HALT"))
    assert halt.count("±") == 6
    assert any(line.startswith("Fieller, true increase / true gains") for line in shown)


def test_claims_without_selection_need_gains_that_add_up() -> None:
    words = [*WORDS, "--unselected", "5000"]
    refused = CliRunner().invoke(app, words)
    assert refused.exit_code == 2
    assert "--gain-mean" in refused.output
    refused = CliRunner().invoke(app, [*words, "--gain-mean", "3", "--selected-sums", "2"])
    assert refused.exit_code == 2
    assert "nothing is selected" in refused.output
    shown = CliRunner().invoke(app, [*words, "--gain-mean", "3", "--json"], catch_exceptions=False).stdout
    report = json.loads(shown)
    assert report["world"]["unselected_pairs"] == 5000
    assert all(share["overstatement"] == pytest.approx(1.0, abs=0.1) for share in report["shares"])
