"""A probability that was simulated, with the simulation's own error. May import: numpy."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Share:
    """A probability that was simulated."""

    value: float
    error: float
    """Standard error of the simulation."""
    of: int

    @staticmethod
    def among(hits: npt.NDArray[np.bool_]) -> Share:
        """Return the share of hits; one of 0 or 1 keeps the error of half a hit."""
        count = len(hits)
        if count == 0:
            return Share(0.0, 1.0, 0)
        value = float(hits.mean())
        kept = min(max(value, 0.5 / count), 1.0 - 0.5 / count)
        return Share(value, math.sqrt(kept * (1.0 - kept) / count), count)

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {"value": self.value, "error": self.error, "of": self.of}
