"""The program as a tree of commands, of which only what is asked for is loaded.

May import: typer, anchorhold.cli.start for its tables; the commands by their names.
"""

from __future__ import annotations

import importlib
from typing import Annotated

import typer

from anchorhold import __version__
from anchorhold.cli.start import COMMANDS, GROUPS, LIST


def tree(word: str = "") -> typer.Typer:
    """Return the program with the command or group of that name; with all of them for ``""``.

    For ``--help`` the names are there and their lines of help, but nothing of them is loaded.
    """
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
    for name, (place, line) in COMMANDS.items():
        if word == LIST:
            app.command(name, short_help=line)(_listed)
        elif word in ("", name):
            module = importlib.import_module(f"anchorhold.cli.{place}")
            # A command with a command line of its own names the class that reads it.
            app.command(name, cls=getattr(module, "COMMAND_CLASS", None), short_help=line)(getattr(module, name))
    for name, (place, line) in GROUPS.items():
        if word == LIST:
            group = typer.Typer()
            group.command("of")(_listed)
            app.add_typer(group, name=name, short_help=line)
        elif word in ("", name):
            app.add_typer(importlib.import_module(f"anchorhold.cli.{place}").app, name=name, short_help=line)
    return app


def _listed() -> None:
    """Stand for a command in the list of commands."""


def _root(
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False,
) -> None:
    if version:
        typer.echo(f"anchorhold {__version__}")
        raise typer.Exit
