"""[stages.long] and [stages.short]: how a check is played. May import: anchorhold.domain, anchorhold.config parts."""

from __future__ import annotations

from anchorhold.config.limit import read_limit
from anchorhold.config.table import Table
from anchorhold.domain.project import Stage


def read_stage(stages: Table, name: str) -> Stage:
    """Read [stages.NAME]."""
    table = stages.table(name)
    pairs = table.whole("pairs")
    stage = Stage(limit=read_limit(table, beside=frozenset({"pairs"})), pairs=pairs)
    table.close()
    return stage
