"""The languages of the report: messages by gettext catalogue, numbers and dates by Babel.

Messages stand in English in the code and in the templates; ``locale/<language>/LC_MESSAGES/anchorhold.po`` holds their
translations and is read as it is, so that no compiled file has to be shipped. The minus sign is U+2212 everywhere.
May import: babel, report.languages.
"""

from __future__ import annotations

import gettext
import io
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import lru_cache
from importlib import resources

from babel import Locale
from babel.dates import format_date, format_datetime
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, format_percent

from anchorhold.report.languages import LANGUAGES, Language

MINUS = "\N{MINUS SIGN}"
NOTHING = "\N{EN DASH}"
"""What stands where there is no number."""


def mark(message: str) -> str:
    """Mark a message of a table for translation; it is translated where it is shown."""
    return message


@dataclass(frozen=True)
class Texts:
    """Messages, numbers and dates of one language; made by ``texts_in``."""

    language: Language
    locale: Locale
    catalogue: gettext.NullTranslations = field(repr=False)

    def gettext(self, message: str, /, **values: object) -> str:
        """Translate a message and fill its ``{named}`` places."""
        text = self.catalogue.gettext(message)
        return text.format(**values) if values else text

    def ngettext(self, one: str, many: str, count: int, /, **values: object) -> str:
        """Translate a message by number; ``{count}`` is filled with the number as it is written in the language."""
        return self.catalogue.ngettext(one, many, count).format(count=self.whole(count), **values)

    def number(self, value: float | None, decimals: int = 2) -> str:
        """Write a number with a fixed number of decimals; None is a dash.

        Examples
        --------
        >>> texts_in("de").number(-1234.5)
        '−1.234,50'
        """
        return self._number(value, "#,##0" + ("." + "0" * decimals if decimals else ""), decimals)

    def signed(self, value: float | None, decimals: int = 2) -> str:
        """Write a number with its sign, also when it is positive; 0 has none, None is a dash."""
        if value is not None and round(value, decimals) == 0:
            return self.number(0.0, decimals)
        pattern = "#,##0" + ("." + "0" * decimals if decimals else "")
        return self._number(value, f"+{pattern};-{pattern}", decimals)

    def _number(self, value: float | None, pattern: str, decimals: int) -> str:
        if value is None or not math.isfinite(value):
            return NOTHING
        # Adding 0.0 turns the −0.0 that rounding may leave into 0.0.
        rounded = round(value, decimals) + 0.0
        return format_decimal(rounded, format=pattern, locale=self.locale).replace("-", MINUS)

    def with_error(self, value: float | None, error: float | None, decimals: int = 2, *, signed: bool = False) -> str:
        """Write a figure with its half-width, such as ``16.16 ± 18.52``; without one the figure alone."""
        figure = self.signed(value, decimals) if signed else self.number(value, decimals)
        return figure if value is None or error is None else f"{figure} ± {self.number(error, decimals)}"

    def significant(self, value: float | None, digits: int = 4) -> str:
        """Write a number that may be tiny with some significant digits, such as a weight of 0.0006474."""
        if value is None or not math.isfinite(value):
            return NOTHING
        if value == 0:
            return self.number(0, 0)
        return self.number(value, min(12, max(0, digits - 1 - math.floor(math.log10(abs(value))))))

    def whole(self, value: int | None) -> str:
        """Write a whole number with its groups of thousands; None is a dash."""
        return self.number(value, 0)

    def percent(self, share: float | None, decimals: int = 1) -> str:
        """Write a share between 0 and 1 as a percentage; None is a dash."""
        if share is None or not math.isfinite(share):
            return NOTHING
        pattern = "#,##0" + ("." + "0" * decimals if decimals else "") + "\N{NO-BREAK SPACE}%"
        return format_percent(share, format=pattern, locale=self.locale).replace("-", MINUS)

    def span(self, low: float | None, high: float | None, decimals: int = 2) -> str:
        """Write an interval in words, such as ``−0.03 to 0.77``; a dash when there is none."""
        if low is None or high is None:
            return NOTHING
        return self.gettext("{low} to {high}", low=self.number(low, decimals), high=self.number(high, decimals))

    def moment(self, recorded_at: str | None) -> str:
        """Write an RFC 3339 time in UTC; a text that is none stays as it is."""
        if not recorded_at:
            return NOTHING
        try:
            moment = datetime.fromisoformat(recorded_at)
        except ValueError:
            return recorded_at
        if moment.tzinfo is None:
            return recorded_at
        form = "d. MMMM y, HH:mm 'UTC'" if self.language == "de" else "d MMMM y, HH:mm 'UTC'"
        return format_datetime(moment.astimezone(UTC), format=form, locale=self.locale)

    def day(self, day: date) -> str:
        """Write a day, such as ``3 Nov 2026``."""
        return format_date(day, format="d. MMM y" if self.language == "de" else "d MMM y", locale=self.locale)

    def ratio(self, r: float | None, thresholds: tuple[float, ...] = ()) -> str:
        """Write R with as many decimals, 2 to 9, as it needs to stand on its own side of every threshold.

        Examples
        --------
        >>> texts_in("en").ratio(0.399996, (0.40, 0.75)), texts_in("en").ratio(0.45, (0.40, 0.75))
        ('0.399996', '0.45')
        """
        if r is None:
            return NOTHING
        for decimals in range(2, 9):
            shown = round(r, decimals)
            if all((shown >= threshold) == (r >= threshold) for threshold in thresholds):
                return self.number(r, decimals)
        return self.number(r, 9)


@lru_cache(maxsize=len(LANGUAGES))
def texts_in(language: Language) -> Texts:
    """Texts of a language; the catalogue is read once."""
    if language == "en":
        return Texts(language, Locale("en"), gettext.NullTranslations())
    return Texts(language, Locale(language), gettext.GNUTranslations(_compiled(language)))


def with_catalogue(texts: Texts, package: str) -> Texts:
    """Return the same texts, with a package's own catalogue before them."""
    if texts.language == "en":
        return texts
    own = gettext.GNUTranslations(_compiled(texts.language, package))
    own.add_fallback(texts.catalogue)
    return Texts(texts.language, texts.locale, own)


def _compiled(language: Language, package: str = "anchorhold.report") -> io.BytesIO:
    place = resources.files(package) / "locale" / language / "LC_MESSAGES" / "anchorhold.po"
    with place.open("rb") as handle:
        catalogue = read_po(handle, locale=language)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return compiled


def plain(value: object, texts: Texts) -> str:
    """Write any value of a document (a condition, an option) in words: nested members as ``name value``."""
    if isinstance(value, bool):
        return texts.gettext("yes") if value else texts.gettext("no")
    if value is None:
        return NOTHING
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {plain(member, texts)}" for name, member in value.items()) or NOTHING
    if isinstance(value, list | tuple):
        return ", ".join(plain(member, texts) for member in value) or NOTHING
    return str(value)
