"""Lines of a commit message, made alike for matching; the line's number and what stood there are kept.

May import: nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

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
_DECORATION = re.compile(r"^(?:\s|>(?!\s*\.?/)|[*\u2022\u00b7\u25cf]+(?=\s|\*|\w)|-\s+(?=[A-Za-z`*\[])|\#{1,6}\s)+")
_EMPHASIS = re.compile(r"\*\*|__|\*(?=\w[\w ]*\*)|(?<=\w)\*(?=[\s:]|$)")
_HTML = re.compile(r"</?(?:details|summary|br|p|b|i|pre|code|li|ul)\s*/?>", re.IGNORECASE)
_LINK = re.compile(r"(?:https?://|www\.)[^\s<>()\[\]`\"]+[^\s<>()\[\]`\".,;:!]|(?:https?://|www\.)[^\s<>()\[\]`\"]+")
_MARKDOWN_LINK = re.compile(r"!?\[([^\]\[]*)\]\((?:https?://|/)[^)\s]*\)")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a message."""

    number: int
    """From 1."""
    raw: str
    text: str
    """Without decoration and links, with plain blanks, hyphens and ``+-``."""
    link: str | None
    """The first address on it."""


def lines_of(message: str) -> list[Line]:
    """Split a message at line feeds only (or at carriage returns where it has no others)."""
    if "\r" in message and "\n" not in message:
        message = message.replace("\r", "\n")
    return [_line(number, raw) for number, raw in enumerate(_joined(message.split("\n")), start=1)]


def _joined(rows: list[str]) -> list[str]:
    """Put the words of a link that is broken over two lines together, on the second; the count of lines stays."""
    for index in range(len(rows) - 1):
        opened = rows[index].strip()
        if re.fullmatch(r"\[[^\]\[(]{1,60}", opened) and re.match(r"\s*[^\]\[(]{1,60}\]\(https?://", rows[index + 1]):
            rows[index], rows[index + 1] = "", f"{opened} {rows[index + 1].strip()}"
    return rows


def _line(number: int, raw: str) -> Line:
    text = raw.rstrip("\r").translate(_ALIKE)
    link = None
    if "://" in text or "www." in text:
        found = _LINK.search(text)
        link = found.group() if found else None
        text = _LINK.sub(" ", _MARKDOWN_LINK.sub(r"\1", text))
    if "<" in text:
        text = _HTML.sub(" ", text)
    text = _DECORATION.sub("", text)
    if "*" in text or "__" in text:
        text = _EMPHASIS.sub("", text)
    return Line(number=number, raw=raw, text=text.strip(), link=link)
