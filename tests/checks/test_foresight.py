"""What is foreseen of a check: nothing claimed, too few pairs for a verdict, an anchor too far for an estimate."""

from pathlib import Path

import pytest

from anchorhold.checks.foresight import best_case, far_distances, foreseen, least_claims, reach_of
from anchorhold.cli.texts import texts_in
from anchorhold.domain.contract import edition
from anchorhold.domain.sentences import said_in
from anchorhold.stats.elo import EDITION_7
from anchorhold.stats.power import Design, confusion_chance, pairs_needed
from checks.project import AHEAD, ANCHORS, EVEN, Project, gain, make_project

TOO_FAR = (0, 0, 0, 2, 8)
"""10 pairs with a score of 0.95, which carry no estimate."""


def of_last(project: Project) -> list[str]:
    return [str(one) for one in foreseen(project.entries(), project.checks()[-1])]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = make_project(tmp_path / "project", pairs=10)
    made.pin()
    return made


def test_a_window_without_a_gain_will_be_a_gap(project: Project) -> None:
    project.open()
    (said,) = of_last(project)
    assert said.startswith("No gain is counted in this window, so the check will be a GAP")
    assert project.close(old=EVEN, new=AHEAD).result.verdict == "GAP"


def test_gains_whose_sum_is_not_positive_will_be_a_gap(project: Project) -> None:
    project.append("gain_test", gain(-2.0, name="dev-1"))
    project.open()
    assert of_last(project) == ["The gains of this window sum to -2.00 Elo: the check will be a GAP."]


def test_too_few_pairs_are_said_with_their_error_and_how_many_would_do(project: Project) -> None:
    project.append("gain_test", gain(20.0, name="dev-1"))
    project.open()
    told, reach = of_last(project)
    design = best_case(10, [8.5] * ANCHORS, edition(7))
    error, needed = confusion_chance(design, claims=20.0), pairs_needed(design, claims=20.0)
    assert told == (
        "10 pairs against each anchor are too few to tell R = 0.40 from R = 0.75 at S = 20.0: each is taken for the"
        f" other in {100 * error:.0f} % of checks; {needed} pairs would make it 5 % ('anchorhold plan')."
    )
    assert "below 27 % or above 73 %" in reach


def test_enough_pairs_deserve_no_word(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project", pairs=3000)
    project.pin()
    project.append("gain_test", gain(20.0, name="dev-1"))
    project.open()
    assert of_last(project) == []


def test_an_anchor_too_far_for_the_pairs_is_named_with_its_score(project: Project) -> None:
    project.append("gain_test", gain(500.0, name="dev-1"))
    project.open()
    assert project.close(old=TOO_FAR, new=TOO_FAR).result.verdict == "GAP"
    project.open()
    said = of_last(project)
    named = [one for one in said if one.startswith("Main scored 95 % against Anchor 1 in check-1: 10 pairs carry no")]
    assert len(named) == 1
    assert "pairs would do, or another limit for main or for this anchor." in named[0]
    assert sum("Main scored" in one for one in said) == ANCHORS


def test_an_anchor_that_is_another_program_now_is_not_judged_by_what_it_was(project: Project) -> None:
    project.append("gain_test", gain(500.0, name="dev-1"))
    project.open()
    project.close(old=TOO_FAR, new=TOO_FAR)
    project.edit(
        'name = "Anchor 1"\ncommand = "./anchor1"\nlimit = { depth = 1 }',
        'name = "Anchor 1"\ncommand = "./anchor1"\nlimit = { depth = 9 }',
    )
    project.pin()
    project.open()
    assert not any("Anchor 1 " in one for one in of_last(project))
    assert sum("Main scored" in one for one in of_last(project)) == ANCHORS - 1


def test_a_first_check_is_told_what_its_pairs_reach_and_from_which_claims_on() -> None:
    contract = edition(7)
    assert "at least" in least_claims(best_case(40, [10.0] * 6, contract), contract)
    assert reach_of(best_case(100, [10.0] * 6, contract), rule=EDITION_7) == []
    (few,) = reach_of(best_case(2, [10.0] * 6, contract), rule=EDITION_7)
    assert "even at a score of 50 %" in few


def test_distances_of_a_plan_that_are_too_far_are_said_once() -> None:
    design = Design(pairs=10, distances=(0.0, 382.0, -382.0), rating_errors=(10.0,) * 3, draws=0.5)
    (said,) = far_distances(design, rule=EDITION_7)
    assert said.startswith("10 pairs against an anchor 382 Elo away carry no estimate in 4")


def test_it_is_said_in_german(project: Project) -> None:
    project.append("gain_test", gain(20.0, name="dev-1"))
    project.open()
    (first, _) = foreseen(project.entries(), project.checks()[-1])
    assert said_in(texts_in("de"), first).startswith("10 Paare gegen jeden Anker sind zu wenige, um R = 0,40 von")
