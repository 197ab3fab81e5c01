"""Reports of closed checks, each rendered once: a result never changes after its check was closed.

May import: anchorhold.checks, anchorhold.domain, anchorhold.report, anchorhold.web.
"""

from __future__ import annotations

import base64
import hashlib
import threading
from collections.abc import Sequence
from importlib import resources
from typing import Any

from anchorhold.checks.state import CheckState
from anchorhold.domain.entries import Entry
from anchorhold.report.languages import Language
from anchorhold.report.page import render_check_report
from anchorhold.report.view import CheckView, GamesDigest
from anchorhold.report.viewing import view_of_check
from anchorhold.web import addresses
from anchorhold.web.games import GamesOnDisk, file_of_games, with_links

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

    def __init__(self, games: GamesOnDisk) -> None:
        self._games = games
        self._views: dict[str, CheckView] = {}
        self._pages: dict[tuple[str, Language, tuple[GamesDigest, ...]], str] = {}
        self._lock = threading.Lock()

    def page(self, entries: Sequence[Entry], state: CheckState, *, project: str | None, language: Language) -> str:
        """Return a report's page; it leads to the games where they lie on this disk."""
        assert state.closed is not None, "only a closed check has a report"
        view = self.view(entries, state, project=project)
        files = self._games.files(view)
        key = state.closed.hash, language, tuple(files)
        if (known := self._pages.get(key)) is not None:
            return known
        with self._lock:  # drawing takes the better part of a second; nobody needs the same page twice
            if (known := self._pages.get(key)) is None:
                linked = with_links(view, files, games_folder(state))
                known = self._pages[key] = render_check_report(linked, language=language, home=HOME)
                _keep(self._pages, self.MOST)
        return known

    def games(
        self, entries: Sequence[Entry], state: CheckState, name: str, *, project: str | None, language: Language
    ) -> tuple[str, str] | None:
        """Return a page of a check's games, or their PGN, with its type; None when there is none of that name.

        Raises
        ------
        BadInput
            The file of the games cannot be read.
        """
        view = self.view(entries, state, project=project)
        home = f"../{games_folder(state)}.html"
        return file_of_games(view, self._games.meetings(view), name, language=language, home=home)

    def view(self, entries: Sequence[Entry], state: CheckState, *, project: str | None) -> CheckView:
        """Return what is known of a closed check."""
        assert state.closed is not None, "only a closed check has a report"
        known = self._views.get(state.closed.hash)
        if known is None:
            known = self._views[state.closed.hash] = view_of(entries, state, project=project)
            _keep(self._views, self.MOST)
        return known


def games_folder(state: CheckState) -> str:
    """Return the folder of the pages of a check's games, beside its report."""
    return addresses.check_page(state.id, state.opened.seq).rpartition("/")[2].removesuffix(".html")


def _keep(known: dict[Any, Any], most: int) -> None:
    """Forget what came first when there is more than that."""
    while len(known) > most:
        known.pop(next(iter(known)), None)


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
