"""Stages of which nothing is to be told are passed over together, and nothing that is to be told with them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchorhold.domain.contract import DEFAULT_EDITION, edition
from anchorhold.errors import BadInput
from anchorhold.law import silent
from anchorhold.law.document import RejectedTest, Window
from anchorhold.law.problems import Problem, Problems
from anchorhold.law.window import Denominator, read_window
from anchorhold.stats.elo import NoEstimate, elo_from_pentanomial
from anchorhold.stats.outcomes import Pentanomial

CONTRACT = edition(DEFAULT_EDITION)
counts = st.one_of(
    st.lists(st.integers(0, 10_000), min_size=5, max_size=5),
    st.lists(st.sampled_from([0, 1, -1, 1.5, 2**53, 2**60]), min_size=5, max_size=5),
)


@st.composite
def stages(draw: st.DrawFn) -> dict[str, object]:
    """One stage; its Elo mostly what its counts give, or about as far from it as a claim may be."""
    five = draw(counts)
    stage: dict[str, object] = {"passed": draw(st.booleans()), "pentanomial": draw(st.sampled_from([five, None]))}
    try:
        elo = elo_from_pentanomial(Pentanomial(*five)).elo
    except (NoEstimate, BadInput):
        elo = 0.0
    tolerance = CONTRACT.parameters.claim_tolerance
    away = draw(st.sampled_from([0.0, tolerance, -tolerance, tolerance + 1e-9, tolerance - 1e-9, 3.0]))
    stage["elo"] = draw(st.sampled_from([max(-10_000.0, min(elo + away, 10_000.0)), None]))
    stage["elo_error"] = draw(st.sampled_from([None, 0.7, 0.0, -1.0]))
    if draw(st.booleans()):
        ll, ld, dd, wd, ww = five
        games = draw(st.sampled_from([(2 * ww + wd + dd, ld + wd, 2 * ll + ld + dd), (1, 3, 4), (1.5, -1, 2**60)]))
        stage.update(wins=games[0], draws=games[1], losses=games[2])
    return stage


def told(tests: list[dict[str, dict[str, object]]]) -> tuple[Denominator, list[Problem], list[Problem]]:
    entries = [
        RejectedTest.model_validate({"seq": seq, "kind": "rejected_test", **test})
        for seq, test in enumerate(tests, start=2)
    ]
    window = Window(after=1, until=len(tests) + 1)
    problems, short_problems = Problems(), Problems()
    read = read_window(entries, window, contract=CONTRACT, problems=problems, short_problems=short_problems)
    return read, list(problems), list(short_problems)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.dictionaries(st.sampled_from(["long", "short"]), stages()), max_size=6))
def test_a_window_tells_the_same_when_its_stages_are_looked_at_together(
    tests: list[dict[str, dict[str, object]]],
) -> None:
    one_by_one = told(tests)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(silent, "MANY", 1)
        assert told(tests) == one_by_one


def test_what_is_plainly_silent_is_passed_over() -> None:
    sound = RejectedTest.model_validate(
        {"seq": 2, "kind": "rejected_test", "long": {"passed": False, "pentanomial": [5, 20, 50, 20, 5]}}
    ).long
    assert sound is not None
    assert silent.plainly_silent([sound] * silent.MANY, contract=CONTRACT) == [True] * silent.MANY
    assert silent.plainly_silent([sound], contract=CONTRACT) == [False]
