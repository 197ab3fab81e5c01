"""Text that must be its own canonical form (RFC 8785), read fast: what is stored of an entry, and a line of an export.

Reading a text and writing it again must give the text itself. Python's own reader and writer, in C, do that ten times
faster than the exact way, and agree with it except on numbers that they write otherwise (exponents, ``.0``, whole
numbers beyond 2**53) and on the order of names beyond U+D7FF. A text that has one of these, or that does not come back
as it was, goes the exact way, which alone says what is wrong. May import: anchorhold.canonical, anchorhold.errors.
"""

from __future__ import annotations

import json
import re

from anchorhold.canonical import canonical_json, strict_json
from anchorhold.errors import BadInput

_EXACT_IN_A_DOUBLE = 2**53
_SAFE_DIGITS = 15
"""Every whole number of so many digits is below 2**53."""
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
"""UTF-8 cannot write it."""
_ORDERED_OTHERWISE = re.compile("[\ue000-\U0010ffff]")
"""Letters whose order differs between UTF-16, by which canonical JSON sorts names, and code points."""


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
"""Write a value that ``read_plain`` gave, or a part of it, as its canonical text."""
quoted = json.encoder.encode_basestring
"""A text as canonical JSON writes it; a lone surrogate stays, for UTF-8 to refuse."""


def read_canonical(text: str) -> object:
    """Read a JSON text that is its own canonical form.

    Raises
    ------
    BadInput
        Not JSON, a key twice, a number that cannot be stored, or another text than the canonical one.
    """
    value = read_plain(text)
    return read_exactly(text) if value is None else value


def read_plain(text: str) -> object:
    """Read a text that is its own canonical form, the fast way; None when only the exact way can tell (or ``null``)."""
    if _LONE_SURROGATE.search(text):
        return None
    try:
        value: object = _read(text)
        if write_plain(value) != text or (_ORDERED_OTHERWISE.search(text) and _has_such_a_name(value)):
            return None
    except (ValueError, RecursionError):
        return None
    return value


def _has_such_a_name(value: object) -> bool:
    if isinstance(value, dict):
        return any(_ORDERED_OTHERWISE.search(name) or _has_such_a_name(member) for name, member in value.items())
    return isinstance(value, list) and any(_has_such_a_name(member) for member in value)


def write_canonical(value: object) -> str:
    """Write a value that was read from JSON as its canonical text.

    Raises
    ------
    BadInput
        A value that RFC 8785 cannot write.
    """
    try:
        text = write_plain(value)
    except (ValueError, RecursionError):
        text = ""
    return text if text and read_plain(text) is not None else canonical_json(value).decode()


def as_doubles(value: object) -> object:
    """Read whole numbers beyond 2**53 as the doubles that they are in canonical JSON: it writes 1e20 as digits."""
    if isinstance(value, dict):
        return {name: as_doubles(member) for name, member in value.items()}
    if isinstance(value, list):
        return [as_doubles(member) for member in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= _EXACT_IN_A_DOUBLE:
        try:
            return float(value)
        except OverflowError as error:
            raise BadInput("a number is beyond what can be stored") from error
    return value


def read_exactly(text: str) -> object:
    """Read a text that is its own canonical form, the exact way; raises as ``read_canonical`` does."""
    value = as_doubles(strict_json(text, where="payload"))
    if canonical_json(value).decode() != text:
        raise BadInput("not canonical JSON (RFC 8785)")
    return value
