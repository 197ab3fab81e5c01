"""Which languages there are, and how they are named: quick to load, for commands that may never write a German word.

May import: anchorhold.errors, anchorhold.canonical.
"""

from __future__ import annotations

from typing import Literal, get_args

from anchorhold.canonical import nearest
from anchorhold.errors import BadInput

Language = Literal["en", "de"]
LANGUAGES: tuple[Language, ...] = get_args(Language)


def language_named(name: str) -> Language:
    """The language of a locale name such as ``de``, ``de_DE.UTF-8`` or ``C``; English when it is no German one.

    Examples
    --------
    >>> language_named("de_AT.UTF-8"), language_named("C.UTF-8")
    ('de', 'en')
    """
    return "de" if name.lower().replace("-", "_").split(".")[0].split("_")[0] == "de" else "en"


def check_language(name: str) -> Language:
    """Take a language as a user gives it.

    Raises
    ------
    BadInput
        Not one of the languages that there are.
    """
    for language in LANGUAGES:
        if name == language:
            return language
    raise BadInput(
        f"there is no language {name!r}", where="--lang", next_step=nearest(name, LANGUAGES) or "Known are en and de."
    )
