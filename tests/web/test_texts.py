"""The catalogue of site and dashboard: whole, and the same places to fill."""

import re
from importlib import resources

from babel.messages.pofile import read_po

from anchorhold.web.texts import day, texts_in
from report.messages import messages_of

PLACE = re.compile(r"\{[a-z0-9_]+\}")


def web_messages() -> set[str | tuple[str, ...]]:
    """What stands in code and templates of these pages."""
    return messages_of("web")


def test_every_message_has_a_german_translation_with_the_same_places_and_none_is_left_over() -> None:
    place = resources.files("anchorhold.web") / "locale" / "de" / "LC_MESSAGES" / "anchorhold.po"
    with place.open("rb") as handle:
        catalogue = read_po(handle, abort_invalid=True)
    found = {
        message.id if isinstance(message.id, str) else tuple(message.id): message.string
        for message in catalogue
        if message.id
    }
    assert sorted(map(str, web_messages() ^ set(found))) == []
    for message, translated in found.items():
        one, other = (" ".join([text] if isinstance(text, str) else text or ()) for text in (message, translated))
        assert other
        assert set(PLACE.findall(one)) == set(PLACE.findall(other)), message


def test_what_the_report_says_is_said_in_its_words() -> None:
    assert texts_in("de").gettext("CONTINUE") == "WEITER"
    assert texts_in("de").gettext("gate holds") == "Tor geschlossen"
    assert texts_in("en").gettext("gate holds") == "gate holds"


def test_days_are_written_as_each_language_writes_them() -> None:
    assert day("2026-11-03T04:05:06Z", texts_in("de")) == "03.11.2026"
    assert day("2026-11-03T04:05:06Z", texts_in("en")) == "3 Nov 2026"
    assert (day(None, texts_in("en")), day("soon", texts_in("en"))) == ("–", "soon")
