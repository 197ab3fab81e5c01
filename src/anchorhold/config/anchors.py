"""[[anchors]]: the foreign engines. May import: anchorhold.domain, anchorhold.errors, anchorhold.config parts."""

from __future__ import annotations

from pathlib import Path

from anchorhold.config.engine import ENGINE_KEYS, read_engine
from anchorhold.config.limit import read_limit
from anchorhold.config.table import Table
from anchorhold.domain.project import AnchorEngine
from anchorhold.errors import BadInput

_RESERVED_NAMES = {"old", "new", "base", "candidate", "direct"}


def read_anchors(value: object, root: Table, directory: Path) -> tuple[AnchorEngine, ...]:
    """Read the tables [[anchors]]; none at all is an empty tuple."""
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise root.wrong("anchors", "tables [[anchors]]")
    found: list[AnchorEngine] = []
    for number, members in enumerate(value, start=1):
        table = Table(members, file=root.file, key=f"anchors[{number}]", given=root.given)
        table.asked.update(ENGINE_KEYS)
        name = table.text("name")
        if name in _RESERVED_NAMES:
            raise BadInput(f"the name {name!r} is one of an endpoint; choose another", where=table.where("name"))
        if any(anchor.name == name for anchor in found):
            raise BadInput(f"the name {name!r} stands twice", where=table.where("name"))
        found.append(
            AnchorEngine(
                name=name,
                engine=read_engine(table, directory),
                rating=table.number("rating"),
                rating_error=table.number("rating_error", least=0.0),
                limit=read_limit(table.table("limit")) if table.has("limit") else None,
                version=table.text("version") if table.has("version") else None,
                source=table.text("source") if table.has("source") else None,
            )
        )
        table.asked.update(("limit", "version", "source"))
        table.close()
    return tuple(found)
