"""The command ``anchorhold``: which command lives where, and its entry point, which loads only what is asked for.

A gate is asked before every merge: it need not wait for the commands that nobody called. With an unknown
one the whole tree is loaded; for the list of commands nothing is. May import: everything below; heavy libraries are
imported by the commands that use them.
"""

from __future__ import annotations

import errno
import gc
import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer

from anchorhold import __version__
from anchorhold.cli.output import watched

COMMANDS = {
    "badge": ("badge", "a badge of what the gate says"),
    "build": ("build", "build a revision of main in a clean worktree, or show the kept build"),
    "calibrate": ("calibrate", "how often intervals cover, and how often verdicts are wrong"),
    "claims": ("claims", "what was claimed in a window, and what is known of it"),
    "demo": ("demo", "all of it on real engines, to a verdict and a report"),
    "doctor": ("doctor", "what a check stands on, and what mends it"),
    "evaluate": ("evaluate", "judge one self-contained document"),
    "gate": ("gate", "may a merge go on?"),
    "init": ("init", "the first settings of a project, from what is here"),
    "match": ("match", "play engines against each other in game pairs"),
    "merge": ("merge", "put shards of a match or check into one journal"),
    "plan": ("plan", "each verdict's chance, pairs needed, hours, next check"),
    "release": ("release", "record a human review of a HALT"),
    "report": ("report", "the page of a check: verdict, pictures, formulas"),
    "serve": ("serve", "live dashboard: matches, gate, checks, register"),
    "site": ("site", "a static site of all checks and the register"),
}
"""Single commands, each with its module in ``cli``, where a function has the command's name, and its line of help."""
GROUPS = {
    "anchors": ("anchors", "the pinned foreign engines"),
    "check": ("check", "measure two versions against the anchors, and judge"),
    "engines": ("engines", "the engines here: which there are, what they obey"),
    "hook": ("hook", "the gate in front of a git repository"),
    "import": ("imports.group", "claims, matches, ratings that other tools recorded"),
    "oracle": ("oracle", "sequential tests against the predecessor"),
    "register": ("register", "the append-only record of claims, checks, releases"),
}
"""Groups of commands, each with its module, where ``app`` is the group, and its line of help."""
LIST = "--help"
"""The word after which only the list of commands is shown."""


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


def main() -> None:
    """Entry point of the console script."""
    try:
        os.getcwd()
    except OSError as error:
        reason = os.strerror(error.errno or errno.ENOENT)
        typer.echo(f"anchorhold: there is no working directory ({reason}). Change to one that is there", err=True)
        sys.exit(2)
    # What loading makes stays: to look through it for cycles every 700 objects takes a tenth of a short command.
    gc.set_threshold(50_000)
    watched(tree(_needed(sys.argv[1:], os.environ)))


def _needed(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return what ``tree`` has to load for a command line, or for one that a shell asks to have completed."""
    typed = environment.get("COMP_WORDS") or environment.get("_TYPER_COMPLETE_ARGS")
    completing = typed is not None and "_ANCHORHOLD_COMPLETE" in environment
    if completing and typed is not None:
        words = typed.split()[1:]
    first = words[0] if words else LIST
    if first in COMMANDS or first in GROUPS:
        return first
    return LIST if completing or first.startswith("-") else ""


def _listed() -> None:
    """Stand for a command in the list of commands."""


def _root(
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False,
) -> None:
    if version:
        typer.echo(f"anchorhold {__version__}")
        raise typer.Exit
