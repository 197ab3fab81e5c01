"""[match]: adjudication and patience. May import: anchorhold.matches.jobs, anchorhold.config parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from anchorhold.config.table import Table
from anchorhold.matches.jobs import DrawRule, MatchRules, ResignRule

T = TypeVar("T")


def read_rules(match: Table) -> MatchRules:
    """Read the adjudication and the time limits of [match]."""
    defaults = MatchRules()
    match.asked.update(("draw", "resign", "max_moves"))

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
        start_timeout=match.number("start_timeout", defaults.start_timeout, least=0.1),
        ping_timeout=match.number("ping_timeout", defaults.ping_timeout, least=0.1),
        stall_timeout=match.number("stall_timeout", defaults.stall_timeout, least=0.1),
        max_failures=match.whole("max_failures", defaults.max_failures),
    )
