"""``anchorhold check``: opens a check, measures it, closes it, or does it all and resumes what was interrupted.

May import: typer, rich, anchorhold.checks, anchorhold.config, anchorhold.domain, anchorhold.errors, anchorhold.law,
anchorhold.matches, anchorhold.register, anchorhold.report, anchorhold.cli.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from anchorhold.cli.check_print import echo_json, finish, say_opened, say_shard, state_json, warn_of
from anchorhold.cli.check_progress import shown_progress
from anchorhold.cli.check_show import list_checks, show_check
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
from anchorhold.cli.texts import texts_of

if TYPE_CHECKING:
    from pathlib import Path

    from anchorhold.checks.state import CheckState
    from anchorhold.config.record import Config

app = typer.Typer(
    name="check",
    help="Measure two versions of main against the anchors, and judge how much of the claims arrived.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

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
        texts = texts_of(language, config)
        if as_json:
            echo_json(state_json(check))
        else:
            say_opened(check, texts)
        warn_of(opened, check, texts)


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
            with shown_progress() as on_progress:
                file = measure_shard(
                    opened,
                    plan_of(loaded),
                    shard=Shard.parse(shard),
                    digest_of=FileDigests,
                    on_progress=on_progress,
                    play=play,
                )
        say_shard(file, as_json=as_json, texts=texts_of(language, config))
        return
    with Register.open(loaded.register) as opened:
        loaded = built_for_measuring(loaded, opened)
        with shown_progress() as on_progress:
            check = measure_check(
                opened, plan_of(loaded), author=loaded.author, digest_of=FileDigests, on_progress=on_progress, play=play
            )
    if as_json:
        echo_json(state_json(check))
    else:
        say = texts_of(language, config).gettext
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
    finish(closed, as_json=as_json, language=language, config=config)


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
        echo_json(state_json(check))
    else:
        say = texts_of(language, config).gettext
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

    with Register.open(loaded.register) as opened:

        def on_opened(check: CheckState) -> None:
            _refuse_other_pairs(check, asked_pairs)
            texts = texts_of(language, config)
            if not as_json:
                say_opened(check, texts)
            warn_of(opened, check, texts)

        loaded, old, new = built_for_run(loaded, opened, old=old, new=new)
        with shown_progress() as on_progress:
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
    finish(closed, as_json=as_json, language=language, config=config)


app.command("list")(list_checks)
app.command("show")(show_check)


def _load(config: Path | None, *, contract: str | None = None, **flags: object) -> Config:
    from anchorhold import config as settings
    from anchorhold.cli.options import contract_flags

    return settings.load(config, flags={**flags, **contract_flags(contract)})


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
