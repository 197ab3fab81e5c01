"""What a project brings to a check: engines, stages, book, rules, and the conditions that follow from them.

Seconds everywhere. May import: anchorhold.errors, anchorhold.domain, anchorhold.matches.jobs,
tablebases.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.project import AnchorEngine, BookChoice, MainEngine, Stage
from anchorhold.errors import BadInput
from anchorhold.matches.jobs import MatchRules


@dataclass(frozen=True, slots=True)
class Plan:
    """How a project measures; ``cli`` fills it from the configuration."""

    project: str
    main: MainEngine
    anchors: tuple[AnchorEngine, ...]
    long: Stage
    short: Stage | None
    direct_pairs: int
    """Pairs of new against old under the long conditions; 0: no direct match."""
    book: BookChoice
    rules: MatchRules
    workers: int
    data: Path
    """Directory for journals and games."""
    runner: str
    """Name and version of the program that plays."""
    host_class: str | None = None

    def stages(self) -> dict[str, Stage]:
        """Return the stages that are played."""
        return {"long": self.long} if self.short is None else {"long": self.long, "short": self.short}

    def planned_pairs(self) -> dict[str, int]:
        """Return pairs per anchor and stage, and of the direct match."""
        pairs = {name: stage.pairs for name, stage in self.stages().items()}
        if self.direct_pairs:
            pairs["direct"] = self.direct_pairs
        return pairs

    def conditions(self, version: str, stage: Stage, *, book_sha256: str) -> dict[str, object]:
        """Return the conditions under which one version of main plays at one stage.

        Raises
        ------
        BadInput
            The tablebases cannot be read.
        """
        spec = self.main.spec(version, stage.limit)
        members: dict[str, object] = dict(stage.limit.to_json())
        members.update(_resources(spec))
        members["book_sha256"] = book_sha256
        members["book_order"] = self._book_order()
        if self.book.order == "random":
            members["book_seed"] = self.book.seed
        if adjudication := self.rules.to_json():
            members["adjudication"] = adjudication
        if self.rules.tablebases is not None:
            from anchorhold.matches.tablebases import tablebase_conditions  # slow to load, and few checks have any

            members["tablebases"] = tablebase_conditions(self.rules.tablebases)
        members["runner"] = self.runner
        if self.host_class is not None:
            members["host_class"] = self.host_class
        return members

    def _book_order(self) -> str:
        # Plies and variant have no condition of their own, and other openings are another measurement.
        parts: list[str] = [self.book.order]
        if self.book.plies is not None:
            parts.append(f"{self.book.plies} plies")
        if self.book.variant != "standard":
            parts.append(self.book.variant)
        return ", ".join(parts)


def _resources(spec: EngineSpec) -> dict[str, object]:
    names = {"threads": "threads", "hash": "hash_mb"}
    found: dict[str, object] = {}
    for name, value in spec.options:
        condition = names.get(name.lower())
        if condition is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 1:
            raise BadInput(
                f"the option {name} is {value!r}, expected a number of at least 1", where=f"main {spec.name}"
            )
        found[condition] = value
    return found
