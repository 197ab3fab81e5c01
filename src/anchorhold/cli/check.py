"""``anchorhold check``: opens a check, measures it, closes it, or does it all and resumes what was interrupted.

May import: typer, rich, anchorhold.checks, anchorhold.config, anchorhold.domain, anchorhold.errors, anchorhold.law,
anchorhold.matches, anchorhold.register, anchorhold.report, anchorhold.cli.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import (
    AuthorOption,
    ConfigOption,
    ContractOption,
    DaskOption,
    JsonOption,
    LanguageOption,
    RegisterOption,
    ShardOption,
    WorkersOption,
)
from anchorhold.cli.status import INTERRUPTED, VERDICT_STATUS

if TYPE_CHECKING:
    from pathlib import Path

    from anchorhold.checks.closing import Closed
    from anchorhold.checks.measuring import OnProgress, Progress
    from anchorhold.checks.state import CheckState
    from anchorhold.config import Config
    from anchorhold.law.result import Result
    from anchorhold.report.texts import Texts

app = typer.Typer(
    name="check",
    help="Measure two versions of main against the anchors, and judge how much of the claims arrived.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

SHOWN_STEPS = 20
"""Lines of progress when standard error is no terminal."""

OldOption = Annotated[
    str | None, typer.Option("--old", metavar="VERSION", help="By default the last check's new version.")
]
PairsLongOption = Annotated[int | None, typer.Option("--pairs-long", min=1, help="Pairs per anchor, long stage.")]
PairsShortOption = Annotated[int | None, typer.Option("--pairs-short", min=1, help="Pairs per anchor, short stage.")]
PairsDirectOption = Annotated[int | None, typer.Option("--pairs-direct", min=0, help="Pairs of new against old.")]
ReuseOldOption = Annotated[
    bool,
    typer.Option("--reuse-old", help="Do not play old again: the last closed check's measurement of it stands for it."),
]
CheckArgument = Annotated[str | None, typer.Argument(metavar="CHECK", help="By default the last one.")]


@app.command("open")
@fail_cleanly
def open_command(
    new: Annotated[
        str,
        typer.Option(
            "--new", metavar="VERSION", help="Version of main that is to be confirmed; with a build, a git revision."
        ),
    ],
    old: OldOption = None,
    pairs_long: PairsLongOption = None,
    pairs_short: PairsShortOption = None,
    pairs_direct: PairsDirectOption = None,
    reuse_old: ReuseOldOption = False,
    contract: ContractOption = None,
    config: ConfigOption = None,
    register: RegisterOption = None,
    author: AuthorOption = None,
    language: LanguageOption = None,
    as_json: JsonOption = False,
) -> None:
    """Open a check: freezes contract, anchors, versions, conditions and pairs before a game is played.

    Where [main.build] names a build command, old and new are revisions of main's repository, and are built first.

    Example: anchorhold check open --old v1.4 --new v1.5
    """
    from anchorhold.checks.identity import FileDigests
    from anchorhold.checks.opening import open_new_check
    from anchorhold.cli.building import built_for_opening
    from anchorhold.cli.project import contract_of, plan_of
    from anchorhold.register.store import Register

    loaded = _load(
        config,
        register=register,
        author=author,
        contract=contract,
        pairs_long=pairs_long,
        pairs_short=pairs_short,
        pairs_direct=pairs_direct,
    )
    with Register.open(loaded.register) as opened:
        loaded, old, new = built_for_opening(loaded, opened, old=old, new=new)
        check = open_new_check(
            opened,
            plan_of(loaded),
            old=old,
            new=new,
            contract=contract_of(loaded),
            author=loaded.author,
            digest_of=FileDigests(),
            reuse_old=reuse_old,
        )
    if as_json:
        _echo_json(_state_json(check))
    else:
        _say_opened(check, _texts(language, config))


@app.command()
@fail_cleanly
def measure(
    workers: WorkersOption = None,
    dask: DaskOption = None,
    shard: ShardOption = None,
    config: ConfigOption = None,
    register: RegisterOption = None,
    author: AuthorOption = None,
    language: LanguageOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play what the open check still lacks; interrupted at any moment, the next call goes on.

    With --shard it plays one part of the pairs, records nothing and writes a file for 'anchorhold merge' into this
    directory.

    Example: anchorhold check measure --workers 2
    """
    from anchorhold.checks.identity import FileDigests
    from anchorhold.checks.measuring import measure as measure_check
    from anchorhold.cli.building import built_for_measuring
    from anchorhold.cli.playing import player
    from anchorhold.cli.project import plan_of
    from anchorhold.register.store import Register

    loaded = _load(config, register=register, author=author, workers=workers)
    play = player(dask, workers=loaded.workers)
    if shard is not None:
        from anchorhold.checks.parts import measure_shard
        from anchorhold.matches.shards import Shard

        with Register.open(loaded.register) as opened:
            loaded = built_for_measuring(loaded, opened)
            with _progress() as on_progress:
                file = measure_shard(
                    opened,
                    plan_of(loaded),
                    shard=Shard.parse(shard),
                    digest_of=FileDigests,
                    on_progress=on_progress,
                    play=play,
                )
        _say_shard(file, as_json=as_json, texts=_texts(language, config))
        return
    with Register.open(loaded.register) as opened:
        loaded = built_for_measuring(loaded, opened)
        with _progress() as on_progress:
            check = measure_check(
                opened, plan_of(loaded), author=loaded.author, digest_of=FileDigests, on_progress=on_progress, play=play
            )
    if as_json:
        _echo_json(_state_json(check))
    else:
        say = _texts(language, config).gettext
        typer.echo(say("{check} is measured. Close it with 'anchorhold check close'.", check=check.id))


@app.command()
@fail_cleanly
def close(
    config: ConfigOption = None,
    register: RegisterOption = None,
    author: AuthorOption = None,
    language: LanguageOption = None,
    as_json: JsonOption = False,
) -> None:
    """Judge the measured check and record the result; --json prints the result document.

    Exit status: 0 CONTINUE or WARN, 1 HALT, 3 GAP, 4 DEFECTIVE, 2 bad usage.

    Example: anchorhold check close
    """
    from anchorhold import config as settings
    from anchorhold.checks.closing import close_check
    from anchorhold.register.store import Register

    with Register.open(settings.register_url(register, config)) as opened:
        closed = close_check(opened, author=settings.author_name(author, config))
    _finish(closed, as_json=as_json, language=language, config=config)


@app.command()
@fail_cleanly
def abandon(
    reason: Annotated[str, typer.Option("--reason", help="Why; it stays in the register.")],
    config: ConfigOption = None,
    register: RegisterOption = None,
    author: AuthorOption = None,
    language: LanguageOption = None,
    as_json: JsonOption = False,
) -> None:
    """Give the open check up, with a reason. Its window stays open, and it counts as an attempt.

    Example: anchorhold check abandon --reason "wrong book"
    """
    from anchorhold import config as settings
    from anchorhold.checks.closing import abandon_check
    from anchorhold.register.store import Register

    with Register.open(settings.register_url(register, config)) as opened:
        check = abandon_check(opened, reason=reason, author=settings.author_name(author, config))
    if as_json:
        _echo_json(_state_json(check))
    else:
        say = _texts(language, config).gettext
        typer.echo(say("{check} is abandoned: {reason}", check=check.id, reason=check.reason))


@app.command()
@fail_cleanly
def run(
    new: Annotated[
        str | None, typer.Option("--new", metavar="VERSION", help="Version of main that is to be confirmed.")
    ] = None,
    old: OldOption = None,
    pairs_long: PairsLongOption = None,
    pairs_short: PairsShortOption = None,
    pairs_direct: PairsDirectOption = None,
    reuse_old: ReuseOldOption = False,
    contract: ContractOption = None,
    workers: WorkersOption = None,
    dask: DaskOption = None,
    config: ConfigOption = None,
    register: RegisterOption = None,
    author: AuthorOption = None,
    language: LanguageOption = None,
    as_json: JsonOption = False,
) -> None:
    """Open a check when none is open, measure it, close it; resumes whatever was interrupted.

    When nothing was recorded since the last result, that result is shown again; 'check open' begins another attempt.

    Exit status: 0 CONTINUE or WARN, 1 HALT, 3 GAP, 4 DEFECTIVE, 2 bad usage, 130 interrupted.

    Example: anchorhold check run --old v1.4 --new v1.5 --workers 2
    """
    from anchorhold.checks.identity import FileDigests
    from anchorhold.checks.life import run_check
    from anchorhold.cli.building import built_for_run
    from anchorhold.cli.playing import player
    from anchorhold.cli.project import contract_of, plan_of
    from anchorhold.register.store import Register

    loaded = _load(
        config,
        register=register,
        author=author,
        contract=contract,
        workers=workers,
        pairs_long=pairs_long,
        pairs_short=pairs_short,
        pairs_direct=pairs_direct,
    )
    play = player(dask, workers=loaded.workers)
    asked_pairs = {"long": pairs_long, "short": pairs_short, "direct": pairs_direct}

    def on_opened(check: CheckState) -> None:
        _refuse_other_pairs(check, asked_pairs)
        if not as_json:
            _say_opened(check, _texts(language, config))

    with Register.open(loaded.register) as opened:
        loaded, old, new = built_for_run(loaded, opened, old=old, new=new)
        with _progress() as on_progress:
            closed = run_check(
                opened,
                plan_of(loaded),
                old=old,
                new=new,
                contract=contract_of(loaded),
                author=loaded.author,
                digest_of=FileDigests,
                reuse_old=reuse_old,
                on_opened=on_opened,
                on_progress=on_progress,
                play=play,
            )
    _finish(closed, as_json=as_json, language=language, config=config)


@app.command("list")
@fail_cleanly
def list_checks(
    config: ConfigOption = None,
    register: RegisterOption = None,
    language: LanguageOption = None,
    as_json: JsonOption = False,
) -> None:
    """List all checks with their versions, attempts and verdicts, from the register alone.

    Exit status 4, with a line that says why, when the register does not hold.

    Example: anchorhold check list
    """
    checks, status = _checks(config, register)
    if as_json:
        _echo_json([_state_json(check) for check in checks])
        raise SystemExit(status)
    from anchorhold.cli.check_words import line_of
    from anchorhold.cli.texts import texts_of

    texts = texts_of(language, config)
    if not checks:
        typer.echo(texts.gettext("The register holds no check."))
    for check in checks:
        typer.echo(line_of(check, texts))
    raise SystemExit(status)


@app.command()
@fail_cleanly
def show(
    check: CheckArgument = None,
    config: ConfigOption = None,
    register: RegisterOption = None,
    language: LanguageOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show one check: plan, attempt, measurements, result or what it still lacks.

    Example: anchorhold check show check-3 --json
    """
    from anchorhold.checks.closing import stored_result
    from anchorhold.checks.state import find_check

    checks, status = _checks(config, register)
    found = find_check(checks, check)
    if as_json:
        from anchorhold.law.diagnosis import diagnose

        measurements = [{"seq": entry.seq, **entry.payload} for entry in found.measurements]
        result = None if found.closed is None else stored_result(found)
        diagnosis = None if result is None else diagnose(result, pairs=found.plan.planned_pairs.long)
        _echo_json(
            {
                **_state_json(found),
                "opening": dict(found.opened.payload),
                "measurements": measurements,
                "result": None if result is None else result.to_json(),
                "diagnosis": None if diagnosis is None else diagnosis.to_json(),
            }
        )
        raise SystemExit(status)
    from anchorhold.cli.check_words import shown_lines
    from anchorhold.cli.texts import texts_of

    for line in shown_lines(found, texts_of(language, config)):
        typer.echo(line)
    if found.closed is None:
        raise SystemExit(status)
    outcome = stored_result(found)
    _print_result(outcome, found, language, config)
    _print_diagnosis(outcome, found, language, config)
    raise SystemExit(status)


def _texts(language: str | None, config: Path | None) -> Texts:
    from anchorhold.cli.texts import texts_of

    return texts_of(language, config)


def _say_shard(file: Path, *, as_json: bool, texts: Texts) -> None:
    if as_json:
        _echo_json({"file": str(file)})
    else:
        say = texts.gettext
        typer.echo(say("The shard is complete, in {file}. Put all shards together with 'anchorhold merge'.", file=file))


def _load(config: Path | None, *, contract: str | None = None, **flags: object) -> Config:
    from anchorhold import config as settings
    from anchorhold.cli.options import contract_flags

    return settings.load(config, flags={**flags, **contract_flags(contract)})


def _checks(config: Path | None, register: str | None) -> tuple[tuple[CheckState, ...], int]:
    """Return the checks and the exit status: 0, or 4 after a line that says why the register does not hold."""
    from anchorhold.checks.state import checks_of
    from anchorhold.cli.reading import open_register, warn_of_damage

    with open_register(register, config) as opened:
        status = warn_of_damage(opened)
        return checks_of(opened.entries()), status


def _refuse_other_pairs(check: CheckState, asked: dict[str, int | None]) -> None:
    from anchorhold.errors import BadState

    frozen = check.plan.planned_pairs
    for name, pairs in asked.items():
        planned = getattr(frozen, name) or 0
        if pairs is not None and pairs != planned:
            raise BadState(
                f"{check.id} was opened with {planned} pairs ({name}), --pairs-{name} asks for {pairs}",
                next_step=f"Leave --pairs-{name} out, or abandon {check.id} first",
            )


def _finish(closed: Closed, *, as_json: bool, language: str | None, config: Path | None) -> None:
    if as_json:
        _echo_json(closed.result.to_json())
    else:
        _print_result(closed.result, closed.check, language, config)
        if not closed.check.closes_window:
            typer.echo(
                _texts(language, config).gettext(
                    "{check} leaves its window open: the next check begins with {version}.",
                    check=closed.check.id,
                    version=closed.check.plan.old.version,
                )
            )
    raise SystemExit(VERDICT_STATUS[closed.result.verdict])


def _print_result(result: Result, check: CheckState, language: str | None, config: Path | None) -> None:
    from anchorhold.checks.document import contract_of
    from anchorhold.cli.language import language_of
    from anchorhold.report.terminal import print_result

    print_result(result, language=language_of(language, config), parameters=contract_of(check).parameters)


def _print_diagnosis(result: Result, check: CheckState, language: str | None, config: Path | None) -> None:
    from anchorhold.cli.language import language_of
    from anchorhold.law.diagnosis import diagnose
    from anchorhold.report.diagnosis import diagnosis_in_words
    from anchorhold.report.languages import check_language
    from anchorhold.report.texts import texts_in

    found = diagnose(result, pairs=check.plan.planned_pairs.long)
    if found is None:
        return
    texts = texts_in(check_language(language_of(language, config)))
    typer.echo("\n" + texts.gettext("Where the difference went") + ":")
    for sentence in diagnosis_in_words(found, texts=texts):
        typer.echo(f"  {sentence}")


def _echo_json(value: object) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False))


def _state_json(check: CheckState) -> dict[str, object]:
    r = None
    if check.closed is not None:
        from anchorhold.checks.closing import stored_result

        r = stored_result(check).r
    return {
        "check": check.id,
        "status": check.status,
        "verdict": check.verdict,
        "r": r,
        "attempt": check.attempt,
        "old": check.plan.old.version,
        "new": check.plan.new.version,
        "opened": {"seq": check.opened.seq, "at": check.opened.recorded_at, "hash": check.opened.hash},
        "closed": None
        if check.closed is None
        else {"seq": check.closed.seq, "at": check.closed.recorded_at, "hash": check.closed.hash},
        "abandoned": check.reason,
        "closes_window": check.closes_window,
        "window": {"after": check.plan.window.after, "until": check.opened.seq},
        "contract": {"edition": check.plan.contract.edition, "digest": check.plan.contract.digest},
        "planned_pairs": check.plan.planned_pairs.model_dump(exclude_none=True),
        "missing": [{"endpoint": endpoint, "stage": stage} for endpoint, stage in check.missing()],
        "notes": list(check.plan.notes),
    }


def _say_opened(check: CheckState, texts: Texts) -> None:
    from anchorhold.cli.check_words import opened_lines

    for line in opened_lines(check, texts):
        typer.echo(line)


@contextmanager
def _progress() -> Iterator[OnProgress]:
    """Show pairs on standard error: a bar on a terminal, else lines. Ctrl-C has an exit status of its own."""
    try:
        if sys.stderr.isatty():
            with _bar() as on_progress:
                yield on_progress
        else:
            yield _lines()
    except KeyboardInterrupt:
        print("anchorhold: interrupted; the pairs played so far are kept, the same command goes on", file=sys.stderr)
        raise SystemExit(INTERRUPTED) from None


@contextmanager
def _bar() -> Iterator[OnProgress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    with Bar(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TextColumn("pairs"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    ) as bar:
        task = bar.add_task("measuring", total=None)

        def on_progress(progress: Progress) -> None:
            bar.update(task, description=progress.check, total=progress.planned, completed=progress.done)
            for event in progress.outcome.events if progress.outcome else ():
                bar.console.print(f"{progress.check}: {event.message}", highlight=False, markup=False, soft_wrap=True)

        yield on_progress


def _lines() -> OnProgress:
    shown = -1

    def on_progress(progress: Progress) -> None:
        nonlocal shown
        for event in progress.outcome.events if progress.outcome else ():
            print(f"{progress.check}: {event.message}", file=sys.stderr)
        step = progress.done * SHOWN_STEPS // max(progress.planned, 1)
        if step != shown:
            shown = step
            print(f"{progress.check}: {progress.done} of {progress.planned} pairs", file=sys.stderr, flush=True)

    return on_progress
