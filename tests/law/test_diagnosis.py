"""Where claims were lost, on invented results."""

import json
from functools import cache
from pathlib import Path

import pytest

from anchorhold.domain.contract import edition
from anchorhold.law.diagnosis import Diagnosis, diagnose
from anchorhold.law.document import document_from_json
from anchorhold.law.evaluation import evaluate
from anchorhold.law.result import Direct, Range, Result
from anchorhold.report.diagnosis import diagnosis_in_words
from anchorhold.report.texts import texts_in

GOLDEN = Path(__file__).parent.parent / "golden" / "evaluation"


@cache
def evaluated() -> Result:
    stored = json.loads((GOLDEN / "invented-warn.json").read_text(encoding="utf-8"))
    return evaluate(document_from_json(stored["document"], where="sample"), edition(7))


def invented(
    *,
    s: float = 30.0,
    s_error: float | None = 3.0,
    mu: float | None = 24.0,
    sc: float | None = 20.0,
    direct: tuple[float, float] | None = (16.0, 2.0),
    delta_a: float = 6.0,
    increase_error: float = 2.0,
    sc_interval: Range | None = None,
) -> Result:
    """A result that has these figures; the rest is that of a golden case."""
    result = evaluated()
    match = None
    if direct is not None:
        match = Direct(
            elo=direct[0], error=direct[1], survival=None, survival_interval=None, transfer=None, transfer_interval=None
        )
    return result.model_copy(
        update={
            "s": s,
            "s_error": s_error,
            "s_median_unbiased": mu,
            "s_median_unbiased_interval": None,
            "s_selection_corrected": sc,
            "s_selection_corrected_interval": sc_interval,
            "direct": match,
            "delta_a": delta_a,
            "delta_a_error_weighted": increase_error,
            "paired": None,
            "r": delta_a / s,
        }
    )


def found(result: Result, *, pairs: int | None = 1000) -> Diagnosis:
    diagnosis = diagnose(result, pairs=pairs)
    assert diagnosis is not None
    return diagnosis


@pytest.mark.parametrize("direct", [None, (16.0, 2.0)])
@pytest.mark.parametrize("mu", [None, 24.0])
@pytest.mark.parametrize("sc", [None, 20.0])
def test_the_losses_add_up_to_what_did_not_arrive(
    direct: tuple[float, float] | None, mu: float | None, sc: float | None
) -> None:
    diagnosis = found(invented(direct=direct, mu=mu, sc=sc))
    assert sum(loss.elo for loss in diagnosis.losses) == pytest.approx(30.0 - 6.0)


def test_each_loss_has_its_size_and_its_error() -> None:
    diagnosis = found(invented())
    assert [(loss.cause, loss.elo) for loss in diagnosis.losses] == [
        ("stopping", 6.0),
        ("selection", 4.0),
        ("overlap", 4.0),
        ("transfer", 10.0),
    ]
    assert [loss.error for loss in diagnosis.losses] == [
        None,
        None,
        pytest.approx(13**0.5),
        pytest.approx(8**0.5),
    ]
    assert diagnosis.largest.cause == "transfer"
    assert diagnosis.step == "clear"


def test_the_half_width_of_the_last_corrected_sum_is_that_of_the_overlap() -> None:
    overlap = found(invented(sc_interval=Range(low=15.0, high=25.0))).losses[-2]
    assert overlap.cause == "overlap"
    assert overlap.error == pytest.approx((5.0**2 + 2.0**2) ** 0.5)


def test_the_json_form_says_where_the_claims_went_and_what_to_do() -> None:
    diagnosis = found(invented(increase_error=24.0)).to_json()
    assert diagnosis["largest"] == "transfer"
    assert (diagnosis["step"], diagnosis["pairs"]) == ("more_pairs", 4000)
    losses = diagnosis["losses"]
    assert isinstance(losses, list)
    assert losses[-1] == {"cause": "transfer", "elo": 10.0, "error": pytest.approx(580**0.5), "clear": False}
    # All that was claimed arrived, and more: nothing is the largest loss.
    assert found(invented(s=5.0, mu=5.0, sc=5.0, direct=(5.5, 1.0))).to_json()["largest"] is None
    assert json.loads(json.dumps(diagnosis, allow_nan=False)) == diagnosis


def test_without_a_direct_match_it_is_what_to_play_and_how_many_pairs() -> None:
    diagnosis = found(invented(direct=None))
    assert diagnosis.step == "direct_match"
    assert found(invented(direct=None), pairs=None).pairs is None


@pytest.mark.parametrize(
    ("result", "step"),
    [
        (invented(direct=(16.0, 12.0)), "more_direct_pairs"),
        (invented(increase_error=12.0), "more_pairs"),
        (invented(s_error=9.0), "more_claims"),
        (invented(sc=None, mu=None), "keep_all_tests"),
    ],
)
def test_the_step_aims_at_what_is_least_sure(result: Result, step: str) -> None:
    assert found(result).step == step


def test_pairs_are_those_that_bring_the_error_down_to_half_of_the_difference() -> None:
    # ΔA ± 24 of 1000 pairs, S − ΔA = 24: to ± 12 it takes four times as many.
    assert found(invented(increase_error=24.0)).pairs == 4000


def test_without_r_there_is_no_diagnosis() -> None:
    assert diagnose(invented().model_copy(update={"r": None})) is None


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_step_and_cause_is_said_in_both_languages(language: str) -> None:
    texts = texts_in("de" if language == "de" else "en")
    for result in (invented(), invented(direct=None), invented(increase_error=24.0), invented(s_error=9.0)):
        sentences = diagnosis_in_words(found(result), texts=texts)
        assert all("{" not in sentence for sentence in sentences)
    unsure = diagnosis_in_words(found(invented(increase_error=24.0)), texts=texts)
    assert any(("nicht sicher" if language == "de" else "not sure") in sentence for sentence in unsure)
    assert ("4.000" if language == "de" else "4,000") in unsure[-1]
