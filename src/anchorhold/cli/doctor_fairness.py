"""``anchorhold doctor --a-a``: is this machine fair? A binary plays itself.

May import: typer, anchorhold.cli, anchorhold.config, anchorhold.domain, anchorhold.errors, anchorhold.matches.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from anchorhold.cli.status import INTERRUPTED

if TYPE_CHECKING:
    from anchorhold.domain.engines import EngineSpec
    from anchorhold.matches.books import Book
    from anchorhold.matches.fairness import Fairness, SeatReport
    from anchorhold.matches.jobs import Overhead

UNFAIR = 1
"""Exit status when something tells the seats apart."""


def look_at_fairness(
    *,
    engine: str | None,
    version: str | None,
    openings: str | None,
    rounds: int,
    workers: int | None,
    config: Path | None,
    as_json: bool,
) -> None:
    """Play, print, and leave with the status."""
    spec, book, count = _subject(engine, version=version, openings=openings, workers=workers, config=config)
    warnings = _host_warnings(spec, count)
    for warning in warnings:
        print(f"anchorhold: {warning}", file=sys.stderr)
    try:
        found, overhead = _play(spec, book, pairs=rounds, workers=count)
    except KeyboardInterrupt:
        print("anchorhold: interrupted; nothing is kept", file=sys.stderr)
        raise SystemExit(INTERRUPTED) from None
    typer.echo(_document(spec, found, overhead, warnings) if as_json else _text(spec, found, overhead))
    if not found.fair:
        raise SystemExit(UNFAIR)


def _subject(
    engine: str | None, *, version: str | None, openings: str | None, workers: int | None, config: Path | None
) -> tuple[EngineSpec, Book, int]:
    """Return who plays, from which book, and how many pairs at a time."""
    from anchorhold.cli.engine_words import parse_engines
    from anchorhold.cli.match_plan import open_book
    from anchorhold.cli.match_words import parse_openings
    from anchorhold.errors import BadInput
    from anchorhold.matches.books import load_book

    if engine is not None:
        if version is not None:
            raise BadInput("--version belongs to main of anchorhold.toml, but --engine is given")
        (spec,) = parse_engines([engine], each=None)
        return spec, open_book(parse_openings(openings), seed=1, variant="standard"), workers or 1
    from anchorhold import config as settings

    project = settings.load(config, flags={"workers": workers})
    name = version or next(reversed(list(project.main.versions)), None)
    if name is None:
        raise BadInput("main lists no version", where=str(project.path), next_step="Name one with --version")
    choice = project.book
    if openings is not None:
        book = open_book(parse_openings(openings), seed=choice.seed, variant=choice.variant)
    else:
        book = load_book(choice.path, order=choice.order, seed=choice.seed, plies=choice.plies, variant=choice.variant)
    return project.main.spec(name, project.long.limit), book, project.workers


def _host_warnings(spec: EngineSpec, workers: int) -> list[str]:
    from anchorhold.cli.match_plan import most_threads
    from anchorhold.matches.host import read_host, warnings

    return warnings(read_host(), workers=workers, threads=most_threads([spec]))


def _play(spec: EngineSpec, book: Book, *, pairs: int, workers: int) -> tuple[Fairness, Overhead]:
    from anchorhold.matches.fairness import judge
    from anchorhold.matches.jobs import MatchRules
    from anchorhold.matches.journal import Journal
    from anchorhold.matches.runner import run
    from anchorhold.matches.schedule import duel_jobs

    first, second = replace(spec, name="first"), replace(spec, name="second")
    jobs = duel_jobs(
        run="a-a",
        stage="a-a",
        first=first,
        second=second,
        endpoint=first.name,
        anchor=second.name,
        book=book,
        pairs=pairs,
        # Losses on time are what is looked for: they must not end the search for them too soon.
        rules=MatchRules(max_failures=20),
    )
    with (
        tempfile.TemporaryDirectory(prefix="anchorhold-") as folder,
        Journal.open(Path(folder) / "a-a.journal", plan={}) as journal,
    ):
        report = run(jobs, journal=journal, workers=workers)
        return judge(journal.pairs()), report.overhead


def _text(spec: EngineSpec, found: Fairness, overhead: Overhead) -> str:
    from anchorhold.cli.match_print import overhead_text, percent

    width = "no scatter: all pairs ended alike" if found.error is None else f"± {percent(found.error)}"
    white = found.white
    lines = [
        f"{spec.name} against itself, {found.pairs.pairs} pairs:",
        f"Score of the first seat: {percent(found.score)} ({width}, three standard errors)",
        f"Ptnml(0-2): {list(found.pairs.as_tuple())}, {found.mirrored} pairs with the same game twice",
        f"Colours: White won {white.wins}, lost {white.losses}, drew {white.draws}",
    ]
    lines += [_seat_text(name, seat) for name, seat in found.seats.items()]
    if found.speed is not None and found.speed_error is not None:
        lines.append(
            f"Speed: the first seat's nodes a second are {100 * found.speed:+.2f} %"
            f" (± {percent(found.speed_error)}) from the second's"
        )
    if cost := overhead_text(overhead):
        lines.append(cost)
    lines += [f"Not fair: {finding.message}" for finding in found.findings] or ["Fair: nothing tells the seats apart."]
    return "\n".join(lines)


def _seat_text(name: str, seat: SeatReport) -> str:
    pace = "no move" if seat.seconds_per_move is None else f"{1000 * seat.seconds_per_move:.1f} ms a move"
    return f"The {name} seat: {pace}, {seat.time_losses} losses on time, {seat.faults} by other faults"


def _document(spec: EngineSpec, found: Fairness, overhead: Overhead, warnings: Sequence[str]) -> str:
    from anchorhold.cli.match_print import overhead_json

    members: dict[str, object] = {
        "schema": "anchorhold/a-a/1",
        "engine": {"name": spec.name, "command": list(spec.command), "limit": spec.limit.to_json()},
        "fair": found.fair,
        "findings": [{"kind": finding.kind, "message": finding.message} for finding in found.findings],
        "pentanomial": list(found.pairs.as_tuple()),
        "score": found.score,
        "score_error": found.error,
        "mirrored_pairs": found.mirrored,
        "white": {"wins": found.white.wins, "draws": found.white.draws, "losses": found.white.losses},
        "seats": {
            name: {
                "moves": seat.moves,
                "seconds_per_move": seat.seconds_per_move,
                "nodes": seat.nodes,
                "time_losses": seat.time_losses,
                "faults": seat.faults,
            }
            for name, seat in found.seats.items()
        },
        "speed_difference": found.speed,
        "speed_error": found.speed_error,
        "referee": overhead_json(overhead),
        "warnings": list(warnings),
    }
    return json.dumps(members, ensure_ascii=False, indent=2, allow_nan=False)
