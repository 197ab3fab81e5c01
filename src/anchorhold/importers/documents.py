"""JSON values out of a file that may hold one, a list, one per line, or be torn: each with its line.

What cannot be read becomes a Problem with its line, and reading goes on behind it. May import: anchorhold.canonical,
errors, importers.base.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass

from anchorhold.canonical import strict_json
from anchorhold.errors import BadInput
from anchorhold.importers.base import Place, Problem

LARGEST_DOCUMENT = 512 * 1024**2
"""Bytes."""
_BETWEEN = re.compile(r"[\s,\[\]}]*(?:\"(?:[^\"\\]|\\.)*\"\s*:\s*(?=\{))?")
_NEXT_ELEMENT = re.compile(r"\}\s*,\s*(?=(?:\"(?:[^\"\\]|\\.)*\"\s*:\s*)?\{)")
_OBJECT_LINE = re.compile(r"^\s*(?:\"(?:[^\"\\]|\\.)*\"\s*:\s*)?\{", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Document:
    """One JSON object of an input."""

    place: Place
    value: dict[str, object]


def documents_of(text: str, *, source: str) -> tuple[list[Document], list[Problem]]:
    """Return every JSON object of a text, and what is none.

    A text that is JSON gives its object, or those of its list. Any other is read object by object: JSON Lines,
    objects one behind the other, and what is left of a torn list.
    """
    try:
        value = strict_json(text, where=source)
    except BadInput:
        return _one_by_one(text, source)
    if isinstance(value, dict):
        return [Document(Place(source, 1), value)], []
    if isinstance(value, list):
        found = [Document(Place(source), one) for one in value if isinstance(one, dict)]
        return found, [
            Problem(Place(source), f"element {number} of the list is no object", json.dumps(one)[:200])
            for number, one in enumerate(value, start=1)
            if not isinstance(one, dict)
        ]
    return [], [Problem(Place(source, 1), "expected a JSON object or a list of them", text[:200])]


def _one_by_one(text: str, source: str) -> tuple[list[Document], list[Problem]]:
    documents: list[Document] = []
    problems: list[Problem] = []
    lines = _Lines(text)
    at = 0
    while True:
        between = _BETWEEN.match(text, at)
        at = between.end() if between else at
        if at >= len(text):
            if not documents and not problems and text.strip():
                problems.append(Problem(Place(source, 1), "no JSON object", text[:200]))
            return documents, problems
        place = Place(source, lines.at(at))
        why, wrong = "no JSON object", at
        if text[at] == "{":
            try:
                value, at = _DECODER.raw_decode(text, at)
                documents.append(Document(place, value))
                continue
            except _Refused as refused:
                why = str(refused)
                if (end := _end_of(text, at)) is not None:
                    problems.append(Problem(place, why, text[at : at + 200]))
                    at = end
                    continue
            except json.JSONDecodeError as error:
                why, wrong = f"not JSON: {error.msg} at line {error.lineno}", error.pos
            except RecursionError:
                why = "nested too deeply"
        problems.append(Problem(place, why, text[at : at + 200]))
        # A torn line may have swallowed the next one; a torn element of a list ends where the text stops making sense.
        line = _OBJECT_LINE.search(text, text.find("\n", at) + 1 or len(text))
        element = _NEXT_ELEMENT.search(text, max(wrong - 1, at))
        at = min(line.start() if line else len(text), element.end() if element else len(text))


def _end_of(text: str, at: int) -> int | None:
    """Where a syntactically sound object ends; None when it is none."""
    try:
        return _LENIENT.raw_decode(text, at)[1]
    except (ValueError, RecursionError):
        return None


class _Refused(ValueError):
    """A value that JSON does not have."""


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        names = [name for name, _ in pairs]
        raise _Refused(f"the key {next(name for name in names if names.count(name) > 1)!r} stands twice in one object")
    return members


def _no_constant(name: str) -> object:
    raise _Refused(f"{name} is not JSON")


def _finite(literal: str) -> float:
    number = float(literal)
    if not math.isfinite(number):
        raise _Refused(f"the number {literal[:40]} is beyond what can be stored")
    return number


def _whole(literal: str) -> int:
    if len(literal) > 400:
        raise _Refused(f"the number {literal[:40]}… has {len(literal)} digits")
    return int(literal)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite, parse_int=_whole
)


_LENIENT = json.JSONDecoder(parse_int=str, parse_float=str)


class _Lines:
    """Line numbers of rising positions in a text."""

    def __init__(self, text: str) -> None:
        self._text, self._at, self._line = text, 0, 1

    def at(self, position: int) -> int:
        if position < self._at:
            return self._text.count("\n", 0, position) + 1
        self._line += self._text.count("\n", self._at, position)
        self._at = position
        return self._line
