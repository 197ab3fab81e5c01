"""The languages of site and dashboard: the report's texts, and those that only stand here.

May import: babel, anchorhold.report.texts.
"""

from __future__ import annotations

import gettext
import io
from datetime import date
from functools import lru_cache
from importlib import resources

from babel.dates import format_date
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from anchorhold.report import texts as report_texts
from anchorhold.report.texts import LANGUAGES, NOTHING, Language, Texts


@lru_cache(maxsize=len(LANGUAGES))
def texts_in(language: Language) -> Texts:
    """Texts of a language; the catalogue is read once."""
    report = report_texts.texts_in(language)
    if language == "en":
        return report
    own = gettext.GNUTranslations(_compiled(language))
    own.add_fallback(report.catalogue)
    return Texts(language, report.locale, own)


def day(recorded_at: str | None, texts: Texts) -> str:
    """Write the day of an RFC 3339 time; a text that is none stays as it is."""
    try:
        found = date.fromisoformat((recorded_at or "")[:10])
    except ValueError:
        return recorded_at or NOTHING
    return format_date(found, format="dd.MM.y" if texts.language == "de" else "d MMM y", locale=texts.locale)


def _compiled(language: Language) -> io.BytesIO:
    place = resources.files("anchorhold.web") / "locale" / language / "LC_MESSAGES" / "anchorhold.po"
    with place.open("rb") as handle:
        catalogue = read_po(handle, locale=language)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return compiled
