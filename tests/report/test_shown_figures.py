"""Every figure of a result document stands on its page, as its language writes it; nothing is computed anew."""

from collections.abc import Iterator, Mapping
from html import unescape

import pytest

from anchorhold.report.languages import Language
from anchorhold.report.page import render_check_report
from anchorhold.report.texts import texts_in
from anchorhold.report.view import CheckView
from report.samples import case, defective

VIEWS = {
    "continue": case("case-11"),
    "warn": case("case-20"),
    "halt": case("case-14"),
    "with a direct match": case("case-15"),
    "gap": case("case-12"),
    "defective": defective(),
}
IN_ELO = {
    "delta_a", "delta_a_error", "delta_a_error_weighted", "reweighting", "s", "s_error", "s_short",
    "s_median_unbiased", "s_selection_corrected", "a_old.value", "a_old.error", "a_new.value", "a_new.error",
    "paired.delta_a", "paired.error", "heterogeneity.q", "direct.elo", "direct.error", "direct.survival",
    "direct.transfer", "fieller.low", "fieller.high", "band.low", "band.high", "overfitting.difference",
    "overfitting.band",
}  # fmt: skip
IN_SHARES = {"band.halt", "band.warn", "band.continue"}
OF_ANCHORS = {"old.delta", "old.error", "old.nelo", "new.delta", "new.error", "new.nelo", "increase", "increase_error"}


def figures(members: Mapping[str, object], before: str = "") -> Iterator[tuple[str, float]]:
    """All numbers of a document, each with its place."""
    for name, value in members.items():
        if isinstance(value, Mapping):
            yield from figures(value, f"{before}{name}.")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield before + name, float(value)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", list(VIEWS))
def test_every_figure_of_the_document_stands_on_the_page(name: str, language: Language) -> None:
    view: CheckView = VIEWS[name]
    texts, page = texts_in(language), unescape(render_check_report(view, language=language))
    document = view.result.to_json()
    missing = []
    for place, value in figures(document):
        shown = texts.percent(value) if place in IN_SHARES else texts.number(value) if place in IN_ELO else None
        if shown is not None and shown not in page:
            missing.append(f"{place}: {shown}")
    anchors = document["anchors"]
    assert isinstance(anchors, list)
    for anchor in anchors:
        for place, value in figures(anchor):
            if place in OF_ANCHORS and texts.number(value) not in page:
                missing.append(f"{anchor['name']}, {place}: {texts.number(value)}")
    if view.result.r is not None:
        assert f"R = {texts.ratio(view.result.r, view.thresholds.as_tuple())}" in page
    assert missing == []
