"""Founding a project: settings, book, register, contract and pinned anchors, from what is there.

Installs nothing, and replaces nothing. May import: anchorhold.checks, config, domain, errors, matches, register,
stats, anchorhold.adopt.
"""

from __future__ import annotations

import contextlib
import shlex
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from anchorhold import config as settings
from anchorhold.adopt.anchor_text import Rating, anchor_text, rating_of
from anchorhold.adopt.balance import UNKNOWN, Balanced, balance
from anchorhold.adopt.choosing import Choice, choose
from anchorhold.adopt.known import KnownEngine, command_engine
from anchorhold.adopt.lineup import Lineup, data_file, read_lineup
from anchorhold.adopt.recipes import Found, find, read_recipes
from anchorhold.adopt.settings_text import FOLDER, GAMES, FirstSettings, settings_text
from anchorhold.adopt.surroundings import Surroundings, look_around
from anchorhold.canonical import file_sha256
from anchorhold.checks.anchors import pin
from anchorhold.checks.foresight import best_case
from anchorhold.checks.identity import FileDigests
from anchorhold.checks.opening import adopt_contract
from anchorhold.config.record import Config
from anchorhold.domain.contract import Contract
from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.limits import Limit
from anchorhold.domain.project import EngineTemplate
from anchorhold.errors import AnchorholdError, BadInput, BadState
from anchorhold.matches.books import load_book
from anchorhold.matches.greeting import require_start
from anchorhold.matches.host import read_host
from anchorhold.register.store import Register
from anchorhold.stats.power import Design

FIRST_LIMIT = Limit(depth=5)
PAIRS = 100


@dataclass(frozen=True, slots=True)
class Survey:
    """What a directory and its machine have to offer."""

    directory: Path
    around: Surroundings
    choice: Choice
    workers: int
    path: str
    """Search path of programs."""
    contract: Contract


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be founded."""

    name: str
    main: str | None
    """Main's command line; None: it is built, or not known."""
    limit: Limit | None
    """None: chosen by a few games where main can be started."""
    pairs: int
    language: str


@dataclass(frozen=True, slots=True)
class Founded:
    """What was made."""

    config: Path
    balanced: Balanced
    problem: str
    """Why main was not built; empty: it was, or it is not built at all."""
    openings: int
    pinned: int
    """0: fewer anchors than the contract needs; they are pinned when the set is complete."""
    design: Design | None
    """Of a check with these settings, in the best case; None without an anchor."""


def survey(directory: Path, *, path: str, contract: Contract, main: str | None) -> Survey:
    """Look at a directory and its machine; nothing is started or written.

    Parameters
    ----------
    main : str, optional
        Main's command line, as far as it is known.

    Raises
    ------
    BadState
        There are settings or a register already.
    """
    for name in (settings.FILE_NAME, f"{FOLDER}/register.sqlite"):
        if (directory / name).exists():
            raise BadState(
                "is there already, and nothing is replaced",
                where=str(directory / name),
                next_step="'anchorhold doctor' looks at it; move it away to begin anew",
            )
    host = read_host()
    workers = max(1, int(host.available))
    around = look_around(directory, jobs=workers)
    recipes = read_recipes()
    wanted = contract.parameters.anchors
    choice = choose(find(recipes, path=path), recipes, read_lineup(), wanted=wanted, main=main or around.name)
    return Survey(directory, around, choice, workers, path, contract)


def found(
    seen: Survey,
    wanted: Wanted,
    *,
    author: str,
    start_built: Callable[[Config], EngineSpec],
    on_step: Callable[[str], None] | None = None,
) -> Founded:
    """Write settings and book, make the register, adopt the contract, and pin the anchors when there are enough.

    Parameters
    ----------
    start_built : callable
        Builds main from its present revision, by the new settings.

    Raises
    ------
    BadInput
        Main's command is none, or a file cannot be written.
    MatchStopped
        An engine does not start, or fails too often in a row.
    """
    main = None if wanted.main is None else _main(wanted.main, seen.path)
    lineup = read_lineup()
    ratings = [_rating(one, lineup) for one in seen.choice.anchors]
    book = data_file("openings.pgn")
    openings = load_book(book).size

    def text(chosen: Balanced) -> str:
        return settings_text(
            FirstSettings(
                name=wanted.name,
                language=wanted.language,
                main=None if main is None else main.template,
                build=seen.around.build if main is None else None,
                limit=chosen.limit,
                limit_reason=chosen.reason,
                pairs=min(wanted.pairs, openings),
                openings=openings,
                workers=seen.workers,
                anchors=[
                    anchor_text(one.recipe.name, one.template, rating, comments=one.recipe.traits)
                    for one, rating in zip(seen.choice.anchors, ratings, strict=True)
                ],
            )
        )

    config = seen.directory / settings.FILE_NAME
    balanced, problem = Balanced(wanted.limit or FIRST_LIMIT, UNKNOWN), ""
    with contextlib.ExitStack() as stack:
        try:
            _make_folder(seen.directory / FOLDER, book, stack)
            with config.open("x", encoding="utf-8") as handle:
                stack.callback(config.unlink, missing_ok=True)
                handle.write(text(balanced))
            loaded = settings.load(config, environment={})
            if wanted.limit is None:
                balanced, problem = _balanced(loaded, main, start_built, on_step)
                config.write_text(text(balanced), encoding="utf-8")
                loaded = settings.load(config, environment={})
        except OSError as error:
            raise BadInput(f"cannot be written: {error.strerror}", where=str(error.filename or config)) from error
        complete = len(loaded.anchors) == seen.contract.parameters.anchors
        if complete:
            for anchor in loaded.anchors:
                require_start(anchor.spec(loaded.long.limit), rules=loaded.rules)
        with Register.create(loaded.register, author=author, project=loaded.project) as register:
            adopt_contract(register, seen.contract, author=author)
            if complete:
                pin(register, loaded.anchors, author=author, digest_of=FileDigests())
        stack.pop_all()
    errors = [anchor.rating_error for anchor in loaded.anchors]
    return Founded(
        config=config,
        balanced=balanced,
        problem=problem,
        openings=openings,
        pinned=len(loaded.anchors) if complete else 0,
        design=best_case(loaded.long.pairs, errors, seen.contract) if errors else None,
    )


def _make_folder(folder: Path, book: Path, stack: contextlib.ExitStack) -> None:
    """Make the folder with its book; ``stack`` takes away again what was made, so that a second try finds nothing."""
    if not folder.exists():
        folder.mkdir()
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
    shutil.copyfile(book, folder / book.name)
    (folder / ".gitignore").write_text(f"{GAMES}/\n", encoding="utf-8")


def _main(command: str, path: str) -> KnownEngine:
    if "{version}" not in command:
        return command_engine(command, read_recipes(), path=path)
    return KnownEngine("main", "main", EngineTemplate(command=tuple(shlex.split(command))), None, None)


def _rating(one: Found, lineup: Lineup) -> Rating:
    measured = lineup.anchors.get(one.recipe.name)
    limit = one.recipe.first_limit if measured is None else None
    return rating_of(one.recipe.name, one.program, lineup, digest_of=file_sha256, limit=limit)


def _balanced(
    config: Config,
    main: KnownEngine | None,
    start_built: Callable[[Config], EngineSpec],
    on_step: Callable[[str], None] | None,
) -> tuple[Balanced, str]:
    """Return main's limit, and why main could not be built where that failed."""
    if main is not None and main.role != "main":
        spec = main.template.spec("main", FIRST_LIMIT)
    elif config.main.recipe is not None:
        try:
            spec = start_built(config)
        except AnchorholdError as error:
            return Balanced(FIRST_LIMIT, UNKNOWN), str(error)
    else:
        return Balanced(FIRST_LIMIT, UNKNOWN), ""
    anchors = [anchor.spec(FIRST_LIMIT) for anchor in config.anchors]
    return balance(spec, anchors, book=config.book.path, workers=config.workers, on_step=on_step), ""
