"""``anchorhold engines``: the engines that a project and this machine have, what they obey, and how one is added.

May import: typer, anchorhold.adopt, anchorhold.canonical, anchorhold.checks.identity, anchorhold.config,
anchorhold.domain, anchorhold.errors, anchorhold.cli.
"""

from __future__ import annotations

import json
import shlex
import sys
from typing import Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.engines_add import engine_to_add, rating_to_add, refuse_known
from anchorhold.cli.engines_print import engine_lines, known_json, probe_json, probe_lines
from anchorhold.cli.known import project_or_none, search_path
from anchorhold.cli.options import ConfigOption, JsonOption

app = typer.Typer(
    name="engines",
    help="The engines of the project and of this machine: which there are, what they obey, how one is added.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

CommandOption = Annotated[
    str | None, typer.Option("--command", metavar="COMMAND", help="Its command line; by default that of its recipe.")
]


@app.command("list")
@fail_cleanly
def list_engines(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """List main's versions, the anchors, the named engines, and the engines on this machine that have a recipe.

    Example: anchorhold engines list
    """
    from anchorhold.adopt.known import known_engines
    from anchorhold.adopt.recipes import find, install_lines, read_recipes

    recipes = read_recipes()
    found = find(recipes, path=search_path())
    known = known_engines(project_or_none(config), found)
    here = {one.recipe.name for one in found}
    missing = [recipe for recipe in recipes if recipe.name not in here]
    if as_json:
        document = {
            "schema": "anchorhold/engines/1",
            "engines": [known_json(one) for one in known],
            "not_here": [{"name": one.name, "archive": one.archive, "package": one.package} for one in missing],
        }
        typer.echo(json.dumps(document, ensure_ascii=False, indent=2))
        return
    typer.echo("\n".join(engine_lines(known)))
    if missing:
        typer.echo(f"\nRecipes without their program here: {', '.join(recipe.name for recipe in missing)}.")
        for line in install_lines(missing):
            typer.echo(f"  {line}")


@app.command()
@fail_cleanly
def probe(
    engine: Annotated[str, typer.Argument(metavar="ENGINE", help="Its name, or its command line.")],
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Start an engine, let it search, and say what it is and which limits it obeys.

    It is started as it is set up here or in its recipe. Each kind of limit is tried by real searches, which takes some
    seconds. Whether it repeats itself: three positions, twice in fresh processes and once in the opposite order.

    Example: anchorhold engines probe Ethereal
    """
    from anchorhold.adopt.known import resolve
    from anchorhold.adopt.probing import probe as probe_engine
    from anchorhold.adopt.recipes import find, read_recipes
    from anchorhold.checks.identity import FileDigests

    found = find(read_recipes(), path=search_path())
    known = resolve(engine, project_or_none(config), found, path=search_path())
    seen = probe_engine(known, digest_of=FileDigests(), on_step=None if as_json else _on_step)
    typer.echo(probe_json(seen) if as_json else "\n".join(probe_lines(seen)))


@app.command()
@fail_cleanly
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the engine, or of its recipe.")],
    command: CommandOption = None,
    role: Annotated[
        str, typer.Option("--as", metavar="ROLE", help="anchor, or engine: one that has a name here and is no anchor.")
    ] = "anchor",
    limit: Annotated[
        str | None,
        typer.Option(metavar="WORDS", help="The anchor's own limit, such as depth=5; by default that of its rating."),
    ] = None,
    rating: Annotated[float | None, typer.Option(help="The anchor's rating, Elo.")] = None,
    rating_error: Annotated[float | None, typer.Option(min=0.0, help="Its 95 % half-width, Elo.")] = None,
    source: Annotated[str | None, typer.Option(help="Where the rating comes from.")] = None,
    config: ConfigOption = None,
) -> None:
    """Write an engine into anchorhold.toml, by its recipe where there is one; everything else in the file stays.

    An anchor gets the rating that the package has for it at that limit. Where there is none it gets a place for one:
    'anchorhold anchors rate' measures it.

    Example: anchorhold engines add "Toga II"
    """
    from anchorhold import config as settings
    from anchorhold.adopt.anchor_text import anchor_text, named_engine_text
    from anchorhold.adopt.settings_file import add_anchor, add_named_engine
    from anchorhold.errors import BadInput

    loaded = settings.load(config)
    if role not in ("anchor", "engine"):
        raise BadInput(f"--as is {role!r}; known are anchor, engine")
    engine = engine_to_add(name, command)
    refuse_known(engine.name, loaded)
    if role == "engine":
        if any(value is not None for value in (limit, rating, rating_error, source)):
            raise BadInput("limit and rating belong to anchors", next_step="Leave them out, or leave --as out")
        add_named_engine(loaded.path, named_engine_text(engine.name, engine.template))
        typer.echo(
            f"Added {engine.name} to {loaded.path}: 'anchorhold match' knows it as conf={shlex.quote(engine.name)}."
        )
        return
    held = rating_to_add(engine, limit=limit, rating=rating, error=rating_error, source=source, loaded=loaded)
    traits = () if engine.recipe is None else engine.recipe.traits
    add_anchor(loaded.path, anchor_text(engine.name, engine.template, held, comments=traits))
    count = len(settings.load(config).anchors)
    typer.echo(
        f"Added {engine.name} to {loaded.path} as anchor {count}: {held.rating:g} ± {held.error:g} ({held.source})."
    )
    typer.echo("When the set is complete, pin it: 'anchorhold anchors pin'.")


def _on_step(words: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{words} …\r", end="", file=sys.stderr, flush=True)
