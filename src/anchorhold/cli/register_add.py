"""``anchorhold register note``, ``retract`` and ``epoch``: entries that carry no claim and decide nothing.

May import: typer, anchorhold.config, anchorhold.domain, anchorhold.register, anchorhold.cli.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import AuthorOption, ConfigOption, JsonOption, RegisterOption

IdOption = Annotated[str | None, typer.Option("--id", help="A name of its own, which nothing else has.")]


@fail_cleanly
def note(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What a reader should know.")],
    id_: IdOption = None,
    register: RegisterOption = None,
    config: ConfigOption = None,
    author: AuthorOption = None,
    as_json: JsonOption = False,
) -> None:
    """Record something to know; it decides nothing and stays.

    Example: anchorhold register note "the test machine was replaced"
    """
    _append("note", {"text": text, "id": id_}, register, config, author, as_json=as_json)


@fail_cleanly
def retract(
    of: Annotated[str, typer.Argument(metavar="ID", help="What was taken back.")],
    reason: Annotated[str, typer.Option("--reason", help="Why; it stays in the register.")],
    id_: IdOption = None,
    register: RegisterOption = None,
    config: ConfigOption = None,
    author: AuthorOption = None,
    as_json: JsonOption = False,
) -> None:
    """Record that a change was taken back. A gain that was counted stays in S: it was claimed.

    Example: anchorhold register retract dev-12 --reason "crashes on long games"
    """
    payload = {"of": of, "reason": reason, "id": id_}
    if not _append("retraction", payload, register, config, author, as_json=as_json, names=of):
        typer.echo(f"Note: no entry has the id {of!r}; the retraction stands as it is.", err=True)


@fail_cleanly
def epoch(
    reason: Annotated[str, typer.Option("--reason", help="What changed: machines, book, time control …")],
    id_: IdOption = None,
    register: RegisterOption = None,
    config: ConfigOption = None,
    author: AuthorOption = None,
    as_json: JsonOption = False,
) -> None:
    """Record that the oracle's conditions changed; counted as zero.

    Example: anchorhold register epoch --reason "book UHO 2024 from here on"
    """
    _append("epoch_change", {"reason": reason, "id": id_}, register, config, author, as_json=as_json)


def _append(
    kind: str,
    payload: dict[str, str | None],
    register: str | None,
    config: Path | None,
    author: str | None,
    *,
    as_json: bool,
    names: str | None = None,
) -> bool:
    """Append one entry and say so; return whether an entry with the id ``names`` stood before it."""
    from anchorhold import config as settings
    from anchorhold.domain.entries import id_of
    from anchorhold.register.store import Register

    given = {name: value for name, value in payload.items() if value is not None}
    with Register.open(settings.register_url(register, config)) as opened:
        entry = opened.append(kind, given, author=settings.author_name(author, config))
        known = names is None or any(id_of(one.payload) == names for one in opened.entries(until=entry.seq - 1))
    if as_json:
        typer.echo(json.dumps(entry.to_json(), ensure_ascii=False, indent=2))
    else:
        typer.echo(f"Entry {entry.seq}: {kind}, {entry.hash[:12]}….")
    return known
