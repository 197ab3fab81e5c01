"""``anchorhold oracle``: tests a candidate against its predecessor, with the LLR on the way, and records the outcome.

May import: typer, rich, anchorhold.config, anchorhold.oracle, anchorhold.checks, anchorhold.domain, anchorhold.matches,
anchorhold.register, anchorhold.stats, anchorhold.errors, anchorhold.cli.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import AuthorOption, ConfigOption, DaskOption, JsonOption, RegisterOption, WorkersOption
from anchorhold.cli.oracle_plan import plan_command
from anchorhold.cli.status import INTERRUPTED

if TYPE_CHECKING:
    from anchorhold.config.record import Config
    from anchorhold.domain.payloads import TestStage
    from anchorhold.matches.books import Book
    from anchorhold.oracle.plan import OraclePlan, StageName, StagePlan
    from anchorhold.oracle.run import OnProgress, OracleResult, StageProgress

app = typer.Typer(
    name="oracle",
    help="Confirm gains by sequential tests against the predecessor.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

NOT_PASSED = 1
SCALE_WIDTH = 24
ROOM_FOR_SCALE = 110
"""Columns of a terminal in which the whole line fits with the scale."""
SHOWN_STEP = 20
"""Counted pairs between two lines of progress when standard error is no terminal."""


app.command("plan")(plan_command)


@app.command("run")
@fail_cleanly
def run_command(
    candidate: Annotated[str, typer.Option("--candidate", metavar="VERSION", help="Version of main that is tested.")],
    base: Annotated[str, typer.Option("--base", metavar="VERSION", help="Version that it is tested against.")],
    test_id: Annotated[
        str | None,
        typer.Option("--id", help="Id in the register; by default BASE..CANDIDATE. Names one test for ever."),
    ] = None,
    special: Annotated[
        str | None,
        typer.Option(
            "--special",
            metavar="PATH",
            help="Special path, counted as zero: edge_case, tempo_change, game_settings or simplification.",
        ),
    ] = None,
    bounds: Annotated[
        tuple[float, float] | None,
        typer.Option("--bounds", metavar="LOW HIGH", help="Elo bounds of both stages instead of the configured ones."),
    ] = None,
    book: Annotated[
        str | None, typer.Option("--book", metavar="FILE", help="Opening book instead of the configured one.")
    ] = None,
    workers: WorkersOption = None,
    dask: DaskOption = None,
    config: ConfigOption = None,
    register: RegisterOption = None,
    author: AuthorOption = None,
    as_json: JsonOption = False,
) -> None:
    """Test a candidate against its predecessor: short stage, then long stage.

    Passed both, a gain_test is recorded (with --special a special_path), else a rejected_test. An interrupted run goes
    on where it stopped when the same command is given again. The stopping rule: after every pair, in the order of the
    openings, the log-likelihood ratio of the counts is computed; at ln((1 - beta)/alpha) or above the stage passes, at
    ln(beta/(1 - alpha)) or below it fails, and at max_pairs it has not passed. With overshoot = "dynamic" in the
    settings both bounds are moved inwards by the mean overshoot seen so far.

    Exit status: 0 passed, 1 not passed, 2 bad usage, 130 interrupted.

    Example: anchorhold oracle run --candidate v1.5 --base v1.4
    """
    from anchorhold import config as settings
    from anchorhold.checks.state import checks_of
    from anchorhold.cli.building import with_built
    from anchorhold.cli.playing import player
    from anchorhold.matches.books import load_book
    from anchorhold.oracle.run import run_oracle
    from anchorhold.register.store import Register

    flags = {"workers": workers, "register": register, "author": author, "book": book}
    found = settings.load(config, flags=flags)
    play = player(dask, workers=found.workers)
    choice = found.book
    openings = load_book(choice.path, order=choice.order, seed=choice.seed, plies=choice.plies, variant=choice.variant)
    with Register.open(found.register) as opened:
        checks = checks_of(opened.entries()) if found.main.recipe else ()
        found, (candidate, base) = with_built(found, checks, [candidate, base])
    plan = _plan(found, openings, candidate, base, test_id=test_id, special=special, bounds=bounds)
    with Register.open(found.register) as opened, _progress(plan.id) as on_progress:
        result = run_oracle(
            plan,
            book=openings,
            data=found.data,
            register=opened,
            author=found.author,
            workers=found.workers,
            on_progress=on_progress,
            play=play,
        )
    typer.echo(json.dumps(_to_json(result), ensure_ascii=False, indent=2) if as_json else _text(result))
    if not result.passed:
        raise SystemExit(NOT_PASSED)


def _plan(
    config: Config,
    book: Book,
    candidate: str,
    base: str,
    *,
    test_id: str | None,
    special: str | None,
    bounds: tuple[float, float] | None,
) -> OraclePlan:
    from typing import cast

    from anchorhold.checks.identity import FileDigests, run_identity
    from anchorhold.domain.payloads import Special
    from anchorhold.errors import BadInput
    from anchorhold.oracle.plan import OraclePlan

    short, long = (_stage(config, name, book, candidate, base, bounds) for name in ("short", "long"))
    digest_of = FileDigests()
    identities = [run_identity(spec, digest_of=digest_of).to_json() for spec in (long.candidate, long.base)]
    if identities[0] == identities[1]:
        raise BadInput(
            f"{candidate} and {base} are the same program with the same options",
            where=str(config.path),
            next_step="Build the candidate, or look at main's command and versions.",
        )
    plan = OraclePlan(
        id=f"{base}..{candidate}" if test_id is None else test_id,
        candidate=candidate,
        base=base,
        short=short,
        long=long,
        rules=config.rules,
        special=cast("Special | None", special),  # OraclePlan refuses unknown ones, with the nearest name
        identities={"candidate": identities[0], "base": identities[1]},
        builds={
            role: config.main.builds[version].facts
            for role, version in (("candidate", candidate), ("base", base))
            if config.main.is_built(version)
        },
    )
    needed = max(short.max_pairs, long.max_pairs)
    if book.complete and needed > book.size:
        print(
            f"anchorhold: the book has {book.size} openings, a stage up to {needed} pairs: openings will come again,"
            " and engines that repeat themselves then tell nothing new",
            file=sys.stderr,
        )
    return plan


def _stage(
    config: Config, name: str, book: Book, candidate: str, base: str, bounds: tuple[float, float] | None
) -> StagePlan:
    from anchorhold.cli.project import plan_of
    from anchorhold.domain.project import Stage
    from anchorhold.errors import BadInput
    from anchorhold.oracle.plan import StagePlan
    from anchorhold.stats.sprt import Sprt

    short, long = config.oracle()
    stage = short if name == "short" else long
    low, high = stage.bounds if bounds is None else bounds
    where = f"{config.path}: oracle.{name}" if bounds is None else "--bounds"
    try:
        test = Sprt(low, high, model=stage.model, alpha=stage.alpha, beta=stage.beta)
    except BadInput as error:
        raise BadInput(error.what, where=where, next_step=error.next_step) from error
    measured = Stage(limit=stage.limit, pairs=stage.max_pairs)
    return StagePlan(
        candidate=config.main.spec(candidate, stage.limit),
        base=config.main.spec(base, stage.limit),
        test=test,
        max_pairs=stage.max_pairs,
        conditions=plan_of(config).conditions(candidate, measured, book_sha256=book.sha256),
        overshoot_corrected=stage.overshoot_corrected,
    )


def _to_json(result: OracleResult) -> dict[str, object]:
    return {
        "passed": result.passed,
        "kind": result.entry.kind,
        "seq": result.entry.seq,
        "recorded_now": result.recorded_now,
        "payload": dict(result.entry.payload),
    }


def _text(result: OracleResult) -> str:
    test = result.test
    lines = [f"{test.id}: {test.candidate} against {test.base}"]
    lines += [_stage_text(name, stage) for name, stage in (("short", test.short), ("long", test.long)) if stage]
    if test.reason:
        lines.append(f"Not passed: {test.reason}.")
    when = "recorded as" if result.recorded_now else "was recorded already, as"
    lines.append(f"{when} {result.entry.kind}, entry {result.entry.seq}.".capitalize())
    return "\n".join(lines)


def _stage_text(name: str, stage: TestStage) -> str:
    elo = (
        "no estimate"
        if stage.elo is None or stage.elo_error is None
        else f"{stage.elo:+.2f} ± {stage.elo_error:.2f} Elo"
    )
    low, high = stage.bounds or (0.0, 0.0)
    return f"{name:<5} {elo}, pairs {list(stage.pentanomial or ())}, bounds {low:g} to {high:g}: {stage.outcome}"


@contextmanager
def _progress(test_id: str) -> Iterator[OnProgress]:
    """Show where the stages stand on standard error: one living line on a terminal, else a line now and then."""
    try:
        if sys.stderr.isatty():
            with _living_line() as on_progress:
                yield on_progress
        else:
            yield _lines()
    except KeyboardInterrupt:
        print(
            f"anchorhold: {test_id} interrupted; the pairs played so far are kept, the same command goes on",
            file=sys.stderr,
        )
        raise SystemExit(INTERRUPTED) from None


@contextmanager
def _living_line() -> Iterator[OnProgress]:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True)
    with Live(console=console, auto_refresh=False, transient=True) as live:

        def on_progress(progress: StageProgress) -> None:
            for event in progress.events:
                console.print(f"{event.engine}: {event.message}", highlight=False, markup=False, soft_wrap=True)
            line = _line(progress, scale=console.width >= ROOM_FOR_SCALE)
            live.update(Text(line, no_wrap=True, overflow="ellipsis"), refresh=True)
            if progress.decision != "undecided":
                console.print(_line(progress, scale=False), highlight=False, markup=False)

        yield on_progress


def _lines() -> OnProgress:
    shown: tuple[StageName | None, int] = (None, 0)

    def on_progress(progress: StageProgress) -> None:
        nonlocal shown
        for event in progress.events:
            print(f"{event.engine}: {event.message}", file=sys.stderr)
        now = (progress.stage, progress.sample.pairs // SHOWN_STEP)
        if now != shown or progress.decision != "undecided":
            shown = now
            print(_line(progress, scale=False), file=sys.stderr, flush=True)

    return on_progress


def _line(progress: StageProgress, *, scale: bool) -> str:
    """Return one line: the LLR between its bounds, the Elo so far, the pairs."""
    estimate = progress.estimate
    parts = [
        f"{progress.stage:<5}",
        f"LLR {progress.llr:+.2f} [{progress.lower:.2f}, {progress.upper:.2f}]",
        "Elo not yet known" if estimate is None else f"Elo {estimate.elo:+.1f} ± {estimate.error:.1f}",
        f"{progress.sample.pairs} of at most {progress.max_pairs} pairs",
    ]
    if scale:
        parts.insert(1, _scale(progress))
    if progress.decision != "undecided":
        parts.append(progress.decision)
    return "  ".join(parts)


def _scale(progress: StageProgress) -> str:
    share = (progress.llr - progress.lower) / (progress.upper - progress.lower)
    place = min(max(round(share * (SCALE_WIDTH - 1)), 0), SCALE_WIDTH - 1)
    return "├" + "─" * place + "●" + "─" * (SCALE_WIDTH - 1 - place) + "┤"
