"""Every recipe, tried on the real engine: protocol, options, positions, and the limits that it is said to obey."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from anchorhold.adopt import limits
from anchorhold.adopt.greeting import detect_protocol, greet
from anchorhold.adopt.limits import try_limit
from anchorhold.adopt.lineup import read_lineup
from anchorhold.adopt.recipes import LIMIT_KINDS, Recipe, find, install_lines, named, read_recipes
from anchorhold.adopt.searching import Seat
from anchorhold.cli.demo_project import ANCHORS, Programs, Scale, config_text, find_anchor_programs
from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.limits import Limit
from anchorhold.errors import BadInput

RECIPES = read_recipes()
SLACK = 60.0
"""Seconds over its time that an engine may take here: a loaded machine is no fault of the engine."""


def spec_of(recipe: Recipe, search_path: str) -> EngineSpec:
    (found,) = find([recipe], path=search_path)
    return replace(found.template.spec(recipe.name, Limit(depth=1)), margin=SLACK)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_the_engine_speaks_the_protocol_and_takes_the_options_of_its_recipe(recipe: Recipe, search_path: str) -> None:
    spec = spec_of(recipe, search_path)
    assert detect_protocol(spec.command) == recipe.protocol
    assert greet(spec).setboard == recipe.setboard
    with Seat(spec, patience=10.0, start_timeout=30.0):
        pass


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_the_engine_obeys_the_limits_of_its_recipe(
    recipe: Recipe, search_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PATIENCE", SLACK)
    spec = spec_of(recipe, search_path)
    tried = {kind: try_limit(spec, kind) for kind in LIMIT_KINDS}
    assert [one.detail for kind, one in tried.items() if kind in recipe.obeys and one.obeyed is not True] == []
    # What is said of nodes is kept whatever the load. Sunfish looks at them between depths alone, and how many
    # a depth takes changes with Python's order of sets: it may end in time by chance.
    if recipe.name != "Sunfish":
        assert tried["nodes"].obeyed is ("nodes" in recipe.obeys)


def test_the_demo_runs_its_anchors_by_their_recipes(search_path: str) -> None:
    nowhere = Path("/nowhere")
    programs = Programs(nowhere, nowhere, nowhere, find_anchor_programs(path=search_path))
    lineup = read_lineup()
    anchors = tomllib.loads(config_text(programs, lineup, Scale(1, 1, 1)))["anchors"]
    assert {anchor["name"] for anchor in anchors} == set(lineup.anchors)
    for anchor in anchors:
        recipe = named(RECIPES, anchor["name"])
        assert ANCHORS[recipe.program] == (recipe.name, recipe.package)
        assert anchor["command"][1:] == list(recipe.arguments)
        assert anchor.get("protocol", "uci") == recipe.protocol
        assert anchor.get("options", {}) == dict(recipe.options)
        assert anchor.get("setup", []) == list(recipe.setup)
        assert anchor.get("depth_command", "sd") == recipe.depth_command
        assert anchor["restart"] == recipe.restart
        assert Limit.from_json(anchor["limit"]) == lineup.anchors[recipe.name].limit


def test_a_recipe_is_found_by_name_program_or_package_and_the_nearest_is_named() -> None:
    assert named(RECIPES, "ethereal").program == named(RECIPES, "ETHEREAL-CHESS").program == "ethereal-chess"
    with pytest.raises(BadInput, match="Stockfish"):
        named(RECIPES, "Stokfish")


def test_what_would_install_engines_is_one_line_for_each_archive() -> None:
    lines = install_lines([named(RECIPES, "Phalanx"), named(RECIPES, "Sunfish"), named(RECIPES, "Toga II")])
    assert lines == ["apt-get install --no-install-recommends phalanx toga2", "pip install sunfish"]
