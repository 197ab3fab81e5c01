"""What the settings of a project say, as a frozen record.

May import: anchorhold.domain, anchorhold.matches.jobs, anchorhold.errors, anchorhold.config parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from anchorhold.config.gate import GateSettings
from anchorhold.domain.project import AnchorEngine, BookChoice, EngineTemplate, MainEngine, OracleStage, Stage
from anchorhold.errors import BadInput
from anchorhold.matches.jobs import MatchRules

Language = Literal["en", "de"]


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that ``anchorhold.toml``, environment and flags say about a project."""

    path: Path
    """The file that was read."""
    project: str
    register: str
    """Path or URL of the register, absolute."""
    data: Path
    """Journals, games and reports."""
    author: str
    """Who is named in new register entries."""
    language: Language | None
    """None: the locale's."""
    contract_edition: int
    contract_file: Path | None
    """A project's own edition; None: the built-in edition of that number."""
    main: MainEngine
    anchors: tuple[AnchorEngine, ...]
    long: Stage
    short: Stage | None
    direct_pairs: int
    """Pairs of the direct match, new against old; 0: none."""
    book: BookChoice
    oracle_short: OracleStage | None
    oracle_long: OracleStage | None
    rules: MatchRules
    workers: int
    host_class: str | None
    """A name for the kind of machine, kept in the conditions."""
    gate: GateSettings = field(default_factory=GateSettings)
    engines: Mapping[str, EngineTemplate] = field(default_factory=dict)
    """Engines that have a name here and are no anchors."""

    def oracle(self) -> tuple[OracleStage, OracleStage]:
        """Return the oracle's two stages, short and long.

        Raises
        ------
        BadInput
            The file has no [oracle.short] or no [oracle.long].
        """
        if self.oracle_short is None or self.oracle_long is None:
            missing = "oracle.short" if self.oracle_short is None else "oracle.long"
            raise BadInput(f"there is no [{missing}]", where=str(self.path), next_step="The oracle needs both stages")
        return self.oracle_short, self.oracle_long
