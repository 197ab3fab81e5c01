"""All checks of a register and its claims over time: what the pictures show is what the entries say."""

from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from anchorhold.checks.closing import abandon_check
from anchorhold.report import pictures
from anchorhold.report.claimed import claimed_over_time
from anchorhold.report.history import history_of
from anchorhold.report.page import render_check_report
from anchorhold.report.scale import Thresholds
from anchorhold.report.tables import claimed_table, history_table
from anchorhold.report.texts import NOTHING, texts_in
from anchorhold.report.viewing import view_of_check
from checks.project import AHEAD, EVEN, Project, gain, make_project
from report.test_pictures import check_form, words

EN = texts_in("en")
LIMITS = Thresholds(halt_below=0.40, continue_from=0.75)
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A register with a check that continues, one abandoned, one that halts and is released, and an open window."""
    made = make_project(tmp_path_factory.mktemp("project"))
    made.pin()
    made.append("gain_test", gain(12.0))
    made.open("v1", "v2")
    made.close(old=EVEN, new=AHEAD)
    made.append("gain_test", {**gain(20.0), "id": "dev-2"})
    made.open("v2", "v3")
    with made.register() as register:
        abandon_check(register, reason="the machine was needed", author="Ada")
    made.open("v2", "v3")
    made.close(old=AHEAD, new=AHEAD)
    halt = made.checks()[-1].closed
    assert halt is not None
    made.append("release", {"halt": halt.hash, "reviewer": "Ada", "reason": "seen"})
    made.append("gain_test", {**gain(3.0), "id": "dev-3"})
    return made


def test_the_history_is_what_the_entries_say(project: Project) -> None:
    found = history_of(project.entries())
    assert [check.verdict for check in found] == ["CONTINUE", None, "HALT"]
    assert [check.attempt for check in found] == [1, 1, 2]
    assert [(check.abandoned, check.released) for check in found] == [(False, False), (True, False), (False, True)]
    assert found[0].r == view_of_check(project.entries(), found[0].id).result.r
    assert [check.id for check in history_of(project.entries(), until=found[0].id)] == [found[0].id]


def test_the_picture_of_all_checks_marks_them_all(project: Project) -> None:
    found = history_of(project.entries())
    picture = pictures.r_over_checks(found, thresholds=LIMITS, texts=EN)
    assert picture is not None
    check_form(picture)
    root = ET.fromstring(picture.wide)  # noqa: S314 (our own drawing)
    titles = {title.text or "" for title in root.iter(f"{SVG}title")}
    for check in found:
        assert any(title.startswith(f"{check.id}: ") for title in titles)
    assert any("HALT, R = 0.00, attempt 2, edition 7, released" in title for title in titles)
    assert "2." in words(picture.narrow)
    table = history_table(found, LIMITS, EN)
    assert [row[3] for row in table.rows] == [EN.ratio(found[0].r, (0.4, 0.75)), NOTHING, "0.00"]
    assert [row[2] for row in table.rows] == ["CONTINUE", "abandoned", "HALT"]


def test_another_edition_of_the_contract_is_marked_where_it_begins(project: Project) -> None:
    from dataclasses import replace

    found = history_of(project.entries())
    later = [*found, replace(found[-1], id="check-4", edition=8)]
    picture = pictures.r_over_checks(later, thresholds=LIMITS, texts=EN)
    assert picture is not None
    assert words(picture.wide).count("edition 8") == 1
    assert "edition 7" not in words(picture.wide)


def test_the_claims_over_time_sum_what_was_counted_in_each_window(project: Project) -> None:
    found = claimed_over_time(project.entries())
    assert [(window.s, window.verdict) for window in found] == [(12.0, "CONTINUE"), (20.0, "HALT"), (3.0, None)]
    assert [gain.total for window in found for gain in window.gains] == [12.0, 32.0, 35.0]
    for window in found[:2]:
        result = view_of_check(project.entries(), window.check).result
        assert window.s == result.s
        assert window.error == pytest.approx(result.s_error)
    picture = pictures.claims_over_time(found, texts=EN)
    assert picture is not None
    check_form(picture)
    assert f"S = {EN.with_error(20.0, found[1].error)} Elo" in picture.description
    assert [row[2] for row in claimed_table(found, LIMITS, EN).rows] == ["1", "1", "1"]


def test_the_running_sum_is_as_high_as_its_number(project: Project) -> None:
    found = claimed_over_time(project.entries())
    picture = pictures.claims_over_time(found, texts=EN)
    assert picture is not None
    root = ET.fromstring(picture.wide)  # noqa: S314 (our own drawing)
    (line,) = root.iter(f"{SVG}polyline")
    heights = [float(point.split(",")[1]) for point in line.attrib["points"].split()]
    levels = list(dict.fromkeys(heights))
    assert len(levels) == 4
    steps = [first - second for first, second in pairwise(levels)]
    assert steps[1] / steps[0] == pytest.approx(20 / 12, abs=0.01)
    assert steps[2] / steps[0] == pytest.approx(3 / 12, abs=0.01)


def test_without_checks_or_claims_there_is_no_picture(project: Project) -> None:
    assert pictures.r_over_checks((), thresholds=LIMITS, texts=EN) is None
    assert pictures.claims_over_time(claimed_over_time(project.entries()[:1]), texts=EN) is None


def test_the_report_of_a_check_shows_what_was_before_it_and_nothing_after(project: Project) -> None:
    first, _, last = history_of(project.entries())
    page = render_check_report(view_of_check(project.entries(), last.id, whole=True), language="en")
    assert "R over all checks" in page
    assert "Claims over time" in page
    early = view_of_check(project.entries(), first.id, whole=True)
    assert [check.id for check in early.history] == [first.id]
    assert [window.s for window in early.claimed] == [12.0]
    assert "R over all checks" not in render_check_report(view_of_check(project.entries(), last.id), language="en")
