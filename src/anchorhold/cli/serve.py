"""``anchorhold serve``: the live dashboard.

May import: typer, anchorhold.config, anchorhold.errors, anchorhold.gate, anchorhold.web, anchorhold.cli.
"""

from __future__ import annotations

import os
import secrets
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import ConfigOption, RegisterOption, SignersOption

if TYPE_CHECKING:
    from anchorhold.web.guard import Access

SHORTEST_TOKEN = 16
KINDNESS = 10
"""By how much games come first on this machine."""


@fail_cleanly
def serve(
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes any that is free.")] = 8075,
    token: Annotated[
        str | None,
        typer.Option("--token", help="Needed to read; made up and printed where others can reach the address."),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="A name that browsers reach this server by; repeatable."),
    ] = None,
    journal: Annotated[
        list[Path] | None,
        typer.Option("--journal", metavar="FILE|DIR", help="Follow this journal, or those in DIR, too; repeatable."),
    ] = None,
    allowed_signers: SignersOption = None,
    register: RegisterOption = None,
    config: ConfigOption = None,
) -> None:
    """Show matches while they are played, the gate, all checks and the register in a browser; until interrupted.

    Only reads. Journals are found in the project's data directory, and those of 'anchorhold match' in this one. Reached
    from this machine alone unless --host says otherwise, and then only with the token.

    Example: anchorhold serve --port 0
    """
    from anchorhold import config as settings
    from anchorhold.errors import BadInput
    from anchorhold.gate.limits import Limits

    _require_packages()
    from anchorhold.web import running
    from anchorhold.web.app import application
    from anchorhold.web.watch import Watch

    if token is not None and (len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable()):
        raise BadInput(
            f"expected at least {SHORTEST_TOKEN} characters of ASCII",
            where="--token",
            next_step="Leave it out: one is made up and printed",
        )
    if token is not None and any(letter in token for letter in ' ";,\\'):
        raise BadInput("a cookie cannot hold spaces, quotes, commas or semicolons", where="--token")
    for path in journal or ():
        if not path.exists():
            raise BadInput("there is no such journal or directory", where=str(path))
    found = settings.gate_settings(config, flags={"allowed_signers": allowed_signers})
    limits = Limits(elo=found.max_unaudited_elo, tests=found.max_unaudited_tests, days=found.max_age_days)
    url = settings.register_url(register, config)
    file = config or settings.default_file()
    loaded = settings.load(file) if file.is_file() else None
    project = loaded.project if loaded is not None and register is None else None
    data = [] if loaded is None else [loaded.data]
    places = [Path.cwd(), *(() if loaded is None else (loaded.path.parent,)), *(journal or ())]
    if token is None and not running.is_loopback(host):
        token = secrets.token_urlsafe(24)
    listening = running.bind(host, port)
    try:
        # Games must not wait for pages.
        os.nice(KINDNESS)
        watch = Watch(url, project=project, signers=found.allowed_signers, limits=limits)
        try:
            app = application(watch, data=data, places=places, access=_access(host, token, allow_host or ()), warm=True)
            _say(running.address_of(listening, host), token, config)
            running.run(app, listening)
        except KeyboardInterrupt:
            pass  # the way to end it
        finally:
            watch.close()
    finally:
        listening.close()


def _require_packages() -> None:
    from importlib.util import find_spec

    from anchorhold.errors import BadInput, install_line

    missing = [name for name in ("starlette", "uvicorn") if find_spec(name) is None]
    if missing:
        raise BadInput(
            f"the dashboard needs {' and '.join(missing)}",
            next_step=f"Install them, in a clone of anchorhold: {install_line('web')}",
        )


def _access(host: str, token: str | None, allowed: list[str] | tuple[()]) -> Access:
    from anchorhold.web.guard import LOOPBACK_NAMES, Access

    names = {host.lower(), *(name.lower().rstrip(".") for name in allowed), *LOOPBACK_NAMES}
    anywhere = host in ("0.0.0.0", "::")  # noqa: S104
    if anywhere:
        names.add(socket.gethostname().lower())
    return Access(hosts=frozenset(names), any_address=anywhere, token=token)


def _say(address: str, token: str | None, config: Path | None) -> None:
    """Say where it is; the token stands here once, and in no log."""
    from anchorhold.cli.texts import texts_of

    _ = texts_of(None, config).gettext
    typer.echo(_("Serving at {address}", address=address + ("" if token is None else f"?token={token}")))
    if token is not None:
        typer.echo(
            _("Who has this address may read. It is not encrypted: put it behind HTTPS where others could listen.")
        )
    typer.echo(_("Interrupt (Ctrl-C) to end."))
