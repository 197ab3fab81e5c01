"""The games of a check in a real browser, down to their PGN: by axe, narrow, without scripts, in German; and markup."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Dialog, expect
from typer.testing import CliRunner

from anchorhold.cli.app import app
from browser.browsing import barriers, chromium, outside, shown
from checks.project import Project, gain, make_project
from web.hostile import hostile_project
from web.samples import serving

PAIRS = 8


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    made = make_project(tmp_path_factory.mktemp("played"), pairs=PAIRS, short=2, direct=2)
    made.pin()
    made.append("gain_test", gain(12.0))
    made.run("v1", "v2")
    return made


def written(project: Project, folder: Path, *words: str) -> Path:
    target = folder / "report.html"
    given = ["report", "--games", "-o", str(target), *words, "--config", str(project.config_path)]
    done = CliRunner().invoke(app, given, catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    return target


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_page_of_games_fits_its_window_and_has_no_barrier(
    browser: Browser, project: Project, tmp_path: Path, language: str, width: int, scheme: str
) -> None:
    report = written(project, tmp_path, "--lang", language)
    address = (tmp_path / "report-games" / "1.html").as_uri()
    with shown(browser, address, viewport={"width": width, "height": 800}, color_scheme=scheme) as (
        page,
        asked,
        errors,
    ):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert outside(page) == []
        assert barriers(page) == []
        assert (asked, errors) == ([address], [])
    assert report.stat().st_size < 1_000_000


def test_a_reader_without_scripts_goes_from_the_report_to_an_anchors_games_and_their_pgn(
    browser: Browser, project: Project, tmp_path: Path
) -> None:
    report = written(project, tmp_path, "--lang", "de")
    with shown(
        browser,
        report.as_uri(),
        viewport={"width": 360, "height": 800},
        java_script_enabled=False,
        accept_downloads=True,
    ) as (page, _, errors):
        page.locator("#openings").get_by_role("link", name="Anchor 2").click()
        expect(page.locator("h1")).to_have_text("Partien gegen Anchor 2")
        assert page.locator("html").get_attribute("lang") == "de"
        opening = page.locator("details.opening").first
        expect(opening.locator("pre").first).not_to_be_visible()
        opening.locator("summary").click()
        expect(opening.locator("pre").first).to_be_visible()
        assert '[Anchor "Anchor 2"]' in opening.locator("pre").first.inner_text()
        with page.expect_download() as found:
            page.get_by_role("link", name="als PGN").click()
        pgn = found.value.path().read_text(encoding="utf-8")
        assert pgn.count("[Event ") == 2 * 2 * (PAIRS + 2)
        page.get_by_role("link", name="Bericht der Prüfung").click()
        expect(page.locator("#openings")).to_be_visible()
        assert errors == []


def test_german_headings_have_no_english_left(browser: Browser, project: Project, tmp_path: Path) -> None:
    found = []
    for language in ("en", "de"):
        folder = tmp_path / language
        folder.mkdir()
        written(project, folder, "--lang", language)
        with shown(browser, (folder / "report-games" / "1.html").as_uri()) as (page, _, _errors):
            found.append(set(page.locator("h1, h2, caption, thead th, .eyebrow, .lead, a, summary").all_inner_texts()))
    same = {text for text in found[0] & found[1] if len([letter for letter in text if letter.isalpha()]) > 4}
    assert same <= {"Version"}


def ran_dialog(ran: list[str]) -> Callable[[Dialog], None]:
    def note(dialog: Dialog) -> None:
        ran.append(dialog.message)
        dialog.dismiss()

    return note


def ran_console(ran: list[str]) -> Callable[[ConsoleMessage], None]:
    return lambda message: ran.append(message.text)


def test_markup_in_every_text_runs_nowhere_and_is_printed_as_text(browser: Browser, tmp_path: Path) -> None:
    hostile = hostile_project(tmp_path / "hostile")
    report = written(hostile, tmp_path, "--pdf", str(tmp_path / "report.pdf"))
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")
    with serving(hostile.directory) as dashboard:
        addresses = [
            report.as_uri(),
            (tmp_path / "report-games" / "1.html").as_uri(),
            *(dashboard.address + path for path in ("", "de/register/1.html", "checks/check-1.html")),
            f"{dashboard.address}register/search.html?q=%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E",
        ]
        for address in addresses:
            with browser.new_context() as context:
                page = context.new_page()
                ran: list[str] = []
                page.on("dialog", ran_dialog(ran))
                page.on("console", ran_console(ran))
                page.goto(address)
                assert page.locator("[onerror]").count() == 0, address
                assert ran == [], address
