"""``anchorhold oracle plan`` as its users see it."""

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from anchorhold.cli.app import app


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("ANCHORHOLD_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def plan(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["oracle", "plan", *arguments])


def test_table_and_json_say_chance_and_length_for_each_true_elo() -> None:
    words = ("--bounds", "0.5", "2.5", "--short-bounds", "0", "2", "--draws", "0.6", "--elo", "1.5", "--elo", "0")
    found = plan(*words, "--json")
    assert found.exit_code == 0, found.stderr
    document = json.loads(found.stdout)
    assert document["stages"]["long"]["llr_bounds"] == [pytest.approx(-2.944, abs=1e-3), pytest.approx(2.944, abs=1e-3)]
    short, long, both = (document["courses"][name] for name in ("short", "long", "both"))
    assert [one["elo"] for one in both] == [0.0, 1.5]
    assert short[0]["passes"] == pytest.approx(0.05, abs=0.002)
    assert both[1]["passes"] == pytest.approx(short[1]["passes"] * long[1]["passes"])
    assert both[1]["pairs"]["0.05"] < both[1]["pairs"]["0.5"] < both[1]["pairs"]["0.95"]
    text = plan(*words).stdout
    assert "short 0 to 2 normalized (0.00 to 1.26 Elo), alpha 0.05" in text
    assert f"{both[1]['passes']:.1%}" in text


def test_a_shape_may_come_from_counts_and_limits_leave_tests_undecided() -> None:
    words = ("--bounds", "0", "2", "--pentanomial", "214", "7743", "17343", "8086", "230", "--max-pairs", "20000")
    text = plan(*words).stdout
    assert "at most 20000 pairs" in text
    assert "are not decided within the pairs that are allowed" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Give --bounds LOW HIGH"),
        (("--bounds", "2", "0"), "the bounds are 2.0 and 0.0"),
        (("--bounds", "0", "nan"), "the bounds are 0.0 and nan"),
        (("--bounds", "0", "2", "--alpha", "0"), "alpha is 0.0"),
        (("--bounds", "0", "2", "--elo", "nan"), "--elo is nan"),
        (("--bounds", "0", "2", "--draws", "0.5", "--pentanomial", "1", "2", "3", "2", "1"), "Give one of them"),
        (("--bounds", "0", "2", "--pentanomial", "0", "0", "3", "0", "0"), "at least two are above 0"),
        (("--bounds", "0", "2", "--config", "none.toml"), "none.toml"),
    ],
)
def test_what_cannot_be_planned_is_one_line_and_status_2(arguments: tuple[str, ...], message: str) -> None:
    found = plan(*arguments)
    assert found.exit_code == 2
    assert message in found.stderr
    assert found.stderr.count("\n") == 1
