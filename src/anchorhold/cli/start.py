"""The command ``anchorhold``: which command lives where, and its entry point, which loads only what is asked for.

A gate is asked before every merge: it need not wait for the commands that nobody called. Without a command, with an
unknown one, for help and for completion the whole tree is loaded. May import: everything below; heavy libraries are
imported by the commands that use them.
"""

from __future__ import annotations

import importlib
import sys
from typing import Annotated

import typer

from anchorhold import __version__
from anchorhold.cli.output import watched

COMMANDS = {
    "badge": "badge",
    "calibrate": "calibrate",
    "claims": "claims",
    "demo": "demo",
    "doctor": "doctor",
    "evaluate": "evaluate",
    "gate": "gate",
    "match": "match",
    "merge": "merge",
    "plan": "plan",
    "release": "release",
    "report": "report",
    "serve": "serve",
    "site": "site",
}
"""Single commands, each with its module in ``cli``, where a function has the command's name."""
GROUPS = {
    "anchors": "anchors",
    "check": "check",
    "hook": "hook",
    "import": "imports.group",
    "oracle": "oracle",
    "register": "register",
}
"""Groups of commands, each with its module, where ``app`` is the group."""


def tree(name: str = "") -> typer.Typer:
    """Return the command with one of its commands or groups, or with all of them."""
    app = typer.Typer(
        name="anchorhold",
        help="How much of a chess engine's claimed progress arrives against strangers, and a gate that stops when too "
        "little does.",
        no_args_is_help=True,
        add_completion=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback(invoke_without_command=True)(_root)
    for command, place in COMMANDS.items():
        if not name or command == name:
            module = importlib.import_module(f"anchorhold.cli.{place}")
            # A command with a command line of its own names the class that reads it.
            app.command(command, cls=getattr(module, "COMMAND_CLASS", None))(getattr(module, command))
    for group, place in GROUPS.items():
        if not name or group == name:
            app.add_typer(importlib.import_module(f"anchorhold.cli.{place}").app, name=group)
    return app


def main() -> None:
    """Entry point of the console script."""
    first = sys.argv[1] if len(sys.argv) > 1 else ""
    watched(tree(first if first in COMMANDS or first in GROUPS else ""))


def _root(
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False,
) -> None:
    if version:
        typer.echo(f"anchorhold {__version__}")
        raise typer.Exit
