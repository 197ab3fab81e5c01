"""``anchorhold match``: a plain match, gauntlet or round robin of any engines.

May import: rich, typer, anchorhold.cli, anchorhold.canonical, anchorhold.domain, anchorhold.errors, anchorhold.matches,
anchorhold.stats.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.status import INTERRUPTED

if TYPE_CHECKING:
    from anchorhold.cli.match_figures import Meeting, SprtState
    from anchorhold.domain.engines import EngineSpec
    from anchorhold.matches.books import Book
    from anchorhold.matches.jobs import MatchRules, PairOutcome
    from anchorhold.matches.journal import Journal
    from anchorhold.oracle import StageTally
    from anchorhold.stats.sprt import Sprt

RUN = "match"
STAGE = "match"
PROBLEMS_SHOWN = 20


@fail_cleanly
def match(
    engine: Annotated[
        list[str],
        typer.Option(
            "--engine",
            metavar="WORDS",
            help="One engine, as 'name=A cmd=./a args=\"-x\" dir=. proto=uci tc=8+0.08 option.Hash=16'; repeat"
            " for each. Limits: tc=, st= (seconds a move), nodes=, depth=. Also timemargin= (ms), restart=on (a fresh"
            " process per pair), initstr= (XBoard lines before a game, separated by \\n), depthcmd= (XBoard).",
        ),
    ],
    each: Annotated[str | None, typer.Option(metavar="WORDS", help="What holds for every engine.")] = None,
    openings: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS",
            help="Opening book, as file=book.epd,order=random,seed=1,plies=8; by default the book of the package.",
        ),
    ] = None,
    pairs: Annotated[
        int, typer.Option("--pairs", "--rounds", min=1, help="Game pairs per meeting, both colours each.")
    ] = 100,
    tournament: Annotated[
        str, typer.Option(help="gauntlet (the first engine against all others) or round-robin.")
    ] = "gauntlet",
    workers: Annotated[
        int, typer.Option("--workers", "--concurrency", min=1, max=1024, help="Pairs that are played at a time.")
    ] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Order of the openings.")] = 1,
    variant: Annotated[str, typer.Option(help="standard or chess960.")] = "standard",
    draw: Annotated[
        str | None, typer.Option(metavar="WORDS", help="Adjudicate draws: movenumber=40,movecount=8,score=10.")
    ] = None,
    resign: Annotated[
        str | None, typer.Option(metavar="WORDS", help="Adjudicate losses: movecount=3,score=400,twosided=true.")
    ] = None,
    maxmoves: Annotated[
        int | None, typer.Option(min=1, help="Full moves after which a game is adjudicated a draw.")
    ] = None,
    stall: Annotated[float, typer.Option(min=0.1, help="Seconds for a move where no clock runs.")] = 60.0,
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
    pgn: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the games, when the match ends.")] = None,
    event: Annotated[str, typer.Option(help="Event tag of the games.")] = "anchorhold match",
    journal: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Keep the pairs here, and go on from here. By default a file in this directory that is removed when"
            " the match is complete.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json-file", metavar="FILE", help="Write JSON too.")] = None,
) -> None:
    """Play engines against each other in game pairs, and print the field's figures for every meeting.

    The same command again goes on where it was interrupted. Exit status: 0 played, 2 stopped by an error,
    130 interrupted.

    Example: anchorhold match --engine 'name=new cmd=./new' --engine 'name=old cmd=./old' --each 'tc=8+0.08
    option.Hash=16' --openings file=book.epd,order=random --pairs 500 --workers 2 --pgn games.pgn
    """
    from anchorhold.canonical import digest
    from anchorhold.cli import engine_words as words
    from anchorhold.cli.match_figures import meetings
    from anchorhold.errors import AnchorholdError, BadInput
    from anchorhold.matches.books import load_book
    from anchorhold.matches.jobs import MatchRules
    from anchorhold.matches.journal import Journal
    from anchorhold.matches.pgn import PgnNames, save_pgn
    from anchorhold.matches.runner import run
    from anchorhold.matches.schedule import match_jobs

    engines = words.parse_engines(engine, each=each)
    test = words.parse_sprt(sprt)
    if tournament not in ("gauntlet", "round-robin"):
        raise BadInput(f"--tournament is {tournament!r}; known are gauntlet, round-robin")
    if variant not in ("standard", "chess960"):
        raise BadInput(f"--variant is {variant!r}; known are standard, chess960")
    if test is not None and len(engines) != 2:
        raise BadInput(f"--sprt tests one engine against one other, but {len(engines)} are given")
    if not 0.0 < stall <= 1e6:
        raise BadInput(f"--stall is {stall}, expected seconds of at most 1000000")
    choice = words.parse_openings(openings)
    rules = MatchRules(
        draw=words.parse_draw(draw),
        resign=words.parse_resign(resign),
        max_moves=maxmoves,
        stall_timeout=stall,
        max_failures=max_failures,
    )
    book = load_book(
        choice.file or Path(str(resources.files("anchorhold") / "data" / "openings.pgn")),
        order=choice.order,
        seed=seed if choice.seed is None else choice.seed,
        plies=choice.plies,
        variant="standard" if variant == "standard" else "chess960",
    )
    for problem in book.problems[:PROBLEMS_SHOWN]:
        print(f"anchorhold: skipped {problem}", file=sys.stderr)
    if len(book.problems) > PROBLEMS_SHOWN:
        print(f"anchorhold: skipped {len(book.problems) - PROBLEMS_SHOWN} more entries of the book", file=sys.stderr)
    jobs = match_jobs(
        run=RUN,
        engines=engines,
        tournament="gauntlet" if tournament == "gauntlet" else "round-robin",
        book=book,
        pairs=pairs,
        rules=rules,
        stage=STAGE,
    )
    count = len(engines) * (len(engines) - 1) // 2 if tournament == "round-robin" else len(engines) - 1
    plan = _plan(engines, book, rules, tournament=tournament)
    path = journal or Path(f"anchorhold-match-{digest(plan)[:8]}.journal")

    with Journal.open(path, plan=plan) as kept:
        watch = _Watch(kept, engines, pairs=pairs, total=pairs * count, test=test)
        try:
            with watch:
                run(jobs, journal=kept, workers=workers, on_outcome=watch.saw, until=watch.decided)
        except AnchorholdError:
            if journal is None and not len(kept):
                _remove(path)
            raise
        except KeyboardInterrupt:
            print(
                f"anchorhold: interrupted; {len(kept)} of {pairs * count} pairs are complete and kept in {path}."
                " The same command goes on with the match.",
                file=sys.stderr,
            )
            raise SystemExit(INTERRUPTED) from None
        found = meetings(kept, [e.name for e in engines], run=RUN, until=watch.counted_until or pairs)
        if pgn is not None:
            counted = (r for r in kept.pairs(run=RUN) if r.key.opening <= (watch.counted_until or pairs))
            save_pgn(counted, pgn, names=PgnNames(event=event, limits={(e.name, STAGE): e.limit for e in engines}))
    document = _document(engines, book, found, watch.state, pairs=pairs)
    if json_file is not None:
        _write(json_file, document)
    if as_json:
        typer.echo(document)
    else:
        _print(engines, book, found, watch.state)
    if journal is None:
        _remove(path)


def _remove(journal: Path) -> None:
    """Take away a journal that nobody asked for and nobody needs any more."""
    for name in (journal.name, journal.name + "-wal", journal.name + "-shm", journal.name + ".lock"):
        journal.with_name(name).unlink(missing_ok=True)


class _Watch:
    """What is shown while the match is played, and the sequential test that may end it."""

    def __init__(
        self, journal: Journal, engines: Sequence[EngineSpec], *, pairs: int, total: int, test: Sprt | None
    ) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
        from rich.progress import TimeRemainingColumn as Remaining

        done = min(len(journal), total)
        self._said: set[str] = set()
        self._console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            Remaining(),
            console=self._console,
            disable=not self._console.is_terminal,
        )
        self._task = self._progress.add_task("pairs", total=total, completed=done)
        self._tally: StageTally | None = None
        self._test = test
        if done:
            print(f"anchorhold: going on after {done} of {total} pairs", file=sys.stderr)
        if test is not None:
            from anchorhold.oracle import StagePlan, StageTally

            first, second = engines
            # The oracle's own counting: the decision must not depend on which game happens to end first.
            self._tally = StageTally(StagePlan(first, second, test, pairs), needs_elo=False)
            for score in journal.scores(run=RUN, endpoint=first.name, anchor=second.name, stage=STAGE):
                self._tally.take(score.opening, score.half_points)
            self._show(test, self._tally)

    def __enter__(self) -> _Watch:
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._progress.stop()

    def saw(self, outcome: PairOutcome) -> None:
        """Show one pair, and count it where a test runs."""
        for event in outcome.events:
            # Each worker warns of what it meets first; once is enough.
            if event.kind != "warning" or event.message not in self._said:
                self._said.add(event.message)
                self._console.print(f"{event.kind}: {event.message}", markup=False, highlight=False)
        self._progress.advance(self._task)
        if self._test is not None and self._tally is not None:
            self._tally.take(outcome.record.key.opening, outcome.record.half_points)
            self._show(self._test, self._tally)

    def decided(self) -> bool:
        """Whether the test has decided."""
        return self._tally is not None and self._tally.decision != "undecided"

    @property
    def counted_until(self) -> int | None:
        """Openings that the decision rests on; None: no decision, all count."""
        return self._tally.sample.pairs if self._tally is not None and self.decided() else None

    @property
    def state(self) -> SprtState | None:
        """Where the test stands."""
        from anchorhold.cli.match_figures import SprtState

        if self._test is None or self._tally is None:
            return None
        return SprtState(test=self._test, llr=self._tally.llr, decision=self._tally.decision)

    def _show(self, test: Sprt, tally: StageTally) -> None:
        words = f"LLR {tally.llr:+.2f} ({test.bounds.lower:.2f}, {test.bounds.upper:.2f})"
        self._progress.update(self._task, description=words)


def _plan(engines: Sequence[EngineSpec], book: Book, rules: MatchRules, *, tournament: str) -> Mapping[str, object]:
    """What must be the same for a match to go on; more pairs and other workers are no other match."""
    return {
        "engines": [
            {
                "name": e.name,
                "command": list(e.command),
                "directory": None if e.directory is None else str(e.directory),
                "files": _digests(e),
                "protocol": e.protocol,
                "options": [[name, value] for name, value in e.options],
                "setup": list(e.setup),
                "depth_command": e.depth_command,
                "restart": e.restart,
                "limit": e.limit.to_json(),
                "margin": e.margin,
            }
            for e in engines
        ],
        "tournament": tournament,
        "book": {"sha256": book.sha256, "order": book.order, "seed": book.seed, "plies": book.plies},
        "variant": book.variant,
        "rules": {**rules.to_json(), "stall_timeout": rules.stall_timeout},
    }


def _digests(engine: EngineSpec) -> dict[str, str]:
    """SHA-256 of the program and of every argument that is a file: an engine built anew is another engine."""
    from anchorhold.canonical import file_sha256

    base = engine.directory or Path()
    found: dict[str, str] = {}
    program = shutil.which(engine.command[0]) or str(base / engine.command[0])
    for word, path in [(engine.command[0], Path(program)), *((word, base / word) for word in engine.command[1:])]:
        try:
            if path.is_file():
                found[word] = file_sha256(path)
        except (OSError, ValueError):
            continue  # an argument that is no path: too long, or with a zero byte
    return found


def _conditions(first: EngineSpec, second: EngineSpec, book: Book) -> str:
    limits = [", ".join(f"{k} {v}" for k, v in e.limit.to_json().items()) for e in (first, second)]
    return f"{limits[0] if limits[0] == limits[1] else ' / '.join(limits)}; {book.path.name}"


def _print(engines: Sequence[EngineSpec], book: Book, found: Sequence[Meeting], state: SprtState | None) -> None:
    from anchorhold.cli.match_figures import sprt_text, to_text

    by_name = {engine.name: engine for engine in engines}
    for meeting in found:
        conditions = _conditions(by_name[meeting.first], by_name[meeting.second], book)
        typer.echo(to_text(meeting, conditions=conditions))
        if state is not None:
            typer.echo(sprt_text(state))
        typer.echo()


def _document(
    engines: Sequence[EngineSpec], book: Book, found: Sequence[Meeting], state: SprtState | None, *, pairs: int
) -> str:
    from anchorhold.cli.match_figures import sprt_json, to_json

    members: dict[str, object] = {
        "schema": "anchorhold/match/1",
        "engines": [
            {"name": e.name, "command": list(e.command), "protocol": e.protocol, "limit": e.limit.to_json()}
            for e in engines
        ],
        "book": {"file": book.path.name, "sha256": book.sha256, "order": book.order, "seed": book.seed},
        "pairs": pairs,
        "meetings": [to_json(meeting) for meeting in found],
        "sprt": None if state is None else sprt_json(state),
    }
    return json.dumps(members, ensure_ascii=False, indent=2, allow_nan=False)


def _write(path: Path, text: str) -> None:
    from anchorhold.errors import BadInput

    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", where=str(path)) from error
