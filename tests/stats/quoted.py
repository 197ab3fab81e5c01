"""Sequential tests of a real history, as others quoted and evaluated them (tests/golden/sequential/README.md)."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anchorhold.stats.outcomes import Pentanomial, Trinomial
from anchorhold.stats.sprt import BoundsModel

GOLDEN = Path(__file__).parent.parent / "golden" / "sequential"
SELECTION, WINDOW = "stockfish-tests.json", "window-15-to-15.1.json"


@dataclass(frozen=True)
class Quoted:
    """One test."""

    name: str
    pairs: Pentanomial
    games: Trinomial
    bounds: tuple[float, float]
    model: BoundsModel
    passed: bool
    llr: float
    llr_recomputed: float
    elo: float
    low: float
    high: float


def quoted(file: str) -> list[Quoted]:
    tests: list[dict[str, Any]] = json.loads((GOLDEN / file).read_text(encoding="utf-8"))
    return [
        Quoted(
            name=f"{test['commit'][:9]} {test['stage']} {test['llr']}",
            pairs=Pentanomial(*test["pentanomial"]),
            games=Trinomial(*test["games"]),
            bounds=(test["bounds"][0], test["bounds"][1]),
            model=test["model"],
            passed=test["passed"],
            llr=test["llr"],
            llr_recomputed=test["llr_recomputed"],
            elo=test["mue"][0],
            low=test["mue"][1],
            high=test["mue"][2],
        )
        for test in tests
    ]
