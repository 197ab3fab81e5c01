import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.canonical import canonical_json, digest, nearest, strict_json, write_exactly
from anchorhold.errors import BadInput

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(min_value=-(2**53) + 1, max_value=2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.text("abc", max_size=3), st.integers(0, 9), max_size=5))
def test_the_order_of_members_does_not_change_the_digest(members: dict[str, int]) -> None:
    assert digest(members) == digest(dict(reversed(members.items())))


def test_the_example_of_rfc_8785_is_written_as_there() -> None:
    # RFC 8785, section 3.2.2: the sample input and its canonical form.
    value = {"numbers": [333333333.33333329, 1e30, 4.50, 2e-3, 1e-27], "literals": [None, True, False]}
    expected = b'{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]}'
    assert canonical_json(value) == expected


@pytest.mark.parametrize("value", [math.nan, math.inf, 2**60, "\ud800", {"a": math.nan}])
def test_what_canonical_json_cannot_carry_is_refused(value: object) -> None:
    with pytest.raises(BadInput):
        canonical_json(value)


@given(values)
def test_strict_json_reads_what_json_writes(value: object) -> None:
    assert strict_json(json.dumps(value), where="x") == value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": NaN}', "NaN"),
        ("[Infinity]", "Infinity"),
        ("1e999", "beyond"),
        ('{"a": 1, "a": 2}', "'a' stands twice"),
        ("{'a': 1}", "line 1 column 2"),
        ("", "not JSON"),
        ("[" * 100_000, "nested"),
        ("1" * 5000, "digits"),
    ],
)
def test_what_is_not_json_is_refused_with_its_place(text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        strict_json(text, where="file.json")


def test_the_nearest_known_name_is_a_hint() -> None:
    assert nearest("pentanomal", ["pentanomial", "wins"]) == "did you mean 'pentanomial'?"
    assert nearest("zzz", ["pentanomial"]) == ""


FLOATS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(-(10**17), 10**17).map(float),
    st.sampled_from([0.0, -0.0, 2.0, -1.75, 1e15, 1e16, 2.0**53]),
)
TEXTS = st.one_of(st.text(max_size=5), st.sampled_from(["[2.0,", ",-0.0,", ":7.0}", "2.0"]))


@given(
    st.recursive(
        FLOATS | st.integers(-(2**53) + 1, 2**53 - 1) | TEXTS | st.booleans(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    )
)
def test_the_fast_way_writes_what_the_exact_way_does(value: object) -> None:
    assert canonical_json(value) == write_exactly(value)
