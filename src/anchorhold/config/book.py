"""[book]: the openings. May import: anchorhold.domain, anchorhold.config parts."""

from __future__ import annotations

from pathlib import Path

from anchorhold.config.table import Table
from anchorhold.domain.project import BookChoice


def read_book(table: Table, directory: Path) -> BookChoice:
    """Read [book]."""
    order = table.choice("order", ("sequential", "random"), "sequential")
    variant = table.choice("variant", ("standard", "chess960"), "standard")
    book = BookChoice(
        path=table.base("file", directory) / table.text("file"),
        order="random" if order == "random" else "sequential",
        seed=table.whole("seed", 1, least=0),
        plies=table.whole("plies", least=0) if table.has("plies") else None,
        variant="chess960" if variant == "chess960" else "standard",
    )
    table.asked.add("plies")
    table.close()
    return book
