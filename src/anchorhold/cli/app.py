"""The command ``anchorhold``: which command lives where.

May import: everything below; heavy libraries are imported by the commands that use them.
"""

from __future__ import annotations

import typer

app = typer.Typer(
    name="anchorhold",
    help="How much of a chess engine's claimed progress arrives against strangers, and a gate that stops when too little does.",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Entry point of the console script."""
    app()
