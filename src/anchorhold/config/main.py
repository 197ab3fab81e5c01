"""[main]: the versions of main. May import: anchorhold.domain, anchorhold.config parts."""

from __future__ import annotations

from pathlib import Path

from anchorhold.config.engine import ENGINE_KEYS, read_engine
from anchorhold.config.table import Table
from anchorhold.domain.project import EngineTemplate, MainEngine


def read_main(table: Table, directory: Path) -> MainEngine:
    """Read [main] and [main.versions.NAME]."""
    versions = table.table("versions")
    table.asked.update(ENGINE_KEYS)
    template = read_engine(table, directory) if table.has("command") else None
    if template is None and not versions.members:
        raise table.wrong("command", "a command line with {version} in it, or tables [main.versions.NAME]")
    # Without a command of its own [main] still says what its versions share.
    shared = template or read_engine(_with_command(table), directory)
    table.close()
    found: dict[str, EngineTemplate] = {}
    for name in versions.members:
        one = versions.table(name)
        one.asked.update(ENGINE_KEYS)
        if template is None and not one.has("command"):
            raise one.wrong("command", "a command line")
        found[name] = read_engine(one, directory, base=shared)
        one.close()
    return MainEngine(template=template, versions=found)


def _with_command(table: Table) -> Table:
    members = {**table.members, "command": "-"}
    return Table(members, file=table.file, key=table.key, given=table.given)
