"""The group ``anchorhold import``.

May import: typer, anchorhold.cli.imports.*.
"""

from __future__ import annotations

import typer

from anchorhold.cli.imports.commits import commits
from anchorhold.cli.imports.cutechess import cutechess
from anchorhold.cli.imports.fastchess import fastchess
from anchorhold.cli.imports.fishtest import fishtest
from anchorhold.cli.imports.openbench import openbench
from anchorhold.cli.imports.pgn import pgn
from anchorhold.cli.imports.ratings import ratings

app = typer.Typer(
    name="import",
    help="Read what other tools have recorded: claims, matches, ratings.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command("commits")(commits)

app.command("cutechess")(cutechess)
app.command("fastchess")(fastchess)
app.command("fishtest")(fishtest)
app.command("openbench")(openbench)
app.command("pgn")(pgn)
app.command("ratings")(ratings)


@app.callback()
def _group() -> None:
    """Read what other tools have recorded: claims, matches, ratings."""
