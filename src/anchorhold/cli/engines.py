"""``anchorhold engines``: the engines that a project and this machine have, what they obey, and how one is added.

May import: typer, anchorhold.adopt, anchorhold.canonical, anchorhold.checks.identity, anchorhold.config,
anchorhold.domain, anchorhold.errors, anchorhold.cli.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import ConfigOption, JsonOption

if TYPE_CHECKING:
    from anchorhold.adopt.anchor_text import Rating
    from anchorhold.adopt.known import KnownEngine
    from anchorhold.adopt.limits import Obeyed
    from anchorhold.adopt.probing import Probe
    from anchorhold.adopt.recipes import Recipe
    from anchorhold.config import Config
    from anchorhold.domain.limits import Limit

app = typer.Typer(
    name="engines",
    help="The engines of the project and of this machine: which there are, what they obey, how one is added.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

YES_NO = {True: "yes", False: "no", None: "not known"}
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
    found = find(recipes, path=_path())
    known = known_engines(_config(config), found)
    here = {one.recipe.name for one in found}
    missing = [recipe for recipe in recipes if recipe.name not in here]
    if as_json:
        document = {
            "schema": "anchorhold/engines/1",
            "engines": [_known_json(one) for one in known],
            "not_here": [{"name": one.name, "archive": one.archive, "package": one.package} for one in missing],
        }
        typer.echo(json.dumps(document, ensure_ascii=False, indent=2))
        return
    rows = [(one.name, one.role, one.template.protocol, _limit(one), _command(one.template.command)) for one in known]
    typer.echo("\n".join(_table([("name", "is", "protocol", "limit", "command"), *rows])))
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

    found = find(read_recipes(), path=_path())
    known = resolve(engine, _config(config), found, path=_path())
    seen = probe_engine(known, digest_of=FileDigests(), on_step=None if as_json else _on_step)
    typer.echo(_probe_json(seen) if as_json else "\n".join(_probe_lines(seen)))


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
    engine = _to_add(name, command)
    _refuse_known(engine.name, loaded)
    if role == "engine":
        if any(value is not None for value in (limit, rating, rating_error, source)):
            raise BadInput("limit and rating belong to anchors", next_step="Leave them out, or leave --as out")
        add_named_engine(loaded.path, named_engine_text(engine.name, engine.template))
        typer.echo(f"Added {engine.name} to {loaded.path}: 'anchorhold engines probe' knows it by this name.")
        return
    held = _rating(engine, limit=limit, rating=rating, error=rating_error, source=source, loaded=loaded)
    traits = () if engine.recipe is None else engine.recipe.traits
    add_anchor(loaded.path, anchor_text(engine.name, engine.template, held, comments=traits))
    count = len(settings.load(config).anchors)
    typer.echo(
        f"Added {engine.name} to {loaded.path} as anchor {count}: {held.rating:g} ± {held.error:g} ({held.source})."
    )
    typer.echo("When the set is complete, pin it: 'anchorhold anchors pin'.")


def _path() -> str:
    return os.environ.get("PATH", os.defpath)


def _config(path: Path | None) -> Config | None:
    """Return the project's settings; None without a project, where the recipes are all that is known."""
    from anchorhold import config as settings

    if path is None and not settings.default_file().is_file():
        return None
    return settings.load(path)


def _to_add(name: str, command: str | None) -> KnownEngine:
    from dataclasses import replace

    from anchorhold.adopt.known import KnownEngine, command_engine
    from anchorhold.adopt.recipes import find, install_lines, named, read_recipes
    from anchorhold.errors import BadInput

    recipes = read_recipes()
    if command is not None:
        return replace(command_engine(command, recipes, path=_path()), name=name)
    recipe = named(recipes, name)
    here = next(iter(find([recipe], path=_path())), None)
    if here is None:
        raise BadInput(
            f"{recipe.name} is not on this machine: there is no program {recipe.program}",
            next_step=f"Install it: {install_lines([recipe])[0]}; or give its place with --command",
        )
    return KnownEngine(recipe.name, "recipe", here.template, None, recipe)


def _refuse_known(name: str, loaded: Config) -> None:
    from anchorhold.errors import BadInput

    if name in loaded.engines or any(anchor.name == name for anchor in loaded.anchors):
        raise BadInput(f"there is an engine {name!r} already", where=str(loaded.path), next_step="Choose another name")


def _rating(
    engine: KnownEngine,
    *,
    limit: str | None,
    rating: float | None,
    error: float | None,
    source: str | None,
    loaded: Config,
) -> Rating:
    from anchorhold.adopt.anchor_text import Rating, rating_of
    from anchorhold.adopt.lineup import read_lineup
    from anchorhold.canonical import file_sha256
    from anchorhold.errors import BadInput

    own = None if limit is None else parse_limit(limit)
    if (rating is None) != (error is None):
        raise BadInput("--rating and --rating-error belong together", next_step="Give both, or none")
    if rating is not None and error is not None:
        held = Rating(rating, error, source or "given by hand", own)
    else:
        name = engine.name if engine.recipe is None else engine.recipe.name
        held = rating_of(name, Path(engine.template.command[0]), read_lineup(), digest_of=file_sha256, limit=own)
    if engine.recipe is not None:
        _refuse_disobedience(engine.recipe, held.limit or loaded.long.limit)
    return held


def _refuse_disobedience(recipe: Recipe, limit: Limit) -> None:
    from anchorhold.adopt.limits import kinds_of
    from anchorhold.errors import BadInput

    for kind in kinds_of(limit):
        if kind not in recipe.obeys:
            raise BadInput(
                f"{recipe.name} does not obey a limit of {kind}",
                next_step=f"Give it a limit of its own with --limit: it obeys {', '.join(recipe.obeys)}",
            )


def parse_limit(text: str) -> Limit:
    """Read ``depth=5``, ``nodes=1000``, ``st=0.1`` or ``tc=8+0.08``, as in a match."""
    from anchorhold.cli.words import split
    from anchorhold.domain.limits import Limit, TimeControl

    words = split(text, "--limit", keys=("tc", "st", "nodes", "depth"))
    clock = words.members.get("tc")
    return Limit(
        time_control=None if clock is None else TimeControl.parse(clock),
        movetime=words.number("st", above=0.0),
        nodes=words.whole("nodes"),
        depth=words.whole("depth"),
    )


def _on_step(words: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{words} …\r", end="", file=sys.stderr, flush=True)


def _command(command: tuple[str, ...]) -> str:
    return shlex.join(command)


def _limit(engine: KnownEngine) -> str:
    if engine.limit is not None:
        return ", ".join(f"{key} {value}" for key, value in engine.limit.to_json().items())
    if engine.role == "anchor":
        return "the stage's"
    return "" if engine.recipe is None else f"obeys {', '.join(engine.recipe.obeys)}"


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _known_json(engine: KnownEngine) -> dict[str, object]:
    return {
        "name": engine.name,
        "role": engine.role,
        "protocol": engine.template.protocol,
        "command": list(engine.template.command),
        "limit": None if engine.limit is None else engine.limit.to_json(),
        "recipe": None if engine.recipe is None else engine.recipe.name,
        "obeys": None if engine.recipe is None else list(engine.recipe.obeys),
    }


def _probe_lines(seen: Probe) -> list[str]:
    known, said = seen.engine, seen.greeting
    lines: list[tuple[str, ...]] = [
        ("engine", known.name if said.name in ("", known.name) else f"{known.name}: calls itself {said.name}"),
        ("author", said.author or "not said"),
        ("command", _command(known.template.command)),
        ("sha256", seen.identity.sha256),
        ("protocol", known.template.protocol + ("" if said.setboard else ", takes no positions: move lists only")),
        ("options", ", ".join(option.name for option in said.options) or "none"),
        *((f"obeys {one.kind}", f"{YES_NO[one.obeyed]} ({one.detail})") for one in seen.limits),
        ("speed", _speed(seen)),
        ("repeats itself", seen.repeats or "not known: it obeys neither depth nor nodes"),
    ]
    if known.recipe is not None:
        lines += [("recipe", " ".join((known.recipe.name + ".", *known.recipe.traits)))]
    return _table(lines)


def _speed(seen: Probe) -> str:
    if seen.nodes_per_second is not None:
        return f"{seen.nodes_per_second:,.0f} nodes a second"
    depth = next((one for one in seen.limits if one.kind == "depth" and one.searches), None)
    if depth is None:
        return "not known: it tells no nodes"
    return f"{depth.searches[-1].seconds:.3f} s to depth {_deepest(depth)}; it tells no nodes, or too few"


def _deepest(depth: Obeyed) -> int:
    from anchorhold.adopt.limits import DEPTHS

    return depth.searches[-1].depth or DEPTHS[-1]


def _probe_json(seen: Probe) -> str:
    known, said = seen.engine, seen.greeting
    members: dict[str, object] = {
        "schema": "anchorhold/engine-probe/1",
        **_known_json(known),
        "calls_itself": said.name or None,
        "author": said.author or None,
        "options": [
            {
                "name": option.name,
                "type": option.type,
                "min": option.low,
                "max": option.high,
                "choices": list(option.choices),
            }
            for option in said.options
        ],
        "takes_positions": said.setboard,
        "limits": {
            one.kind: {
                "obeyed": one.obeyed,
                "detail": one.detail,
                "searches": [
                    {"move": s.move, "seconds": s.seconds, "depth": s.depth, "nodes": s.nodes} for s in one.searches
                ],
            }
            for one in seen.limits
        },
        "nodes_per_second": seen.nodes_per_second,
        "repeats": seen.repeats,
        "identity": seen.identity.to_json(),
    }
    return json.dumps(members, ensure_ascii=False, indent=2, allow_nan=False)
