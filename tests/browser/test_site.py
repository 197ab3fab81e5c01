"""The static site in a real browser: from files and from a host's sub-path, wide and narrow, light and dark, by axe."""

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser
from typer.testing import CliRunner

from anchorhold.cli.app import app
from browser.browsing import barriers, chromium, outside, shown
from web.samples import register_at

PAGES = ["index.html", "register/2.html", "checks/check-2.html"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("top")
    register = register_at(top / "r.sqlite", halts=True)
    result = CliRunner().invoke(app, ["site", "-o", str(top / "some" / "path"), "--register", str(register)])
    assert result.exit_code == 0
    return top / "some" / "path"


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def hosted(site: Path) -> Iterator[str]:
    """The site under a path of a plain host."""
    handler = functools.partial(_Quiet, directory=str(site.parents[1]))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/some/path/"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("language", ["", "de/"])
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(("width", "scheme", "scripts"), [(1280, "light", True), (360, "dark", False)])
def test_a_page_fits_its_window_stays_on_its_host_and_has_no_barrier(
    browser: Browser, hosted: str, name: str, language: str, width: int, scheme: str, scripts: bool
) -> None:
    context = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme, "java_script_enabled": scripts}
    with shown(browser, hosted + language + name, **context) as (page, requests, errors):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert outside(page) == []
        assert [url for url in requests if not url.startswith(hosted)] == []
        assert errors == []
        if scripts:
            assert barriers(page) == []


def test_a_page_without_scripts_leads_to_every_other(browser: Browser, hosted: str) -> None:
    with shown(browser, hosted + "index.html", java_script_enabled=False) as (page, _, errors):
        page.locator("#checks").get_by_role("link", name="check-2", exact=True).click()
        assert page.url == urljoin(hosted, "checks/check-2.html")
        page.get_by_role("link", name="All checks").click()
        page.get_by_role("link", name="Deutsch").click()
        assert page.url == urljoin(hosted, "de/index.html")
        page.get_by_role("link", name="Die neuesten Einträge").click()
        page.get_by_text("ganzer Eintrag").last.click()
        assert page.locator("details[open] pre").is_visible()
        assert errors == []


def test_a_page_opened_from_a_disk_has_its_style_and_pictures(browser: Browser, site: Path) -> None:
    with shown(browser, (site / "index.html").as_uri()) as (page, _, errors):
        assert page.evaluate("getComputedStyle(document.querySelector('.card')).borderRadius") == "12px"
        assert page.locator("#history .wide svg .point").count() == 3
        assert errors == []


def test_german_headings_have_no_english_left(browser: Browser, hosted: str) -> None:
    found = []
    for language in ("", "de/"):
        with shown(browser, hosted + language + "index.html") as (page, _, _errors):
            found.append(set(page.locator("h1 .chip, h2, thead th, dt, nav a").all_inner_texts()))
    same = {text for text in found[0] & found[1] if len([letter for letter in text if letter.isalpha()]) > 3}
    assert same <= {"Register", "Feed", "HALT", "hash", "R = ΔA/S"}
