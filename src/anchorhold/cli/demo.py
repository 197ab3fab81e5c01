"""``anchorhold demo``: the whole of it on real engines, in about four minutes.

It does nothing that cannot be typed: it makes a project folder and runs the usual commands in it, each of which it
shows. Interrupted at any moment, the next call goes on. May import: typer, rich, anchorhold.config, anchorhold.errors,
anchorhold.report, anchorhold.cli.
"""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import LanguageOption, WorkersOption
from anchorhold.cli.status import INTERRUPTED

if TYPE_CHECKING:
    from anchorhold.cli.demo_project import Run
    from anchorhold.cli.demo_texts import DemoTexts

PAIRS = 20
DIRECT_PER_PAIR = 2
"""Pairs of the direct match for every pair against an anchor."""
MOST_WORKERS = 8
BAD_INPUT = 2


@fail_cleanly
def demo(
    directory: Annotated[
        Path, typer.Option("--directory", metavar="DIR", help="Where the runs are kept, each in a folder of its own.")
    ] = Path("demo"),
    engines: Annotated[
        Path, typer.Option("--engines", metavar="DIR", help="Where npm put both Stockfish builds.")
    ] = Path(".engines"),
    pairs: Annotated[
        int | None,
        typer.Option("--pairs", min=2, max=300, help=f"Pairs against each anchor per version; by default {PAIRS}."),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Begin a new run, also when the last is unfinished.")] = False,
    workers: WorkersOption = None,
    language: LanguageOption = None,
) -> None:
    """Show all of it on real engines: six anchors, two released versions of Stockfish.js, a verdict, a report.

    Plays for about four minutes on two cores. Interrupted with Ctrl-C, the next call goes on; a finished run is kept,
    and the next call begins another. Exit status: 0 whatever the verdict, 2 when something is missing, 130 interrupted.

    Example: anchorhold demo --lang de
    """
    from anchorhold.cli.demo_project import OLD, last_run
    from anchorhold.cli.demo_texts import demo_texts
    from anchorhold.cli.language import language_of

    texts = demo_texts(language_of(language))
    # A demo must never write into the register or folder that the environment names for the user's own project.
    for name in [name for name in os.environ if name.startswith("ANCHORHOLD_")]:
        del os.environ[name]
    last = last_run(directory)
    run = _run(directory, engines, pairs=pairs, fresh=fresh, workers=workers, texts=texts)
    _say(texts.welcome.format(old=OLD, folder=run.directory))
    if run.resumed and last is not None:
        _say(texts.resumed)
    begun = time.monotonic()
    try:
        _play(run, texts)
    except KeyboardInterrupt:
        raise SystemExit(_interrupted(texts)) from None
    except SystemExit as end:
        if end.code == INTERRUPTED:
            _interrupted(texts)
        elif end.code == BAD_INPUT and run.resumed:
            typer.echo(texts.stuck, err=True)
        raise
    _say(texts.done.format(seconds=time.monotonic() - begun, report=run.report(texts.language)))


def _run(
    directory: Path, engines: Path, *, pairs: int | None, fresh: bool, workers: int | None, texts: DemoTexts
) -> Run:
    """Go on with the last run when it is unfinished, else begin a new one."""
    from anchorhold import config as settings
    from anchorhold.adopt.lineup import read_lineup
    from anchorhold.cli import demo_project as project
    from anchorhold.errors import BadState

    programs = project.find_programs(engines, path=os.environ.get("PATH", os.defpath))
    last = project.last_run(directory)
    if last is not None and not fresh and not project.finished(last):
        planned = settings.load(last.config).long.pairs
        if pairs is not None and pairs != planned:
            raise BadState(
                f"the unfinished run was begun with {planned} pairs, --pairs asks for {pairs}",
                where=str(last.directory),
                next_step="Leave --pairs out to go on with it, or begin a new run with --fresh",
            )
        return last
    lineup = read_lineup()
    if others := project.other_builds(programs.anchors, lineup):
        _say(texts.other_builds.format(names=", ".join(others), measured=lineup.measured))
    size = project.Scale(
        pairs=pairs or PAIRS,
        direct_pairs=DIRECT_PER_PAIR * (pairs or PAIRS),
        workers=workers or min(len(os.sched_getaffinity(0)), MOST_WORKERS),
    )
    return project.begin_run(directory, project.config_text(programs, lineup, size))


def _play(run: Run, texts: DemoTexts) -> None:
    """Run the commands of a check from a new register to the report, or what is left of them."""
    from anchorhold import config as settings
    from anchorhold.cli import anchors, check, oracle, register, report
    from anchorhold.cli.demo_project import NEW, OLD
    from anchorhold.cli.gate import gate

    config = run.config
    if not Path(settings.load(config).register).exists():
        _step(texts.register, f"register create --config {_word(config)}")
        register.create(config=config)
    _step(texts.anchors, f"anchors pin --config {_word(config)}")
    anchors.pin(config=config)
    book = str(run.oracle_book)
    _step(
        texts.oracle,
        f"oracle run --candidate {_word(NEW)} --base {_word(OLD)} --book {_word(book)} --config {_word(config)}",
    )
    if _status(lambda: oracle.run_command(candidate=NEW, base=OLD, book=book, config=config)) == oracle.NOT_PASSED:
        _say(texts.not_passed)
    _step(texts.check, f"check run --old {_word(OLD)} --new {_word(NEW)} --config {_word(config)}")
    _status(lambda: check.run(old=OLD, new=NEW, config=config, language=texts.language))
    _say(texts.short)
    _step(texts.gate, f"gate --config {_word(config)}")
    _status(lambda: gate(config=config))
    target = run.report(texts.language)
    _step(texts.report, f"report -o {_word(target)} --config {_word(config)}")
    report.report(config=config, output=target, language=texts.language)


def _status(command: Callable[[], None]) -> int:
    """Run a command whose exit status is an answer; bad input and an interruption still end the demo."""
    try:
        command()
    except SystemExit as end:
        if end.code in (BAD_INPUT, INTERRUPTED) or not isinstance(end.code, int):
            raise
        return end.code
    return 0


def _interrupted(texts: DemoTexts) -> int:
    typer.echo(texts.interrupted, err=True)
    return INTERRUPTED


def _step(what: str, command: str) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console()
    console.print()
    console.print(Text(what, style="bold"))
    console.print(Text(f"$ anchorhold {command}", style="dim"), soft_wrap=True)


def _say(text: str) -> None:
    from rich.console import Console

    Console().print(text, highlight=False, markup=False)


def _word(value: Path | str) -> str:
    return shlex.quote(str(value))
