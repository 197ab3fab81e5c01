"""What is plainly right is right, and nothing that is wrong is taken for it."""

import math
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.checks.oracle_figures import LLR_TOLERANCE, stage_figures
from anchorhold.checks.plain_figures import Tolerances, plainly_right
from anchorhold.domain.payloads import TestStage
from anchorhold.errors import BadInput
from anchorhold.stats.elo import NoEstimate, elo_from_pentanomial
from anchorhold.stats.outcomes import Pentanomial
from anchorhold.stats.sprt import BoundsModel, log_likelihood_ratio

TOLERANCES = Tolerances(elo=0.05, llr=LLR_TOLERANCE)
MODELS: tuple[BoundsModel, ...] = ("normalized", "logistic", "bayeselo")


@st.composite
def reports(draw: st.DrawFn) -> dict[str, object]:
    """Stages as a register may hold them: right ones, and such as differ by little or by much."""
    size = draw(st.sampled_from([0, 3, 60, 9_000]))
    counts = [draw(st.integers(0, most)) for most in (size // 40 + 1, size, 2 * size, size, size // 40 + 1)]
    report: dict[str, object] = {"passed": draw(st.booleans()), "pentanomial": counts}
    if draw(st.booleans()):
        report["pairs"] = sum(counts) + draw(st.sampled_from([0, 0, 0, 1]))
    off = st.sampled_from([0.0, 0.0, 1e-9, 0.04, 0.0499999, 0.0500001, -0.06, 0.3, 5.0])
    try:
        estimate = elo_from_pentanomial(Pentanomial(*counts))
        report |= {"elo": estimate.elo + draw(off), "elo_error": abs(estimate.error + draw(off)) + 1e-12}
    except NoEstimate:
        report |= {"elo": draw(off)}
    low = draw(st.sampled_from([-2.0, 0.0, 0.5, -300.0]))
    bounds, model = (low, low + draw(st.sampled_from([0.5, 2.0, 10.0]))), draw(st.sampled_from(MODELS))
    report |= {"bounds": list(bounds), "bounds_model": model, "alpha": draw(st.sampled_from([0.05, 0.4])), "beta": 0.05}
    with suppress(BadInput):
        llr = log_likelihood_ratio(Pentanomial(*counts), bounds=bounds, model=model)
        report["llr"] = llr * (1.0 + draw(st.sampled_from([0.0, 0.0, 5e-7, 2e-6]))) + draw(st.sampled_from([0.0, 0.5]))
    for name in draw(st.lists(st.sampled_from(["elo", "elo_error", "bounds", "alpha", "llr"]), max_size=2)):
        report.pop(name, None)
    if draw(st.booleans()):
        report["overshoot"] = [draw(st.sampled_from([0.01, 0.3])), draw(st.sampled_from([0.01, 0.3]))]
    return report


@given(st.lists(st.tuples(reports(), st.booleans()), max_size=5))
def test_of_what_is_plainly_right_nothing_is_found_wrong_one_by_one(
    found: list[tuple[dict[str, object], bool]],
) -> None:
    plain = plainly_right([report for report, _ in found], ours=[own for _, own in found], tolerances=TOLERANCES)
    for (report, is_ours), is_right in zip(found, plain, strict=True):
        stage = TestStage.model_validate(report)
        assert not is_right or not list(stage_figures(stage, is_ours=is_ours)), report


RIGHT: dict[str, object] = {
    "passed": True,
    "pentanomial": [214, 7743, 17343, 8086, 230],
    "pairs": 33616,
    "elo": 1.9379119425107598,
    "elo_error": 1.34378084501618,
    "bounds": [0.0, 2.0],
    "bounds_model": "normalized",
    "alpha": 0.05,
    "beta": 0.05,
    "llr": 3.104616079439501,
}


@pytest.mark.parametrize(
    "changes",
    [
        {"elo": 1.99},
        {"elo_error": 1.4},
        {"pairs": 33615},
        {"llr": 3.10462},
        {"passed": False},
        {"alpha": 0.04, "llr": None},
        {"pentanomial": [214, 7743, 17343, 8087, 230]},
    ],
)
def test_a_usual_stage_is_plainly_right_and_no_longer_with_one_figure_changed(changes: dict[str, object]) -> None:
    reports = [RIGHT, {**RIGHT, **changes}]
    assert plainly_right(reports, ours=[True, True], tolerances=TOLERANCES) == [True, False]


def test_a_stage_without_a_test_is_plainly_right_by_its_elo() -> None:
    short = {"passed": True, "pentanomial": [30, 80, 200, 120, 70]}
    estimate = elo_from_pentanomial(Pentanomial(30, 80, 200, 120, 70))
    reports = [{**short, "elo": estimate.elo + off} for off in (0.0, 0.06, math.ceil(2 * estimate.error))]
    assert plainly_right(reports, ours=[True] * 3, tolerances=TOLERANCES) == [True, False, False]
    assert plainly_right(reports, ours=[False] * 3, tolerances=TOLERANCES) == [True, True, False]
