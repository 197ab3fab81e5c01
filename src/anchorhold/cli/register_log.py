"""``anchorhold register log`` and ``show``: what the entries say.

May import: typer, anchorhold.canonical, anchorhold.domain, anchorhold.errors, anchorhold.cli.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import ConfigOption, JsonOption, RegisterOption

if TYPE_CHECKING:
    from anchorhold.domain.entries import Entry


@fail_cleanly
def log(
    register: RegisterOption = None,
    config: ConfigOption = None,
    kind: Annotated[list[str] | None, typer.Option("--kind", help="Only this kind; may be repeated.")] = None,
    last: Annotated[int | None, typer.Option("--last", "-n", min=1, help="Only the last N.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List the entries, one line each; of a register that does not hold, too, with exit status 4.

    Example: anchorhold register log --kind gain_test --kind check_closed -n 20
    """
    from anchorhold.canonical import nearest
    from anchorhold.cli.entry_words import printable, summary
    from anchorhold.cli.reading import open_register, warn_of_damage
    from anchorhold.domain.entries import KINDS
    from anchorhold.errors import BadInput

    for name in kind or ():
        if name not in KINDS:
            raise BadInput(f"unknown kind {name!r}", where="--kind", next_step=nearest(name, KINDS))
    with open_register(register, config) as opened:
        status = warn_of_damage(opened)
        found = [entry for entry in opened.entries() if not kind or entry.kind in kind]
    found = found[-last:] if last else found
    if as_json:
        typer.echo(json.dumps([entry.to_json() for entry in found], ensure_ascii=False, indent=2))
        raise SystemExit(status)
    width = max((len(str(entry.seq)) for entry in found), default=1)
    for entry in found:
        line = f"{entry.seq:>{width}}  {entry.recorded_at}  {entry.hash[:10]}  {entry.kind:<15}  {summary(entry)}"
        typer.echo(printable(line.rstrip()))
    raise SystemExit(status)


@fail_cleanly
def show(
    which: Annotated[str, typer.Argument(metavar="NUMBER|HASH", help="Its number, or the beginning of its hash.")],
    register: RegisterOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show one entry whole; exit status 4 when the register does not hold.

    Example: anchorhold register show 12
    """
    from anchorhold.cli.entry_words import printable, summary
    from anchorhold.cli.reading import open_register, warn_of_damage

    with open_register(register, config) as opened:
        status = warn_of_damage(opened)
        entry = _find(which, opened.entries())
    if as_json:
        typer.echo(json.dumps(entry.to_json(), ensure_ascii=False, indent=2))
        raise SystemExit(status)
    typer.echo(printable(f"entry {entry.seq}: {entry.kind}, {summary(entry)}".rstrip(", ")))
    typer.echo(printable(f"recorded {entry.recorded_at} by {entry.author}"))
    typer.echo(f"hash {entry.hash}\nprev {entry.prev}")
    typer.echo(json.dumps(dict(entry.payload), ensure_ascii=True, indent=2))
    raise SystemExit(status)


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
