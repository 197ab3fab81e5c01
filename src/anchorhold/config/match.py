"""[match]: adjudication and patience. May import: anchorhold.matches.jobs, anchorhold.config parts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from anchorhold.config.table import Table
from anchorhold.matches.jobs import DrawRule, MatchRules, ResignRule, TablebaseRule

T = TypeVar("T")


def read_rules(match: Table, directory: Path) -> MatchRules:
    """Read the adjudication and the time limits of [match]."""
    defaults = MatchRules()
    match.asked.update(("draw", "resign", "max_moves", "tablebases"))

    def optional(name: str, read: Callable[[Table], T]) -> T | None:
        if not match.has(name):
            return None
        table = match.table(name)
        value = read(table)
        table.close()
        return value

    return MatchRules(
        draw=optional("draw", lambda t: DrawRule(t.whole("number"), t.whole("count"), t.whole("score", least=0))),
        resign=optional(
            "resign",
            lambda t: ResignRule(
                t.whole("count"), t.whole("score"), two_sided=t.choice("sides", ("both", "one"), "both") == "both"
            ),
        ),
        max_moves=match.whole("max_moves") if match.has("max_moves") else None,
        tablebases=optional("tablebases", lambda t: _tablebases(t, directory)),
        start_timeout=match.number("start_timeout", defaults.start_timeout, least=0.1),
        ping_timeout=match.number("ping_timeout", defaults.ping_timeout, least=0.1),
        stall_timeout=match.number("stall_timeout", defaults.stall_timeout, least=0.1),
        max_failures=match.whole("max_failures", defaults.max_failures),
    )


def _tablebases(table: Table, directory: Path) -> TablebaseRule:
    """Read [match.tablebases]; whether the tables are there is seen when something is to be played."""
    folders = table.texts("directories")
    if not folders or not all(folder.strip() for folder in folders):
        raise table.wrong("directories", "a list of directories with Syzygy tables, at least one")
    decides = table.choice("decides", ("both", "wins", "draws"), "both")
    table.asked.add("pieces")
    return TablebaseRule(
        tuple((table.base("directories", directory) / folder).absolute() for folder in folders),
        pieces=table.whole("pieces", least=3) if table.has("pieces") else None,
        fifty_moves=table.flag("fifty_moves", default=True),
        decides="wins" if decides == "wins" else "draws" if decides == "draws" else "both",
    )
