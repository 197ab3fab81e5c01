"""What the law says, in the reader's words: every form it uses is known, its numbers stay."""

import pytest

from anchorhold.report.reasons import in_own_words, reason_of
from anchorhold.report.texts import texts_in
from report.samples import CASES, case, defective

EN, DE = texts_in("en"), texts_in("de")


def test_every_message_of_the_cases_is_known_and_has_its_german() -> None:
    results = [case(path.stem).result for path in sorted(CASES.glob("*.json"))]
    messages = {
        message
        for result in (*results, defective().result)
        for message in [
            *(note.message for note in result.notes if note.code != "edition_remark"),
            *(finding.message for finding in (*result.gaps, *result.defects)),
        ]
    }
    assert len(messages) > 50
    strange = sorted(message for message in messages if in_own_words(message, DE) is None)
    assert strange == []
    assert sorted(message for message in messages if in_own_words(message, DE) == in_own_words(message, EN)) == []


def test_numbers_are_written_as_the_language_writes_them_and_names_stay() -> None:
    message = "transfer is null: D = -1.50 is not beyond its half-width 12.25."
    assert in_own_words(message, DE) == "D = −1,50 reicht nicht über seine Halbbreite 12,25 hinaus."
    assert in_own_words("Old and new are both called '1.5'.", DE) == "Alt und neu heißen beide 1.5."


def test_a_score_that_gives_no_estimate_is_said_in_plain_words() -> None:
    message = "No δ of new main against 'Toga {x}': the score 0.9061 ± 0.0960 leaves [0.001, 0.999]."
    assert in_own_words(message, EN) == (
        "The new version against Toga {x}: a score of 0.9061 ± 0.0960 points a game reaches beyond 0.001 or 0.999, "
        "where a difference in Elo cannot be told: too one-sided, or too few games."
    )
    assert "eine Ausbeute von 0,9061 ± 0,0960" in (in_own_words(message, DE) or "")


def test_a_message_of_no_known_form_stays_english_or_becomes_its_meaning() -> None:
    assert reason_of("no_ratio", "Something new.", EN) == "Something new."
    assert reason_of("no_ratio", "Something new.", DE) == DE.gettext("There is no R, so what rests on it is left out.")
    assert in_own_words("Something new.", EN) is None


@pytest.mark.parametrize("code", ["no_ratio", "measurement_missing"])
def test_codes_in_a_message_are_said_by_their_meaning(code: str) -> None:
    said = in_own_words(f"delta_a, s: null because of {code}.", DE)
    assert said is not None
    assert code not in said
    assert said.endswith(": ΔA, S.")
