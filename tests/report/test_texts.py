"""Numbers, dates and messages in both languages, and the catalogue that translates them."""

import ast
import re
from importlib import resources

import pytest
from babel.messages.pofile import read_po
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.errors import BadInput
from anchorhold.report.languages import check_language, language_named
from anchorhold.report.texts import NOTHING, plain, texts_in
from report.messages import KEYWORDS, SOURCE, messages

EN, DE = texts_in("en"), texts_in("de")
PLACE = re.compile(r"\{[a-z0-9_]+\}")


def translations() -> dict[str | tuple[str, ...], str | tuple[str, ...]]:
    place = resources.files("anchorhold.report") / "locale" / "de" / "LC_MESSAGES" / "anchorhold.po"
    with place.open("rb") as handle:
        catalogue = read_po(handle, abort_invalid=True)

    def frozen(text: str | list[str] | tuple[str, ...] | None) -> str | tuple[str, ...]:
        return text or "" if text is None or isinstance(text, str) else tuple(text)

    return {frozen(message.id): frozen(message.string) for message in catalogue if message.id}


def test_every_message_has_a_german_translation_and_none_is_left_over() -> None:
    translated = translations()
    empty = [message for message, text in translated.items() if not text or not all(text)]
    assert sorted(map(str, messages() - set(translated))) == []
    assert sorted(map(str, set(translated) - messages())) == []
    assert empty == []


def test_no_message_stands_where_the_extraction_does_not_see_it() -> None:
    hidden = []
    for file in sorted(SOURCE.rglob("*.py")):
        for outer in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            for call in ast.walk(outer) if isinstance(outer, ast.JoinedStr) else ():
                if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Constant):
                    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
                    if name in KEYWORDS:
                        hidden.append(f"{file.name}:{call.lineno}: {call.args[0].value!r}")
    assert hidden == [], "a message within an f-string reaches no catalogue"


def test_no_translation_is_marked_as_doubtful() -> None:
    """Of all catalogues: what is fuzzy would not be shown."""
    doubtful = []
    for file in sorted(SOURCE.rglob("*.po")):
        with file.open("rb") as handle:
            doubtful += [f"{file}: {message.id}" for message in read_po(handle) if message.fuzzy and message.id]
    assert doubtful == []


def test_a_translation_has_the_same_places_to_fill_as_its_message() -> None:
    def places(text: str | tuple[str, ...]) -> set[str]:
        return set(PLACE.findall(text if isinstance(text, str) else " ".join(text)))

    different = [message for message, text in translations().items() if places(message) != places(text)]
    assert different == []


def test_numbers_are_written_as_each_language_writes_them() -> None:
    assert (EN.number(-1234.5), DE.number(-1234.5)) == ("−1,234.50", "−1.234,50")
    assert (EN.percent(0.125), DE.percent(0.125)) == ("12.5\N{NO-BREAK SPACE}%", "12,5\N{NO-BREAK SPACE}%")
    assert EN.with_error(16.156, 18.52, signed=True) == "+16.16 ± 18.52"
    assert EN.with_error(16.156, None) == "16.16"
    assert DE.moment("2026-11-30T04:05:06Z") == "30. November 2026, 04:05 UTC"
    assert EN.moment("2026-11-30T06:05:06+02:00") == "30 November 2026, 04:05 UTC"


def test_what_is_not_there_is_a_dash_and_what_rounds_to_zero_has_no_sign() -> None:
    assert [EN.number(None), EN.percent(None), EN.ratio(None), EN.span(None, 1.0), EN.moment(None)] == [NOTHING] * 5
    assert EN.number(float("inf")) == NOTHING
    assert (EN.number(-0.001), EN.signed(-0.001), EN.signed(0.0)) == ("0.00", "0.00", "0.00")


def test_a_time_that_is_none_stays_as_it_is() -> None:
    assert EN.moment("yesterday") == "yesterday"
    assert EN.moment("2026-11-30T04:05:06") == "2026-11-30T04:05:06"


@given(st.floats(min_value=-1e6, max_value=1e6).map(lambda r: round(r, 9)))
def test_a_shown_r_stands_on_its_own_side_of_every_threshold(r: float) -> None:
    shown = float(EN.ratio(r, (0.40, 0.75)).replace("−", "-").replace(",", ""))
    assert (shown >= 0.40, shown >= 0.75) == (r >= 0.40, r >= 0.75)


@pytest.mark.parametrize(
    ("r", "shown"),
    [(0.4, "0.40"), (0.399996, "0.399996"), (0.749999999, "0.749999999"), (0.75, "0.75"), (275.437677499, "275.44")],
)
def test_r_has_as_many_decimals_as_decide(r: float, shown: str) -> None:
    assert EN.ratio(r, (0.40, 0.75)) == shown


@given(st.floats(min_value=1e-9, max_value=1e5))
def test_a_tiny_number_keeps_its_significant_digits(value: float) -> None:
    assert float(EN.significant(value).replace(",", "")) == pytest.approx(value, rel=6e-4)


def test_a_message_by_number_follows_the_language() -> None:
    pair = ("{count} counted gain test", "{count} counted gain tests")
    assert [DE.ngettext(*pair, count) for count in (1, 2000)] == [
        "1 gezählter Gewinntest",
        "2.000 gezählte Gewinntests",
    ]
    assert EN.ngettext(*pair, 1) == "1 counted gain test"


@pytest.mark.parametrize(
    ("name", "language"),
    [("de_AT.UTF-8", "de"), ("de", "de"), ("DE-ch", "de"), ("C", "en"), ("", "en"), ("dense", "en")],
)
def test_a_locale_names_its_language(name: str, language: str) -> None:
    assert language_named(name) == language


def test_an_unknown_language_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadInput, match="no language 'fr'"):
        check_language("fr")


def test_values_of_a_document_are_written_in_words() -> None:
    value = {"draw": {"number": 30}, "sides": ["a", 1], "on": True, "off": None}
    assert plain(value, DE) == f"draw number 30, sides a, 1, on ja, off {NOTHING}"
