"""The formulas with their numbers: what stands there can be computed again from what stands there."""

import re

import pytest

from anchorhold.domain.contract import edition
from anchorhold.report.derivation import derivation
from anchorhold.report.texts import texts_in
from anchorhold.stats.elo import elo_of_score
from report.samples import bare, case

EN, DE = texts_in("en"), texts_in("de")


def number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", ""))


def test_the_worked_lines_can_be_computed_again() -> None:
    games, weights, increase, claims, ratio = derivation(case("case-28"), EN).steps
    mean = re.search(r"1/(\S+) − 1\) = (\S+)$", games.worked[1])
    assert mean is not None
    assert elo_of_score(number(mean[1])) == pytest.approx(number(mean[2]), abs=0.01)
    width = re.search(r"w = 1/\((\S+)² \+ (\S+)² \+ (\S+)²\) = (\S+)$", weights.worked[0])
    assert width is not None
    h, rating, model, weight = (number(group) for group in width.groups())
    assert 1 / (h**2 + rating**2 + model**2) == pytest.approx(weight, rel=1e-3)
    assert model == edition(7).parameters.model_uncertainty
    for line in weights.worked[1:]:
        terms = re.findall(r"(\d\S*)·\((\S+) ([+−]) (\S+)\)", line)
        assert len(terms) == 6
        total = sum(number(w) * (number(r) + number(d) * (1 if sign == "+" else -1)) for w, r, sign, d in terms)
        value = number(line.rsplit(" = ", 1)[1])
        assert total / sum(number(w) for w, *_ in terms) == pytest.approx(value, abs=0.05)
    left, right, difference = re.findall(r"[+−]?\d[\d.,]*", increase.worked[0])
    assert number(left) - number(right) == pytest.approx(number(difference), abs=0.011)
    terms_of_s = [number(term) for term in re.findall(r"[+−]\d[\d.,]*", claims.worked[0])]
    assert sum(terms_of_s) == pytest.approx(number(claims.worked[0].rsplit(" = ", 1)[1]), abs=0.03)
    assert ratio.worked == ("R = 4.52 / 28.97 = 0.155879532", "0.16 < 0.40: HALT")


def test_the_table_of_games_has_both_versions_against_every_anchor() -> None:
    view = case("case-28")
    found = derivation(view, EN)
    assert [(row.anchor, row.endpoint) for row in found.pairs] == [
        (anchor.name, endpoint) for anchor in view.result.anchors for endpoint in ("old", "new")
    ]
    assert sum(number(count) for count in found.pairs[0].classes) == number(found.pairs[0].pairs)
    assert found.games == ()


def test_a_result_alone_shows_the_formulas_and_what_it_knows() -> None:
    found = derivation(bare("case-28"), EN)
    assert found.pairs == ()
    assert [bool(step.worked) for step in found.steps] == [False, True, True, True, True]
    assert found.steps[1].worked == ("A(old) = 3,000.93", "A(new) = 3,005.44")


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("exactly-0.40", "0,40 ≤ 0,40 < 0,75: WARNUNG"),
        ("invented-halt", "0,35 < 0,40: HALT"),
        ("case-11", "0,87 ≥ 0,75: WEITER"),
    ],
)
def test_the_last_line_places_r_between_the_thresholds(name: str, line: str) -> None:
    assert derivation(case(name), DE).steps[-1].worked[-1] == line


def test_without_r_the_last_step_has_no_numbers() -> None:
    assert derivation(case("case-12"), EN).steps[-1].worked == ()
