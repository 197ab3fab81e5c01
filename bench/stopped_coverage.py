"""How often the interval of the median-unbiased estimate covers the truth, over the sequential tests that projects run.

    PYTHONPATH=src python bench/stopped_coverage.py [--tests 10000] [--seed 1] [WORLD ...]

Real GSPRTs of simulated pairs whose shape is that of a real test, tilted to the true Elo; the LLR is looked at after
every batch of pairs, as servers do. Prints one line per world: the share of tests whose interval covers the true Elo,
over passes and fails together, at each true logistic Elo, and over all of them; and the mean number of pairs of the
shortest tests.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from anchorhold.calibration.sequential import play_tests
from anchorhold.stats.elo import score_of_elo
from anchorhold.stats.outcomes import PAIR_SCORES, Pentanomial
from anchorhold.stats.sprt import BoundsModel, Sprt
from anchorhold.stats.stopped import chance_of_worse
from anchorhold.stats.vectors import Vector

SCORES = np.array(PAIR_SCORES)
ELOS = (-5.0, -2.0, 0.0, 1.0, 2.0, 5.0, 10.0)
LEVEL = 0.95
TODAY = (214, 7743, 17343, 8086, 230)
"""A test of the field's largest server: unbalanced openings, half of the pairs even, none decided twice."""
WIDE = (20, 130, 180, 150, 20)
"""A test of a smaller engine: more pairs go wholly to one side."""


@dataclass(frozen=True)
class World:
    """A kind of sequential test."""

    bounds: tuple[float, float]
    batch: int
    """Pairs between two looks at the LLR."""
    model: BoundsModel = "normalized"
    shape: tuple[int, ...] = TODAY
    corrected: bool = False
    """Whether it stops before its bound by the overshoot seen so far."""


WORLDS = {
    "[0, 10]": World((0.0, 10.0), 16),
    "[0, 10], pair by pair": World((0.0, 10.0), 1),
    "[0, 10], 128 at a time": World((0.0, 10.0), 128),
    "[0, 10], corrected": World((0.0, 10.0), 16, corrected=True),
    "[0, 10], wide": World((0.0, 10.0), 16, shape=WIDE),
    "[0, 10] logistic": World((0.0, 10.0), 16, model="logistic", shape=WIDE),
    "[0, 5]": World((0.0, 5.0), 16),
    "[0, 5] logistic": World((0.0, 5.0), 16, model="logistic", shape=WIDE),
    "[0, 2]": World((0.0, 2.0), 128),
    "[0.5, 2.5]": World((0.5, 2.5), 128),
    "[0.5, 2.5], corrected": World((0.5, 2.5), 128, corrected=True),
}


def shares_at(shape: tuple[int, ...], elo: float) -> Vector:
    """Probabilities of the pair scores: the shape, tilted exponentially until the expected score has this Elo."""
    shares = np.array(shape, dtype=np.float64) / sum(shape)

    def tilted(by: float) -> Vector:
        found = shares * np.exp(by * (SCORES - 0.5))
        return np.asarray(found / found.sum())

    wanted = score_of_elo(elo)
    return tilted(brentq(lambda by: float(tilted(by) @ SCORES) - wanted, -50.0, 50.0))


def covered(world: World, elo: float, *, tests: int, rng: np.random.Generator) -> tuple[Vector, float]:
    """Whether each test's interval covers the true Elo, and the mean number of pairs."""
    test = Sprt(*world.bounds, model=world.model)
    played = play_tests(
        shares_at(world.shape, elo),
        test,
        tests=tests,
        most=2_000_000,
        rng=rng,
        corrected=world.corrected,
        batch=world.batch,
    )
    tail = (1.0 - LEVEL) / 2.0
    found = [
        tail
        <= chance_of_worse(
            Pentanomial(*map(int, counts)),
            elo=elo,
            bounds=world.bounds,
            model=world.model,
            alpha=test.alpha,
            beta=test.beta,
        )
        <= 1.0 - tail
        for counts in played.counts
    ]
    return np.array(found), float(played.pairs.mean())


def main() -> None:
    """Simulate and print one line per world."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("worlds", nargs="*", metavar="WORLD", help=f"By default all: {', '.join(WORLDS)}.")
    parser.add_argument("--tests", type=int, default=10_000, help="For each true Elo.")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if unknown := set(arguments.worlds) - set(WORLDS):
        parser.error(f"unknown world {min(unknown)}; known are {', '.join(WORLDS)}")
    print("| world | " + " | ".join(f"{elo:g}" for elo in ELOS) + " | all | pairs of the shortest |")
    for name in arguments.worlds or WORLDS:
        rng = np.random.default_rng(arguments.seed)  # each world alone gives the same as among others
        found = [covered(WORLDS[name], elo, tests=arguments.tests, rng=rng) for elo in ELOS]
        shares = [float(inside.mean()) for inside, _ in found]
        print(
            f"| {name} | "
            + " | ".join(f"{share:.3f}" for share in (*shares, float(np.mean(shares))))
            + f" | {min(pairs for _, pairs in found):.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
