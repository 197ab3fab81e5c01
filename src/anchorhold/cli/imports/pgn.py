"""``anchorhold import pgn``: games already played, counted for every pair of engines.

May import: typer, anchorhold.errors, anchorhold.importers, anchorhold.stats, anchorhold.cli.*.
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.imports.options import (
    DocumentOption,
    DryRunOption,
    EndpointOption,
    MainOption,
    SkipProblemsOption,
    StageOption,
)
from anchorhold.cli.imports.outcome import show_findings
from anchorhold.cli.options import AuthorOption, ConfigOption, JsonOption, RegisterOption
from anchorhold.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anchorhold.importers.pgn.found import PgnImport


@fail_cleanly
def pgn(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE…", help="PGN, also .gz, .bz2, .xz, .zst, .zip; - for standard input."),
    ],
    engine: MainOption = None,
    recorded: Annotated[
        Literal["gain-test", "note"] | None,
        typer.Option("--as", help="Record it: as a gain test (--engine is the candidate), or as a note."),
    ] = None,
    short: Annotated[
        list[str] | None,
        typer.Option("--short", metavar="FILE", help="With --as gain-test: the short stage's games; FILE… the long's."),
    ] = None,
    test_id: Annotated[str | None, typer.Option("--id", help="With --as: the id of the entry.")] = None,
    bounds: Annotated[
        tuple[float, float] | None, typer.Option("--bounds", help="With --as gain-test: Elo bounds, such as 0 2.")
    ] = None,
    short_bounds: Annotated[
        tuple[float, float] | None, typer.Option("--short-bounds", help="Those of the short stage, where they differ.")
    ] = None,
    model: Annotated[
        Literal["normalized", "logistic", "bayeselo"], typer.Option("--bounds-model", help="Unit of the bounds.")
    ] = "normalized",
    document: DocumentOption = None,
    endpoint: EndpointOption = "new",
    stage: StageOption = "long",
    replay: Annotated[
        bool | None,
        typer.Option("--replay/--no-replay", help="Play every game over on a board; by default up to 500 games."),
    ] = None,
    list_games: Annotated[bool, typer.Option("--games", help="With --json: list every game.")] = False,
    dry_run: DryRunOption = False,
    skip_problems: SkipProblemsOption = False,
    as_json: JsonOption = False,
    register: RegisterOption = None,
    config: ConfigOption = None,
    author: AuthorOption = None,
) -> None:
    """Count the games of PGN files: pairs by Round and opening, results checked against everything that speaks of them.

    Shows the counts of every pair of engines. Nothing is recorded unless --as says as what; --document puts the counts
    against the anchors into an evaluation document. Unfinished games, games whose record is cut or contradicts itself,
    and games that stand twice are not counted.

    Example: anchorhold import pgn games.pgn --engine Main --dry-run --json
    """
    found = _read(files, engine=engine, replay=replay, list_games=list_games)
    if found.problems and not (dry_run or skip_problems):
        _print(found, as_json=as_json)
        raise BadInput(
            f"{len(found.problems) + found.unlisted} places could not be read, the first: {found.problems[0]}",
            where=", ".join(files),
            next_step="Nothing was recorded. --skip-problems goes on with the rest; --dry-run only looks.",
        )
    if recorded is not None:
        from anchorhold.cli.imports.outcome import finish
        from anchorhold.cli.imports.pgn_entry import gain_test_of, note_of

        if recorded == "note":
            imported = note_of(found, test_id=test_id, files=files)
        else:
            short_found = _read(short, engine=engine, replay=replay, list_games=False) if short else None
            if short_found is not None and short_found.problems and not skip_problems:
                raise BadInput(f"the short stage has problems, the first: {short_found.problems[0]}")
            imported = gain_test_of(
                found,
                short_found,
                test_id=test_id,
                candidate=engine,
                bounds=bounds,
                short_bounds=short_bounds,
                model=model,
            )
        finish(
            imported,
            where=", ".join(files),
            register=register,
            config=config,
            author=author,
            dry_run=dry_run,
            skip_problems=skip_problems,
            as_json=as_json,
            summary=_document(found),
        )
        return
    _print(found, as_json=as_json)
    if document is not None and not dry_run:
        _fill(document, found, engine=engine, endpoint=endpoint, stage=stage, as_json=as_json)


def _read(files: Sequence[str], *, engine: str | None, replay: bool | None, list_games: bool) -> PgnImport:
    from anchorhold.importers.pgn.reading import read_pgn
    from anchorhold.importers.sources import plain_files

    with contextlib.ExitStack() as stack:
        plain = [file for one in files for file in stack.enter_context(plain_files(one))]
        found = read_pgn(plain, first=engine, replay=replay, list_games=list_games)
    names = {name for record in found.records for name in (record.first, record.second)}
    if engine is not None and found.records and engine not in names:
        raise BadInput(
            f"no engine {engine!r} plays in it",
            where=", ".join(files),
            next_step=f"Engines: {', '.join(sorted(names)[:20])}.",
        )
    return found


def _fill(document: Path, found: PgnImport, *, engine: str | None, endpoint: str, stage: str, as_json: bool) -> None:
    from anchorhold.cli.imports.counts import fill_document

    filled = fill_document(
        document, [record.counts for record in found.records], engine=engine, endpoint=endpoint, stage=stage
    )
    if not as_json:
        typer.echo(f"{document}: counts against {', '.join(filled)} as {endpoint}, {stage} stage.")


def _document(found: PgnImport) -> dict[str, object]:
    """Return the JSON form of what was counted; its members are described in docs/howto/import.md."""
    document: dict[str, object] = {
        "games": found.games,
        "counted": found.games - sum(found.not_counted.values()),
        "not_counted": found.not_counted,
        "replayed": found.replayed,
        "matches": [record.to_json() for record in found.records],
    }
    if found.lines:
        document["game_list"] = [line.to_json() for line in found.lines]
    return document


def _print(found: PgnImport, *, as_json: bool) -> None:
    if as_json:
        document: dict[str, object] = {"schema": "anchorhold/import/1", "reader": found.reader, **_document(found)}
        document["problems"] = [problem.to_json() for problem in found.problems]
        document["remarks"] = [remark.to_json() for remark in found.remarks]
        document["unlisted"] = found.unlisted
        print(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False))
        return
    from anchorhold.cli.imports.counts import show

    reasons = ", ".join(f"{number} {reason}" for reason, number in sorted(found.not_counted.items()))
    typer.echo(f"{found.games} games" + (f", not counted: {reasons}" if reasons else ", all counted"))
    show([record.counts for record in found.records])
    singles = sum(record.singles for record in found.records)
    if singles:
        typer.echo(f"{singles} counted games have no partner: they count as games, not in pairs.")
    show_findings(found.problems, "problems")
    show_findings(found.remarks, "remarks")
    if found.unlisted:
        typer.echo(f"{found.unlisted} further problems and remarks are not listed.", err=True)
