"""Runs the dashboard until it is interrupted. May import: uvicorn, anchorhold.errors."""

from __future__ import annotations

import socket
from ipaddress import ip_address

import uvicorn
from starlette.types import ASGIApp

from anchorhold.errors import BadInput

PATIENCE = 2
"""Seconds that answers under way get when the server is to end."""


def bind(host: str, port: int) -> socket.socket:
    """Open the socket that the server will listen on; port 0 takes any that is free.

    Raises
    ------
    BadInput
        The address is not this machine's, or the port is taken.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BadInput(
            f"cannot listen there: {reason}", where=f"{host}, port {port}", next_step="Give another --port or --host"
        ) from error
    # Connections have it from here: without it an answer's last packet waits 40 ms for the first to be acknowledged.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def is_loopback(host: str) -> bool:
    """Whether only programs on this machine reach an address."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def address_of(listening: socket.socket, host: str) -> str:
    """The address that a browser opens."""
    port = listening.getsockname()[1]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def server(app: ASGIApp) -> uvicorn.Server:
    """Make the server; nothing of a request is logged: an address may hold the token."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            lifespan="off",
            ws="none",
            server_header=False,
            timeout_graceful_shutdown=PATIENCE,
            limit_concurrency=200,
        )
    )


def run(app: ASGIApp, listening: socket.socket) -> None:
    """Answer requests until an interrupt or SIGTERM; both leave when the answers under way are given."""
    server(app).run(sockets=[listening])
