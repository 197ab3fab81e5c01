"""``anchorhold plan``: from flags alone, and from what a project's register and games tell."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from anchorhold.cli.app import app
from anchorhold.stats.elo import elo_from_pentanomial
from anchorhold.stats.outcomes import Pentanomial
from checks.project import gain, make_project


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("ANCHORHOLD_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ("plan", *words), catch_exceptions=False)


def report(*words: str) -> dict[str, Any]:
    result = run(*words, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


def source(found: dict[str, Any], name: str) -> str:
    return str(next(one["source"] for one in found["sources"] if one["name"] == name))


def test_flags_alone_make_a_plan_and_what_was_assumed_is_said() -> None:
    found = report("--claims", "20", "--pairs", "1000")
    assert found["distances"] == [0.0] * 6
    assert (source(found, "claims"), source(found, "pairs")) == ("given", "given")
    assert (source(found, "distances"), source(found, "draws")) == ("assumed: anchors as strong as main", "assumed")
    assert found["pairs_needed"] > 1000
    assert found["claims_needed"] > 20
    assert found["hours"] is None
    assert found["due"] is None
    for one in found["verdicts"]:
        assert one["halt"] + one["warn"] + one["continue"] == pytest.approx(1.0)


def test_the_words_say_what_the_numbers_say() -> None:
    words = ("--claims", "20", "--pairs", "1000", "--pair-seconds", "36", "--workers", "2")
    found, said = report(*words), run(*words).stdout
    assert f"{found['pairs_needed']} pairs against each anchor" in said
    assert f"claims of {found['claims_needed']:.1f} Elo" in said
    assert found["hours"] == pytest.approx(12_000 * 36 / 3600 / 2)
    assert "thinking time alone: 60.0 hours" in said


def test_a_measured_check_tells_distances_draws_and_speed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = make_project(tmp_path / "project", pairs=12, short=2, direct=0, workers=1)
    monkeypatch.chdir(project.directory)
    project.pin()
    project.append("gain_test", gain(8.0) | {"id": "one", "date": "2026-01-01"})
    project.run("v1", "v2")
    project.append("gain_test", gain(12.0) | {"id": "two", "date": "2026-01-11"})
    found = report()
    assert (found["claims"], found["pairs"]) == (12.0, 12)
    assert source(found, "claims") == "the open window"
    assert source(found, "draws") == "measured by check-1"
    (check,) = project.checks()
    counts = check.measured()[("new", "long")].counts
    assert found["distances"] == pytest.approx(
        [elo_from_pentanomial(Pentanomial(*one.pentanomial)).elo for one in counts.values()]
    )
    assert found["elo_per_day"] == pytest.approx(2.0)
    assert found["hours"] > 0.0
    # 20 Elo in ten days: so much more takes that many days from the last claim on.
    assert found["due"] is not None
    assert found["due"] > "2026-01-11"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "there is neither a register nor an anchorhold.toml here. Give --claims"),
        (("--claims", "0"), "there is no positive sum of claims to plan for"),
        (("--claims", "5", "--alpha", "0.7"), "the error rates are 0.7 and 0.05"),
        (("--claims", "5", "--config", "none.toml"), "none.toml: there is no such file"),
    ],
)
def test_what_makes_no_plan_gets_one_line(words: tuple[str, ...], said: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_the_readme_names_the_games_that_the_plan_finds() -> None:
    readme = (Path(__file__).parent.parent.parent / "README.md").read_text(encoding="utf-8")
    games = [report("--claims", claims)["pairs_needed"] * 12 for claims in ("20", "5")]
    assert f"needs some {round(games[0], -3):,} games for each version when" in readme
    assert round(games[1] / games[0]) == 16


def test_the_chances_are_drawn_with_the_numbers_of_the_plan(tmp_path: Path) -> None:
    words = ("--claims", "20", "--pairs", "1000", "--distance", "0", "--distance", "80", "--draws", "0.5")
    picture = tmp_path / "plan.svg"
    found = report(*words, "--picture", str(picture))
    drawn = picture.read_text(encoding="utf-8")
    assert drawn.startswith("<svg ")
    assert "var(" not in drawn
    at = next(row for row in found["verdicts"] if row["ratio"] == 0.5)
    said = f"true R 0.50: HALT {at['halt']:.0%}, WARN {at['warn']:.0%}, CONTINUE {at['continue']:.0%}"
    assert said in drawn.replace("\N{NO-BREAK SPACE}", "")
    assert "4,000 pairs against each anchor" in drawn


def test_an_anchor_too_far_for_the_pairs_is_a_warning() -> None:
    words = ("--claims", "20", "--pairs", "10", "--distance", "0", "--distance", "380")
    assert "Warning: 10 pairs against an anchor 380 Elo away carry no estimate in 4" in run(*words).stdout
    (warning,) = report(*words)["warnings"]
    assert "pairs would do" in warning
    assert report("--claims", "20", "--pairs", "1000", "--distance", "380")["warnings"] == []
