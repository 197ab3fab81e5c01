"""``anchorhold match``: a plain match, gauntlet or round robin of any engines.

May import: typer, anchorhold.cli, anchorhold.canonical, anchorhold.errors, anchorhold.matches; heavy libraries are
imported by the functions that use them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.match_foreign import FieldCommand
from anchorhold.cli.options import DaskOption, ShardOption
from anchorhold.cli.status import INTERRUPTED

if TYPE_CHECKING:
    from anchorhold.cli.match_figures import Meeting, SprtState
    from anchorhold.cli.match_plan import MatchPlan
    from anchorhold.matches.jobs import RunReport

COMMAND_CLASS = FieldCommand


@fail_cleanly
def match(
    engine: Annotated[
        list[str],
        typer.Option(
            "--engine",
            metavar="WORDS",
            help="One engine, as 'name=A cmd=./a args=\"-x\" dir=. proto=uci tc=8+0.08 option.Hash=16'; repeat"
            " for each. Limits: tc=, st= (seconds a move), nodes=, depth= or plies=. Also timemargin= (ms), restart=on"
            " (a fresh process per pair), initstr= (XBoard lines before a game, separated by \\n), depthcmd= (XBoard)."
            " conf=NAME instead of cmd=: an engine that 'anchorhold engines list' shows, as it stands there.",
        ),
    ],
    each: Annotated[str | None, typer.Option(metavar="WORDS", help="What holds for every engine.")] = None,
    openings: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS",
            help="Opening book, as file=book.epd,order=random,seed=1,plies=8,start=1,format=epd (or pgn, bin); or"
            " positions=518,0-959,17/845 of Chess960. A book is played in its own order unless told otherwise; without"
            " any, the book of the package is shuffled.",
        ),
    ] = None,
    rounds: Annotated[
        int, typer.Option("--rounds", "--pairs", min=1, help="Game pairs per meeting, both colours each.")
    ] = 100,
    games: Annotated[int, typer.Option(min=1, help="Games per round: 2, a pair.")] = 2,
    repeat: Annotated[bool, typer.Option("--repeat", help="Both games of a pair from one opening: always so.")] = False,
    tournament: Annotated[
        str, typer.Option(help="roundrobin (each meets each) or gauntlet (the seeds meet all others).")
    ] = "roundrobin",
    seeds: Annotated[int, typer.Option(help="Gauntlet: the first so many engines meet all others.")] = 1,
    concurrency: Annotated[
        int, typer.Option("--concurrency", "--workers", min=1, max=1024, help="Pairs that are played at a time.")
    ] = 1,
    use_affinity: Annotated[
        bool, typer.Option("--use-affinity", help="Pin each pair's engines to cores of their own, one for each thread.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", "--srand", min=0, help="Order of the openings.")] = 1,
    variant: Annotated[str, typer.Option(help="standard or chess960 (fischerandom).")] = "standard",
    draw: Annotated[
        str | None, typer.Option(metavar="WORDS", help="Adjudicate draws: movenumber=40,movecount=8,score=10.")
    ] = None,
    resign: Annotated[
        str | None,
        typer.Option(metavar="WORDS", help="Adjudicate losses: movecount=3,score=400,twosided=false (the default)."),
    ] = None,
    maxmoves: Annotated[
        int | None, typer.Option(min=1, help="Full moves after which a game is adjudicated a draw.")
    ] = None,
    tb: Annotated[
        str | None,
        typer.Option(metavar="DIRS", help="Adjudicate by Syzygy tables in these directories, colons between them."),
    ] = None,
    tbpieces: Annotated[int | None, typer.Option(min=3, help="Look up positions of at most so many pieces.")] = None,
    tbignore50: Annotated[
        bool, typer.Option("--tbignore50", help="Wins that the fifty-move rule spoils count as wins.")
    ] = False,
    tbadjudicate: Annotated[str, typer.Option(help="What tables may end: BOTH, WIN_LOSS or DRAW.")] = "BOTH",
    stall: Annotated[float, typer.Option(min=0.1, help="Seconds for a move where no clock runs.")] = 60.0,
    startup_ms: Annotated[
        int, typer.Option("--startup-ms", min=1, max=86_400_000, help="Milliseconds in which an engine must start.")
    ] = 30_000,
    ping_ms: Annotated[
        int,
        typer.Option("--ping-ms", min=1, max=86_400_000, help="Milliseconds for isready or ping; runs on no clock."),
    ] = 10_000,
    wait: Annotated[int, typer.Option(min=0, max=3_600_000, help="Milliseconds to rest before every game.")] = 0,
    recover: Annotated[bool, typer.Option("--recover", help="Start an engine again that crashed: always so.")] = False,
    max_failures: Annotated[
        int, typer.Option("--max-failures", min=1, help="Failures in a row after which an engine stops the match.")
    ] = 5,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS",
            help="Stop by a sequential test (two engines): elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized.",
        ),
    ] = None,
    pgn: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the games while they are played; never over others.")
    ] = None,
    pgnout: Annotated[str | None, typer.Option(metavar="WORDS", help="The same, as file=games.pgn.")] = None,
    event: Annotated[str, typer.Option(help="Event tag of the games.")] = "anchorhold match",
    site: Annotated[str, typer.Option(help="Site tag of the games.")] = "?",
    ratinginterval: Annotated[
        int,
        typer.Option(min=0, help="Without a terminal: figures on stderr after every so many games; 0: never."),
    ] = 0,
    journal: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Keep the pairs here, and go on from here. By default a file in this directory that is removed when"
            " the match is complete.",
        ),
    ] = None,
    dask: DaskOption = None,
    shard: ShardOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json-file", metavar="FILE", help="Write JSON too.")] = None,
) -> None:
    """Play engines against each other in game pairs, and print the field's figures for every meeting.

    Options may also be written as in fastchess and cutechess: -engine cmd=./new name=new -each tc=8+0.08 -rounds 500.
    The same command again goes on where it was interrupted. Exit status: 0 played, 2 stopped by an error,
    130 interrupted.

    Example: anchorhold match --engine 'name=new cmd=./new' --engine 'name=old cmd=./old' --each 'tc=8+0.08
    option.Hash=16' --openings file=book.epd,order=random --rounds 500 --concurrency 2 --pgn games.pgn
    """
    from anchorhold.cli.recruiting import recruits

    del repeat, recover  # always so
    # They load while the match is prepared here.
    with recruits(min(concurrency, rounds) if dask is None else 0) as waiting:
        from anchorhold.canonical import digest
        from anchorhold.cli.match_plan import MatchOptions, make_plan
        from anchorhold.cli.match_run import BookNews, MatchShard, RunningMatch
        from anchorhold.cli.match_words import parse_pgnout
        from anchorhold.errors import AnchorholdError, BadInput
        from anchorhold.matches.journal import Journal

        plan = make_plan(
            MatchOptions(
                engines=engine,
                each=each,
                openings=openings,
                rounds=rounds,
                games=games,
                tournament=tournament,
                seeds=seeds,
                seed=seed,
                variant=variant,
                draw=draw,
                resign=resign,
                maxmoves=maxmoves,
                tb=tb,
                tbpieces=tbpieces,
                tbignore50=tbignore50,
                tbadjudicate=tbadjudicate,
                wait=wait,
                startup_ms=startup_ms,
                ping_ms=ping_ms,
                stall=stall,
                max_failures=max_failures,
                sprt=sprt,
                shard=shard,
            )
        )
        if pgn is not None and pgnout is not None:
            raise BadInput("--pgn and --pgnout are the same, give one of them")
        if dask is not None and use_affinity:
            raise BadInput("--use-affinity pins engines on this machine, but with --dask others play")
        if shard is not None and (pgn is not None or pgnout is not None):
            raise BadInput(
                "the games of a shard are in its file", next_step="Leave --pgn out, and give it when all are merged"
            )
        told = BookNews(plan.book)
        conditions = plan.to_json()
        name = digest(conditions)[:8]
        part = None if shard is None else MatchShard(plan, name)
        path = journal or Path(f"anchorhold-match-{name}{'' if part is None else part.suffix}.journal")
        with Journal.open(path, plan=conditions if part is None else part.journal_plan) as kept:
            game = RunningMatch(plan, kept, interval=ratinginterval)
            try:
                report = game.play(
                    workers=concurrency,
                    pinned=use_affinity,
                    dask=dask,
                    recruits=waiting,
                    pgn=pgn or parse_pgnout(pgnout),
                    event=event,
                    site=site,
                )
            except AnchorholdError:
                if journal is None and not len(kept):
                    kept.close()
                    _remove(path)
                raise
            except KeyboardInterrupt:
                print(
                    f"anchorhold: interrupted; {len(kept)} of {plan.total} pairs are complete and kept in {path}."
                    " The same command goes on with the match.",
                    file=sys.stderr,
                )
                raise SystemExit(INTERRUPTED) from None
            found = game.meetings()
            if part is not None:
                part.write(kept)
    told.what_is_new()
    document = _document(plan, found, game.state, report) if as_json or json_file is not None else ""
    if json_file is not None:
        _write(json_file, document)
    typer.echo(document if as_json else _text(plan, found, game.state, report))
    if journal is None:
        _remove(path)


def _remove(journal: Path) -> None:
    """Take away a journal that nobody asked for and nobody needs any more."""
    for name in (journal.name, journal.name + "-wal", journal.name + "-shm"):
        journal.with_name(name).unlink(missing_ok=True)


def _text(plan: MatchPlan, found: list[Meeting], state: SprtState | None, report: RunReport) -> str:
    from anchorhold.cli.match_figures import standings
    from anchorhold.cli.match_print import each_meeting, overhead_text, standings_text

    blocks = [each_meeting(found, plan.conditions(), state)]
    if len(plan.engines) > 2:
        blocks.append(standings_text(standings(found)))
    if cost := overhead_text(report.overhead):
        blocks.append(cost)
    return "\n\n".join(blocks)


def _document(plan: MatchPlan, found: list[Meeting], state: SprtState | None, report: RunReport) -> str:
    from anchorhold.cli.match_figures import standings
    from anchorhold.cli.match_print import meeting_json, overhead_json, sprt_json, standings_json

    book = plan.book
    members: dict[str, object] = {
        "schema": "anchorhold/match/1",
        "engines": [
            {"name": e.name, "command": list(e.command), "protocol": e.protocol, "limit": e.limit.to_json()}
            for e in plan.engines
        ],
        "book": {
            "file": book.path.name,
            "sha256": book.sha256,
            "order": book.order,
            "seed": book.seed,
            "repeated": book.repeated,
            "skipped": len(book.problems),
        },
        "tournament": plan.tournament,
        "pairs": plan.pairs,
        "meetings": [meeting_json(meeting) for meeting in found],
        "sprt": None if state is None else sprt_json(state),
        "standings": standings_json(standings(found)),
        "referee": overhead_json(report.overhead),
    }
    return json.dumps(members, ensure_ascii=False, indent=2, allow_nan=False)


def _write(path: Path, text: str) -> None:
    from anchorhold.errors import BadInput

    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", where=str(path)) from error
