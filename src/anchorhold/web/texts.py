"""The languages of site and dashboard: the report's texts, and those that only stand here.

May import: babel, anchorhold.report.texts.
"""

from __future__ import annotations

from datetime import date
from functools import lru_cache

from babel.dates import format_date

from anchorhold.report.languages import LANGUAGES, Language
from anchorhold.report.texts import NOTHING, Texts, with_catalogue
from anchorhold.report.texts import texts_in as report_texts


@lru_cache(maxsize=len(LANGUAGES))
def texts_in(language: Language) -> Texts:
    """Texts of a language; the catalogue is read once."""
    return with_catalogue(report_texts(language), "anchorhold.web")


def day(recorded_at: str | None, texts: Texts) -> str:
    """Write the day of an RFC 3339 time; a text that is none stays as it is."""
    try:
        found = date.fromisoformat((recorded_at or "")[:10])
    except ValueError:
        return recorded_at or NOTHING
    return format_date(found, format="dd.MM.y" if texts.language == "de" else "d MMM y", locale=texts.locale)
