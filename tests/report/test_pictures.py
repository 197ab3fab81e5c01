"""The pictures: well-formed, in both widths, with the numbers of the result and nothing from outside."""

import re
from xml.etree import ElementTree as ET

import pytest

from anchorhold.law.result import AnchorMeasurement, AnchorResult
from anchorhold.report import pictures
from anchorhold.report.pictures import NARROW, WIDE, Picture, standalone, weight_shares
from anchorhold.report.texts import texts_in
from report.samples import altered, case

EN, DE = texts_in("en"), texts_in("de")
SVG = "{http://www.w3.org/2000/svg}"


def words(svg: str) -> list[str]:
    return ["".join(text.itertext()) for text in ET.fromstring(svg).iter(f"{SVG}text")]  # noqa: S314 (our own drawing)


def check_form(picture: Picture) -> None:
    for svg, width in ((picture.wide, WIDE), (picture.narrow, NARROW)):
        root = ET.fromstring(svg)  # noqa: S314 (our own drawing)
        box = [float(number) for number in root.attrib["viewBox"].split()]
        assert box[:3] == [0, 0, width]
        assert root.attrib["role"] == "img"
        assert root.attrib["aria-label"] == picture.description
        outside = re.findall(r'(?:href|src|url)\s*[=(]\s*"?(?!\S*#)[^"\s)]*', svg)
        assert outside == []
        assert not re.search(r"<(?:script|style|image|foreignObject)", svg)
        assert "#0badc" not in svg, "every stand-in colour became a variable"
        for text in root.iter(f"{SVG}text"):
            assert float(text.attrib["font-size"].removesuffix("px")) >= 11


def test_the_scale_names_its_zones_thresholds_and_r() -> None:
    view = case("invented-warn")
    picture = pictures.r_scale(view.result, thresholds=view.thresholds, texts=EN)
    check_form(picture)
    for svg in (picture.wide, picture.narrow):
        assert {"HALT", "WARN", "CONTINUE", "0.40", "0.75", "R = 0.45"} <= set(words(svg))
    assert "R is 0.45" in picture.description
    assert {"WARNUNG", "WEITER", "0,40", "R = 0,45"} <= set(
        words(pictures.r_scale(view.result, thresholds=view.thresholds, texts=DE).wide)
    )


@pytest.mark.parametrize("name", ["case-01", "case-12"])
def test_a_scale_is_drawn_for_an_r_far_away_and_for_none(name: str) -> None:
    view = case(name)
    picture = pictures.r_scale(view.result, thresholds=view.thresholds, texts=EN)
    check_form(picture)
    expected = "no R: nothing to place on the scale" if view.result.r is None else "R = 275.44"
    assert expected in words(picture.narrow)


def test_the_path_shows_claims_direct_match_and_arrival() -> None:
    view = case("case-15")
    picture = pictures.claims_to_arrival(view.result, thresholds=view.thresholds, texts=EN)
    check_form(picture)
    assert {"claimed, S", "+27.00 ± 25.50 Elo", "there, D", "arrived, ΔA", "−3.40 ± 6.75 Elo"} <= set(
        words(picture.wide)
    )


def test_the_path_says_in_words_what_is_not_known() -> None:
    view = altered(case("case-15"), direct=None, delta_a=None, delta_a_error=None, s=None, s_error=None)
    picture = pictures.claims_to_arrival(view.result, thresholds=view.thresholds, texts=EN)
    check_form(picture)
    assert {"not measured", "not known", "no sum: see the defects"} <= set(words(picture.narrow))


def test_the_forest_has_a_row_for_every_anchor_and_one_for_the_paired_mean() -> None:
    view = case("case-28")
    picture = pictures.forest(view.result, texts=EN)
    assert picture is not None
    check_form(picture)
    for anchor in view.result.anchors:
        assert anchor.name in words(picture.wide)
        assert EN.with_error(anchor.increase, anchor.increase_error, signed=True) in words(picture.narrow)
    assert "paired, pooled" in words(picture.wide)


def test_without_any_increase_there_is_no_forest() -> None:
    assert pictures.forest(altered(case("case-28"), anchors=()).result, texts=EN) is None


def test_a_name_that_looks_like_markup_is_only_a_name() -> None:
    anchors = case("case-28").result.anchors
    hostile = anchors[0].model_copy(update={"name": '<b> class="&" #0badc1'})
    picture = pictures.forest(altered(case("case-28"), anchors=(hostile, *anchors[1:])).result, texts=EN)
    assert picture is not None
    assert "<b>" not in picture.wide
    assert hostile.name in words(picture.wide)


def test_weight_shares_sum_to_one_and_leave_out_what_was_not_measured() -> None:
    shares = weight_shares(case("case-28").result.anchors)
    assert sum(share for share in shares if share is not None) == pytest.approx(1)
    nothing = AnchorMeasurement(delta=None, error=None, nelo=None, weight=None)
    missing = AnchorResult(name="X", old=nothing, new=nothing, increase=None, increase_error=None)
    assert weight_shares([missing]) == [None]


def test_a_picture_on_its_own_needs_no_page() -> None:
    view = case("invented-warn")
    svg = standalone(pictures.r_scale(view.result, thresholds=view.thresholds, texts=EN))
    assert "var(" not in svg
    assert "R = 0.45" in words(svg)


def test_the_charts_hold_to_the_schema_of_vega_lite() -> None:
    shapes = [
        pictures._box(0, 0, 5, 5, "halt"),
        pictures._line(0, 0, 5, 5, "ink", dash=(4, 4)),
        pictures._mark(1, 1, "triangle-up", "arrived", size=100, angle=90, edge="card"),
        pictures._text(1, 1, "text", "muted", size=12, bold=True, align="left", limit=40),
        *pictures._diamond(pictures._Axis(0, 1, 0, 100), 0.5, 0.1, 10),
    ]
    spec = pictures.chart_of(shapes, width=100, height=50).to_dict(validate=True)
    assert len(spec["layer"]) == len({shape.look for shape in shapes})
