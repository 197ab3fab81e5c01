"""The games of a check on disk: where they lie, their PGN, and whose fault lost games were.

May import: anchorhold.domain, anchorhold.matches, anchorhold.checks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from anchorhold.checks.plan import Plan
from anchorhold.checks.state import CheckState, Part
from anchorhold.domain.games import PairRecord
from anchorhold.domain.limits import Limit
from anchorhold.matches.journal import Journal
from anchorhold.matches.pgn import PgnNames, save_pgn

GAMES_FILE = "games.pgn"
JOURNAL_FILE = "journal.sqlite"


@dataclass(frozen=True, slots=True)
class SavedGames:
    """The PGN that was written."""

    path: Path
    sha256: str
    faults: Mapping[Part, Mapping[str, int]]
    """Games lost by an engine's own fault (crash, time, illegal move), by endpoint and stage, then by engine."""


def check_directory(data: Path, check_id: str) -> Path:
    """Return the directory of a check's journal and games."""
    return data / "checks" / check_id


def save_games(journal: Journal, plan: Plan, check: CheckState, path: Path) -> SavedGames:
    """Write all games of a check into one PGN file; the same journal gives the same bytes."""
    versions = {"old": check.plan.old.version, "new": check.plan.new.version}
    faults: dict[Part, Counter[str]] = {part: Counter() for part in check.planned()}

    def counted() -> Iterator[PairRecord]:
        for record in journal.pairs(run=check.id):
            key = record.key
            part = ("direct" if key.anchor == "old" else key.endpoint, key.stage)
            for game in record.games:
                if game.fault_of:
                    role = key.endpoint if game.fault_of == "first" else key.anchor
                    faults[part][versions.get(role, role)] += 1
            yield record

    names = PgnNames(event=f"{plan.project} {check.id}", engines=versions, limits=_limits(plan, versions))
    return SavedGames(path=path, sha256=save_pgn(counted(), path, names=names), faults=faults)


def _limits(plan: Plan, versions: Mapping[str, str]) -> dict[tuple[str, str], Limit]:
    return {
        (role, name): limit
        for name, stage in plan.stages().items()
        for role, limit in [
            *((role, stage.limit) for role in versions),
            *((anchor.name, anchor.limit or stage.limit) for anchor in plan.anchors),
        ]
    }
