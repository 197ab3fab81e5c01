"""Text that must be its own canonical form (RFC 8785), read fast: what is stored of an entry, and a line of an export.

Reading a text and writing it again must give the text itself. Python's own reader and writer, in C, do that ten times
faster than the exact way, and agree with it except on numbers that they write otherwise (exponents, ``.0``, whole
numbers beyond 2**53) and on the order of names beyond U+D7FF. Such numbers are written anew, where a text has any; one
with such names, or that does not come back as it was, goes the exact way, which alone says what is wrong.
May import: anchorhold.canonical, anchorhold.errors.
"""

from __future__ import annotations

import json
import re

from anchorhold.canonical import canonical_json, read_plain, read_with_odd_numbers, strict_json, write_exactly
from anchorhold.errors import BadInput

_EXACT_IN_A_DOUBLE = 2**53
_LONG_WHOLE = re.compile(r"\d{16}", re.ASCII)
quoted = json.encoder.encode_basestring
"""A text as canonical JSON writes it; a lone surrogate stays, for UTF-8 to refuse."""


def read_canonical(text: str) -> object:
    """Read a JSON text that is its own canonical form.

    Raises
    ------
    BadInput
        Not JSON, a key twice, a number that cannot be stored, or another text than the canonical one.
    """
    value = read_fast(text)
    return read_exactly(text) if value is None else value


def read_fast(text: str) -> object:
    """Read as ``read_canonical`` does; None when only the exact way can tell (or ``null``)."""
    value = read_plain(text)
    if value is None:
        value = read_with_odd_numbers(text)
        if _LONG_WHOLE.search(text):
            value = as_doubles(value)
    return value


def write_canonical(value: object) -> str:
    """Write a value that was read from JSON as its canonical text; raises as ``canonical_json`` does."""
    return canonical_json(value).decode()


def as_doubles(value: object) -> object:
    """Read whole numbers beyond 2**53 as the doubles that they are in canonical JSON: it writes 1e20 as digits.

    Raises
    ------
    BadInput
        A number beyond what a double holds, or nested too deeply: Python's reader in C goes deeper than this does.
    """
    try:
        return _as_doubles(value)
    except RecursionError as error:
        raise BadInput("not readable: nested too deeply") from error


def _as_doubles(value: object) -> object:
    if isinstance(value, dict):
        return {name: _as_doubles(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_as_doubles(member) for member in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= _EXACT_IN_A_DOUBLE:
        try:
            return float(value)
        except OverflowError as error:
            raise BadInput("a number is beyond what can be stored") from error
    return value


def read_exactly(text: str) -> object:
    """Read a text that is its own canonical form, the exact way; raises as ``read_canonical`` does."""
    value = as_doubles(strict_json(text, where="payload"))
    if write_exactly(value).decode() != text:
        raise BadInput("not canonical JSON (RFC 8785)")
    return value


def utf8(text: str) -> bytes:
    """Bytes of a text, or BadInput where it has a lone surrogate."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise BadInput(f"cannot be written as canonical JSON: {error}") from error
