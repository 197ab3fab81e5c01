"""Sentences that can be said again in another language: English text that knows what it was made from.

A ``Sentence`` is its English text wherever a text is wanted, in JSON and in errors; whoever shows it in another
language asks it for its parts. Messages are the keys of the catalogues. May import: nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, Self


@dataclass(frozen=True, slots=True)
class Figure:
    """A number within a sentence, with its decimals; each language writes it in its own way."""

    value: float
    decimals: int = 0

    def __str__(self) -> str:
        return f"{self.value:.{self.decimals}f}"


class Words(Protocol):
    """What a language offers: messages by its catalogue, and its way to write numbers."""

    def gettext(self, message: str, /) -> str:
        """Translate a message, or return it as it is."""

    def number(self, value: float, decimals: int, /) -> str:
        """Write a number."""


class Sentence(str):
    """An English sentence with the message and the values that it was made from.

    Examples
    --------
    >>> Sentence("{count} of {all} are {what}", count=Figure(2), all=Figure(3), what=Sentence("measured"))
    '2 of 3 are measured'
    """

    __slots__ = ("message", "values")
    message: str
    values: Mapping[str, object]

    def __new__(cls, message: str, /, **values: object) -> Self:
        """Fill the ``{named}`` places of a message; without values it stands as it is."""
        made = super().__new__(cls, message.format(**values) if values else message)
        made.message = message
        made.values = values
        return made

    def __reduce__(self) -> tuple[object, ...]:
        return _made, (self.message, dict(self.values))


def _made(message: str, values: dict[str, object]) -> Sentence:
    return Sentence(message, **values)


def joined(separator: str, parts: Iterable[str]) -> Sentence:
    """Put texts together, as ``str.join`` does, so that each can still be said in another language."""
    named = {f"part{number}": part for number, part in enumerate(parts)}
    return Sentence(separator.replace("{", "{{").replace("}", "}}").join(f"{{{name}}}" for name in named), **named)


def said_in(words: Words, text: str) -> str:
    """Say a text in a language: a ``Sentence`` by its message, any other as it is."""
    if not isinstance(text, Sentence):
        return text
    message = words.gettext(text.message)
    if not text.values:
        return message
    return message.format(**{name: _value(words, value) for name, value in text.values.items()})


def _value(words: Words, value: object) -> object:
    if isinstance(value, Figure):
        return words.number(value.value, value.decimals)
    return said_in(words, value) if isinstance(value, str) else value
