"""The page: whole, self-contained, in order, in both languages, for every kind of check."""

import re
from html.parser import HTMLParser

import pytest

from anchorhold.law.result import Finding
from anchorhold.report.languages import Language
from anchorhold.report.page import render_check_report
from anchorhold.report.summary import markdown_summary
from anchorhold.report.texts import texts_in
from anchorhold.report.view import CheckView
from report.samples import altered, bare, case, defective

VOID = {"meta", "br", "hr", "img", "link", "input", "rect", "path", "line"}


class Reader(HTMLParser):
    """Collects tags, ids, links and headings, and sees that every tag is closed in its turn."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.headings: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if "id" in found:
            self.ids.append(found["id"] or "")
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "srcset", "action")]
        if tag not in VOID:
            self.open.append(tag)
        if tag in ("h1", "h2", "h3"):
            self.headings.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element that is closed at once."""

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and any(tag in ("h1", "h2", "h3") for tag in self.open):
            self.headings[-1] += data


def read(view: CheckView, language: Language = "en") -> tuple[str, Reader]:
    html = render_check_report(view, language=language)
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return html, reader


@pytest.fixture(scope="module")
def full() -> tuple[str, Reader]:
    return read(case("case-15"))


def test_a_page_asks_for_nothing_from_outside(full: tuple[str, Reader]) -> None:
    html, reader = full
    assert all(link.startswith("#") for link in reader.links)
    assert not re.search(r"<script|@import|url\(|<iframe|<object|\bon\w+=", html)
    assert "default-src 'none'" in html
    assert len(html.encode("utf-8")) < 1_000_000


def test_every_link_has_its_place_and_no_place_stands_twice(full: tuple[str, Reader]) -> None:
    _, reader = full
    assert {link[1:] for link in reader.links} <= set(reader.ids)
    assert len(reader.ids) == len(set(reader.ids))


def test_the_parts_stand_in_the_order_of_a_readers_questions(full: tuple[str, Reader]) -> None:
    _, reader = full
    order = ["scale", "path", "anchors", "claims", "figures", "steps", "notes", "record", "release-notes"]
    assert [name for name in reader.ids if name in order] == order


def test_all_figures_of_the_check_stand_on_its_page(full: tuple[str, Reader]) -> None:
    html, _ = full
    view, texts = case("case-15"), texts_in("en")
    assert view.old is not None
    for text in (
        "R = −0.13",
        view.old.version,
        view.result.contract.digest,
        view.anchors[0].sha256,
        texts.with_error(view.result.s, view.result.s_error, signed=True),
        texts.with_error(view.result.anchors[2].increase, view.result.anchors[2].increase_error, signed=True),
        *(str(entry.seq) for entry in view.result.uncounted),
    ):
        assert text in html


def test_defects_and_gaps_stand_before_the_pictures_with_place_and_step() -> None:
    view = defective()
    html, reader = read(view)
    assert reader.ids.index("findings") < reader.ids.index("path")
    for finding in (*view.result.defects, *view.result.gaps):
        assert finding.code in html
        assert finding.where in html.replace("&#39;", "'")
        assert finding.next in html.replace("&#39;", "'").replace("&lt;", "<")


def test_findings_of_one_kind_share_their_step() -> None:
    view = case("case-12")
    html, _ = read(view)
    assert len(view.result.gaps) == 12
    assert html.count("Play exactly the planned pairs") == 1
    assert all(gap.where in html for gap in view.result.gaps)


def test_a_german_page_has_german_headings_numbers_and_language() -> None:
    html, reader = read(case("case-15"), "de")
    english, _ = read(case("case-15"))
    assert '<html lang="de">' in html
    assert "R = −0,13" in html
    assert "Kein Merge, bis die Überprüfung durch einen Menschen eingetragen ist." in html
    shared = {"R"} & set(reader.headings)
    assert shared == set()
    assert all(heading not in english for heading in reader.headings if heading.strip() and heading != "HALT")


def test_a_result_alone_makes_a_whole_page() -> None:
    html, reader = read(bare("case-28"))
    assert "Result of an evaluation" in html
    assert "R = 0.16" in html
    assert "steps" in reader.ids


def test_an_empty_result_makes_a_whole_page() -> None:
    nothing = dict.fromkeys(
        ("r", "delta_a", "delta_a_error", "delta_a_error_weighted", "reweighting", "s", "s_error", "a_old", "a_new")
    )
    beside = dict.fromkeys(("verdict_short", "r_short", "s_short", "band", "paired", "heterogeneity", "direct"))
    view = altered(
        bare("case-28"),
        **nothing,
        **beside,
        fieller=None,
        overfitting=None,
        verdict="DEFECTIVE",
        anchors=(),
        counted=(),
        uncounted=(),
        notes=(),
        defects=(Finding(code="chain_broken", where="entry 3", message="It is broken.", next="Mend it."),),
    )
    html, _ = read(view)
    assert "No anchor was measured at both endpoints" in html
    assert "nan" not in re.sub(r"<[^>]*>", " ", html).lower().split()


def test_names_from_outside_cannot_become_markup() -> None:
    evil = '"><script>alert(1)</script>'
    view = case("case-28")
    from dataclasses import replace

    renamed = replace(
        altered(
            view,
            anchors=(view.result.anchors[0].model_copy(update={"name": evil}), *view.result.anchors[1:]),
            gaps=(Finding(code="no_estimate", where=evil, message=evil, next=evil),),
        ),
        project=evil,
        check=evil,
        conditions={"runner": evil, evil: {"a": evil}},
    )
    html, _ = read(renamed)
    assert "<script" not in html


def test_the_summary_for_release_notes_is_markdown_with_the_verdict_first() -> None:
    lines = markdown_summary(case("case-15"), texts_in("en")).splitlines()
    assert lines[0].startswith("**HALT** – R = −0.13")
    assert "| arrived, ΔA | −3.40 ± 6.75 |" in lines
    assert "contract edition 7" in lines[-1]


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_picture_has_its_numbers_in_a_table_before_the_next(language: Language) -> None:
    page = render_check_report(case("case-28"), language=language)
    _head, *pictures = page.split('<figure id="picture-')
    without = [one.split('"')[0] for one in pictures if "<table" not in one]
    assert (len(pictures) >= 6, without) == (True, [])
