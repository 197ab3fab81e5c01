"""A German page says nothing in English: no text of several words is the same on the pages of both languages."""

import re
from html.parser import HTMLParser

import pytest

from anchorhold.report.languages import Language
from anchorhold.report.page import render_check_report
from anchorhold.report.view import CheckView
from report.samples import bare, case, defective

VIEWS = {
    "continue": case("case-11"),
    "warn": case("case-20"),
    "halt": case("case-14"),
    "far": case("case-01"),
    "gap": case("case-12"),
    "window without a gain": case("case-05"),
    "defective": defective(),
    "result alone": bare("case-28"),
}
WORDS = re.compile(r"[A-Za-z]{3,}")
SIGNS = re.compile(r"[0-9a-f]{64}|.*[=√Σ].*", re.DOTALL)
"""Digests and formulas."""
OWN = {"aaa", "bbb", "anchorhold", "nElo", "Elo", "Engine", "Sparrow", "register", "seq", "log", "elo"}
"""Names, and what formulas and places hold."""


class Texts(HTMLParser):
    """Gathers what a page shows and what it reads out; code and digests stand for themselves."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self._skipped: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in ("style", "code") or (self._skipped and tag == self._skipped[0]):
            self._skipped.append(tag)
        self.found.update(given[name] or "" for name in ("aria-label", "alt", "title") if name in given)

    def handle_endtag(self, tag: str) -> None:
        if self._skipped and tag == self._skipped[0]:
            self._skipped.pop()

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            self.found.add(data.strip())


def texts(view: CheckView, language: Language) -> set[str]:
    parser = Texts()
    parser.feed(render_check_report(view, language=language))
    return parser.found


@pytest.mark.parametrize("name", list(VIEWS))
def test_no_text_of_several_words_is_the_same_in_both_languages(name: str) -> None:
    same = texts(VIEWS[name], "en") & texts(VIEWS[name], "de")
    names = {anchor.name for anchor in VIEWS[name].result.anchors}
    left = {
        text: words
        for text in same
        if len(words := set(WORDS.findall(text)) - OWN) >= 2 and text not in names and not SIGNS.fullmatch(text)
    }
    assert left == {}


@pytest.mark.parametrize("name", list(VIEWS))
def test_no_german_sentence_holds_english_words(name: str) -> None:
    english = re.compile(r"\b(the|and|with|not|is|are|were|both|endpoint|missing|games|rating)\b")
    said = {text: found for text in texts(VIEWS[name], "de") if (found := english.findall(text))}
    assert said == {}
