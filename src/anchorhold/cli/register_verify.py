"""``anchorhold register verify`` and ``head``: does a register hold, and does it go on from what was kept of it?

May import: typer, anchorhold.checks, anchorhold.config, anchorhold.errors, anchorhold.register, anchorhold.cli.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import ConfigOption, JsonOption, RegisterOption

if TYPE_CHECKING:
    from anchorhold.checks.verification import Kept, Verification

ExtendsOption = Annotated[
    str | None,
    typer.Option("--extends", metavar="OLD", help="An older export, or -; this register must only have added to it."),
]
KeptHeadOption = Annotated[
    str | None,
    typer.Option("--kept-head", metavar="SEQ:HASH", help="What 'register head' printed once; it must still be there."),
]


@fail_cleanly
def verify(
    register: RegisterOption = None,
    config: ConfigOption = None,
    extends: ExtendsOption = None,
    kept_head: KeptHeadOption = None,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="DIR", help="Where the games lie; by default the project's data.")
    ] = None,
    require_files: Annotated[
        bool, typer.Option("--require-files", help="Games that are not there do not hold.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Recompute chain, figures and verdicts from what is stored, and the digests of the games that are there.

    Names the first entry that does not hold. Exit status: 0 all holds, 4 an entry does not, 2 bad usage.

    Example: anchorhold register verify --register register.db
    """
    from anchorhold.checks.verification import verify as verify_register
    from anchorhold.cli.reading import nothing_collected, open_register

    kept = kept_of(extends, kept_head, register=register)
    with nothing_collected(), open_register(register, config) as opened:
        found = verify_register(
            opened, where=opened.location, kept=kept, data=data or _data(register, config), require_files=require_files
        )
    if as_json:
        typer.echo(json.dumps(found.to_json(), ensure_ascii=False, indent=2))
    if found.failure is not None:
        raise found.failure
    if not as_json:
        typer.echo(_summary(found))


@fail_cleanly
def head(register: RegisterOption = None, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Print number and hash of the last entry of a register that holds: what to keep elsewhere, for --kept-head.

    Example: anchorhold register head --register register.db
    """
    from anchorhold.cli.reading import open_register
    from anchorhold.register.extends import Head

    with open_register(register, config) as opened:
        found = opened.verify()
    if found.problem is not None:
        raise found.problem.as_error(opened.location)
    last = Head.of(found.entries[-1])
    typer.echo(json.dumps({"seq": last.seq, "hash": last.hash}) if as_json else str(last))


def kept_of(extends: str | None, kept_head: str | None, *, register: str | None) -> list[Kept]:
    """Return the comparisons that ``--extends`` and ``--kept-head`` ask for.

    Raises
    ------
    BadInput
        A file that is not there, a head of another form, standard input asked for twice.
    """
    from anchorhold.cli.reading import STANDARD_INPUT, read_bytes
    from anchorhold.errors import BadInput
    from anchorhold.register.extends import against_head, against_older, read_head

    kept: list[Kept] = []
    if kept_head is not None:
        kept.append(partial(against_head, kept=read_head(kept_head)))
    if extends is not None:
        if extends == register == STANDARD_INPUT:
            raise BadInput("--register and --extends cannot both be standard input", next_step="Give one as a file")
        where = "standard input" if extends == STANDARD_INPUT else extends
        kept.append(partial(against_older, older=read_bytes(extends), where=where))
    return kept


def _data(register: str | None, config: Path | None) -> Path | None:
    """Return the project's data directory, when the register is the project's own."""
    from anchorhold import config as settings

    file = config or settings.default_file()
    if not file.is_file() or register == "-":
        return None
    loaded = settings.load(file)
    return loaded.data if loaded.register == settings.register_url(register, config) else None


def _summary(found: Verification) -> str:
    entries, files = found.entries, found.files
    closed = sum(entry.kind == "check_closed" for entry in entries)
    text = f"Everything holds: {len(entries)} entries, {closed} results recomputed; the last is {entries[-1].hash}."
    if files.compared:
        text += f" {files.compared} digests of games compared."
    if files.missing:
        text += f" Games that {len(files.missing)} digests name are not here, and were not looked at."
    return text
