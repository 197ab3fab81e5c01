"""One measured figure beside its peer or its limit: printed, and noted for the page of results.

Every script of this folder gives its figures to ``note``. ``run_all.py`` names a file in the environment, and each
figure goes there as a line of JSON too. May import: nothing.
"""

from __future__ import annotations

import json
import math
import os
from dataclasses import asdict, dataclass
from pathlib import Path

FILE = "ANCHORHOLD_BENCH_FIGURES"
"""The variable with the file for figures."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured, and what it is held against.

    Raises
    ------
    ValueError
        A number is not finite, or what it is held against is not above 0.
    """

    name: str
    value: float
    unit: str
    beside: str
    """The peer's name, or ``limit``."""
    beside_value: float
    """In the same unit."""
    allowed: float = 1.0
    """How many times ``beside_value`` the value may be; with ``at_least`` must be."""
    at_least: bool = False
    """More is better: games per second."""

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, (self.value, self.beside_value, self.allowed))) or self.beside_value <= 0:
            raise ValueError(f"not a figure: {self}")

    @property
    def ratio(self) -> float:
        """``value / beside_value``."""
        return self.value / self.beside_value

    @property
    def met(self) -> bool:
        """Whether it is as good as it has to be."""
        return self.ratio >= self.allowed if self.at_least else self.ratio <= self.allowed

    def line(self) -> str:
        """One line for a reader."""
        sign, verdict = ("≥" if self.at_least else "≤"), ("met" if self.met else "MISSED")
        return (
            f"{self.name}: {self.value:.4g} {self.unit}; {self.beside} {self.beside_value:.4g} {self.unit}; "
            f"ratio {self.ratio:.2f} (asked: {sign} {self.allowed:g}): {verdict}"
        )


def note(*figures: Figure) -> int:
    """Print the figures, and note them where a whole run collects them.

    Returns
    -------
    int
        A script's exit status: 1 when one of them is not met.
    """
    place = os.environ.get(FILE)
    for figure in figures:
        print(figure.line(), flush=True)
        if place:
            with Path(place).open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(figure), ensure_ascii=False) + "\n")
    return int(not all(figure.met for figure in figures))
