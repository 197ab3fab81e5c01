"""Takes the README's picture from a real report: ``python scripts/make_picture.py demo/run-1/report.html``.

The top of the page in a real browser, as a reader meets it. May import: playwright.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

WIDTH, HEIGHT = 960, 760


def main() -> None:
    """Open the page, take the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", type=Path)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent.parent / "docs" / "demo.png")
    parser.add_argument("--browser", default=shutil.which("chromium"), help="a Chromium")
    arguments = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=arguments.browser, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=1.5)
        page.goto(arguments.report.absolute().as_uri())
        page.screenshot(path=arguments.output)
        browser.close()
    print(arguments.output)


if __name__ == "__main__":
    main()
