"""The fast reading of canonical text and the exact one never differ."""

import json
import math
from enum import IntEnum, StrEnum

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from anchorhold.canonical import canonical_json, write_exactly
from anchorhold.errors import BadInput
from anchorhold.register.canonical_text import (
    quoted,
    read_believed,
    read_canonical,
    read_exactly,
    read_plain,
    read_with_odd_numbers,
    write_canonical,
)

any_text = st.text(st.characters(), max_size=8)
numbers = (
    st.floats(allow_nan=False, allow_infinity=False)
    | st.integers(-(10**22), 10**22)
    | st.sampled_from([0.0, -0.0, 1e-4, 1e-5, 1e-6, 1e-7, 1e15, 1e16, 1e20, 1e21, 5e-324, 1.7e308, 2**53, 2**53 - 1])
    | st.floats(-10_000, 10_000).map(lambda x: round(x, 3))
)
values = st.recursive(
    st.none() | st.booleans() | numbers | any_text,
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(any_text, inside, max_size=4),
    max_leaves=12,
)
spelt = st.sampled_from(
    [
        "1.0", "-0", "-0.0", "1e5", "1E5", "1e+16", "1e16", "1e21", "1e+21", "1e-5", "1e-6", "1e-05", "0.00001", "1e-7",
        "00", "9007199254740991", "9007199254740992", "9007199254740993", "100000000000000000000", "999999999999999",
        "0.1", "0.10", "123456789012345.6", "1.5e300", "NaN", "Infinity", "1e999", '"\\u0041"', '"\\u00e9"', '"é"',
        '"\\n"', '"\\u000a"', '"\\u001f"', '"\\u001F"', '"\x7f"', '"\\/"', '"\\ud800"', '"🐎"', '"\ue000"', "null",
        " 1",
        '{"a":1,"a":1}', '{"b":1,"a":1}', '{"\ue000":1,"🐎":1}', '{"🐎":1,"\ue000":1}', "[1, 2]", "tru",
    ]
)  # fmt: skip


class Whole(IntEnum):
    ONE = 1


class Word(StrEnum):
    A = "a"


def read(reader: object, text: object) -> object:
    """What a reading gives; a refusal is one answer, whatever it says."""
    assert callable(reader)
    try:
        return reader(text)
    except BadInput:
        return BadInput


def same(one: object, other: object) -> bool:
    """Equal, with 1 and 1.0 and True told apart."""
    return repr(one) == repr(other)


@given(values)
@example(9007199254740992.0)
def test_what_is_written_is_canonical_and_read_alike_both_ways(value: object) -> None:
    try:
        text = write_exactly(value).decode()
    except BadInput:  # a lone surrogate, a whole number that must come as a double
        with pytest.raises(BadInput):
            write_canonical(value)
        return
    assert write_canonical(value) == text
    assert same(read_canonical(text), read_exactly(text))
    assert read_believed(text) is None or same(read_believed(text), read_exactly(text))


@given(
    st.recursive(
        values | st.sampled_from([math.nan, math.inf, b"", {1, 2}, Whole.ONE, Word.A]),
        lambda inside: (
            st.dictionaries(any_text | st.integers() | st.booleans() | st.none(), inside, max_size=3)
            | st.lists(inside, max_size=3).map(tuple)
        ),
        max_leaves=6,
    )
)
def test_what_json_has_no_form_for_is_written_or_refused_as_the_exact_way_does(value: object) -> None:
    assert read(canonical_json, value) == read(write_exactly, value)


@given(values)
@example(0.0)
@example(1e16)
def test_python_s_own_spelling_is_judged_alike_both_ways(value: object) -> None:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert same(read(read_canonical, text), read(read_exactly, text))


@given(st.lists(spelt, max_size=4), st.booleans())
@example(["1e16"], True)
@example(["-0.0"], False)
def test_odd_spellings_are_judged_alike_both_ways(parts: list[str], as_object: bool) -> None:
    text = "[" + ",".join(parts) + "]"
    if as_object:
        text = "{" + ",".join(f'"{chr(97 + place)}":{part}' for place, part in enumerate(parts)) + "}"
    assert same(read(read_canonical, text), read(read_exactly, text))


@given(st.text(st.sampled_from('{}[],:"\\0123456789.eE+-abnu \n'), max_size=12))
def test_any_text_at_all_is_judged_alike_both_ways(text: str) -> None:
    assert same(read(read_canonical, text), read(read_exactly, text))


@pytest.mark.parametrize("text", ["[" * 5000 + "]" * 5000, '{"a":' * 5000 + "1" + "}" * 5000, "1" * 5000])
def test_a_text_without_measure_is_refused_and_no_traceback(text: str) -> None:
    assert read(read_canonical, text) is BadInput


@given(any_text.filter(lambda text: not any("\ud800" <= letter <= "\udfff" for letter in text)))
def test_a_text_is_quoted_as_canonical_json_has_it(text: str) -> None:
    assert quoted(text).encode() == write_exactly(text)


def test_the_fast_way_is_the_one_that_is_taken_for_a_usual_payload() -> None:
    text = '{"elo":1.94,"games_sha256":"3e45","note":"Größe","pentanomial":[214,7743,17343,8086,230],"r":-0.5}'
    assert read_plain(text) == json.loads(text)
    assert read_believed(text) == json.loads(text)
    assert same(read_believed('{"n":10000000000000000}'), {"n": 1e16})
    assert math.isclose(read_plain('{"a":0.0001}')["a"], 1e-4)  # type: ignore[index]


@pytest.mark.parametrize(
    "text", ['{"p":1.5e-12,"q":0.00001,"z":1e+30}', '{"n":[10000000000000000,-9007199254740993.5e5]}']
)
def test_numbers_that_python_writes_otherwise_are_read_fast_too(text: str) -> None:
    text = write_exactly(json.loads(text, parse_int=float)).decode()
    assert read_plain(text) is None
    assert read_with_odd_numbers(text) == json.loads(text)
    assert same(read_canonical(text), read_exactly(text))


@given(numbers.map(str) | spelt, any_text)
def test_a_number_inside_a_text_is_no_number(number: str, letters: str) -> None:
    value = {"a": f"{letters}[{number},{number}]", "b": 1e-7, "c": 1e16}
    try:
        text = write_exactly(value).decode()
    except BadInput:
        return
    assert same(read_canonical(text), value)
    assert same(read(read_canonical, text.replace(":1e", ":1E")), BadInput)
