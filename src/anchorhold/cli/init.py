"""``anchorhold init``: the first settings of a project, from what its directory and machine have.

May import: typer, anchorhold.adopt, anchorhold.config, anchorhold.domain, anchorhold.errors, anchorhold.cli.
"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import AuthorOption, LanguageOption

if TYPE_CHECKING:
    from anchorhold.adopt.founding import Founded, Survey, Wanted
    from anchorhold.config.record import Config
    from anchorhold.domain.engines import EngineSpec

DEFAULT_PAIRS = 100
DEFAULT_EDITION = 7
NOTHING = Path(os.devnull)
"""Stands for settings that are not there yet."""


@fail_cleanly
def init(
    directory: Annotated[
        Path, typer.Argument(metavar="DIRECTORY", help="Where the settings are written, usually the repository's root.")
    ] = Path(),
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing: take what is found.")] = False,
    name: Annotated[str | None, typer.Option("--name", help="Name of the project; by default the directory's.")] = None,
    main: Annotated[
        str | None,
        typer.Option(
            "--main",
            metavar="COMMAND",
            help="Main's command line, with {version} in it where versions differ; by default it is built from the"
            " repository.",
        ),
    ] = None,
    limit: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS",
            help="How long main may think, such as depth=5 or tc=8+0.08; by default the depth at which a few games show"
            " it near the anchors.",
        ),
    ] = None,
    pairs: Annotated[int, typer.Option("--pairs", min=1, help="Pairs against each anchor.")] = DEFAULT_PAIRS,
    author: AuthorOption = None,
    language: LanguageOption = None,
) -> None:
    """Write anchorhold.toml with what is found here, make the register, adopt the contract, and pin the anchors.

    Found are the repository and how it is built, engines that have a recipe, and the cores. Nothing is installed and
    nothing replaced; what is missing is said, with the line that would bring it.

    Example: anchorhold init --yes
    """
    from anchorhold import config as settings
    from anchorhold.adopt.founding import Wanted, found, survey
    from anchorhold.cli.language import language_of
    from anchorhold.cli.limit_words import parse_limit
    from anchorhold.domain.contract import edition
    from anchorhold.errors import BadInput

    if not directory.is_dir():
        raise BadInput("there is no such directory", where=str(directory), next_step="Make it, or go to another one")
    if not yes and not sys.stdin.isatty():
        raise BadInput("there is nobody to ask", next_step="Give --yes to take what is found")
    seen = survey(directory, path=os.environ.get("PATH", os.defpath), contract=edition(DEFAULT_EDITION), main=main)
    typer.echo("\n".join(_seen_lines(seen, main)))
    wanted = Wanted(
        name=name or seen.around.name,
        main=main,
        limit=None if limit is None else parse_limit(limit),
        pairs=pairs,
        language=language_of(language, NOTHING),
    )
    if not yes:
        wanted = _asked(seen, wanted)
    made = found(seen, wanted, author=settings.author_name(author, NOTHING), start_built=_built, on_step=_on_step)
    typer.echo("\n".join(_made_lines(seen, wanted, made)))


def _built(config: Config) -> EngineSpec:
    from anchorhold.cli.building import with_built

    loaded, (name,) = with_built(config, [], ["HEAD"])
    return loaded.main.spec(name, loaded.long.limit)


def _asked(seen: Survey, wanted: Wanted) -> Wanted:
    from dataclasses import replace

    name = typer.prompt("Name of the project", default=wanted.name)
    main = wanted.main
    if main is None and seen.around.build is None:
        main = (
            typer.prompt("Main's command line, with {version} where versions differ (empty: later)", default="") or None
        )
    typer.confirm(f"Write anchorhold.toml into {seen.directory.absolute()}?", default=True, abort=True)
    return replace(wanted, name=name, main=main)


def _seen_lines(seen: Survey, main: str | None) -> list[str]:
    around, choice = seen.around, seen.choice
    where = "no git repository" if around.repository is None else f"git repository {around.repository}"
    built = "main is not known yet" if around.build is None else f"{around.build.system}: {around.build.command}"
    names = ", ".join(one.recipe.name for one in choice.anchors) or "none"
    return [
        f"Project  {around.name} ({where})",
        f"Main     {built if main is None else main}",
        f"Anchors  {len(choice.anchors)} of {seen.contract.parameters.anchors}: {names}",
        f"Workers  {seen.workers}",
    ]


def _made_lines(seen: Survey, wanted: Wanted, made: Founded) -> list[str]:
    from anchorhold.adopt.recipes import install_lines
    from anchorhold.checks.foresight import least_claims, reach_of

    limit = ", ".join(f"{key} {value}" for key, value in made.balanced.limit.to_json().items())
    lines = [
        f"Limit    {limit}. {made.balanced.reason}",
        f"Wrote    {made.config.name}, and the folder anchorhold: register, {made.openings} openings",
        f"Contract edition {seen.contract.edition} adopted; "
        + (f"{made.pinned} anchors pinned" if made.pinned else "anchors not pinned: the set is not complete"),
    ]
    if made.design is not None:
        lines.insert(1, f"Pairs    {least_claims(made.design, seen.contract)}")
        lines += [f"\nWarning: {one}" for one in reach_of(made.design, rule=seen.contract.estimate_rule)]
    if seen.choice.missing:
        lines.append(f"\n{seen.choice.missing} anchors are missing. Engines with a recipe that would bring more:")
        lines += [f"  {line}" for line in install_lines(seen.choice.installable)]
        lines.append("then 'anchorhold engines add NAME' for each, and 'anchorhold anchors pin'.")
    if made.balanced.far:
        lines.append(
            "\nMain is far from these anchors: games with them would tell little. Let main think longer or shorter, or"
            " give\nthe anchors other limits and rate them at those: 'anchorhold anchors rate --pairs 50 --write'."
        )
    if made.problem:
        lines.append(f"\nMain was not built, mend [main.build] in {made.config.name}: {made.problem}")
    if wanted.main is None and seen.around.build is None:
        lines.append(f"\nMain's command is to be edited in {made.config.name}.")
    return [*lines, "", *_next_lines(seen, wanted)]


def _next_lines(seen: Survey, wanted: Wanted) -> list[str]:
    """Return the way from here to a verdict: a check without claims would end as a GAP."""
    go = f"cd {shlex.quote(str(seen.directory))} && " if seen.directory.resolve() != Path.cwd() else ""
    built = wanted.main is None and seen.around.build is not None
    versions = "revisions of the repository" if built else "versions of main"
    lines = [f"Next: {go}anchorhold doctor", f"then, OLD and NEW being two {versions},"]
    if seen.around.repository is not None:
        repository = shlex.quote(os.path.relpath(seen.around.repository, seen.directory))
        since = " --since OLD --until NEW" if built else ""
        lines += [
            "what was claimed, from the tests that commit messages quote, or else by a test of the two:",
            f"  anchorhold import commits {repository}{since}",
        ]
    else:
        lines.append("what is claimed, by a test:")
    return [
        *lines,
        "  anchorhold oracle run --base OLD --candidate NEW",
        "what of it arrived, and the verdict:",
        "  anchorhold check run --old OLD --new NEW",
    ]


def _on_step(words: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{words} …\r", end="", file=sys.stderr, flush=True)
