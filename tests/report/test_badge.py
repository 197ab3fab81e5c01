"""The badge says what the gate says: never a better R, never text that breaks its picture."""

from typing import get_args
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.report.badge import Badge, BadgeState, badge_json, badge_svg

SVG = "{http://www.w3.org/2000/svg}"


def read(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314 (our own drawing)


def test_json_has_the_form_of_shields_endpoint() -> None:
    assert badge_json(Badge("continue", 0.81)) == {
        "schemaVersion": 1,
        "label": "anchorhold",
        "message": "R 0.81 · continue",
        "color": "green",
    }
    assert badge_json(Badge("broken"))["isError"] is True


@pytest.mark.parametrize("state", get_args(BadgeState))
def test_every_state_has_a_picture_whose_title_says_it(state: BadgeState) -> None:
    badge = Badge(state, None if state in ("gap", "broken", "none") else 0.5)
    picture = read(badge_svg(badge))
    title = picture.find(f"{SVG}title")
    assert title is not None
    assert title.text == picture.get("aria-label") == f"anchorhold: {badge.message}"
    assert [text.text for text in picture.iter(f"{SVG}text")] == ["anchorhold", badge.message]


@given(st.floats(min_value=-1e9, max_value=1e9))
def test_r_is_never_shown_in_a_better_zone_than_it_is(r: float) -> None:
    shown = float(Badge("held", round(r, 9)).message.split()[1])
    for limit in (0.40, 0.75):
        assert (shown >= limit) == (round(r, 9) >= limit)


def test_a_label_is_escaped_and_gets_its_room() -> None:
    label = "<b>&\"'</b>"
    picture = read(badge_svg(Badge("none", label=label)))
    assert picture.get("aria-label") == f"{label}: no check yet"
    short = read(badge_svg(Badge("none", label="i")))
    assert float(picture.get("width", 0)) > float(short.get("width", 0))
