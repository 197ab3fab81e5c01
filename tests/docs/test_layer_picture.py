"""The picture of the layers shows every room once, and its lines lead exactly where the imports lead."""

import re

from hypothesis import given
from hypothesis import strategies as st

from layer_picture import needed, picture
from layers import FLOOR_OF, edges

Edges = set[tuple[str, str]]


def reached(found: Edges) -> Edges:
    """Every pair of rooms between which a way leads."""
    ways = set(found)
    while further := {(a, d) for a, b in ways for c, d in found if b == c} - ways:
        ways |= further
    return ways


def test_every_room_is_drawn_once_and_lines_are_imports() -> None:
    drawn = picture()
    assert sorted(re.findall(r">([a-z]+)</text>", drawn)) == sorted(FLOOR_OF)
    lines = set(re.findall(r"<title>([a-z]+) imports ([a-z]+)</title>", drawn))
    assert lines <= edges()
    assert reached(lines) == reached(edges())


@given(st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda edge: edge[0] > edge[1])))
def test_what_is_left_leads_as_far_and_nothing_of_it_can_be_spared(numbers: set[tuple[int, int]]) -> None:
    found = {(str(a), str(b)) for a, b in numbers}
    left = needed(found)
    assert reached(left) == reached(found)
    for edge in left:
        assert reached(left - {edge}) != reached(found)
