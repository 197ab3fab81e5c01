"""[main]: the versions of main. May import: anchorhold.domain, anchorhold.config parts."""

from __future__ import annotations

from pathlib import Path

from anchorhold.config.build import read_build
from anchorhold.config.engine import ENGINE_KEYS, read_engine
from anchorhold.config.table import Table
from anchorhold.domain.builds import PROGRAM
from anchorhold.domain.project import EngineTemplate, MainEngine
from anchorhold.errors import BadInput


def read_main(table: Table, directory: Path) -> MainEngine:
    """Read [main], [main.build] and [main.versions.NAME]."""
    versions = table.table("versions")
    table.asked.update((*ENGINE_KEYS, "build"))
    recipe = read_build(table, directory)
    if recipe is not None and not table.has("command"):
        table = _with_command(table, PROGRAM)
    template = read_engine(table, directory) if table.has("command") else None
    if template is None and not versions.members:
        raise table.wrong("command", "a command line with {version} in it, a build, or tables [main.versions.NAME]")
    if template is not None and (recipe is None) != all(PROGRAM not in word for word in template.command):
        what = f"has {PROGRAM} in it, and nothing builds one" if recipe is None else f"does not use {PROGRAM}"
        raise BadInput(
            what,
            where=table.where("command"),
            next_step="Add [main.build]" if recipe is None else f"With a build it is how the program starts: {PROGRAM}",
        )
    # Without a command of its own [main] still says what its versions share.
    shared = template or read_engine(_with_command(table, "-"), directory)
    table.close()
    found: dict[str, EngineTemplate] = {}
    for name in versions.members:
        one = versions.table(name)
        one.asked.update(ENGINE_KEYS)
        if (template is None or recipe is not None) and not one.has("command"):
            raise one.wrong("command", "a command line")
        found[name] = read_engine(one, directory, base=shared)
        one.close()
    return MainEngine(template=template, versions=found, recipe=recipe)


def _with_command(table: Table, command: str) -> Table:
    other = Table({**table.members, "command": command}, file=table.file, key=table.key, given=table.given)
    other.asked = table.asked
    return other
