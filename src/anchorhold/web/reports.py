"""Reports of closed checks, each rendered once: a result never changes after its check was closed.

May import: anchorhold.checks, anchorhold.domain, anchorhold.report.
"""

from __future__ import annotations

import base64
import hashlib
import threading
from collections.abc import Sequence
from importlib import resources

from anchorhold.checks.state import CheckState
from anchorhold.domain.entries import Entry
from anchorhold.report.page import render_check_report
from anchorhold.report.texts import Language
from anchorhold.report.view import CheckView
from anchorhold.report.viewing import view_of_check

HOME = "../index.html"
"""What leads from a report to the first page."""


def view_of(entries: Sequence[Entry], state: CheckState, *, project: str | None) -> CheckView:
    """Show a closed check; the same as ``view_of_check`` of all entries, in a time that does not grow with them.

    What a report shows rests on the opening of the last check that closed its window and on what came after it.
    """
    assert state.closed is not None, "only a closed check has a report"
    after = state.plan.window.after
    near = entries[max(after - 1, 1) : state.closed.seq]
    return view_of_check([*entries[:1], *near], state.id, project=project)


class Reports:
    """Renders reports, and keeps them by the hash of the entry that holds the result."""

    MOST = 600

    def __init__(self) -> None:
        self._pages: dict[tuple[str, Language], str] = {}
        self._lock = threading.Lock()

    def page(self, entries: Sequence[Entry], state: CheckState, *, project: str | None, language: Language) -> str:
        """Return a report's page."""
        assert state.closed is not None, "only a closed check has a report"
        key = state.closed.hash, language
        if (known := self._pages.get(key)) is not None:
            return known
        with self._lock:  # drawing takes the better part of a second; nobody needs the same page twice
            if (known := self._pages.get(key)) is None:
                known = render_check_report(view_of(entries, state, project=project), language=language, home=HOME)
                if len(self._pages) >= self.MOST:
                    del self._pages[next(iter(self._pages))]
                self._pages[key] = known
        return known


def report_policy() -> str:
    """The policy under which a report is shown: nothing but what its own templates hold inline, named by digest."""
    templates = resources.files("anchorhold.report") / "templates"
    digests: dict[str, list[str]] = {"css": [], "js": []}
    for file in sorted(templates.iterdir(), key=lambda one: one.name):
        for kind in digests:
            if file.name.endswith(f".{kind}.j2"):
                # What stands between the tags of the page: Jinja drops the last line feed of what it includes.
                text = "\n" + file.read_text(encoding="utf-8").removesuffix("\n")
                digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
                digests[kind].append(f"'sha256-{digest}'")
    parts = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]
    for directive, kind in (("style-src", "css"), ("script-src", "js")):
        if digests[kind]:
            parts.append(f"{directive} {' '.join(digests[kind])}")
    return "; ".join(parts)
