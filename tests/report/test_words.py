"""The sentences: what they say follows from the result."""

import pytest

from anchorhold.domain.contract import edition
from anchorhold.law.result import Note
from anchorhold.report.texts import NOTHING, texts_in
from anchorhold.report.words import band_in_words, headline, side_figures
from report.samples import altered, bare, case, defective

EN, DE = texts_in("en"), texts_in("de")
LIMITS = (0.40, 0.75)


@pytest.mark.parametrize(
    ("name", "verdict", "sentence", "follows"),
    [
        ("invented-warn", "WARN", "R = 0.45: of 20.00 Elo of confirmed gains, 9.00 Elo arrived", "with a warning"),
        ("invented-halt", "HALT", "R = 0.35", "No merge until a human review"),
        ("case-11", "CONTINUE", "R = 0.87", "Merges go on."),
        ("case-09", "HALT", "against the anchors main lost 7.43 Elo", "No merge"),
        ("case-12", "GAP", "There is no R. Fewer or more pairs", "Nothing was confirmed"),
    ],
)
def test_the_headline_says_verdict_reason_and_consequence(name: str, verdict: str, sentence: str, follows: str) -> None:
    said = headline(case(name).result, thresholds=LIMITS, texts=EN)
    assert said.verdict == verdict
    assert sentence in said.sentence
    assert follows in said.follows


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


def test_every_side_figure_of_a_full_check_has_a_value_and_a_sentence() -> None:
    found = figures("case-15")
    missing = {name for name, (value, _) in found.items() if value == NOTHING}
    assert missing == {"S, median-unbiased", "S, selection-corrected", "R in normalized Elo"}
    assert all(meaning.endswith(".") for _, meaning in found.values())


def test_a_figure_that_is_null_gives_the_reason_of_its_note() -> None:
    view = case("case-28")
    reason = next(note.message for note in view.result.notes if note.code == "normalized_not_computed")
    assert figures("case-28")["R in normalized Elo"] == (NOTHING, f"Not known: {reason}")
    assert figures("case-28", "de")["R in normalisiertem Elo"][1] == (
        "Nicht bekannt: Kein Verhältnis in normalisiertem Elo."
    )


def test_a_null_without_a_note_still_says_where_to_look() -> None:
    view = altered(bare("case-28"), fieller=None, notes=())
    found = {figure.name: figure for group in side_figures(view, EN) for figure in group.figures}
    assert found["Fieller interval of R"].meaning == "Not known; defects, gaps and notes say why."
