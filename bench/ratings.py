"""How often the anchors' half-widths cover their true ratings, and whether their covariance is what a bootstrap gives.

    PYTHONPATH=src python bench/ratings.py [--pools 10000] [--bootstraps 500] [--seed 1] [WORLD ...]

Engines meet in pairs of openings of uneven bias. Prints per world: coverage of all ratings and of the worst single one,
and the standard deviations over bootstrapped pools (pairs drawn anew from the counts of one pool) over those that the
covariance of this pool says, smallest and largest, with the largest difference between correlations.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from anchorhold.calibration.games import advantages, opening_biases, pair_shares
from anchorhold.errors import BadInput
from anchorhold.stats.outcomes import Pentanomial
from anchorhold.stats.power import draw_elo_of
from anchorhold.stats.ratings import PairedResult, rate_pool
from anchorhold.stats.vectors import Vector


@dataclass(frozen=True)
class World:
    """True ratings with mean 0, in Elo, and how they meet."""

    truth: tuple[float, ...] = (150.0, 80.0, 20.0, -30.0, -90.0, -130.0)
    pairs: tuple[int, ...] = (100,)
    """Of the meetings in their order, over and over; 0: these two never meet."""
    draws: float = 0.4
    bias: float = 80.0


WORLDS = {
    "usual": World(),
    "few-pairs": World(pairs=(10,)),
    "uneven-pairs": World(pairs=(20, 500, 60, 0, 100)),
    "far": World(truth=(400.0, 200.0, 50.0, -50.0, -200.0, -400.0), pairs=(60,)),
    "drawish": World(truth=(40.0, 20.0, 5.0, -10.0, -20.0, -35.0), pairs=(60,), draws=0.9, bias=20.0),
    "two-engines": World(truth=(25.0, -25.0), pairs=(50,)),
}


def meetings(world: World) -> list[tuple[str, str, int, Vector]]:
    """Both engines, their number of pairs, and the probabilities of 0, ½, 1, 1½ and 2 points."""
    draw_elo, (bias, weights) = draw_elo_of(world.draws), opening_biases(world.bias)
    found = []
    meeting = itertools.cycle(world.pairs)
    for (i, one), (j, other) in itertools.combinations(enumerate(world.truth), 2):
        advantage = advantages(np.array([one - other]), bias_deviation=world.bias, draw_elo=draw_elo)
        shares = np.maximum(weights @ pair_shares(advantage, bias=bias, draw_elo=draw_elo)[0], 0.0)
        if pairs := next(meeting):
            found.append((f"engine {i}", f"engine {j}", pairs, shares / shares.sum()))
    return found


def pools(
    table: list[tuple[str, str, int, Vector]], *, count: int, rng: np.random.Generator
) -> Iterator[list[PairedResult]]:
    """Draw every meeting's pairs so many times."""
    for _ in range(count):
        yield [
            PairedResult(one, other, Pentanomial(*map(int, rng.multinomial(pairs, shares))))
            for one, other, pairs, shares in table
        ]


def main() -> None:
    """Simulate and print one line per world."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("worlds", nargs="*", metavar="WORLD", help=f"By default all: {', '.join(WORLDS)}.")
    parser.add_argument("--pools", type=int, default=10_000)
    parser.add_argument("--bootstraps", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if unknown := set(arguments.worlds) - set(WORLDS):
        parser.error(f"unknown world {min(unknown)}; known are {', '.join(WORLDS)}")
    for name in arguments.worlds or WORLDS:
        world, rng = WORLDS[name], np.random.default_rng(arguments.seed)
        table, names = meetings(world), [f"engine {place}" for place in range(len(world.truth))]
        inside = []
        for results in pools(table, count=arguments.pools, rng=rng):
            try:
                pool = rate_pool(results, mean=0.0)
            except BadInput:  # few pairs may rate nobody; that is said, and no interval given
                continue
            found = [pool.of(one) for one in names]
            inside.append([abs(one.rating - true) <= one.error for one, true in zip(found, world.truth, strict=True)])
        covered = np.mean(inside, axis=0)
        (first,) = pools(table, count=1, rng=rng)
        pool = rate_pool(first, mean=0.0)
        again = [
            (one.first, one.second, one.pairs.pairs, np.array(one.pairs.counts()) / one.pairs.pairs) for one in first
        ]
        ratings = []
        for results in pools(again, count=arguments.bootstraps, rng=rng):
            other = rate_pool(results, mean=0.0)
            ratings.append([other.of(rating.name).rating for rating in pool.ratings])
        spread, said = np.cov(np.array(ratings).T), np.array(pool.covariance)
        both = [np.sqrt(np.diag(one)) for one in (spread, said)]
        factor = both[0] / both[1]
        off = np.abs(spread / np.outer(both[0], both[0]) - said / np.outer(both[1], both[1])).max()
        print(
            f"{name:<13} {len(inside):>6} pools  covered {covered.mean():.3f}, one engine {covered.min():.3f} to "
            f"{covered.max():.3f}  bootstrap: deviations {factor.min():.2f} to {factor.max():.2f} times, "
            f"correlations within {off:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
