"""Which messages of a history are worth reading: half of it has neither a report nor a title that reverts.

May import: anchorhold.importers.patterns.
"""

from __future__ import annotations

import re

from anchorhold.importers.patterns import Pattern

_BACK = Pattern(r"re-?vert|undo|back(?:s|ed)?[\s-]?out|roll(?:s|ed)?[\s-]?back", re.IGNORECASE)
_TITLES = 1000
"""Characters in which the titles of a message stand."""
_COUNTS = Pattern(r"[+]\s?\d+[\s,;]+[-=]\s?\d+[\s,;]+[-=]| - \d+ - \d")


def worth_reading(message: str) -> bool:
    """Whether a message may hold a report or revert something."""
    if (
        "LLR" in message  # one by one: a loop over them takes twice as long
        or "Elo" in message
        or "elo" in message
        or "ELO" in message
        or "Score" in message
        or "wins" in message
        or "Games" in message
        or "SPRT" in message
        or "W:" in message
        or "LR:" in message
        or "ins:" in message
        or "Total:" in message
        or "Penta" in message
        or "Ptnml" in message
    ):
        return True
    if ("+" in message or " - " in message) and _COUNTS.search(message):
        return True
    titles = message[:_TITLES].casefold()
    if "vert" in titles or "undo" in titles or "back" in titles:
        return _BACK.search(message, 0, _TITLES) is not None
    return False
