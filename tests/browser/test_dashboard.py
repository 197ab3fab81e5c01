"""The dashboard in a real browser: counts that change without a reload, with and without scripts, and by axe."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from anchorhold.matches.journal import Journal
from browser.browsing import barriers, chromium, outside, shown
from web.samples import EVIL, Running, match_words, pair, register_at, serving

PAGES = ["", "de/", "register/search.html?q=check", "de/register/2.html", "checks/check-2.html", "nothing"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    directory = tmp_path_factory.mktemp("served")
    register_at(directory / "r.sqlite", halts=True)
    with Journal.open(directory / "a.journal", plan={"engines": [{"name": EVIL}, {"name": "Beta"}]}) as journal:
        for number in range(1, 4):
            journal.add(pair(number, endpoint=EVIL, fault="first"))
    with serving(directory, "--register", "r.sqlite") as running:
        yield running


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (360, "light")])
def test_a_page_fits_its_window_and_has_no_barrier(
    browser: Browser, served: Running, name: str, width: int, scheme: str
) -> None:
    context = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
    with shown(browser, served.address + name, **context) as (page, requests, errors):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert outside(page) == []
        assert [url for url in requests if not url.startswith(served.address)] == []
        if name != "nothing":  # there the browser notes the status 404
            assert errors == []
        assert barriers(page) == []


def test_an_engine_called_script_is_shown_as_such_and_runs_nothing(browser: Browser, served: Running) -> None:
    with shown(browser, served.address) as (page, _, errors):
        page.on("dialog", lambda _: pytest.fail("a script of a name ran"))
        expect(page.locator("#matches h3").first).to_contain_text(EVIL)
        expect(page.locator("#connection")).to_contain_text("updated at")
        assert page.locator("#matches script").count() == 0
        assert errors == []


def test_the_board_is_drawn(browser: Browser, served: Running) -> None:
    with shown(browser, served.address) as (page, _, _errors):
        assert page.evaluate("document.querySelector('.board img').naturalWidth") > 0


def test_without_scripts_the_page_loads_itself_again(browser: Browser, served: Running) -> None:
    with shown(browser, served.address, java_script_enabled=False) as (page, _, errors):
        assert page.locator('noscript meta[http-equiv="refresh"]').count() == 1
        page.get_by_role("link", name="Search").click()
        page.get_by_label("words").fill("check-2")
        page.get_by_label("kind").select_option("check_closed")
        page.get_by_role("button", name="Search").click()
        expect(page.locator("article")).to_have_count(1)
        assert errors == []


def test_a_match_and_the_register_are_followed_without_a_reload(browser: Browser, tmp_path: Path) -> None:
    from anchorhold.register.store import Register

    register = register_at(tmp_path / "r.sqlite")
    command = match_words(tmp_path / "live.journal", rounds=500, milliseconds=5)
    with serving(tmp_path, "--register", "r.sqlite") as running:
        with shown(browser, running.address) as (page, requests, errors):
            expect(page.locator("#matches")).to_contain_text("No match was played")
            page.evaluate("window.still = true")
            match = subprocess.Popen(
                command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ)
            )
            try:
                playing = page.locator("#matches .state-playing")
                expect(playing).to_have_text("being played", timeout=60_000)
                count = page.locator("#matches .count")
                expect(count).not_to_have_text("0 pairs", timeout=60_000)
                first = count.inner_text()
                expect(count).not_to_have_text(first, timeout=60_000)
                with Journal.read(tmp_path / "live.journal") as journal:
                    assert int(count.inner_text().split()[0]) <= len(journal)
                with Register.open(str(register)) as opened:
                    seq = opened.append("note", {"text": "while you look"}, author="Ada").seq
                expect(page.locator("#register")).to_contain_text(
                    f"entries\n{seq}", timeout=60_000, use_inner_text=True
                )
            finally:
                match.send_signal(signal.SIGINT)
                match.wait(timeout=60)
            expect(page.locator("#matches .state-paused")).to_have_text("not being played", timeout=60_000)
            assert page.evaluate("window.still") is True
            assert errors == []
        # While games are played only the matches are asked for; the whole page when the register grew.
        assert requests.count(f"{running.address}matches.html") > 2
        assert requests.count(running.address) == 2


def test_counts_that_a_reader_opened_stay_open_when_a_match_begins_above_them(browser: Browser, tmp_path: Path) -> None:
    register_at(tmp_path / "r.sqlite")
    plan = {"engines": [{"name": "Alpha"}, {"name": "Beta"}]}
    with Journal.open(tmp_path / "a.journal", plan=plan) as journal:
        journal.add(pair(1))
    with serving(tmp_path, "--register", "r.sqlite") as running, shown(browser, running.address) as (page, _, errors):
        page.locator("#match-1").get_by_text("Counts").click()
        assert page.locator("#match-1 table").is_visible()
        with Journal.open(tmp_path / "b.journal", plan=plan) as journal:
            for number in (1, 2):
                journal.add(pair(number))
                count = page.locator("#match-1 .count")
                expect(count).to_have_text(f"{number} pair{'s' if number > 1 else ''}", timeout=60_000)
                expect(page.locator("#match-1 .state-playing")).to_be_visible(timeout=60_000)
                expect(page.locator("#match-2 table")).to_be_visible()
        assert errors == []


def test_a_page_says_when_its_server_is_gone(browser: Browser, tmp_path: Path) -> None:
    register_at(tmp_path / "r.sqlite")
    with serving(tmp_path, "--register", "r.sqlite") as running:
        opened = browser.new_page()
        opened.goto(running.address)
        expect(opened.locator("#connection")).to_contain_text("updated at")
    expect(opened.locator("#connection")).to_contain_text("no answer since", timeout=60_000)
    opened.close()


def test_the_token_leads_in_and_leaves_the_address(browser: Browser, tmp_path: Path) -> None:
    register_at(tmp_path / "r.sqlite")
    with serving(tmp_path, "--register", "r.sqlite", "--token", "a-token-of-some-length") as running:
        base, _, query = running.address.partition("?")
        with shown(browser, base) as (page, _, _errors):
            assert barriers(page) == []
            page.get_by_label("token").fill("a-token-of-some-length")
            page.get_by_role("button", name="Go on").click()
            expect(page.locator("#gate")).to_contain_text("Sparrow")
            assert query.partition("=")[2] not in page.url
