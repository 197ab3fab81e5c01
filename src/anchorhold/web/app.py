"""The live dashboard as an ASGI application: the site's pages, from a register and journals that go on.

Every address only reads. May import: starlette, anchorhold.checks, anchorhold.errors, anchorhold.report,
anchorhold.register, anchorhold.web.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from anchorhold.checks.state import CheckState
from anchorhold.domain.entries import KINDS
from anchorhold.errors import BadInput
from anchorhold.register import exporting
from anchorhold.report.badge import badge_json, badge_svg
from anchorhold.report.languages import LANGUAGES, Language
from anchorhold.web import addresses
from anchorhold.web.badges import badge_of
from anchorhold.web.board import board_svg
from anchorhold.web.feed import atom
from anchorhold.web.followed import Match, Matches
from anchorhold.web.games import GamesOnDisk
from anchorhold.web.guard import Access, Guard
from anchorhold.web.pages import Frame, first_page, matches_part, message_page, register_page, search_page, style
from anchorhold.web.reports import Reports, report_policy
from anchorhold.web.texts import texts_in
from anchorhold.web.watch import Seen, Watch

REFRESH = 10
"""Seconds after which a browser without scripts loads the first page again."""
LONGEST_SEARCH = 200


class Dashboard:
    """Answers requests from a watched register and followed journals."""

    def __init__(self, watch: Watch, matches: Matches, games: GamesOnDisk) -> None:
        self._watch = watch
        self._matches = matches
        self._reports = Reports(games)
        self._lock = threading.Lock()
        self._first: dict[Language, tuple[object, str]] = {}
        self._part: dict[Language, tuple[object, str]] = {}

    def routes(self) -> list[Route]:
        """Return all addresses."""
        found = [
            Route("/style.css", self.style),
            Route("/live.js", self.script),
            Route("/icon.svg", self.icon),
            Route("/badge.svg", self.badge_picture),
            Route("/badge.json", self.badge),
            Route("/register.jsonl", self.export),
            Route("/boards/{match:int}-{pairs:int}.svg", self.board),
        ]
        for language in LANGUAGES:
            under = "/" + addresses.folder(language)
            found += [
                Route(under, self.first),
                Route(under + "index.html", self.first),
                Route(under + "matches.html", self.matches),
                Route(under + "feed.xml", self.feed),
                Route(under + "checks/{name}.html", self.report),
                Route(under + "checks/{name}/{file}", self.games),
                Route(under + "register/search.html", self.search),
                Route(under + "register/{number:int}.html", self.register),
            ]
        return found

    def warm(self) -> None:
        """Draw one page of each kind, so that the first to come does not wait for catalogues and libraries."""
        seen = self._watch.seen()
        closed = [state for state in seen.overview.states if state.closed is not None]
        for language in LANGUAGES:
            first_page(seen.overview, _frame(seen, language, "index.html"), matches=())
            register_page(seen.entries, seen.overview, 1, _frame(seen, language, addresses.register_page(1)))
            for state in closed[-1:]:
                self._reports.page(seen.entries, state, project=seen.overview.project, language=language)

    def first(self, request: Request) -> Response:
        """The first page, with the matches."""
        seen, language = self._watch.seen(), _language(request)
        matches = self._shown(seen)
        key = (seen.mark, matches)
        # The same for everybody who looks: a page is made once for every change.
        known = self._first.get(language)
        if known is None or known[0] != key:
            page = first_page(seen.overview, _frame(seen, language, "index.html", refresh=REFRESH), matches=matches)
            known = self._first[language] = (key, page)
        return _page(request, known[1], seen)

    def matches(self, request: Request) -> Response:
        """The matches alone, for the script of the first page: what grows while games are played is small."""
        seen, language = self._watch.seen(), _language(request)
        matches = self._shown(seen)
        key = (seen.mark, matches)
        known = self._part.get(language)
        if known is None or known[0] != key:
            part = matches_part(matches, Frame(language, "index.html", live=True, mark=seen.mark))
            known = self._part[language] = (key, part)
        return _answer(request, known[1], "text/html")

    def register(self, request: Request) -> Response:
        """A page of the register."""
        seen, language = self._watch.seen(), _language(request)
        number = int(request.path_params["number"])
        if not 1 <= number <= addresses.page_of_entry(max(len(seen.entries), 1)):
            raise HTTPException(404)
        frame = _frame(seen, language, addresses.register_page(number))
        return _page(request, register_page(seen.entries, seen.overview, number, frame), seen)

    def search(self, request: Request) -> Response:
        """What a search found in the register."""
        seen, language = self._watch.seen(), _language(request)
        words = request.query_params.get("q", "")[:LONGEST_SEARCH]
        kind = request.query_params.get("kind", "")
        kind = kind if kind in KINDS else ""
        found = seen.found(words, kind)
        last = addresses.page_of_entry(max(len(found), 1))
        given = request.query_params.get("page", "1")
        number = min(int(given), last) if given.isascii() and given.isdecimal() and len(given) < 9 else 1
        frame = _frame(seen, language, "register/search.html")
        page = search_page(found, seen.overview, frame, words=words, kind=kind, number=max(number, 1))
        return _page(request, page, seen)

    def report(self, request: Request) -> Response:
        """The report of a closed check."""
        seen, language = self._watch.seen(), _language(request)
        state, project = _closed(seen, request), seen.overview.project
        page = self._reports.page(seen.entries, state, project=project, language=language)
        return _as_report(_page(request, page, seen))

    def games(self, request: Request) -> Response:
        """A page of the games against one opponent, or their PGN."""
        seen, language = self._watch.seen(), _language(request)
        state, project = _closed(seen, request), seen.overview.project
        try:
            found = self._reports.games(
                seen.entries, state, request.path_params["file"], project=project, language=language
            )
        except BadInput as error:
            raise HTTPException(404) from error
        if found is None:
            raise HTTPException(404)
        return _as_report(_answer(request, found[1], found[0]))

    def feed(self, request: Request) -> Response:
        """The feed."""
        seen, language = self._watch.seen(), _language(request)
        return _answer(request, atom(seen.entries, seen.overview, texts_in(language)), "application/atom+xml")

    def badge_picture(self, request: Request) -> Response:
        """The badge, as a picture."""
        return _answer(request, badge_svg(badge_of(self._watch.seen().overview.answer)), "image/svg+xml")

    def badge(self, request: Request) -> Response:
        """The badge, for shields.io."""
        shown = badge_json(badge_of(self._watch.seen().overview.answer))
        return _answer(request, json.dumps(shown, ensure_ascii=False) + "\n", "application/json")

    def export(self, request: Request) -> Response:
        """The entries that hold, as an export."""
        lines = b"".join(map(exporting.export_line, self._watch.seen().entries))
        return _answer(request, lines, "application/x-ndjson")

    def board(self, request: Request) -> Response:
        """The last position of a match."""
        wanted = int(request.path_params["match"])
        for match in self._shown(self._watch.seen()):
            if match.number == wanted and match.last is not None:
                return _answer(request, board_svg(match.last.record, match.last.game), "image/svg+xml")
        raise HTTPException(404)

    def style(self, request: Request) -> Response:
        """The stylesheet."""
        return _answer(request, style(), "text/css")

    def script(self, request: Request) -> Response:
        """The script that keeps the first page up to date."""
        return _answer(request, _static("live.js"), "text/javascript")

    def icon(self, request: Request) -> Response:
        """The picture in a browser's tab."""
        return _answer(request, _static("icon.svg"), "image/svg+xml")

    def _shown(self, seen: Seen) -> tuple[Match, ...]:
        with self._lock:
            self._matches.look()
            return self._matches.shown(seen.checks)


def application(
    watch: Watch, *, data: Sequence[Path] = (), places: Sequence[Path] = (), access: Access, warm: bool = False
) -> ASGIApp:
    """Make the dashboard of a register.

    Parameters
    ----------
    data, places
        As for ``followed.Matches``.
    access : Access
        Who is answered.
    warm : bool
        Draw a page of each kind before the first is asked for.
    """
    dashboard = Dashboard(watch, Matches(data=data, places=places), GamesOnDisk(data))
    if warm:
        dashboard.warm()
    app = Starlette(routes=dashboard.routes(), exception_handlers={HTTPException: _not_there})
    return Guard(app, access=access)


def _not_there(request: Request, _error: Exception) -> Response:
    language = _language(request)
    texts = texts_in(language)
    path = request.url.path.lstrip("/").removeprefix("de/")
    page = message_page(
        Frame(language, path, live=True),
        texts.gettext("There is no such page"),
        texts.gettext("The register may hold less than the address says."),
    )
    return HTMLResponse(page, 404)


def _language(request: Request) -> Language:
    return "de" if request.url.path.startswith("/de/") else "en"


def _frame(seen: Seen, language: Language, path: str, *, refresh: int | None = None) -> Frame:
    texts = texts_in(language)
    verified = texts.gettext(
        "The chain was verified up to entry {count} at {moment}.",
        count=texts.whole(seen.verified_entries),
        moment=seen.verified_at.replace("T", " ").removesuffix("Z") + " UTC",
    )
    if len(seen.entries) > seen.verified_entries:
        verified += " " + texts.gettext("Each later entry was verified when it came.")
    return Frame(language, path, live=True, refresh=refresh, verified=verified, notice=seen.unreachable, mark=seen.mark)


def _closed(seen: Seen, request: Request) -> CheckState:
    """The closed check that an address names."""
    wanted = f"checks/{request.path_params['name']}.html"
    for line, state in zip(seen.overview.checks, seen.overview.states, strict=True):
        if line.page == wanted and state.closed is not None:
            return state
    raise HTTPException(404)


def _as_report(answer: Response) -> Response:
    """Allow a report's own style."""
    answer.headers["Content-Security-Policy"] = report_policy()
    return answer


def _page(request: Request, text: str, seen: Seen) -> Response:
    """A page; 503 when the register cannot be read at all, so that a monitor sees it."""
    answer = _answer(request, text, "text/html")
    if answer.status_code == 200 and seen.unreachable and not seen.entries:
        answer.status_code = 503
    return answer


def _answer(request: Request, content: str | bytes, kind: str) -> Response:
    data = content.encode() if isinstance(content, str) else content
    tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
    if tag in [given.strip().removeprefix("W/") for given in request.headers.get("if-none-match", "").split(",")]:
        return Response(status_code=304, headers={"ETag": tag})
    return Response(data, media_type=kind, headers={"ETag": tag})


def _static(name: str) -> str:
    return (resources.files("anchorhold.web") / "static" / name).read_text(encoding="utf-8")
