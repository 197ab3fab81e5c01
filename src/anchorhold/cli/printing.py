"""A page as PDF: printed by a Chromium that is on this machine, without network.

No package of Python prints pages as a browser does and stays light, and who reads reports has a browser.
May import: anchorhold.errors.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from anchorhold.errors import BadInput

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
TIMEOUT = 120.0
"""Seconds after which a browser that does not print is given up."""


def print_page(page: str, path: Path) -> None:
    """Print a page into a PDF file.

    Parameters
    ----------
    page : str
        A whole HTML document that needs nothing else.
    path : Path
        What is written.

    Raises
    ------
    BadInput
        No Chromium is installed, it does not print, or the file cannot be written.
    """
    program = next((found for name in PROGRAMS if (found := shutil.which(name))), None)
    if program is None:
        raise BadInput(
            "no Chromium is installed, and it is what prints the page",
            where="--pdf",
            next_step="Install one (Debian: apt-get install chromium), or print the page from a browser.",
        )
    with tempfile.TemporaryDirectory(prefix="anchorhold-pdf-") as folder:
        source, made = Path(folder) / "report.html", Path(folder) / "report.pdf"
        source.write_text(page, encoding="utf-8")
        _run(program, source, made, profile=Path(folder) / "profile")
        try:
            # Within the target's directory first, so that no half of a file is ever seen under its name.
            half = path.absolute().with_name(f".{path.name}.part")
            shutil.copyfile(made, half)
            half.replace(path)
        except OSError as error:
            raise BadInput(f"cannot be written: {error.strerror}", where=str(path)) from error


def _run(program: str, source: Path, made: Path, *, profile: Path) -> None:
    command = [
        program,
        "--headless",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        f"--user-data-dir={profile}",
        "--no-pdf-header-footer",
        f"--print-to-pdf={made}",
    ]
    if os.geteuid() == 0:
        # Chromium refuses to run its sandbox as root; the page is ours and runs no script.
        command.append("--no-sandbox")
    try:
        done = subprocess.run(
            [*command, source.as_uri()], capture_output=True, timeout=TIMEOUT, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BadInput(f"{program} does not print: {error}", where="--pdf") from error
    if done.returncode != 0 or not made.is_file():
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["it says nothing"]
        raise BadInput(f"{program} does not print (status {done.returncode}): {last[0]}", where="--pdf")
