"""The command ``anchorhold``: which command lives where.

May import: everything below; heavy libraries are imported by the commands that use them.
"""

from __future__ import annotations

from typing import Annotated

import typer

from anchorhold import __version__
from anchorhold.cli import anchors, check, hook, oracle, register
from anchorhold.cli.badge import badge
from anchorhold.cli.calibrate import calibrate
from anchorhold.cli.claims import claims
from anchorhold.cli.demo import demo
from anchorhold.cli.doctor import doctor
from anchorhold.cli.evaluate import evaluate
from anchorhold.cli.gate import gate
from anchorhold.cli.imports import group as imports
from anchorhold.cli.match import match
from anchorhold.cli.match_foreign import FieldCommand
from anchorhold.cli.merge import merge
from anchorhold.cli.output import watched
from anchorhold.cli.plan import plan
from anchorhold.cli.release import release
from anchorhold.cli.report import report

app = typer.Typer(
    name="anchorhold",
    help="How much of a chess engine's claimed progress arrives against strangers, and a gate that stops when too "
    "little does.",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def _root(
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False,
) -> None:
    if version:
        typer.echo(f"anchorhold {__version__}")
        raise typer.Exit


app.command("badge")(badge)
app.command("calibrate")(calibrate)
app.command("claims")(claims)
app.command("demo")(demo)
app.command("doctor")(doctor)
app.command("evaluate")(evaluate)
app.command("gate")(gate)
app.command("match", cls=FieldCommand)(match)
app.command("merge")(merge)
app.command("plan")(plan)
app.command("release")(release)
app.command("report")(report)
app.add_typer(anchors.app, name="anchors")
app.add_typer(check.app, name="check")
app.add_typer(hook.app, name="hook")
app.add_typer(imports.app, name="import")
app.add_typer(oracle.app, name="oracle")
app.add_typer(register.app, name="register")


def main() -> None:
    """Entry point of the console script."""
    watched(app)
