"""How often the intervals of an increase cover it, in worlds of a model of their own, other than ``calibrate``'s.

    PYTHONPATH=src python bench/coverage.py [--checks 10000] [--seed 1] [WORLD ...]

Engines have a latent strength; every opening has its own bias towards White and its own width of draws; where ``kinds``
is above 0, each anchor is better or worse at an opening by so many Elo, against old as against new. Every anchor's true
increase is the same, anchors' ratings are off by ± 8, and S is the sum of eight claims of fixed length that are all
counted. Prints one line per world: shares of checks, and the correlation of old's and new's pair scores.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from anchorhold.stats.absolute import pool
from anchorhold.stats.elo import EDITION_7, Estimate, NoEstimate, elo_from_pentanomial, elo_of_score
from anchorhold.stats.outcomes import PAIR_SCORES, JointTable
from anchorhold.stats.pooling import increase_error_weighted, joint_increase_variance, paired_increase
from anchorhold.stats.ratio import fieller
from anchorhold.stats.vectors import Vector

OPENINGS = 3000
RATING_ERROR = 8.0
CLAIMS = 8
RATIO = 0.6
"""True increase over the sum of the true gains."""
SCORES = np.array(PAIR_SCORES)


@dataclass(frozen=True)
class World:
    """Anchors, pairs, openings; Elo."""

    distances: tuple[float, ...] = (-150.0, -80.0, -20.0, 30.0, 90.0, 150.0)
    pairs: tuple[int, ...] = (1000,) * 6
    increase: float = 12.0
    bias: float = 80.0
    bias_spread: float = 60.0
    draw_width: float = 180.0
    kinds: float = 0.0


FAR = (-400.0, -250.0, -100.0, 100.0, 250.0, 400.0)
NEAR = (-60.0, -30.0, 0.0, 20.0, 40.0, 60.0)
WORLDS = {
    "usual": World(),
    "few-pairs": World(distances=(-100.0, -60.0, -20.0, 20.0, 60.0, 100.0), pairs=(50,) * 6, increase=20.0),
    "far": World(distances=FAR, pairs=(200,) * 6, increase=20.0, draw_width=60.0),
    "far-few-pairs": World(
        distances=(-350.0, -250.0, -100.0, 100.0, 250.0, 350.0), pairs=(50,) * 6, increase=20.0, draw_width=60.0
    ),
    "drawish": World(distances=NEAR, pairs=(200,) * 6, increase=8.0, bias=0.0, bias_spread=20.0, draw_width=500.0),
    "drawish-few-pairs": World(
        distances=NEAR, pairs=(50,) * 6, increase=8.0, bias=0.0, bias_spread=20.0, draw_width=500.0
    ),
    "kinds": World(pairs=(300,) * 6, bias=0.0, kinds=200.0),
    "kinds-few-pairs": World(pairs=(50,) * 6, bias=0.0, kinds=300.0, draw_width=40.0),
    "uneven-pairs": World(pairs=(40, 100, 200, 500, 1000, 3000)),
    "sharp": World(pairs=(150,) * 6, bias=250.0, bias_spread=150.0, draw_width=120.0),
    "many-pairs": World(pairs=(20_000,) * 6, increase=5.0),
    "equals": World(distances=(0.0,) * 6, pairs=(400,) * 6, increase=15.0),
}


def pair_shares(strength: Vector, bias: Vector, width: Vector) -> Vector:
    """Probabilities of 0, ½, 1, 1½ and 2 points, one row per opening."""
    win, loss = (
        [1.0 / (1.0 + 10.0 ** ((width - sign * (strength + colour * bias)) / 400.0)) for colour in (1, -1)]
        for sign in (1, -1)
    )
    draw = [1.0 - one - other for one, other in zip(win, loss, strict=True)]
    return np.stack(
        [
            loss[0] * loss[1],
            loss[0] * draw[1] + draw[0] * loss[1],
            draw[0] * draw[1] + win[0] * loss[1] + loss[0] * win[1],
            win[0] * draw[1] + draw[0] * win[1],
            win[0] * win[1],
        ],
        axis=-1,
    )


def joint_tables(world: World, rng: np.random.Generator) -> list[Vector]:
    """Probabilities of old's (rows) and new's (columns) pair scores against each anchor."""
    tables = []
    for distance in world.distances:
        bias = rng.normal(world.bias, world.bias_spread, OPENINGS)
        width = world.draw_width * np.exp(rng.normal(0.0, 0.5, OPENINGS))
        kind = rng.normal(0.0, world.kinds, OPENINGS)

        def shares_at(elo: float, bias: Vector = bias, width: Vector = width, kind: Vector = kind) -> Vector:
            def surplus(strength: float) -> float:
                return elo_of_score(float((pair_shares(strength + kind, bias, width) @ SCORES).mean())) - elo

            return pair_shares(brentq(surplus, -2000.0, 2000.0) + kind, bias, width)

        tables.append(shares_at(distance).T @ shares_at(distance + world.increase) / OPENINGS)
    return tables


def correlation(table: Vector) -> float:
    """Of old's and new's pair scores."""
    old, new = table.sum(axis=1), table.sum(axis=0)
    covariance = SCORES @ table @ SCORES - (old @ SCORES) * (new @ SCORES)
    spread = [float(one @ SCORES**2 - (one @ SCORES) ** 2) for one in (old, new)]
    return float(covariance) / math.sqrt(spread[0] * spread[1])


def judged(world: World, tables: list[Vector], rng: np.random.Generator) -> dict[str, bool | None]:
    """Judge one check: which interval covers the truth; None where there is none."""
    rating = rng.normal(3000.0 - np.array(world.distances), RATING_ERROR / EDITION_7.z)
    joint = [JointTable(tuple(map(tuple, table.astype(int).tolist()))) for table in tables]
    ends = [
        [elo_from_pentanomial(one) for one in side] for side in ([t.old() for t in joint], [t.new() for t in joint])
    ]
    rating_error = np.full(len(joint), RATING_ERROR)

    def errors(side: list[Estimate]) -> Vector:
        return np.array([one.error for one in side])

    old, new = (
        pool(
            rating=rating.tolist(),
            delta=[one.elo for one in side],
            error=[one.error for one in side],
            rating_error=rating_error.tolist(),
            model_uncertainty=36.9,
            transfer_band=51.0,
        )
        for side in ends
    )
    delta_a, rule_error = new.value - old.value, math.hypot(old.error, new.error)
    weighted_error = increase_error_weighted(
        old=old, new=new, error_old=errors(ends[0]), error_new=errors(ends[1]), rating_error=rating_error
    )
    paired = paired_increase(
        increase=np.array([after.elo - before.elo for before, after in zip(*ends, strict=True)]),
        variance=np.array([joint_increase_variance(one) for one in joint]),
        weights=(np.array(old.weights) + np.array(new.weights)) / 2.0,
        z=EDITION_7.z,
    )
    assert paired.error is not None
    gains = world.increase / RATIO
    claims_error = gains / math.sqrt(CLAIMS)
    claimed = float(rng.normal(gains, claims_error / EDITION_7.z))

    def ratio(increase: float, error: float) -> bool | None:
        found = fieller(numerator=increase, numerator_error=error, denominator=claimed, denominator_error=claims_error)
        return None if found is None else found.low <= RATIO <= found.high

    return {
        "paired": abs(paired.value - world.increase) <= paired.error,
        "weighted": abs(delta_a - world.increase) <= weighted_error,
        "rule": abs(delta_a - world.increase) <= rule_error,
        "fieller-paired": ratio(paired.value, paired.error),
        "fieller": ratio(delta_a, rule_error),
    }


def main() -> None:
    """Simulate and print one line per world."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("worlds", nargs="*", metavar="WORLD", help=f"By default all: {', '.join(WORLDS)}.")
    parser.add_argument("--checks", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if unknown := set(arguments.worlds) - set(WORLDS):
        parser.error(f"unknown world {min(unknown)}; known are {', '.join(WORLDS)}")
    for name in arguments.worlds or WORLDS:
        world, rng = WORLDS[name], np.random.default_rng(arguments.seed)
        tables = joint_tables(world, rng)
        played = [
            rng.multinomial(pairs, (table / table.sum()).ravel(), size=arguments.checks).reshape(-1, 5, 5)
            for pairs, table in zip(world.pairs, tables, strict=True)
        ]
        found: list[dict[str, bool | None]] = []
        for check in zip(*played, strict=True):
            try:
                found.append(judged(world, list(check), rng))
            except NoEstimate:  # a measurement without an estimate is a GAP, not an interval
                continue
        covered = {key: np.mean([one[key] for one in found if one[key] is not None]) for key in found[0]}
        related = np.mean([correlation(table) for table in tables])
        print(
            f"{name:<18} {len(found):>6} checks  correlation {related:.2f}  "
            + "  ".join(f"{key} {value:.3f}" for key, value in covered.items()),
            flush=True,
        )


if __name__ == "__main__":
    main()
