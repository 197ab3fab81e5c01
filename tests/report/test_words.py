"""The sentences: what they say follows from the result."""

import math
import re

import pytest

from anchorhold.domain.contract import edition
from anchorhold.law.result import Note
from anchorhold.report.side import side_figures
from anchorhold.report.texts import NOTHING, texts_in
from anchorhold.report.view import CheckView
from anchorhold.report.words import band_in_words, headline
from report.samples import altered, bare, case, defective

EN, DE = texts_in("en"), texts_in("de")
LIMITS = (0.40, 0.75)


@pytest.mark.parametrize(
    ("name", "verdict", "sentence", "follows"),
    [
        (
            "invented-warn",
            "WARN",
            "R = 0.45: of 20.00 Elo that the project's own tests confirmed, 9.00 Elo arrived",
            "with a warning",
        ),
        ("invented-halt", "HALT", "R = 0.35", "No merge until a human review"),
        ("case-11", "CONTINUE", "R = 0.87", "Merges go on."),
        ("case-09", "HALT", "main lost 7.43 Elo", "No merge"),
        ("case-12", "GAP", "There is no R. Fewer or more pairs", "Nothing was confirmed"),
    ],
)
def test_the_headline_says_verdict_reason_and_consequence(name: str, verdict: str, sentence: str, follows: str) -> None:
    said = headline(case(name).result, thresholds=LIMITS, texts=EN)
    assert said.verdict == verdict
    assert sentence in said.sentence
    assert follows in said.follows


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("invented-halt", "lies below 0.40."),
        ("exactly-0.40", "lies between 0.40 and 0.75."),
        ("case-11", "is 0.75 or more."),
        ("case-12", ""),
    ],
)
def test_the_headline_says_which_threshold_decided(name: str, why: str) -> None:
    assert headline(case(name).result, thresholds=LIMITS, texts=EN).why.endswith(why)
    assert bool(headline(case(name).result, thresholds=LIMITS, texts=DE).why) == bool(why)


def test_a_defective_check_names_its_first_defect() -> None:
    view = defective()
    said = headline(view.result, thresholds=LIMITS, texts=DE)
    assert said.verdict == "DEFEKT"
    assert said.sentence.startswith("Die Prüfung ist fehlerhaft, daher gibt es kein R. ")
    assert "zählt nicht" in said.follows


def test_a_band_over_several_verdicts_says_that_the_games_are_too_few() -> None:
    result = case("case-28").result
    parameters = edition(7).parameters
    spanning = result.model_copy(update={"notes": (*result.notes, Note(code="band_spans_verdicts", message=""))})
    said = " ".join(band_in_words(spanning, parameters=parameters, pairs=400, texts=EN))
    assert "too few to tell the verdicts apart" in said
    assert "With 400 pairs against each anchor" in said
    assert result.band is not None
    shares = [EN.percent(share) for share in (result.band.halt, result.band.warn, result.band.continue_)]
    assert len(set(shares)) == 3
    assert "HALT in {}, WARN in {}, CONTINUE in {} of".format(*shares) in said
    alone = result.model_copy(update={"notes": ()})
    assert "too few" not in " ".join(band_in_words(alone, parameters=parameters, pairs=400, texts=EN))


def test_a_band_without_ends_says_why() -> None:
    said = band_in_words(case("case-19").result, parameters=edition(7).parameters, pairs=None, texts=EN)
    assert said[0].startswith("The band has no ends")
    assert band_in_words(case("case-12").result, parameters=edition(7).parameters, pairs=None, texts=EN) == []


def figures(name: str, language: str = "en") -> dict[str, tuple[str, str]]:
    texts = EN if language == "en" else DE
    groups = side_figures(case(name), texts)
    return {figure.name: (figure.value, figure.meaning) for group in groups for figure in group.figures}


def test_the_rules_own_half_width_and_the_real_one_stand_side_by_side_with_the_warning() -> None:
    found = figures("case-28")
    assert found["ΔA ± U(ΔA)"][0] == "+4.52 ± 11.42 Elo"
    assert "leaves the model uncertainty T out" in found["ΔA ± U(ΔA)"][1]
    assert found["sampling error of ΔA"][0] == "± 9.95"
    assert "U(ΔA) is not that" in found["sampling error of ΔA"][1]


def unknown(view: CheckView, language: str = "en") -> dict[str, str]:
    texts = EN if language == "en" else DE
    return {
        name: one.reason
        for group in side_figures(view, texts)
        for one in group.unknown
        for name in one.names.split("; ")
    }


def test_every_side_figure_of_a_full_check_has_a_value_a_sentence_and_a_formula() -> None:
    groups = side_figures(case("case-15"), EN)
    assert set(unknown(case("case-15"))) == {"S, median-unbiased", "S, selection-corrected", "R in normalized Elo"}
    for group in groups:
        for figure in group.figures:
            assert figure.value != NOTHING
            assert figure.meaning.endswith(".")
            assert figure.formula is not None, figure.key


def test_a_figure_that_is_null_gives_the_reason_of_its_note_in_both_languages() -> None:
    view = case("case-28")
    reason = next(note.message for note in view.result.notes if note.code == "normalized_not_computed")
    assert reason == "r_normalized is null: not every counted gain has long-stage pairs."
    assert unknown(view)["R in normalized Elo"] == (
        "R in normalized Elo cannot be told: not every counted gain has pairs of the long stage."
    )
    assert unknown(view, "de")["R in normalisiertem Elo"] == (
        "R in normalisiertem Elo lässt sich nicht angeben: nicht jeder gezählte Gewinn hat Paare der langen Stufe."
    )


def test_what_is_not_known_for_one_reason_is_said_once() -> None:
    (group,) = [group for group in side_figures(case("case-12"), EN) if group.title == "About R"]
    names = [one.names for one in group.unknown if one.reason == "There is no R, and these rest on it."]
    assert names == ["Monte-Carlo band of R; Fieller interval of R; R in normalized Elo"]


def test_a_null_without_a_note_still_says_where_to_look() -> None:
    view = altered(bare("case-28"), fieller=None, notes=())
    assert unknown(view)["Fieller interval of R"] == "defects, gaps and notes say why."


def test_the_worked_formulas_of_the_figures_can_be_computed_again() -> None:
    """Every line ``a op b = c`` that stands in numbers alone holds, as far as its rounding lets one tell."""
    seen = 0
    for name in ("case-15", "case-28", "invented-warn"):
        for group in side_figures(case(name), EN):
            for figure in group.figures:
                for line in figure.formula.worked if figure.formula else ():
                    left, _, right = line.replace("−", "-").replace(",", "").rpartition(" = ")
                    code = left.replace("²", "**2").replace("·", "*").replace("√", "math.sqrt")
                    if not re.fullmatch(r"(?:math\.sqrt|[-+*/(). 0-9])+", code) or " = " in left:
                        continue
                    value = eval(code, {"math": math})  # noqa: S307 (our own formula of digits and signs)
                    assert value == pytest.approx(float(right.removeprefix("+")), abs=0.05, rel=0.02), line
                    seen += 1
    assert seen > 15


def test_the_fieller_roots_solve_their_equation() -> None:
    (figure,) = [one for group in side_figures(case("case-28"), EN) for one in group.figures if one.key == "fieller"]
    assert figure.formula is not None
    result = case("case-28").result
    assert result.fieller is not None
    assert figure.formula.worked[1] == f"R = {EN.number(result.fieller.low)}, R = {EN.number(result.fieller.high)}"
    assert result.s is not None
    assert result.s_error is not None
    assert result.delta_a is not None
    assert result.delta_a_error is not None
    for r in (result.fieller.low, result.fieller.high):
        value = (result.s**2 - result.s_error**2) * r * r - 2 * result.delta_a * result.s * r
        assert value + result.delta_a**2 - result.delta_a_error**2 == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(("name", "share"), [("case-15", "98"), ("case-28", "only")])
def test_how_sure_a_verdict_is_stands_in_its_headline(name: str, share: str) -> None:
    assert share in headline(case(name).result, thresholds=LIMITS, texts=EN).sure


def test_a_gap_says_what_is_known_so_far_and_what_to_do() -> None:
    said = headline(case("case-12").result, thresholds=LIMITS, texts=EN)
    assert "Known so far: " in said.sure
    assert said.next.startswith("Next: do what stands below")
