"""The pictures: well-formed, in both widths, with the numbers of the result and nothing from outside."""

import re
from collections import Counter
from statistics import NormalDist
from xml.etree import ElementTree as ET

import pytest

from anchorhold.law.result import AnchorMeasurement, AnchorResult
from anchorhold.report import pictures
from anchorhold.report.pictures import NARROW, WIDE, Picture, standalone, weight_shares
from anchorhold.report.pictures.drawing import text, wrapped
from anchorhold.report.sureness import sureness_of
from anchorhold.report.tables import chances_table, pairs_table
from anchorhold.report.texts import Texts, texts_in
from anchorhold.report.view import CheckView
from anchorhold.report.viewing import view_of_document
from report.samples import altered, case, of_raw, raw

EN, DE = texts_in("en"), texts_in("de")
SVG = "{http://www.w3.org/2000/svg}"


def words(svg: str) -> list[str]:
    """The texts as they are shown: without what stands only under the pointer."""
    root = ET.fromstring(svg)  # noqa: S314 (our own drawing)
    return [(found.text or "") + "".join(part.tail or "" for part in found) for found in root.iter(f"{SVG}text")]


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
        for found in root.iter(f"{SVG}text"):
            assert float(found.attrib["font-size"].removesuffix("px")) >= 11


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


@pytest.mark.parametrize("name", ["case-15", "case-20", "case-28"])
@pytest.mark.parametrize("texts", [EN, DE], ids=["en", "de"])
def test_every_verdict_is_named_in_both_panels_of_the_chances(name: str, texts: Texts) -> None:
    view = case(name)
    found = sureness_of(view)
    assert found is not None
    drawn = pictures.chances(found, r=view.result.r, texts=texts)
    for form in (drawn.wide, drawn.narrow):
        written = re.findall(r"<text[^>]*>([^<]*)</text>", form)
        for verdict in ("HALT", "WARN", "CONTINUE"):
            assert written.count(texts.gettext(verdict)) == 2, verdict


@pytest.mark.parametrize("name", ["case-01", "case-12"])
def test_a_scale_is_drawn_for_an_r_far_away_and_for_none(name: str) -> None:
    view = case(name)
    picture = pictures.r_scale(view.result, thresholds=view.thresholds, texts=EN)
    check_form(picture)
    expected = "no R: nothing to place on the scale" if view.result.r is None else "R = 275.44"
    assert expected in words(picture.narrow)


def fall(view: CheckView, texts: Texts = EN) -> Picture:
    rows = pictures.levels(view.result, texts=texts, intervals=view.intervals)
    return pictures.waterfall(rows, s=view.result.s, thresholds=view.thresholds, texts=texts)


def test_the_fall_shows_claims_direct_match_and_arrival() -> None:
    picture = fall(case("case-15"))
    check_form(picture)
    assert {"claimed, S", "+27.00 ± 25.50 Elo", "there, D", "arrived, ΔA", "−3.40 ± 6.75 Elo"} <= set(
        words(picture.wide)
    )


def test_the_fall_says_in_words_what_is_not_known_and_draws_no_bar_for_it() -> None:
    view = altered(case("case-28"), direct=None, delta_a=None, delta_a_error=None, s=None, s_error=None)
    picture = fall(view)
    check_form(picture)
    assert {"not measured", "not known", "no sum: see the defects"} <= set(words(picture.narrow))
    assert list(ET.fromstring(picture.wide).iter(f"{SVG}rect")) == []  # noqa: S314 (our own drawing)


def test_a_direct_match_without_an_estimate_is_not_called_unmeasured() -> None:
    document = raw("case-15")
    document["direct"] = {"pentanomial": [0, 0, 40, 0, 0]}
    result, read = of_raw(document)
    view = view_of_document(result, read)
    assert view.result.direct is None
    assert {"no estimate", "played, but the games carry no estimate"} <= set(words(fall(view).wide))


def test_a_level_of_the_fall_is_as_long_as_its_number() -> None:
    view = case("invented-warn")
    svg = ET.fromstring(fall(view).wide)  # noqa: S314 (our own drawing)
    bars = {
        "".join(rect.itertext()).split(":")[0]: float(rect.attrib["width"])
        for rect in svg.iter(f"{SVG}rect")
        if rect.find(f"{SVG}title") is not None
    }
    assert bars["arrived, ΔA"] / bars["claimed, S"] == pytest.approx(9 / 20, abs=0.001)
    assert bars["less than the level above"] / bars["claimed, S"] == pytest.approx(11 / 20, abs=0.001)


def test_every_count_of_the_long_stage_can_be_read_from_the_bars() -> None:
    view = case("case-15")
    picture = pictures.pair_bars(pictures.opponents(view, EN), texts=EN)
    assert picture is not None
    check_form(picture)
    counts = [
        EN.whole(count)
        for sample in view.samples
        if sample.stage == "long" and sample.pentanomial is not None
        for count in sample.pentanomial.as_tuple()
    ]
    for svg in (picture.wide, picture.narrow):
        assert Counter(counts) <= Counter(words(svg))
    assert counts
    shares = [
        (float(rect.attrib["height"]), "".join(rect.itertext()))
        for rect in ET.fromstring(picture.wide).iter(f"{SVG}rect")  # noqa: S314 (our own drawing)
        if "%" in "".join(rect.itertext())
    ]
    tallest = max(shares)
    for height, title in shares:
        share, most = (float(text.split("(")[1].split("\N{NO-BREAK SPACE}")[0]) for text in (title, tallest[1]))
        assert height / tallest[0] == pytest.approx(share / most, abs=0.01)


def test_games_without_pairs_have_three_classes() -> None:
    document = raw("case-28")
    name = document["anchors"][0]["name"]
    for endpoint in ("old", "new"):
        document["endpoints"][endpoint]["long"][name] = {"wins": 300, "draws": 420, "losses": 280}
    document.pop("joint", None)
    result, read = of_raw(document)
    found = pictures.opponents(view_of_document(result, read), EN)
    assert found[0].classes == ("losses", "draws", "wins")
    assert [bars.counts for bars in found[0].bars] == [(280, 420, 300), (280, 420, 300)]
    assert pairs_table(found, EN) is None, "two kinds of classes make no table"


def test_the_chances_are_those_of_the_plan() -> None:
    view = case("case-15")
    found = sureness_of(view)
    assert found is not None
    picture = pictures.chances(found, r=view.result.r, texts=EN)
    check_form(picture)
    table = chances_table(found, EN)
    for row, curve in zip(table.rows, found.played.rows, strict=True):
        assert row[:4] == (EN.number(curve.ratio), *(EN.percent(p) for p in (curve.halt, curve.warn, curve.proceed)))
        assert curve.halt + curve.warn + curve.proceed == pytest.approx(1)
    assert found.more.pairs == 4 * found.played.pairs == 4 * 1500
    # Halved deviation: what is 1 standard deviation from a threshold becomes 2.
    at = {row.ratio: row.halt for row in found.played.rows}
    far = {row.ratio: row.halt for row in found.more.rows}
    normal = NormalDist()
    assert normal.inv_cdf(far[0.5]) == pytest.approx(2 * normal.inv_cdf(at[0.5]), abs=0.01)


@pytest.mark.parametrize("name", ["case-12", "case-19"])
def test_without_claims_or_pairs_no_chances_are_drawn(name: str) -> None:
    view = altered(case(name), s=0.0, counted=())
    assert sureness_of(view) is None


def test_the_boxes_carry_the_numbers_of_the_check() -> None:
    view = case("invented-warn")
    picture = pictures.six_boxes(view.result, thresholds=view.thresholds, texts=EN)
    check_form(picture)
    assert {"1", "6", "ΔA = +9.00", "S = +20.00", "R = ΔA / S = 0.45: WARN"} <= set(words(picture.narrow))


def test_the_lights_carry_the_invented_example() -> None:
    view = case("case-15")
    for texts, warn in ((EN, "WARN: 0.40 ≤ R < 0.75"), (DE, "WARNUNG: 0,40 ≤ R < 0,75")):
        picture = pictures.traffic_light(thresholds=view.thresholds, texts=texts)
        check_form(picture)
        assert warn in words(picture.wide)
        said = " ".join(words(picture.narrow))
        assert f"ΔA = 9, S = 20 {'gives' if texts is EN else 'gibt'} R = {texts.number(0.45)}." in said
        assert f"ΔA = 7, S = 20 {'gives' if texts is EN else 'gibt'} R = {texts.number(0.35)}." in said


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
    hostile = anchors[0].model_copy(update={"name": '<b> class="&"'})
    picture = pictures.forest(altered(case("case-28"), anchors=(hostile, *anchors[1:])).result, texts=EN)
    assert picture is not None
    assert "<b>" not in picture.wide
    assert any(said.startswith(hostile.name) for said in words(picture.narrow))


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


def test_a_text_that_is_too_wide_is_cut_and_says_the_whole_under_the_pointer() -> None:
    name = "An engine with a very long name that nobody can show"
    svg = f'<svg xmlns="http://www.w3.org/2000/svg">{text(0, 0, name, "ink", size=13, limit=100).element}</svg>'
    assert ET.fromstring(svg).findtext(f"{SVG}text/{SVG}title") == name  # noqa: S314 (our own drawing)
    (shown,) = words(svg)
    assert shown.endswith("…")
    assert name.startswith(shown[:-1])
    assert wrapped("one two three", 60, size=12) == ["one two", "three"]
