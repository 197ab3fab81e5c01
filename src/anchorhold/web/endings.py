"""How a game ended, in the reader's language: the arbiter's reasons by their form.

May import: anchorhold.report.texts.
"""

from __future__ import annotations

import re
from functools import lru_cache

from anchorhold.report.texts import Texts, mark

_COLOURS = {"White": mark("White"), "Black": mark("Black"), "both sides": mark("both sides")}
ENDINGS = (
    mark("{colour} mates"),
    mark("{colour} resigns"),
    mark("draw by stalemate"),
    mark("draw by insufficient material"),
    mark("draw by threefold repetition"),
    mark("draw by fifty-move rule"),
    mark("draw claimed by {colour}"),
    mark("draw by adjudication: Syzygy tablebases"),
    mark("draw by adjudication: {moves} moves played"),
    mark("draw by adjudication: both sides within {score} for {moves} moves"),
    mark("{colour} wins by adjudication: Syzygy tablebases"),
    mark("{colour} wins by adjudication: {who} saw a score beyond {score} for {moves} moves"),
)
"""Of games that ended without a fault; a fault's reason quotes the engine and stays as it is."""
_PARTS = {"colour": "White|Black", "who": "White|Black|both sides", "moves": "[0-9]+", "score": "[0-9]+"}


@lru_cache(maxsize=1)
def _forms() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple(
        (re.compile(re.sub(r"\\\{(\w+)\\\}", lambda part: f"(?P<{part[1]}>{_PARTS[part[1]]})", re.escape(form))), form)
        for form in ENDINGS
    )


def ending_in_words(reason: str, texts: Texts) -> tuple[str, bool]:
    """Return a game's end, and whether it stays in the arbiter's English on a page of another language."""
    for pattern, form in _forms():
        if (found := pattern.fullmatch(reason)) is not None:
            parts = {
                name: texts.gettext(_COLOURS[part]) if part in _COLOURS else part
                for name, part in found.groupdict().items()
            }
            return texts.gettext(form, **parts), False
    return reason, texts.language != "en"
