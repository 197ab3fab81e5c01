"""What no test and no match can have is a problem with its place in every importer, and nothing is made of it."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from anchorhold.importers.base import Import
from anchorhold.importers.cutechess import read_cutechess
from anchorhold.importers.drafts import Draft
from anchorhold.importers.fastchess import read_fastchess
from anchorhold.importers.fishtest import read_runs
from anchorhold.importers.openbench import read_tests
from anchorhold.importers.ratings import read_ratings
from importers.server_texts import CONSOLE, CUTECHESS, STATE, TEST, run


def fishtest(**changes: Any) -> Import[Draft]:
    return read_runs([("r.json", json.dumps(run(1, **changes)))])


def openbench(**changes: Any) -> Import[Draft]:
    return read_tests([("t.json", json.dumps({"info": TEST | changes}))])


def fastchess(**sprt: Any) -> Import[Draft]:
    enabled = {"enabled": True, "alpha": 0.05, "beta": 0.05, "elo0": 0.0, "elo1": 5.0, "model": "normalized"}
    return read_fastchess([("c.json", json.dumps(STATE | {"sprt": enabled | sprt}))]).drafts


@pytest.mark.parametrize(
    ("read", "changes", "what"),
    [
        (fishtest, {"elo0": 2.5, "elo1": 0.5}, "the Elo bounds 2.5 and 0.5 are not in rising order"),
        (fishtest, {"elo0": 0.0, "elo1": 0.0}, "the Elo bounds 0 and 0 are not in rising order"),
        (fishtest, {"lower_bound": 2.9, "upper_bound": -2.9}, "the LLR's bounds 2.9 and -2.9 do not lie around 0"),
        (fishtest, {"lower_bound": None, "alpha": 0.9}, "alpha and beta are no error rates"),
        (openbench, {"elolower": 3.0, "eloupper": 0.0}, "the Elo bounds 3 and 0 are not in rising order"),
        (openbench, {"lowerllr": 2.9, "upperllr": -2.9}, "the LLR's bounds 2.9 and -2.9 do not lie around 0"),
        (fastchess, {"alpha": 0.0}, "alpha and beta are no error rates"),
    ],
)
def test_bounds_that_no_test_has(read: Callable[..., Import[Draft]], changes: dict[str, Any], what: str) -> None:
    found = read(**changes)
    assert found.records == ()
    assert what in found.problems[0].what


def test_pairs_that_are_not_those_of_the_games() -> None:
    state = copy.deepcopy(STATE)
    state["stats"]["Pawnstar-new vs Anchor-A"]["penta_WW"] = 21
    found = read_fastchess([("c.json", json.dumps(state))])
    assert found.matches == ()
    assert "twice the pairs" in found.drafts.problems[0].what or "the pairs" in found.drafts.problems[0].what
    console = CONSOLE.replace("[20, 130, 180, 150, 20]", "[20, 130, 180, 150, 90]").replace("LLR: 0.33", "Note: 0.33")
    found = read_fastchess([("c.log", console)])
    assert found.matches == ()
    assert "cannot be relied on" in found.drafts.problems[0].what


def test_names_of_which_nobody_can_say_where_the_first_ends() -> None:
    found = read_cutechess([("c.log", CUTECHESS.replace("A vs B", "A vs B vs C").replace("B vs A", "C vs A vs B"))])
    assert found.matches == ()
    [problem] = found.drafts.problems
    assert "which two engines play cannot be told" in problem.what
    found = read_fastchess([("c.log", CONSOLE.replace("X vs Y (10", "X vs Y vs Z (10"))])
    assert (found.matches, len(found.drafts.problems)) == ((), 1)


def test_a_comma_that_may_stand_for_thousands_or_for_a_point() -> None:
    found = read_ratings([("r.csv", 'name;rating\nA;"3,000"\nB;3000,5\nC;12,25\n')])
    assert [(one.name, one.rating) for one in found.records] == [("B", 3000.5), ("C", 12.25)]
    assert [problem.place.line for problem in found.problems] == [2]
