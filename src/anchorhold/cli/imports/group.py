"""The group ``anchorhold import``.

May import: typer, anchorhold.cli.imports.*.
"""

from __future__ import annotations

import typer

from anchorhold.cli.imports.commits import commits

app = typer.Typer(
    name="import",
    help="Read what other tools have recorded: claims, matches, ratings.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command("commits")(commits)


@app.callback()
def _group() -> None:
    """Read what other tools have recorded: claims, matches, ratings."""
