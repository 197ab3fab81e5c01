"""Text that must be its own canonical form (RFC 8785), read fast: what is stored of an entry, and a line of an export.

Reading a text and writing it again must give the text itself. The reader and writer that validate payloads, in Rust, do
that twenty times faster than the exact way. They keep the order of names, which is looked at apart, and agree with the
exact way except on numbers that they write otherwise (exponents, ``.0``, whole numbers beyond 2**53). A text with such
numbers is read and written by Python, and these are written anew; one with names beyond U+D7FF, or that does not come
back as it was, goes the exact way, which alone says what is wrong.
May import: pydantic_core, rfc8785, anchorhold.canonical, anchorhold.errors.
"""

from __future__ import annotations

import json
import re

import rfc8785
from pydantic_core import from_json, to_json

from anchorhold.canonical import (
    LONE_SURROGATE,
    canonical_json,
    is_ordered_otherwise,
    strict_json,
    write_exactly,
    write_plain,
)
from anchorhold.errors import BadInput

_EXACT_IN_A_DOUBLE = 2**53
_EXPONENTS, _DECIMALS = 1e-6, 1e-4
"""Every writer gives smaller numbers with an exponent, larger ones (if they are not whole) without; between, it varies.
"""
_LONG_WHOLE = re.compile(r"(?:\A|[:,\[])-?\d{16}", re.ASCII)
"""A member that may be a whole number beyond 2**53; it may also stand inside a text."""
_ODD_NUMBER = re.compile(r"(?<=[:,\[])-?(?:\d+(?:\.\d+)?e[+-]\d+|\d+\.0|\d{16,})(?=[,}\]])", re.ASCII)
"""A number in Python's writing that RFC 8785 may write otherwise; it may also stand inside a text."""
_ORDERED: set[tuple[str, ...]] = set()
"""Names that were seen to stand in their order: entries of a kind have mostly the same."""
_MOST_ORDERS = 10_000
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
        value = as_doubles(read_with_odd_numbers(text))
    return value


def read_plain(text: str) -> object:
    """Read as ``read_fast`` does; None also for a text with numbers that some programs write otherwise."""
    try:
        data = text.encode()
        value: object = from_json(data, allow_inf_nan=False, cache_strings="keys")
        if to_json(value) != data or not _is_plain(value):
            return None
    except (ValueError, RecursionError):
        return None
    return None if _is_ordered_otherwise(text, value) else value


def _is_plain(value: object) -> bool:
    """Whether names stand in their order, and every number is written alike by everyone."""
    # By the classes themselves, and each order of names once: a register of 100,000 entries has millions of values.
    level: list[object] = [value]
    for node in level:  # which grows
        if node.__class__ is dict:
            assert isinstance(node, dict)
            names = tuple(node)
            if names not in _ORDERED and not _are_ordered(names):
                return False
            members = node.values()
        elif node.__class__ is list:
            assert isinstance(node, list)
            members = node  # type: ignore[assignment]
        else:
            members = (node,)  # type: ignore[assignment]
        for member in members:
            kind = member.__class__
            if kind is str:
                continue
            if kind is int:
                if not -_EXACT_IN_A_DOUBLE < member < _EXACT_IN_A_DOUBLE:
                    return False
            elif kind is float:
                if member.is_integer() or _EXPONENTS <= abs(member) < _DECIMALS:
                    return False
            elif kind is dict or kind is list:
                level.append(member)
    return True


def _are_ordered(names: tuple[str, ...]) -> bool:
    if names != tuple(sorted(names)):
        return False
    if len(_ORDERED) < _MOST_ORDERS:
        _ORDERED.add(names)
    return True


def read_believed(text: str) -> object:
    """Read a text whose form is looked at elsewhere, as ``read_fast`` does; None for what that does not read."""
    if _LONG_WHOLE.search(text):
        return read_fast(text)
    try:
        value: object = from_json(text.encode(), allow_inf_nan=False, cache_strings="keys")
    except ValueError:
        return None
    return value


def read_with_odd_numbers(text: str) -> object:
    """Read as ``read_plain`` does, also numbers that are written otherwise; whole ones beyond 2**53 stay whole.

    Python's text with each of these numbers written anew is the canonical one, but where such a number stands inside
    a text: that, too, is written anew, the result is another text than the one that was read, and the answer None.
    """
    try:
        value: object = json.loads(text)
        if not isinstance(value, dict | list):  # a number is known by what stands around it
            return None
        if _ODD_NUMBER.sub(_written_exactly, write_plain(value)) != text or _is_ordered_otherwise(text, value):
            return None
    except (ValueError, OverflowError, RecursionError):
        return None
    return value


def _written_exactly(number: re.Match[str]) -> str:
    return rfc8785.dumps(float(number[0])).decode()


def _is_ordered_otherwise(text: str, value: object) -> bool:
    """Whether a text has what is refused, or ordered by UTF-16, in canonical JSON alone."""
    if text.isascii():
        return False
    return LONE_SURROGATE.search(text) is not None or is_ordered_otherwise(text, value)


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
