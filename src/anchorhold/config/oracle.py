"""[oracle.short] and [oracle.long]: the sequential tests. May import: anchorhold.domain, anchorhold.config parts."""

from __future__ import annotations

from anchorhold.config.limit import read_limit
from anchorhold.config.table import Table
from anchorhold.domain.project import OracleStage

_STAGE_TEST_KEYS = frozenset({"bounds", "model", "alpha", "beta", "max_pairs", "overshoot"})


def read_oracle_stage(oracle: Table, name: str) -> OracleStage:
    """Read [oracle.NAME]."""
    table = oracle.table(name)
    bounds = table.raw("bounds")
    if (
        not isinstance(bounds, list)
        or len(bounds) != 2
        or not all(isinstance(bound, int | float) and not isinstance(bound, bool) for bound in bounds)
        or not all(abs(bound) <= 10_000 for bound in bounds)
        or not bounds[0] < bounds[1]
    ):
        raise table.wrong("bounds", "two numbers of Elo, the lower first, such as [0.0, 2.0]")
    model = table.choice("model", ("normalized", "logistic"), "normalized")
    risks: dict[str, float] = {}
    for risk in ("alpha", "beta"):
        risks[risk] = table.number(risk, 0.05)
        if not 0.0 < risks[risk] < 0.5:
            raise table.wrong(risk, "a probability above 0 and below 0.5")
    stage = OracleStage(
        limit=read_limit(table, beside=_STAGE_TEST_KEYS),
        bounds=(float(bounds[0]), float(bounds[1])),
        model="logistic" if model == "logistic" else "normalized",
        alpha=risks["alpha"],
        beta=risks["beta"],
        max_pairs=table.whole("max_pairs"),
        overshoot_corrected=table.choice("overshoot", ("none", "dynamic"), "none") == "dynamic",
    )
    table.close()
    return stage
