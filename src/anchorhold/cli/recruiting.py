"""Worker processes of a match, started before its command line is read: they load while the program itself does.

How many is a first guess from the words alone; the command, which knows, sets it right. Whoever called ``recruit``
calls ``dismiss`` at the end, whether or not the command was ever reached.
May import: anchorhold.errors, anchorhold.matches.worker_process.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from anchorhold.errors import MatchStopped
from anchorhold.matches.worker_process import Recruits

_COUNTS = ("concurrency", "workers")
"""Options that say how many pairs are played at a time, without their dashes."""
_NO_PLAY = ("help", "dask")
"""Options with which no worker of this machine plays."""

_early: Recruits | None = None


def guess(words: Sequence[str]) -> int:
    """Return how many workers a command line of ``match`` will want, at most as many as there are processors."""
    wanted = 1
    for word, after in zip(words, (*words[1:], ""), strict=True):
        if not word.startswith("-"):
            continue
        option, sign, value = word.lstrip("-").partition("=")
        if option in _NO_PLAY:
            return 0
        said = value if sign else after
        if option in _COUNTS and said.isascii() and said.isdigit():
            wanted = int(said[:5])
    return min(wanted, os.cpu_count() or 1)


def recruit(words: Sequence[str]) -> None:
    """Start the workers that the words of a ``match`` ask for."""
    global _early  # noqa: PLW0603 - the command is called by a library that hands nothing on
    try:
        _early = Recruits(guess(words))
    except MatchStopped:
        # The match meets the same, and says it in its own words.
        _early = None


def recruits(count: int) -> Recruits:
    """Return exactly so many workers that are loading or loaded, as a context that ends those not taken.

    Raises
    ------
    MatchStopped
        A process cannot be started.
    """
    global _early
    found, _early = _early, None
    if found is None:
        return Recruits(count)
    found.hold(count)
    return found


def dismiss() -> None:
    """End the workers that no match has asked for."""
    global _early  # noqa: PLW0603
    if _early is not None:
        _early.hold(0)
        _early = None
