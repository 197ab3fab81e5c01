"""[engines.NAME]: engines that have a name in the project and are no anchors.

May import: anchorhold.domain, anchorhold.config parts.
"""

from __future__ import annotations

from pathlib import Path

from anchorhold.config.engine import ENGINE_KEYS, read_engine
from anchorhold.config.table import Table
from anchorhold.domain.project import EngineTemplate


def read_named_engines(table: Table, directory: Path) -> dict[str, EngineTemplate]:
    """Read all tables [engines.NAME]."""
    found: dict[str, EngineTemplate] = {}
    for name in table.members:
        one = table.table(name)
        one.asked.update(ENGINE_KEYS)
        found[name] = read_engine(one, directory)
        one.close()
    return found
