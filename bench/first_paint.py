"""How soon a page shows something, and how heavy it is: report, games, site and dashboard in Chromium, over loopback.

    python bench/first_paint.py [--rounds N] [--slower FACTOR]

Each page is opened in a fresh browser context, with nothing kept from before; the figure is the median of the browser's
own ``first-contentful-paint``, in milliseconds since it began to ask for the page. ``--slower 4`` holds the processor
back as Lighthouse does for a phone. Prints each figure beside its limit; exit status 1 when one is missed. Needs what
the browser tests need: Chromium and playwright.
"""

import argparse
import functools
import http.server
import statistics
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser
from typer.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from anchorhold.cli.app import app
from browser.browsing import chromium
from checks.project import Project, gain, make_project
from web.samples import serving

PAINT_LIMIT = 1000.0
"""Milliseconds."""
WEIGHT_LIMIT = 1_000_000
"""Bytes of a page with all that it asks for."""
_PAINT = "performance.getEntriesByName('first-contentful-paint').map(entry => entry.startTime)[0]"
_WEIGHT = """[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .reduce((sum, entry) => sum + entry.encodedBodySize, 0)"""


def main() -> int:
    """Measure, print, and say whether every limit was met."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--slower", type=float, default=1.0)
    given = parser.parse_args()
    held = []
    with tempfile.TemporaryDirectory() as place, chromium() as browser:
        project = _played(Path(place))
        _run("report", "--games", "-o", str(project.directory / "report.html"), project=project)
        _run("site", "--games", "-o", str(project.directory / "site"), project=project)
        serve = serving(project.directory, "--register", "register.sqlite", "--config", "anchorhold.toml")
        with _files(project.directory) as static, serve as dashboard:
            addresses = {
                "report, from disk": (project.directory / "report.html").as_uri(),
                "report": f"{static}report.html",
                "games of an anchor": f"{static}report-games/1.html",
                "site, first page": f"{static}site/index.html",
                "site, a page of the register": f"{static}site/register/1.html",
                "dashboard, first page": dashboard.address,
                "dashboard, a report": f"{dashboard.address}checks/check-1.html",
                "dashboard, search": f"{dashboard.address}register/search.html?q=check",
            }
            for name, address in addresses.items():
                paint, weight = _opened(browser, address, rounds=given.rounds, slower=given.slower)
                held.append(paint <= PAINT_LIMIT and weight <= WEIGHT_LIMIT)
                print(
                    f"{name:<30} {paint:7.0f} ms (limit {PAINT_LIMIT:.0f})"
                    f" {weight / 1000:8.1f} kB (limit {WEIGHT_LIMIT / 1000:.0f})"
                )
    return int(not all(held))


def _played(place: Path) -> Project:
    project = make_project(place / "project", pairs=20, direct=10)
    project.pin()
    project.append("gain_test", gain(12.0))
    project.run("v1", "v2")
    return project


def _run(*words: str, project: Project) -> None:
    done = CliRunner().invoke(app, [*words, "--config", str(project.config_path)], catch_exceptions=False)
    assert done.exit_code == 0, done.stderr


@contextmanager
def _files(directory: Path) -> Iterator[str]:
    """Serve a folder as any plain host does."""
    handler = functools.partial(_Quiet, directory=str(directory))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing of a request."""


def _opened(browser: Browser, address: str, *, rounds: int, slower: float) -> tuple[float, int]:
    """Return the median time of the first paint, and the bytes that came."""
    times, weight = [], 0
    for _ in range(rounds):
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        if slower > 1:
            context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
        page.goto(address, wait_until="load")
        # Asked for by the debugger, again and again: a waiting script would be refused by the page's policy.
        while (paint := page.evaluate(_PAINT)) is None:
            page.wait_for_timeout(50)
        times.append(float(paint))
        weight = int(page.evaluate(_WEIGHT)) or len(page.content().encode())
        context.close()
    return statistics.median(times), weight


if __name__ == "__main__":
    sys.exit(main())
