"""The report in a real browser: no overflow, no request, no error, no script; light, dark, printed, both languages."""

from collections.abc import Iterator
from pathlib import Path
from shutil import which

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from anchorhold.report.languages import Language
from anchorhold.report.page import render_check_report
from anchorhold.report.view import CheckView
from browser.browsing import barriers
from report.samples import bare, case, defective

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PICTURES = 7
"""Of a document: scale, fall, chances, forest, pairs, boxes, lights."""
VIEWS = {"whole": case("case-15"), "far": case("case-01"), "gap": case("case-12"), "defective": defective()}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = which("chromium") or which("chromium-browser") or which("google-chrome")
    assert program, "these tests need Chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=list(QUIET))
        yield started
        started.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


def written(folder: Path, name: str, view: CheckView, language: Language) -> Path:
    path = folder / f"{name}.{language}.html"
    if not path.exists():
        path.write_text(render_check_report(view, language=language), encoding="utf-8")
    return path


def shown(browser: Browser, path: Path, **context: object) -> tuple[Page, list[str], list[str]]:
    """Open a page and collect what it asked for beside itself, and what went wrong."""
    page = browser.new_context(**context).new_page()  # type: ignore[arg-type]
    requests: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: errors.append(message.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(path.as_uri())
    return page, [url for url in requests if url != path.as_uri()], errors


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", list(VIEWS))
@pytest.mark.parametrize("width", [360, 1280])
def test_a_page_fits_its_window_and_asks_for_nothing(
    browser: Browser, pages: Path, name: str, language: Language, width: int
) -> None:
    path = written(pages, name, VIEWS[name], language)
    page, requests, errors = shown(browser, path, viewport={"width": width, "height": 800}, java_script_enabled=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    outside = page.evaluate(
        """() => [...document.querySelectorAll('h1,h2,h3,p,dt,dd,svg,figure,.chip,pre,td,th')]
            .filter(e => e.offsetParent !== null || e instanceof SVGElement)
            .filter(e => !e.closest('.table'))
            .filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 80))"""
    )
    assert outside == []
    # What scrolls sideways can be reached by the keyboard.
    assert page.evaluate("[...document.querySelectorAll('.table')].every(e => e.tabIndex === 0 && e.ariaLabel)")
    assert requests == []
    assert errors == []
    page.context.close()


def test_each_picture_is_shown_once_in_the_width_that_fits(browser: Browser, pages: Path) -> None:
    path = written(pages, "whole", VIEWS["whole"], "en")
    for width, seen, hidden in ((360, "narrow", "wide"), (1280, "wide", "narrow")):
        page, _, _ = shown(browser, path, viewport={"width": width, "height": 800})
        assert page.locator(f"figure .{seen} > svg").count() == PICTURES
        assert all(page.locator(f"figure .{seen}").nth(number).is_visible() for number in range(PICTURES))
        assert not any(page.locator(f"figure .{hidden}").nth(number).is_visible() for number in range(PICTURES))
        page.context.close()


def test_no_text_of_a_picture_is_smaller_than_ten_pixels_or_cut_off(browser: Browser, pages: Path) -> None:
    for name in VIEWS:
        for language in ("en", "de"):
            path = written(pages, name, VIEWS[name], language)
            page, _, _ = shown(browser, path, viewport={"width": 360, "height": 800})
            bad = page.evaluate(
                """() => [...document.querySelectorAll('figure .narrow svg')].flatMap(svg => {
                    const box = svg.getBoundingClientRect(), scale = box.width / svg.viewBox.baseVal.width;
                    return [...svg.querySelectorAll('text')].filter(t => t.textContent).map(t => {
                        const r = t.getBoundingClientRect();
                        const size = parseFloat(t.getAttribute('font-size')) * scale;
                        return size < 9.9 || r.left < box.left - 1 || r.right > box.right + 1 ? t.textContent : '';
                    }).filter(Boolean);
                })"""
            )
            assert bad == []
            page.context.close()


def test_a_page_needs_no_script(browser: Browser, pages: Path) -> None:
    path = written(pages, "whole", VIEWS["whole"], "en")
    page, requests, errors = shown(browser, path, viewport={"width": 360, "height": 800}, java_script_enabled=False)
    assert page.locator("h1").inner_text() == "HALT"
    assert page.locator("#steps li").count() == 5
    assert (requests, errors) == ([], [])
    page.context.close()


def test_a_picture_is_enlarged_to_the_whole_window_without_a_script_and_put_back(browser: Browser, pages: Path) -> None:
    path = written(pages, "whole", VIEWS["whole"], "en")
    for width in (360, 1280):
        page, _, _ = shown(browser, path, viewport={"width": width, "height": 800}, java_script_enabled=False)
        figure = page.locator("#picture-anchors")
        before = figure.bounding_box()
        figure.get_by_role("link", name="Enlarge").click()
        enlarged = figure.bounding_box()
        assert before is not None
        assert enlarged is not None
        assert (enlarged["x"], enlarged["y"], enlarged["width"], enlarged["height"]) == (0, 0, width, 800)
        assert figure.locator(".wide > svg").evaluate("svg => svg.getBoundingClientRect().width") >= 1152
        figure.get_by_role("link", name="Back to the page").click()
        after = figure.bounding_box()
        assert after is not None
        assert (after["width"], after["height"]) == (before["width"], before["height"])
        page.context.close()


def test_dark_and_light_differ_and_text_stays_legible_in_both(browser: Browser, pages: Path) -> None:
    path = written(pages, "whole", VIEWS["whole"], "en")
    grounds = []
    for scheme in ("light", "dark"):
        page, _, _ = shown(browser, path, color_scheme=scheme)
        grounds.append(page.evaluate("getComputedStyle(document.querySelector('.card')).backgroundColor"))
        # Contrast by WCAG 2 of every text against its nearest ground; in pictures against the zone or the card.
        low = page.evaluate(
            """() => {
                const rgb = c => c.match(/[0-9.]+/g).map(Number);
                const light = c => { const [r, g, b] = rgb(c).map(v => v / 255)
                    .map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
                    return .2126 * r + .7152 * g + .0722 * b; };
                const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
                    return (x + .05) / (y + .05); };
                const ground = e => { for (; e; e = e.parentElement) {
                    const c = getComputedStyle(e).backgroundColor;
                    if (rgb(c).length === 3 || rgb(c)[3] > 0) return c; } return 'rgb(255, 255, 255)'; };
                const zones = {};
                for (const name of ['halt', 'warn', 'continue', 'card', 'arrived']) {
                    const probe = document.createElement('i'); probe.style.color = `var(--${name})`;
                    document.body.append(probe); zones[name] = getComputedStyle(probe).color; probe.remove(); }
                const found = [];
                for (const e of document.querySelectorAll('h1 span,h2,h3,p,dt,dd,td,th,a,pre,caption')) {
                    const c = ratio(getComputedStyle(e).color, ground(e));
                    if (c < 4.5) found.push([e.tagName, e.textContent.slice(0, 30), c]); }
                for (const t of document.querySelectorAll('figure svg text')) {
                    const fill = t.getAttribute('fill'), ground = fill.includes('--card') ? 'arrived' : 'card';
                    const zone = (fill.match(/--(halt|warn|continue)-ink/) || [])[1] || ground;
                    const c = ratio(getComputedStyle(t).fill, zones[zone]);
                    if (c < 4.5) found.push(['text', t.textContent, c]); }
                return found;
            }"""
        )
        assert low == []
        page.context.close()
    assert grounds[0] != grounds[1]


def test_a_printed_page_is_light_and_whole(browser: Browser, pages: Path, tmp_path: Path) -> None:
    path = written(pages, "whole", VIEWS["whole"], "en")
    page, _, _ = shown(browser, path, color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size({"width": 690, "height": 1000})  # the text width of A4 at 96 pixels an inch
    assert page.locator("figure .wide").first.is_visible()
    assert not page.locator("figure .narrow").first.is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 690
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('h2')).color") == "rgb(27, 35, 48)"
    printed = page.pdf(path=tmp_path / "report.pdf", format="A4")
    assert printed.startswith(b"%PDF")
    assert 2 <= printed.count(b"/Type /Page\n") <= 14
    page.context.close()


def test_german_headings_have_no_english_left(browser: Browser, pages: Path) -> None:
    titles = {}
    for language in ("en", "de"):
        page, _, _ = shown(browser, written(pages, "whole", VIEWS["whole"], language))
        titles[language] = page.locator("h2, h3, nav a, th, dt").all_inner_texts()
        assert page.locator("html").get_attribute("lang") == language
        page.context.close()
    names = {anchor.name for anchor in VIEWS["whole"].result.anchors}
    # The same in both languages: letters of the formulas, numbers, and words that German took over.
    same = {text for text in titles["de"] if text in titles["en"]} - names
    words = {text for text in same if len([letter for letter in text if letter.isalpha()]) > 4}
    assert {text.split("\n")[0].rstrip(":") for text in words} <= {"Version", "SHA-256", "Threads", "Hash (MB)", "ID"}


def test_a_german_page_has_no_reason_left_in_english(browser: Browser, pages: Path) -> None:
    for name in VIEWS:
        page, _, _ = shown(browser, written(pages, name, VIEWS[name], "de"))
        assert page.locator("[lang=en]").all_inner_texts() == []
        page.context.close()
    page, _, _ = shown(browser, written(pages, "defective", VIEWS["defective"], "de"))
    assert "die Zählung −4 ist negativ" in page.locator("#findings").inner_text()
    page.context.close()


@pytest.mark.parametrize(("name", "scheme"), [("whole", "dark"), ("defective", "light")])
def test_axe_finds_no_barrier(browser: Browser, pages: Path, name: str, scheme: str) -> None:
    page, _, _ = shown(browser, written(pages, name, VIEWS[name], "en"), color_scheme=scheme)
    assert barriers(page) == []
    page.context.close()


def test_a_result_alone_is_shown_as_well(browser: Browser, pages: Path) -> None:
    page, requests, errors = shown(browser, written(pages, "bare", bare("case-28"), "en"))
    assert page.locator(".sentence").first.inner_text().startswith("R = 0.16")
    assert (requests, errors) == ([], [])
    page.context.close()
