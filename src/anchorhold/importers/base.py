"""What every importer gives back: its records, and the place of everything that it could not read or that differs.

An importer is pure over its input, guesses nothing and never stops at a bad place: what looked like data and could not
be read becomes a Problem, what could be read but differs from what was printed becomes a Remark. The caller decides
whether problems stop the import. May import: nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")

LONGEST_QUOTE = 200
"""Characters of a bad line that a problem keeps; a line may be megabytes long."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: a file, URL or commit, and the line in it (from 1) where there are lines."""

    source: str
    line: int | None = None

    def __str__(self) -> str:
        return self.source if self.line is None else f"{self.source}, line {self.line}"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that looked like data and could not be read, or not without guessing."""

    place: Place
    what: str
    """What is wrong and what was expected, in words."""
    text: str = ""
    """What stands there, cut to LONGEST_QUOTE."""

    def __str__(self) -> str:
        quoted = f": {quote(self.text)}" if self.text else ""
        return f"{self.place}: {self.what}{quoted}"

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {"source": self.place.source, "line": self.place.line, "what": self.what, "text": quote(self.text)}


@dataclass(frozen=True, slots=True)
class Remark:
    """A difference between what was printed and what the counts give, or another thing to know; nothing is lost."""

    place: Place
    what: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what}"

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {"source": self.place.source, "line": self.place.line, "what": self.what}


@dataclass(frozen=True, slots=True)
class Import(Generic[T]):
    """What one input held, in its order."""

    reader: str
    """Name and version of the reader, such as ``commits/1``; a record's meaning may depend on it."""
    records: tuple[T, ...]
    problems: tuple[Problem, ...] = ()
    remarks: tuple[Remark, ...] = ()


def quote(text: str) -> str:
    """One printable line of at most LONGEST_QUOTE characters: inputs may come from strangers."""
    line = "".join(_printable(text[: LONGEST_QUOTE + 1]))
    return line if len(line) <= LONGEST_QUOTE else line[: LONGEST_QUOTE - 1] + "…"


def _printable(characters: Iterable[str]) -> Iterator[str]:
    for character in characters:
        if character.isprintable():
            yield character
        else:
            yield " " if character in "\t\n" else "�"
