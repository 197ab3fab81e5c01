"""What the browser tests share: Chromium, a page with all that it asked for and all that went wrong, and axe."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which

from playwright.sync_api import Browser, Page, sync_playwright

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
AXE = Path(__file__).parents[2] / ".tools" / "node_modules" / "axe-core" / "axe.min.js"


@contextmanager
def chromium() -> Iterator[Browser]:
    program = which("chromium") or which("chromium-browser") or which("google-chrome")
    assert program, "these tests need Chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=list(QUIET))
        yield started
        started.close()


@contextmanager
def shown(browser: Browser, address: str, **context: object) -> Iterator[tuple[Page, list[str], list[str]]]:
    """Open a page; gives what it asked for, and what went wrong."""
    opened = browser.new_context(**context)  # type: ignore[arg-type]
    page = opened.new_page()
    requests: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: errors.append(message.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address)
    yield page, requests, errors
    opened.close()


def barriers(page: Page) -> list[str]:
    """What axe finds serious or critical on a page."""
    assert AXE.is_file(), "these tests need axe-core: scripts/setup.sh test"
    # Evaluated by the debugger, which the page's policy does not bind.
    page.evaluate(AXE.read_text(encoding="utf-8") + "\n;0")
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(found => JSON.stringify(found))")
    return [
        f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:160]}"
        for one in json.loads(found)["violations"]
        if one["impact"] in ("serious", "critical")
    ]


def outside(page: Page) -> list[str]:
    """Elements that reach beyond the window's right edge, tables that scroll left out."""
    found = page.evaluate(
        """() => [...document.querySelectorAll('h1,h2,h3,p,dt,dd,svg,img,figure,.chip,pre,td,th,input,select,button')]
            .filter(e => e.offsetParent !== null || e instanceof SVGElement)
            .filter(e => !e.closest('.table') && !e.closest('pre'))
            .filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 90))"""
    )
    assert isinstance(found, list)
    return found
