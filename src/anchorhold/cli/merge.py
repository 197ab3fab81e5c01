"""``anchorhold merge``: puts the parts of a match or a check, played on several machines, into one journal.

May import: typer, anchorhold.checks, anchorhold.config, anchorhold.errors, anchorhold.matches, anchorhold.register,
anchorhold.cli.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import ConfigOption, JsonOption, RegisterOption


@fail_cleanly
def merge(
    shards: Annotated[list[Path], typer.Argument(metavar="FILE...", help="The shards of one run, all of them.")],
    into: Annotated[
        Path | None,
        typer.Option("--into", metavar="JOURNAL", help="For a match; shards of a check go to the open check."),
    ] = None,
    config: ConfigOption = None,
    register: RegisterOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put the shards that 'match --shard' or 'check measure --shard' wrote into one journal, all of them or none.

    Shards that are missing, not whole, or of runs that differ in plan, engines or program are refused, and so are pairs
    that two files have otherwise. After that 'check measure' goes on from the journal, and so does the command of the
    match with --journal and without --shard.

    Example: anchorhold merge check-1-*of4.shard
    """
    from anchorhold.checks.parts import is_check, merge_into_check
    from anchorhold.errors import BadInput
    from anchorhold.matches.journal import Journal
    from anchorhold.matches.shards import look_through
    from anchorhold.matches.shards import merge as merge_parts

    parts = look_through(shards)
    if is_check(parts):
        from anchorhold import config as settings
        from anchorhold.register.store import Register

        if into is not None:
            raise BadInput("shards of a check go into the check's own journal", next_step="Leave --into out")
        loaded = settings.load(config, flags={"register": register})
        with Register.open(loaded.register) as opened:
            check, path, added = merge_into_check(opened, loaded.data, parts)
        then = f"Go on with 'anchorhold check measure', which records {check.id}."
    else:
        if into is None:
            raise BadInput("these are shards of a match", next_step="Name the journal for them with --into")
        path = into
        with Journal.open(path, plan=parts.first.plan) as journal:
            added = merge_parts(parts, journal)
        then = f"Give the command of the match with --journal {path} and without --shard."
    count, total = len(parts.paths), parts.first.total
    if as_json:
        typer.echo(json.dumps({"journal": str(path), "shards": count, "pairs": total, "added": added}, indent=2))
    else:
        typer.echo(f"{count} shards with {total} pairs are in {path}, {added} of them new. {then}")
