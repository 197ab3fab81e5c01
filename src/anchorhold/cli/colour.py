"""Colour on a terminal, and only there: what is piped stays plain, and ``NO_COLOR`` is respected.

Made of the few codes that every terminal knows, since the gate has no time to load more. May import: nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

_CODES = {"bold": "1", "dim": "2", "good": "1;32", "bad": "1;31", "bar": "34"}


def coloured(environment: Mapping[str, str] | None = None) -> bool:
    """Whether standard output is a terminal whose user has not refused colour (https://no-color.org)."""
    environment = os.environ if environment is None else environment
    return sys.stdout.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


def painted(text: str, style: str) -> str:
    """Return a text in one of the styles on a terminal, as it is elsewhere."""
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if text and coloured() else text
