"""[gate]: what the gate reads beside the register. May import: anchorhold.config parts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from anchorhold.config.table import Table


@dataclass(frozen=True, slots=True)
class GateSettings:
    """What the gate reads beside the register; limits are off where they are None."""

    allowed_signers: Path | None = None
    """OpenSSH's file of the keys that may release a HALT."""
    max_unaudited_elo: float | None = None
    max_unaudited_tests: int | None = None
    max_age_days: float | None = None


def read_gate(table: Table, directory: Path) -> GateSettings:
    """Read [gate]; limits that are not there are off."""
    table.asked.update(("allowed_signers", "max_unaudited_elo", "max_unaudited_tests", "max_age_days"))
    has = table.has
    settings = GateSettings(
        allowed_signers=(
            table.base("allowed_signers", directory) / table.text("allowed_signers") if has("allowed_signers") else None
        ),
        max_unaudited_elo=table.number("max_unaudited_elo", least=0.0) if has("max_unaudited_elo") else None,
        max_unaudited_tests=table.whole("max_unaudited_tests", least=0) if has("max_unaudited_tests") else None,
        max_age_days=table.number("max_age_days", least=0.0) if has("max_age_days") else None,
    )
    table.close()
    return settings
