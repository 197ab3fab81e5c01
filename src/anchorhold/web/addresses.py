"""Under which addresses pages stand: the same for a site and for the dashboard, and for ever the same.

English pages lie at the top, German ones under ``de/``. A register page holds 100 entries by number, so that an entry
keeps its page. May import: anchorhold.report.texts.
"""

from __future__ import annotations

import re

from anchorhold.report.languages import Language

PAGE = 100
"""Entries on a page of the register."""
_PLAIN = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}", re.ASCII)
_BY_NUMBER = "opened-"


def folder(language: Language) -> str:
    """The folder of a language's pages: empty, or a name with a slash."""
    return "" if language == "en" else f"{language}/"


def check_page(check: str, opened_at_entry: int) -> str:
    """The page of a check: by its id where that can be a file's name everywhere, else by the entry that opened it."""
    plain = _PLAIN.fullmatch(check) and not check.endswith(".") and not check.startswith(_BY_NUMBER)
    return f"checks/{check if plain else f'{_BY_NUMBER}{opened_at_entry}'}.html"


def register_page(number: int) -> str:
    """A page of the register, numbered from 1."""
    return f"register/{number}.html"


def page_of_entry(seq: int) -> int:
    """The number of the page that an entry stands on."""
    return (seq - 1) // PAGE + 1


def entry(seq: int) -> str:
    """An entry's place on its page."""
    return f"{register_page(page_of_entry(seq))}#e{seq}"


def up(path: str) -> str:
    """What leads from a page to the folder of its language."""
    return "../" * path.count("/")
