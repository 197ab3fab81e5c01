"""docs/howto/match.md: what stands in one line of its table means the same, and its commands run."""

import dataclasses
import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from anchorhold.cli.app import app
from anchorhold.cli.match_plan import MatchOptions, make_plan
from anchorhold.cli.match_words import parse_pgnout

ROOT = Path(__file__).parent.parent.parent
TEXT = (ROOT / "docs" / "howto" / "match.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (`.*`|–) \| (`.*`|–) \| (`.*`) \|$", TEXT, re.MULTILINE)
COMMANDS = re.findall(r"^anchorhold .*$", TEXT, re.MULTILINE)
ENGINES = ["--engine", "cmd=./a", "--engine", "cmd=./b"]  # and a third, where a cell is about engines
FEN = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "book.epd").write_text(f"{FEN}\n{FEN.replace('4P3', '3P4').replace('PPPP1PPP', 'PPP1PPPP')}\n")
    (tmp_path / "book.pgn").write_text("1. e4 e5 2. Nf3 *\n")
    (tmp_path / "frc.epd").write_text("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq -\n")
    shutil.copytree(ROOT / "tests" / "golden" / "syzygy", tmp_path / "tables")
    for name, program in (("new", "ethereal-chess"), ("old", "toga2")):
        found = shutil.which(program) or shutil.which(program, path="/usr/games")
        assert found, f"{program} is not installed: scripts/setup.sh test"
        (tmp_path / name).write_text(f'#!/bin/sh\nexec "{found}"\n')
        (tmp_path / name).chmod(0o755)
    return tmp_path


def meaning(cell: str) -> dict[str, Any]:
    """What a match would be with the options of a cell."""
    options = [*ENGINES, *shlex.split(cell.strip("`"))]
    given_ones = {word.lstrip("-") for word in options}
    # What every match needs, where the cell is about something else.
    options += [] if "each" in given_ones else ["--each", "depth=1"]
    options += [] if "openings" in given_ones else ["--openings", "file=book.epd"]
    command: Any = typer.main.get_command(app).get_command(None, "match")  # type: ignore[attr-defined]
    given = command.make_context("match", options).params
    names = {
        field.name: given["engine" if field.name == "engines" else field.name]
        for field in dataclasses.fields(MatchOptions)
    }
    plan = make_plan(MatchOptions(**names))
    shown = ("concurrency", "use_affinity", "startup_ms", "ping_ms", "event", "site", "ratinginterval")
    return {
        **plan.to_json(),
        "pairs": plan.pairs,
        "wait": plan.rules.wait,
        "book file": plan.book.path.name,
        "pgn": given["pgn"] or parse_pgnout(given["pgnout"]),
        **{name: given[name] for name in shown},
    }


def test_the_table_is_read() -> None:
    assert len(ROWS) > 30
    assert len(COMMANDS) == 5


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("fastchess", "cutechess", "here"), ROWS)
def test_what_stands_in_one_line_means_the_same(fastchess: str, cutechess: str, here: str) -> None:
    expected = meaning(here)
    for cell in (fastchess, cutechess):
        if cell != "–":
            assert meaning(cell) == expected


def test_the_commands_run_and_the_first_two_are_the_same_match(folder: Path) -> None:
    found = []
    for command in COMMANDS:
        result = CliRunner().invoke(app, shlex.split(command)[1:], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        found.append(result.stdout)
    figures = [[line for line in text.splitlines() if not line.startswith("Referee")] for text in found[:2]]
    assert figures[0] == figures[1]
    played = [(folder / name).read_text() for name in ("games.pgn", "there.pgn")]
    moves = [re.findall(r"\[Round .*|\d+\. \S+", text) for text in played]
    assert moves[0] == moves[1] != []
    assert len(json.loads(found[2])["meetings"]) == 2
    assert re.search(r"LLR: -?\d+\.\d\d \(-2.94, 2.94\) \[-200.00, -100.00\] normalized", found[3])
    assert "Fair: nothing tells the seats apart." in found[4]
