"""``anchorhold doctor``: looks at what a check stands on, before it is opened.

May import: typer, anchorhold.adopt, anchorhold.cli, anchorhold.config, anchorhold.errors.
"""

from __future__ import annotations

import json
import os
import shutil
import textwrap
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.colour import coloured, painted
from anchorhold.cli.options import ConfigOption, JsonOption, RegisterOption, WorkersOption

if TYPE_CHECKING:
    from anchorhold.adopt.doctor.findings import Finding

FAILS = 1
"""Exit status when something fails."""
WORDS = {"ok": ("ok", "good"), "skipped": ("-", "dim"), "warning": ("warn", "bold"), "failure": ("FAIL", "bad")}
"""How a level is shown, and its style."""
PLAIN_WIDTH = 120


@fail_cleanly
def doctor(
    play: Annotated[
        int,
        typer.Option("--play", metavar="PAIRS", min=0, help="Play so many pairs against each anchor: is main near?"),
    ] = 0,
    version: Annotated[
        str | None,
        typer.Option(
            "--version", help="Version of main, built where main is; by default all that are listed, --a-a: the last."
        ),
    ] = None,
    a_a: Annotated[
        bool, typer.Option("--a-a", help="Play a binary against itself: nothing may tell the two seats apart.")
    ] = False,
    engine: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS",
            help="With --a-a: the binary, as of anchorhold match: 'cmd=./a tc=8+0.08'. By default main at the long"
            " stage's limit.",
        ),
    ] = None,
    openings: Annotated[
        str | None, typer.Option(metavar="WORDS", help="With --a-a: opening book, as of anchorhold match.")
    ] = None,
    rounds: Annotated[int, typer.Option("--rounds", "--pairs", min=10, help="With --a-a: pairs to play.")] = 100,
    register: RegisterOption = None,
    workers: WorkersOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Look at everything that a check stands on, and say of each thing what is wrong and what mends it.

    Settings, register, anchors (pinned, rated, within reach), engines (each starts, and keeps its limits), book,
    machine, clocks, optional parts. With --a-a only: is this machine fair to both sides of a game? A binary plays
    itself; its score must be 50 % within three standard errors, both seats must search as fast, and nobody may lose on
    time or by a fault. Exit status: 0 nothing fails (there may be warnings), 1 something does, 2 bad usage, 130
    interrupted.

    Example: anchorhold doctor --play 5
    """
    from anchorhold.errors import BadInput

    if a_a:
        from anchorhold.cli.doctor_fairness import look_at_fairness

        look_at_fairness(
            engine=engine,
            version=version,
            openings=openings,
            rounds=rounds,
            workers=workers,
            config=config,
            as_json=as_json,
        )
        return
    if engine is not None or openings is not None:
        raise BadInput("--engine and --openings belong to --a-a", next_step="Add --a-a, or leave them out")
    found = _findings(config, register=register, workers=workers, version=version, play=play)
    shown = list(found) if as_json else list(_printed(found))
    levels = [finding.level for finding in shown]
    if as_json:
        typer.echo(_document(shown))
    else:
        typer.echo(_summary(levels.count("failure"), levels.count("warning")))
    if "failure" in levels:
        raise SystemExit(FAILS)


def _findings(
    config: Path | None, *, register: str | None, workers: int | None, version: str | None, play: int
) -> Iterator[Finding]:
    from anchorhold import config as settings
    from anchorhold.adopt.doctor.examination import Asked, examine, examine_machine
    from anchorhold.adopt.doctor.findings import Finding
    from anchorhold.cli.building import with_built
    from anchorhold.cli.project import contract_of
    from anchorhold.errors import BadInput, BadState

    asked = Asked(version, os.environ.get("PATH", os.defpath), (time.monotonic(), time.time()), pairs=play)
    try:
        loaded = settings.load(config, flags={"register": register, "workers": workers})
        contract = contract_of(loaded)
    except BadInput as error:
        missing = config is None and not settings.default_file().is_file()
        remedy = "'anchorhold init' writes it" if missing else "Mend the file: nothing of the project can be looked at"
        yield Finding("settings", "failure", str(error), remedy)
        yield from examine_machine(asked)
        return
    if version is not None:
        try:
            loaded, (version,) = with_built(loaded, [], [version])
        except (BadInput, BadState) as error:
            asked = replace(asked, not_built=str(error))
    yield from examine(loaded, contract, replace(asked, version=version))


def _printed(found: Iterable[Finding]) -> Iterator[Finding]:
    """Print each finding as soon as it is known."""
    width = min(shutil.get_terminal_size().columns, PLAIN_WIDTH) if coloured() else 0
    for finding in found:
        word, style = WORDS[finding.level]
        # The colour goes around the word alone, so that it does not count as letters.
        head = painted(word, style) + " " * (5 - len(word)) + f"{finding.check:<10} "
        remedy = [f"→ {finding.remedy}"] if finding.remedy and finding.level != "ok" else []
        for number, text in enumerate([finding.message, *remedy]):
            lines = textwrap.wrap(text.strip(), width - 16, break_on_hyphens=False) if width > 60 else [text.strip()]
            typer.echo(
                "\n".join((head if number + place == 0 else " " * 16) + line for place, line in enumerate(lines))
            )
        yield finding


def _summary(failures: int, warnings: int) -> str:
    def counted(count: int, word: str) -> str:
        return f"{count} {word}" + ("" if count == 1 else "s")

    if not failures and not warnings:
        return "All is well."
    return f"{counted(failures, 'failure')}, {counted(warnings, 'warning')}."


def _document(found: list[Finding]) -> str:
    members = {
        "schema": "anchorhold/doctor/1",
        "well": all(finding.level != "failure" for finding in found),
        "findings": [
            {
                "check": finding.check,
                "level": finding.level,
                "message": finding.message,
                "remedy": finding.remedy or None,
            }
            for finding in found
        ],
    }
    return json.dumps(members, ensure_ascii=False, indent=2)
