"""Regular expressions that are compiled when somebody first asks them.

The readers of commit messages have 130, and most histories need a third of them: to compile all takes longer than to
read a thousand messages. May import: nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "sub")


class Pattern:
    """A regular expression, used as what ``re.compile`` gives.

    Parameters
    ----------
    text : str
        What is to be compiled.
    flags : int
        As ``re`` has them.
    """

    __slots__ = ("_flags", "_text", *_METHODS)

    findall: Callable[..., list[str]]
    finditer: Callable[..., Iterator[re.Match[str]]]
    fullmatch: Callable[..., re.Match[str] | None]
    match: Callable[..., re.Match[str] | None]
    search: Callable[..., re.Match[str] | None]
    sub: Callable[..., str]

    def __init__(self, text: str, flags: int = 0) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> object:
        """Compile, when a method is missing yet; from then on all of them are found at once."""
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self._text, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
