"""The two pictures: every check is in them, nothing is drawn outside, texts of strangers are escaped."""

import re
from dataclasses import replace
from xml.etree import ElementTree

from anchorhold.gate.decision import GateAnswer
from anchorhold.report.texts import Texts
from anchorhold.web.charts import NARROW, WIDE, Chart, claims_over_time, r_over_checks
from anchorhold.web.overview import CheckLine, Overview
from anchorhold.web.texts import texts_in
from web.samples import EVIL

EN = texts_in("en")
LINE = CheckLine("check-1", "checks/check-1.html", "closed", 1, "v1", "v2", 7, 0.4, 0.75, 5, "2026-11-30T00:00:00Z")


def overview(*rs: float | None, **members: object) -> Overview:
    checks = tuple(
        replace(
            LINE,
            id=f"check-{number}",
            page=f"checks/check-{number}.html",
            verdict="GAP" if r is None else "CONTINUE" if r >= 0.75 else "WARN" if r >= 0.4 else "HALT",
            r=r,
            band=None if r is None else (r - 0.3, r + 0.4),
            s=10.0,
            delta_a=None if r is None else 10.0 * r,
            closed_at=f"2026-{1 + number // 28:02d}-{1 + number % 28:02d}T00:00:00Z",
            **members,  # type: ignore[arg-type]
        )
        for number, r in enumerate(rs, start=1)
    )
    return Overview("Sparrow", GateAnswer("open", "."), checks, (), None, 9, None, None)


def drawn(chart: Chart | None) -> list[ElementTree.Element]:
    assert chart is not None
    return [ElementTree.fromstring(chart.wide), ElementTree.fromstring(chart.narrow)]  # noqa: S314


def test_every_check_is_a_mark_that_leads_to_its_report() -> None:
    for svg in drawn(r_over_checks(overview(0.45, None, 0.9, 0.2, 275.4, -3.0), EN)):
        links = [element.get("href") for element in svg.iter("a")]
        assert links == [f"checks/check-{number}.html" for number in range(1, 7)]
        assert len([element for element in svg.iter("path") if element.get("class") == "no-r"]) == 1


def test_an_edition_is_marked_where_it_begins_and_its_zones_are_its_own() -> None:
    view = overview(0.5, 0.6, 0.7)
    own = replace(view.checks[2], edition=9, halt_below=0.3, continue_from=0.65, released=True)
    for svg in drawn(r_over_checks(replace(view, checks=(*view.checks[:2], own)), EN)):
        assert [e.text for e in svg.iter("text") if e.text and "edition" in e.text] == ["edition 9"]
        assert len([e for e in svg.iter("rect") if e.get("class") == "zone-halt"]) == 2
        assert len([e for e in svg.iter("path") if "released" in (e.get("class") or "")]) == 1


def test_nothing_is_drawn_outside_of_the_picture() -> None:
    view = overview(*[0.5, None, 40.0, -7.0] * 30)
    for chart in (r_over_checks(view, EN), claims_over_time(view, EN)):
        for svg, width in zip(drawn(chart), (WIDE, NARROW), strict=True):
            height = float(svg.get("viewBox", "").split()[3])
            for element in svg.iter():
                for name, most in (("x", width), ("cx", width), ("x1", width), ("x2", width)):
                    assert 0 <= float(element.get(name, "0")) <= most
                for name in ("y", "cy", "y1", "y2"):
                    assert 0 <= float(element.get(name, "0")) <= height
            assert "nan" not in ElementTree.tostring(svg, encoding="unicode").lower()


def test_a_picture_has_no_style_of_its_own_and_believes_no_name() -> None:
    chart = r_over_checks(overview(0.5, old=EVIL), EN)
    assert chart is not None
    assert "style=" not in chart.wide
    assert "<script" not in chart.wide
    assert "&lt;script&gt;" in chart.wide


def test_the_words_of_the_sums_are_the_sums_of_the_results() -> None:
    chart = claims_over_time(overview(0.5, 0.25), EN)
    assert chart is not None
    assert chart.description == "Over 2 checks 20.0 Elo were claimed and 7.5 Elo arrived."


def test_without_a_check_there_is_no_picture() -> None:
    empty = overview()
    assert (r_over_checks(empty, EN), claims_over_time(empty, EN)) == (None, None)


def test_numbers_and_days_are_german_on_a_german_page() -> None:
    german: Texts = texts_in("de")
    chart = r_over_checks(overview(0.5, 0.6), german)
    assert chart is not None
    assert re.search(r">0,5<", chart.wide)
    assert "02.01.2026" in chart.wide
    assert "WARNUNG, R = 0,50" in chart.wide
