"""What a terminal can show: its width, its colours, its letters; what it lacks is put into ASCII.

May import: rich, anchorhold.report.texts.
"""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from anchorhold.report.texts import Texts

_ASCII = str.maketrans(
    {
        "░": "-",
        "▒": "=",
        "▓": "#",
        "●": "o",
        "■": "#",
        "◆": "#",
        "─": "-",
        "├": "|",
        "┤": "|",
        "│": "|",
        "◀": "<",
        "▶": ">",
        "−": "-",
        "–": "-",
        "±": "+/-",
        "Δ": "d",
        "δ": "d",
        "≥": ">=",
        "≤": "<=",
        "→": "->",
        "·": "*",
        "²": "2",
        "\N{NO-BREAK SPACE}": " ",
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "Ä": "Ae",
        "Ö": "Oe",
        "Ü": "Ue",
        "ß": "ss",
        "„": '"',
        "“": '"',
    }
)
_LEAST_WIDTH, _MOST_WIDTH = 40, 100


@dataclass(frozen=True)
class Paper:
    """What is written on: a console, what it can show, and the language."""

    console: Console
    texts: Texts

    @property
    def width(self) -> int:
        """Columns to use."""
        return min(max(self.console.width, _LEAST_WIDTH), _MOST_WIDTH)

    @property
    def coloured(self) -> bool:
        """Whether a background colour can be seen."""
        return self.console.color_system is not None and not self.console.no_color

    def text(self, text: str, style: str = "") -> Text:
        """Return a text that the terminal can show."""
        return self.shown(Text(text, style=style))

    def shown(self, text: Text) -> Text:
        """Put what the terminal cannot show into ASCII; styles stay when no letter was replaced by several."""
        if not self.console.options.ascii_only:
            return text
        plain = text.plain.translate(_ASCII).encode("ascii", "replace").decode("ascii")
        if len(plain) == len(text.plain):
            spans = text.spans
            return Text(plain, style=text.style, spans=spans)
        return Text(plain, style=text.style)

    def print(self, what: Text | Table | None = None) -> None:
        """Print a line or a table; a table's cells have been made by ``text``."""
        if what is None:
            self.console.print()
        elif isinstance(what, Text):
            self.console.print(self.shown(what), width=self.width, highlight=False, soft_wrap=False)
        else:
            self.console.print(what, width=self.width, highlight=False)
