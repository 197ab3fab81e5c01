"""``anchorhold register``: makes a register, shows and verifies it, writes and reads exports.

May import: typer, anchorhold.canonical, anchorhold.checks, anchorhold.config, anchorhold.domain, anchorhold.errors,
anchorhold.register, anchorhold.cli.clean, anchorhold.cli.options.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import AuthorOption, ConfigOption, JsonOption, RegisterOption

if TYPE_CHECKING:
    from anchorhold.domain.entries import Entry
    from anchorhold.domain.payloads import Test, TestStage
    from anchorhold.register.store import Register

app = typer.Typer(
    name="register",
    help="The append-only record of claims, checks and releases.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command()
@fail_cleanly
def create(
    register: RegisterOption = None,
    config: ConfigOption = None,
    project: Annotated[str | None, typer.Option("--project", help="Whose register it is.")] = None,
    author: AuthorOption = None,
) -> None:
    """Make a new register with its first entry.

    Example: anchorhold register create --register register.db --project Sparrow
    """
    from anchorhold import config as settings
    from anchorhold.register.store import Register

    url = settings.register_url(register, config)
    with Register.create(url, author=settings.author_name(author, config), project=project) as made:
        typer.echo(f"Made {made.path}.")


@app.command()
@fail_cleanly
def log(
    register: RegisterOption = None,
    config: ConfigOption = None,
    kind: Annotated[list[str] | None, typer.Option("--kind", help="Only this kind; may be repeated.")] = None,
    last: Annotated[int | None, typer.Option("--last", "-n", min=1, help="Only the last N.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List the entries, one line each.

    Example: anchorhold register log --kind gain_test --kind check_closed -n 20
    """
    from anchorhold.canonical import nearest
    from anchorhold.domain.entries import KINDS
    from anchorhold.errors import BadInput

    for name in kind or ():
        if name not in KINDS:
            raise BadInput(f"unknown kind {name!r}", where="--kind", next_step=nearest(name, KINDS))
    with _open(register, config) as opened:
        found = [entry for entry in opened.entries() if not kind or entry.kind in kind]
    found = found[-last:] if last else found
    if as_json:
        typer.echo(json.dumps([entry.to_json() for entry in found], ensure_ascii=False, indent=2))
        return
    width = max((len(str(entry.seq)) for entry in found), default=1)
    for entry in found:
        line = f"{entry.seq:>{width}}  {entry.recorded_at}  {entry.hash[:10]}  {entry.kind:<15}  {summary(entry)}"
        typer.echo(_printable(line.rstrip()))


@app.command()
@fail_cleanly
def show(
    which: Annotated[str, typer.Argument(metavar="NUMBER|HASH", help="Its number, or the beginning of its hash.")],
    register: RegisterOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show one entry whole.

    Example: anchorhold register show 12
    """
    with _open(register, config) as opened:
        entry = _find(which, opened.entries())
    if as_json:
        typer.echo(json.dumps(entry.to_json(), ensure_ascii=False, indent=2))
        return
    typer.echo(_printable(f"entry {entry.seq}: {entry.kind}, {summary(entry)}".rstrip(", ")))
    typer.echo(_printable(f"recorded {entry.recorded_at} by {entry.author}"))
    typer.echo(f"hash {entry.hash}\nprev {entry.prev}")
    typer.echo(json.dumps(dict(entry.payload), ensure_ascii=True, indent=2))


@app.command()
@fail_cleanly
def verify(register: RegisterOption = None, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Recompute chain, figures and verdicts from what is stored.

    Names the first entry that does not hold. Exit status: 0 all holds, 4 an entry does not.

    Example: anchorhold register verify --register register.db
    """
    from anchorhold.checks.following import Difference
    from anchorhold.checks.recompute import recompute
    from anchorhold.errors import RegisterBroken
    from anchorhold.register.chain import Chain

    found, differences = Chain((), None), tuple[Difference, ...]()
    failure: RegisterBroken | None = None
    with _open(register, config) as opened:
        path = str(opened.path)
        try:
            found = opened.verify()
            if found.problem is not None:
                raise found.problem.as_error(path)
            # Figures are only worth a look when the entries are those that were written.
            differences = recompute(found.entries)
            if differences:
                more = f" (and {len(differences) - 1} more, see --json)" if len(differences) > 1 else ""
                raise RegisterBroken(f"does not follow from what is stored: {differences[0]}{more}", where=path)
        except RegisterBroken as error:
            failure = error
    entries = found.entries
    if as_json:
        report = {
            "schema": "anchorhold/verification/1",
            "holds": failure is None,
            "reason": None if failure is None else str(failure),
            "entries": len(entries),
            "head": entries[-1].hash if entries else None,
            "problem": None if found.problem is None else found.problem.to_json(),
            "differences": [
                {"seq": one.seq, "check": one.check, "where": one.where, "message": one.message} for one in differences
            ],
        }
        typer.echo(json.dumps(report, ensure_ascii=False, indent=2))
    if failure is not None:
        raise failure
    if not as_json:
        closed = sum(entry.kind == "check_closed" for entry in entries)
        typer.echo(
            f"Everything holds: {len(entries)} entries, {closed} results recomputed; the last is {entries[-1].hash}."
        )


@app.command()
@fail_cleanly
def export(
    register: RegisterOption = None,
    config: ConfigOption = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="New file; by default standard output.")
    ] = None,
) -> None:
    """Write all entries as JSON Lines, after checking the chain.

    Example: anchorhold register export -o register.jsonl
    """
    with _open(register, config) as opened:
        data = b"".join(opened.export())
    if output is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        _write_new(output, data)
        lines = data.count(b"\n")
        typer.echo(f"Wrote {lines} entries to {output}.", err=True)


@app.command("import")
@fail_cleanly
def import_(
    file: Annotated[str, typer.Argument(metavar="FILE", help="An export; - for standard input.")],
    register: RegisterOption = None,
    config: ConfigOption = None,
) -> None:
    """Make a new register from an export; exporting it again gives the same bytes.

    Example: anchorhold register import register.jsonl --register restored.db
    """
    from anchorhold import config as settings
    from anchorhold.register.store import Register

    data = sys.stdin.buffer.read() if file == "-" else _read(Path(file))
    where = "standard input" if file == "-" else file
    with Register.restore(settings.register_url(register, config), data, where=where) as made:
        last = made.head()
    assert last is not None
    typer.echo(f"Took over {last.seq} entries into {made.path}; the last is {last.hash[:12]}….")


def summary(entry: Entry) -> str:
    """What an entry says, in a few words; empty when its payload is not of its kind's form."""
    from anchorhold.domain import payloads as of
    from anchorhold.errors import BadInput

    try:
        payload = of.read_payload(entry.kind, entry.payload)
    except BadInput:
        return ""
    match payload:
        case of.Genesis():
            return payload.project or ""
        case of.ContractAdopted():
            return f"edition {payload.edition}, {payload.digest[:10]}"
        case of.AnchorSet():
            return f"{len(payload.anchors)} anchors, {payload.digest[:10]}"
        case of.SpecialPath():
            return " ".join(filter(None, (payload.id, payload.special)))
        case of.Test():
            return " ".join(filter(None, (payload.id, _claim(payload))))
        case of.Retraction():
            return f"of {payload.of}"
        case of.CheckOpened():
            return f"{payload.check}: {payload.old.version} to {payload.new.version}"
        case of.Measurement():
            return f"{payload.check}: {payload.endpoint}, {payload.stage} stage, {payload.version}"
        case of.CheckClosed():
            return f"{payload.check}: {payload.verdict}" + ("" if payload.r is None else f", R = {payload.r_text}")
        case of.CheckAbandoned():
            return f"{payload.check}: {payload.reason}"
        case of.Release():
            return f"of {payload.halt[:10]} by {payload.reviewer}: {payload.reason}"
        case of.EpochChange():
            return payload.reason or ""
        case of.Remark():
            return payload.text
        case _:
            return ""


def _claim(test: Test) -> str:
    """The stage that decided: the long one when it was reached."""
    name, stage = ("long", test.long) if test.long is not None else ("short", test.short)
    if stage is None:
        return ""
    value = _value(stage)
    return f"{name} {'passed' if stage.passed else 'not passed'}" + (f" {value}" if value else "")


def _value(stage: TestStage) -> str:
    if stage.elo is None:
        return ""
    return f"{stage.elo:+.2f}" + ("" if stage.elo_error is None else f" ± {stage.elo_error:.2f}")


def _open(register: str | None, config: Path | None) -> Register:
    from anchorhold import config as settings
    from anchorhold.register.store import Register

    return Register.open(settings.register_url(register, config), read_only=True)


def _find(which: str, entries: list[Entry]) -> Entry:
    from anchorhold.errors import BadInput

    if which.isascii() and which.isdigit() and len(which) < 8:
        found = [entry for entry in entries if entry.seq == int(which)]
    else:
        found = [entry for entry in entries if len(which) >= 4 and entry.hash.startswith(which.lower())]
    if len(found) == 1:
        return found[0]
    if found:
        raise BadInput(f"{len(found)} entries have a hash that begins with {which!r}", next_step="Give more of it")
    raise BadInput(f"there is no entry {which!r}", next_step=f"There are 1 to {len(entries)}; a hash needs 4 digits")


def _read(path: Path) -> bytes:
    from anchorhold.errors import BadInput

    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", where=str(path)) from error


def _write_new(path: Path, data: bytes) -> None:
    """Write a new file, never over another one."""
    from anchorhold.errors import BadInput

    try:
        with path.open("xb") as handle:
            handle.write(data)
    except FileExistsError as error:
        raise BadInput("there is a file already", where=str(path), next_step="Choose another name") from error
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", where=str(path)) from error


def _printable(text: str) -> str:
    """One line that cannot move the cursor: entries may come from strangers."""
    return "".join(character if character.isprintable() else "�" for character in text)
