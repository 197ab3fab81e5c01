"""``anchorhold doctor --a-a`` on real engine processes."""

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from anchorhold.cli.app import app

ENGINE = Path(__file__).parent.parent / "matches" / "tiny_engine.py"
# King and pawns: games of a random mover end soon.
BOOK = "8/8/8/8/8/2k5/8/K2Q4 w - - 0 1\n8/8/8/8/8/5k2/8/3r2K1 w - - 4 9\n"


def look(*words: str) -> Result:
    return CliRunner().invoke(app, ["doctor", *words], catch_exceptions=False)


@pytest.fixture(autouse=True)
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b.epd").write_text(BOOK)


def tiny(words: str = "") -> list[str]:
    text = f"name=Tiny cmd='{sys.executable}' args='-I {ENGINE} {words}' depth=1"
    return ["--a-a", "--engine", text, "--rounds", "10", "--workers", "2", "--openings", "file=b.epd"]


def test_a_binary_that_repeats_itself_shows_a_fair_machine(tmp_path: Path) -> None:
    result = look(*tiny(), "--json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert document["fair"] is True
    assert document["pentanomial"] == [0, 0, 10, 0, 0]
    assert document["mirrored_pairs"] == 10
    assert document["seats"]["first"]["moves"] == document["seats"]["second"]["moves"] > 0
    assert document["referee"]["plies"] > 0
    # Nothing is left behind.
    assert [path.name for path in tmp_path.iterdir()] == ["b.epd"]


def test_an_engine_that_fails_is_not_fair_and_the_text_says_what_was_found() -> None:
    result = look(*tiny("crash=40"))
    assert result.exit_code == 1
    assert "Not fair: the first seat lost" in result.stdout
    assert "Tiny against itself, 10 pairs:" in result.stdout


def test_main_of_the_project_is_played_at_its_long_stage(tmp_path: Path) -> None:
    (tmp_path / "anchorhold.toml").write_text(f"""
[project]
name = "Tiny"
[book]
file = "b.epd"
[stages.long]
pairs = 10
depth = 1
[[anchors]]
name = "Other"
command = ["other"]
rating = 0.0
rating_error = 1.0
[main.versions."1"]
command = ["{sys.executable}", "-I", "{ENGINE}"]
[main.versions."2"]
command = ["{sys.executable}", "-I", "{ENGINE}", "seed=2"]
""")
    result = look("--a-a", "--rounds", "10", "--json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["engine"]["name"] == "2"
    assert look("--a-a", "--version", "3").exit_code == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--engine", "cmd=x depth=1"], "Add --a-a"),
        (["--a-a"], "anchorhold.toml"),
        (["--a-a", "--engine", "cmd=x depth=1", "--version", "1"], "--version belongs to main"),
    ],
)
def test_what_cannot_be_looked_at_ends_with_one_line_and_status_2(words: list[str], message: str) -> None:
    result = look(*words)
    assert result.exit_code == 2
    assert message in result.stderr
