"""[gate]: what the gate reads beside the register. May import: anchorhold.config parts."""

from __future__ import annotations

from pathlib import Path

from anchorhold.config.record import GateSettings
from anchorhold.config.table import Table


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
