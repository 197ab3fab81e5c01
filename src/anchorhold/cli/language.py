"""Which language texts are written in: flag, ANCHORHOLD_LANG, settings, locale.

May import: anchorhold.config, anchorhold.report.texts.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from anchorhold.report.languages import Language, check_language, language_named

_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")


def language_of(
    flag: str | None, config: Path | None = None, *, environment: Mapping[str, str] | None = None
) -> Language:
    """Find the language; without settings at hand the locale decides.

    Raises
    ------
    BadInput
        A language that there is not, or settings that cannot be read.
    """
    from anchorhold import config as settings

    environment = os.environ if environment is None else environment
    if flag is not None:
        return check_language(flag)
    if named := environment.get(settings.PREFIX + "LANG"):
        return check_language(named)
    file = config or settings.default_file(environment)
    if file.is_file() and (language := settings.load(file, environment=environment).language):
        return language
    return language_named(next((value for name in _LOCALE if (value := environment.get(name))), ""))
