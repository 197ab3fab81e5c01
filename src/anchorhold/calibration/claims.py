"""Changes that are tested in two stages until enough have passed: what is claimed, and what was truly gained.

Elo is normalized inside and logistic in the results. May import: numpy, anchorhold.errors, anchorhold.stats.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from anchorhold.errors import BadInput
from anchorhold.stats.elo import EDITION_7, NELO_PER_SIGMA
from anchorhold.stats.selection import first_passage
from anchorhold.stats.vectors import Vector

_MOST_BATCHES = 200


@dataclass(frozen=True, slots=True)
class Stream:
    """What is tried, and how it is tested."""

    mean: float
    """True gains of the changes that are tried: mean and standard deviation, normalized Elo."""
    deviation: float
    bounds_short: tuple[float, float]
    bounds_long: tuple[float, float]
    """Normalized Elo."""
    alpha: float = 0.05
    beta: float = 0.05
    elo_per_nelo: float = 0.5
    """Logistic Elo per normalized Elo, from how drawish the games are."""


@dataclass(frozen=True, slots=True)
class Passed:
    """The gains that passed both stages: shape (registers, gains), logistic Elo."""

    claimed: Vector
    """What the long stage reports at its stop."""
    error: Vector
    """Its 95 % half-width."""
    true: Vector


def passed_gains(stream: Stream, *, registers: int, gains: int, rng: np.random.Generator) -> Passed:
    """Try changes until in every register so many have passed.

    Raises
    ------
    BadInput
        Hardly anything ever passes, so that this would not end.
    """
    found: list[list[tuple[float, float, float]]] = [[] for _ in range(registers)]
    for _ in range(_MOST_BATCHES):
        waiting = np.array([place for place in range(registers) if len(found[place]) < gains], dtype=np.int64)
        if not len(waiting):
            break
        of = np.repeat(waiting, 2 * gains)
        truth = rng.normal(stream.mean, stream.deviation, len(of)) / NELO_PER_SIGMA
        through, _ = _stage(truth, stream.bounds_short, stream, rng)
        of, truth = of[through], truth[through]
        through, seen = _stage(truth, stream.bounds_long, stream, rng)
        for register, true, (value, games) in zip(of[through], truth[through], seen[through], strict=True):
            if len(found[register]) < gains:
                found[register].append((value, NELO_PER_SIGMA * EDITION_7.z / math.sqrt(games), true * NELO_PER_SIGMA))
    else:
        raise BadInput(
            f"of true gains around {stream.mean:g} ± {stream.deviation:g} normalized Elo hardly any passes both stages",
            next_step="Take larger true gains or lower bounds.",
        )
    table = np.array(found) * stream.elo_per_nelo
    return Passed(claimed=table[..., 0], error=table[..., 1], true=table[..., 2])


def _stage(
    truth: Vector, bounds: tuple[float, float], stream: Stream, rng: np.random.Generator
) -> tuple[np.ndarray, Vector]:
    """Test every change once: which pass, and the normalized Elo and games where each stopped."""
    t0, t1 = (bound / NELO_PER_SIGMA for bound in bounds)
    middle, step = (t0 + t1) / 2.0, t1 - t0
    low = np.full(len(truth), math.log(stream.beta / (1.0 - stream.alpha)) / step)
    high = np.full(len(truth), math.log((1.0 - stream.beta) / stream.alpha) / step)
    passed, games = first_passage(truth - middle, low=low, high=high, rng=rng)
    seen = (np.where(passed, high, low) / games + middle) * NELO_PER_SIGMA
    return passed, np.stack([seen, games], axis=-1)
