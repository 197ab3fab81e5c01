"""Every code of the closed lists has its texts."""

import pytest

from anchorhold.law.codes import DEFECTS, GAPS, NOTES
from anchorhold.report.codes import NEXT_STEPS, WHY_UNCOUNTED, meaning
from anchorhold.report.texts import texts_in
from report.samples import CASES, case


def test_every_defect_and_gap_has_a_next_step_and_nothing_else_has() -> None:
    assert set(NEXT_STEPS) == set(DEFECTS) | set(GAPS)


@pytest.mark.parametrize("code", [*DEFECTS, *GAPS, *NOTES])
def test_every_code_has_a_meaning_in_both_languages(code: str) -> None:
    english = meaning(code)
    assert english != code
    assert texts_in("de").gettext(english) != english


def test_a_code_that_is_not_listed_stays_a_code() -> None:
    assert meaning("something_new") == "something_new"


def test_every_reason_why_an_entry_is_not_counted_can_be_translated() -> None:
    reasons = {entry.why for path in sorted(CASES.glob("case-0*.json")) for entry in case(path.stem).result.uncounted}
    assert reasons, "the cases have uncounted entries"
    assert reasons <= set(WHY_UNCOUNTED)
