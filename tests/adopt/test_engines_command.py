"""``anchorhold engines`` on real engines and a real settings file."""

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from anchorhold import config
from anchorhold.adopt.anchor_text import UNRATED_ERROR
from anchorhold.adopt.lineup import read_lineup
from anchorhold.cli.app import app
from anchorhold.domain.limits import Limit

ODD = f"{sys.executable} -I {Path(__file__).parent / 'odd_engine.py'}"
SETTINGS = f"""# By hand.
[project]
name = "Odd"

[main.versions."1"]
command = '{ODD}'

[[anchors]] # the first
name = "First"
command = '{ODD} nodes=7'
rating = 2100.0   # from elsewhere
rating_error = 20.0

[book]  # after the anchors
file = "b.pgn"

[stages.long]
depth = 2
pairs = 5
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, search_path: str) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", search_path)
    file = tmp_path / "anchorhold.toml"
    file.write_text(SETTINGS)
    return file


def engines(*words: str) -> Result:
    return CliRunner().invoke(app, ["engines", *words], catch_exceptions=False)


def test_the_list_has_main_anchors_and_the_recipes_that_are_here(project: Path) -> None:
    document = json.loads(engines("list", "--json").stdout)
    roles = {one["name"]: one["role"] for one in document["engines"]}
    assert (roles["1"], roles["First"], roles["Ethereal"]) == ("main", "anchor", "recipe")
    assert document["not_here"] == []
    project.unlink()
    assert "Ethereal" in engines("list").stdout


def test_what_is_not_on_this_machine_is_named_with_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    shown = engines("list").stdout
    assert "Recipes without their program here: Sunfish." in shown
    assert "pip install sunfish" in shown


def test_a_probe_by_name_takes_the_settings_and_says_what_was_seen() -> None:
    document = json.loads(engines("probe", "first", "--json").stdout)
    assert (document["calls_itself"], document["author"], document["role"]) == ("Odd 3", "A. Tester", "anchor")
    assert document["limits"]["nodes"]["obeyed"] is False
    assert document["limits"]["depth"]["obeyed"] is True
    assert document["repeats"] == "always"
    assert len(document["identity"]["sha256"]) == 64


def test_a_probe_by_command_finds_the_protocol_and_prints_a_table() -> None:
    shown = engines("probe", "phalanx -b- -l- -p-").stdout
    assert "protocol        xboard" in shown
    assert "Phalanx XXV" in shown


def test_an_engine_is_added_by_its_recipe_and_the_rest_of_the_file_stays(project: Path) -> None:
    result = engines("add", "toga2")
    assert result.exit_code == 0, result.stderr
    assert "as anchor 2: 2105.2 ± 29.7" in result.stdout
    text = project.read_text()
    added = text[text.index("\n[[anchors]]\n# Never ends a search") : text.index("[book]")]
    assert text.replace(added, "", 1).split() == SETTINGS.split()
    anchor = config.load(project, environment={}).anchors[1]
    assert (anchor.name, anchor.limit, anchor.engine.restart) == ("Toga II", Limit(depth=3), "pair")
    assert anchor.rating == read_lineup().anchors["Toga II"].rating


def test_an_engine_without_a_measured_rating_gets_a_place_for_one(project: Path) -> None:
    assert "rate --pairs" in engines("add", "Other", "--command", ODD, "--limit", "nodes=500").stdout
    assert engines("add", "ethereal", "--limit", "depth=8").exit_code == 0
    other, ethereal = config.load(project, environment={}).anchors[1:]
    assert (other.limit, other.rating_error) == (Limit(nodes=500), UNRATED_ERROR)
    assert (ethereal.limit, ethereal.rating_error) == (Limit(depth=8), UNRATED_ERROR)


def test_a_given_rating_is_kept(project: Path) -> None:
    words = [
        "add",
        "glaurung",
        "--rating",
        "2650",
        "--rating-error",
        "11",
        "--source",
        "a list",
        "--limit",
        "nodes=900",
    ]
    assert engines(*words).exit_code == 0
    anchor = config.load(project, environment={}).anchors[1]
    assert (anchor.rating, anchor.rating_error, anchor.source) == (2650.0, 11.0, "a list")


def test_a_named_engine_is_no_anchor_and_is_known_by_its_name(project: Path) -> None:
    assert engines("add", "sparring", "--as", "engine", "--command", f"{ODD} memory=1").exit_code == 0
    loaded = config.load(project, environment={})
    assert (len(loaded.anchors), list(loaded.engines)) == (1, ["sparring"])
    assert "sparring" in engines("list").stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["add", "First", "--command", "gnuchess --uci"], "there is an engine 'First' already"),
        (["add", "Toga"], "Toga II"),
        (["add", "x", "--command", "cat"], "neither UCI nor XBoard"),
        (["add", "ethereal", "--limit", "nodes=900"], "Ethereal does not obey a limit of nodes"),
        (["add", "ethereal", "--as", "friend"], "known are anchor, engine"),
        (["add", "ethereal", "--rating", "3000"], "belong together"),
        (["add", "ethereal", "--as", "engine", "--rating", "1"], "belong to anchors"),
        (["probe", "no such thing"], "neither an engine known here nor a program"),
        (["probe", "'"], "not a command line"),
    ],
)
def test_what_cannot_be_done_ends_with_one_line_and_status_2(words: list[str], message: str, project: Path) -> None:
    result = engines(*words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert project.read_text() == SETTINGS
