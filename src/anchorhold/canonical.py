"""The one way in which values become bytes, digests and back: RFC 8785 and strict JSON.

Digests are lower-case hexadecimal SHA-256. May import: rfc8785, anchorhold.errors.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable
from pathlib import Path

from anchorhold.errors import BadInput

_SAFE_DIGITS = 15
"""Every whole number of so many digits is below 2**53."""
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
"""UTF-8 cannot write it."""
_ORDERED_OTHERWISE = re.compile("[\ue000-\U0010ffff]")
"""Letters whose order differs between UTF-16, by which canonical JSON sorts names, and code points."""
_WHOLE_FLOAT = re.compile(r"(?<=[:,\[])(?:(-?[1-9]\d{0,14}|0)|-0)\.0(?=[,}\]])", re.ASCII)
"""A whole number that Python writes with ``.0``; what looks like one may also stand inside a text."""


class _NotPlain(ValueError):
    """A number that Python writes otherwise than RFC 8785."""


def _plain_float(literal: str) -> float:
    if "e" in literal or "E" in literal or literal.endswith(".0"):
        raise _NotPlain
    return float(literal)


def _plain_whole(literal: str) -> int:
    if len(literal) > _SAFE_DIGITS:
        raise _NotPlain
    return int(literal)


_read = json.JSONDecoder(parse_float=_plain_float, parse_int=_plain_whole).decode
write_plain = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, allow_nan=False, sort_keys=True, separators=(",", ":")
).encode
"""Write a value without numbers that Python writes otherwise as its canonical text."""


def canonical_json(value: object) -> bytes:
    """Canonical JSON (RFC 8785) of a value made of dicts, lists, texts, numbers, booleans and None.

    Python's own writer, in C, does it ten times faster than the exact way, and agrees with it except on numbers that
    it writes otherwise (exponents, ``.0``, whole numbers beyond 2**53) and on the order of names beyond U+D7FF. ``.0``
    is taken off; what has another of these, or does not come back from its text as it was, goes the exact way.

    Raises
    ------
    BadInput
        A value that RFC 8785 cannot write: NaN, infinity, an integer beyond 2**53 - 1, a lone surrogate.
    """
    try:
        text = write_plain(value)
        if ".0" in text:
            text = _WHOLE_FLOAT.sub(lambda number: number[1] or "0", text)
        if not LONE_SURROGATE.search(text) and _read(text) == value and not is_ordered_otherwise(text, value):
            return text.encode()
    except (ValueError, TypeError, RecursionError):
        pass
    return write_exactly(value)


def write_exactly(value: object) -> bytes:
    """Write what ``canonical_json`` does, slowly, by the program that knows all of RFC 8785; raises as it does."""
    import rfc8785  # slow to load, and seldom needed

    try:
        return rfc8785.dumps(value)  # type: ignore[arg-type]
    except (rfc8785.CanonicalizationError, UnicodeEncodeError, RecursionError) as error:
        raise BadInput(f"cannot be written as canonical JSON: {error}") from error


def is_ordered_otherwise(text: str, value: object) -> bool:
    """Say whether Python may have ordered the names of a value otherwise than canonical JSON, whose text it is."""
    return _ORDERED_OTHERWISE.search(text) is not None and _has_such_a_name(value)


def _has_such_a_name(value: object) -> bool:
    if isinstance(value, dict):
        return any(_ORDERED_OTHERWISE.search(name) or _has_such_a_name(member) for name, member in value.items())
    return isinstance(value, list) and any(_has_such_a_name(member) for member in value)


def sha256_hex(data: bytes) -> str:
    """SHA-256 of bytes, in lower-case hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def digest(value: object) -> str:
    """SHA-256 of the canonical JSON of a value."""
    return sha256_hex(canonical_json(value))


def file_sha256(path: Path) -> str:
    """SHA-256 of a file's content.

    Raises
    ------
    BadInput
        The file cannot be read.
    """
    try:
        with path.open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", where=str(path)) from error


def strict_json(text: str, *, where: str) -> object:
    """Read JSON as RFC 8259 has it: no NaN, no infinity, no overflow to infinity, no key twice.

    Raises
    ------
    BadInput
        Not such JSON; the message names line and column, or the key.
    """

    def place(literal: str) -> str:
        # The parser tells no place; the first such token outside a text is the one it has just met.
        tokens = re.finditer(r'"(?:[^"\\]|\\.)*"|[^\s",:\[\]{}]+', text)
        start = next((token.start() for token in tokens if token.group() == literal), 0)
        return f"line {text.count(chr(10), 0, start) + 1} column {start - text.rfind(chr(10), 0, start)}"

    def no_constant(name: str) -> object:
        raise BadInput(f"{name} at {place(name)} is not JSON; a missing measurement is null", where=where)

    def finite(literal: str) -> float:
        number = float(literal)
        if not math.isfinite(number):
            raise BadInput(f"the number {literal[:40]} at {place(literal)} is beyond what can be stored", where=where)
        return number

    def whole(literal: str) -> int:
        # A longer literal than this is no count or Elo of anything; int() would refuse 4,300 digits anyway.
        if len(literal) > 400:
            raise BadInput(f"the number {literal[:40]}… at {place(literal)} has {len(literal)} digits", where=where)
        return int(literal)

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        members = dict(pairs)
        if len(members) != len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise BadInput(f"the key {twice!r} stands twice in one object", where=where)
        return members

    try:
        value: object = json.loads(
            text, parse_constant=no_constant, parse_float=finite, parse_int=whole, object_pairs_hook=unique
        )
    except json.JSONDecodeError as error:
        raise BadInput(f"not JSON: {error.msg} at line {error.lineno} column {error.colno}", where=where) from error
    except RecursionError as error:
        raise BadInput("not readable: nested too deeply", where=where) from error
    return value


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name nearest to one that is not known, as a hint ``did you mean 'x'?``, or empty."""
    import difflib  # slow to load, and needed by mistakes alone

    found = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"did you mean {found[0]!r}?" if found else ""
