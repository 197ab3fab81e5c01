"""What stands before every answer of the dashboard: only reading, a known host, the token, and headers that bind pages.

A page of another site must not reach a server on this machine through a name that it lets point here (DNS rebinding),
so a request must name a host that is known. May import: starlette, anchorhold.web.pages.
"""

from __future__ import annotations

import ipaddress
import secrets
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from anchorhold.report.languages import Language
from anchorhold.web.pages import Frame, message_page
from anchorhold.web.texts import texts_in

COOKIE = "anchorhold_token"
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self';"
    " base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


@dataclass(frozen=True, slots=True)
class Access:
    """Who is answered."""

    hosts: frozenset[str]
    """Names and addresses that a request may call this server by, in lower case, without a port."""
    any_address: bool = False
    """Any address in numbers will do: the server listens on all of them, and a name cannot lead to one unseen."""
    token: str | None = None
    """What must be shown; None: whoever reaches the server may read."""

    def knows(self, host: str) -> bool:
        """Whether a Host header names this server."""
        name = _without_port(host)
        return name in self.hosts or (self.any_address and _is_address(name))

    def allows(self, shown: str | None) -> bool:
        """Whether a token is the right one; takes the same time whatever it is."""
        return self.token is None or secrets.compare_digest((shown or "").encode(), self.token.encode())


class Guard:
    """Wraps the dashboard; see the head of this file."""

    def __init__(self, app: ASGIApp, *, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or let the dashboard answer."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1000})
                return
            await self._app(scope, receive, send)
            return

        async def bound(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in {"Content-Security-Policy": POLICY, **HEADERS}.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope)
        await (self._app if refusal is None else refusal)(scope, receive, bound)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("This server only reads.\n", 405, {"Allow": "GET, HEAD"})
        if not self._access.knows(headers.get("host", "")):
            return PlainTextResponse(
                "This server is not known by the name of this request.\n"
                "If it should be: anchorhold serve --allow-host NAME\n",
                421,
            )
        if self._access.token is None:
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = next((value for name, value in query if name == "token"), None)
        if given is not None and self._access.allows(given):
            return self._let_in(scope, [(name, value) for name, value in query if name != "token"])
        if self._access.allows(_bearer(headers)) or self._access.allows(_cookie(headers)):
            return None
        language: Language = "de" if scope["path"].startswith("/de/") else "en"
        texts = texts_in(language)
        path = scope["path"].lstrip("/").removeprefix("de/")
        page = message_page(
            Frame(language, path, live=True),
            texts.gettext("A token is needed"),
            texts.gettext("It was printed when the server was started."),
            ask_token=True,
        )
        return HTMLResponse(page, 401, {"WWW-Authenticate": "Bearer"})

    def _let_in(self, scope: Scope, query: list[tuple[str, str]]) -> Response:
        """Keep the token in a cookie that no script reads, and lead to the address without it."""
        target = scope["path"].split("/")[-1] or "./"  # relative: it cannot lead to another server
        answer = RedirectResponse(target + ("?" + urlencode(query) if query else ""), 303)
        assert self._access.token is not None
        answer.set_cookie(COOKIE, self._access.token, httponly=True, samesite="strict", path="/")
        answer.headers["Cache-Control"] = "no-store"
        return answer


def _bearer(headers: Headers) -> str | None:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def _cookie(headers: Headers) -> str | None:
    try:
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return None
    return None if cookie is None else cookie.value


def _without_port(host: str) -> str:
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0].rstrip(".") if host.count(":") == 1 else host.rstrip(".")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
