"""What commands say, in the language that was asked for: their own catalogue, then the report's.

English needs no catalogue, and loads none. May import: anchorhold.domain.sentences, anchorhold.report, anchorhold.cli.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from anchorhold.cli.language import language_of
from anchorhold.domain.sentences import said_in
from anchorhold.report.languages import LANGUAGES, Language

if TYPE_CHECKING:
    from anchorhold.report.texts import Texts


def texts_of(flag: str | None, config: Path | None = None) -> Texts:
    """Return the texts of the language that a command writes in.

    Raises
    ------
    BadInput
        A language that there is not, or settings that cannot be read.
    """
    return texts_in(language_of(flag, config))


@lru_cache(maxsize=len(LANGUAGES))
def texts_in(language: Language) -> Texts:
    """Return the texts of a language, those of commands and of the report."""
    from anchorhold.report.texts import texts_in as report_texts
    from anchorhold.report.texts import with_catalogue

    return with_catalogue(report_texts(language), "anchorhold.cli")


def said(text: str, flag: str | None, config: Path | None = None) -> str:
    """Say a sentence in the language that a command writes in."""
    language = language_of(flag, config)
    return str(text) if language == "en" else said_in(texts_in(language), text)
