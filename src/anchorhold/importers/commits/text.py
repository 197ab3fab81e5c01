"""Lines of a commit message, made alike for matching; the line's number and what stood there are kept.

May import: nothing.
"""

from __future__ import annotations

import re

from anchorhold.importers.patterns import Pattern

_ALIKE = str.maketrans(
    {
        **dict.fromkeys("\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a", " "),
        **dict.fromkeys("\u2028\u2029\u202f\u205f\u3000\t\v\f\u0085", " "),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d", "-"),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff`", None),
        "\u00b1": "+-",
        "\uff5c": "|",
        "\u2502": "|",
        "\uff1a": ":",
    }
)
# Quotation marks of a mail, bullets and emphasis. A "-" is a bullet only before a letter: "-1.76" is a number.
_DECORATION = Pattern(r"^(?:\s|>(?!\s*\.?/)|[*\u2022\u00b7\u25cf]+(?=\s|\*|\w)|-\s+(?=[A-Za-z`*\[])|\#{1,6}\s)+")
_MAY_DECORATE = frozenset(" >*\u2022\u00b7\u25cf-#")
_EMPHASIS = Pattern(r"\*\*|__|\*(?=\w[\w ]*\*)|(?<=\w)\*(?=[\s:]|$)")
_HTML = Pattern(r"</?(?:details|summary|br|p|b|i|pre|code|li|ul)\s*/?>", re.IGNORECASE)
_GLUED = Pattern(r"(D(?<=\bD): ?\d+)(?=(?:[Pp]assed |[Ff]ailed )?[SLV]+TC)")
"""Where a lost line feed glued the label of the next report to the draws of this one."""
_THOUSANDS = Pattern(r"(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))")
"""A blank inside a number. Between the numbers of a list of pairs it is no such blank."""
_LINK = Pattern(r"(?:https?://|www\.)[^\s<>()\[\]`\"]+[^\s<>()\[\]`\".,;:!]|(?:https?://|www\.)[^\s<>()\[\]`\"]+")
_MARKDOWN_LINK = Pattern(r"!?\[([^\]\[]*)\]\((?:https?://|/)[^)\s]*\)")


_FIGURE = Pattern(r"[\d:|]")
_COLUMNS = Pattern(r"[Nn]ame|esults of|Finished|[Oo]pponent|[Pp]layer")


class Line:
    """One line of a message; most are prose that nobody asks for, so each is made alike when it is first asked for."""

    __slots__ = ("_link", "_text", "number", "raw")

    def __init__(self, number: int, raw: str) -> None:
        self.number = number
        """From 1."""
        self.raw = raw
        self._text: str | None = None
        self._link: str | None = None

    @property
    def may_hold_data(self) -> bool:
        """False for lines of words without digits, links and marks: these are prose, whatever stands around them.

        Such a line has a word, then neither digit nor address nor a mark of a table, a fence, a console: it is not even
        a neutral row of a report.
        """
        raw = self.raw
        if not raw or not (raw[0].isalnum() or raw[0] == "_") or _FIGURE.search(raw):
            return True
        if "ame" in raw or "esults of" in raw or "Finished" in raw or "pponent" in raw or "layer" in raw:
            return _COLUMNS.search(raw) is not None
        return False

    @property
    def text(self) -> str:
        """Without decoration and links, with plain blanks, hyphens and ``+-``."""
        if self._text is None:
            self._text, self._link = _made_alike(self.raw)
        return self._text

    @property
    def link(self) -> str | None:
        """The first address on it."""
        if self._text is None:
            self._text, self._link = _made_alike(self.raw)
        return self._link


class Lines:
    """The lines of a message. Most are prose that nobody asks for: each becomes a Line when it is first asked for."""

    __slots__ = ("_made", "_numbers", "raws")

    def __init__(self, raws: list[str], numbers: list[int] | None = None) -> None:
        self.raws = raws
        """What stands there."""
        self._numbers = numbers
        self._made: dict[int, Line] = {}

    def __len__(self) -> int:
        return len(self.raws)

    def __getitem__(self, index: int) -> Line:
        line = self._made.get(index)
        if line is None:
            number = index + 1 if self._numbers is None else self._numbers[index]
            line = self._made[index] = Line(number, self.raws[index])
        return line


def lines_of(message: str) -> Lines:
    """Split a message at line feeds only (or at carriage returns where it has no others)."""
    if "\r" in message and "\n" not in message:
        message = message.replace("\r", "\n")
    raws = message.split("\n")
    if "](http" in message:
        raws = _joined(raws)
    if "TC" not in message or _GLUED.search(message) is None:
        return Lines(raws)
    parts = [
        (number, part) for number, raw in enumerate(raws, start=1) for part in _GLUED.sub(r"\1\n", raw).split("\n")
    ]
    return Lines([part for _, part in parts], [number for number, _ in parts])


def _joined(rows: list[str]) -> list[str]:
    """Put the words of a link that is broken over two lines together, on the second; the count of lines stays."""
    for index in range(len(rows) - 1):
        if "[" not in rows[index]:
            continue
        opened = rows[index].strip()
        if re.fullmatch(r"\[[^\]\[(]{1,60}", opened) and re.match(r"\s*[^\]\[(]{1,60}\]\(https?://", rows[index + 1]):
            rows[index], rows[index + 1] = "", f"{opened} {rows[index + 1].strip()}"
    return rows


def _made_alike(raw: str) -> tuple[str, str | None]:
    if not raw:
        return "", None
    text = raw.rstrip("\r")
    if not text.isascii() and "tnml" not in text and "enta" not in text:
        text = _THOUSANDS.sub("", text)
    if not text.isascii() or "`" in text or "\t" in text or "\v" in text or "\f" in text:
        text = text.translate(_ALIKE)
    link = None
    if "://" in text or "www." in text:
        found = _LINK.search(text)
        if found is not None:
            link = found.group()
            if link == text:
                return "", link
        if "](" in text:
            text = _MARKDOWN_LINK.sub(r"\1", text)
        text = _LINK.sub(" ", text)
    if "<" in text:
        text = _HTML.sub(" ", text)
    if text[:1] in _MAY_DECORATE:
        text = _DECORATION.sub("", text)
    if "*" in text or "__" in text:
        text = _EMPHASIS.sub("", text)
    return text.strip(), link
