"""How the median-unbiased estimate and its interval do on real sequential tests of simulated pairs.

    PYTHONPATH=src python bench/stopped.py --tests 2000 --seed 1

For each true Elo: the share that passed, the share of estimates below the truth, the coverage of the 95 % interval,
and the mean error of the estimate and of the naive Elo, over all outcomes and over the passes alone.
"""

from __future__ import annotations

import argparse

import numpy as np

from anchorhold.calibration.games import advantages, opening_biases, pair_shares
from anchorhold.calibration.sequential import PlayedTests, play_tests
from anchorhold.stats.elo import elo_from_pentanomial
from anchorhold.stats.outcomes import Pentanomial
from anchorhold.stats.power import draw_elo_of
from anchorhold.stats.sprt import Sprt
from anchorhold.stats.stopped import median_unbiased
from anchorhold.stats.vectors import Vector

DRAWS, BIAS = 0.5, 80.0


def shares_at(elo: float) -> Vector:
    """Probabilities of the pair scores at a logistic Elo."""
    draw_elo, (bias, weights) = draw_elo_of(DRAWS), opening_biases(BIAS)
    advantage = advantages(np.array([elo]), bias_deviation=BIAS, draw_elo=draw_elo)
    found = np.maximum(weights @ pair_shares(advantage, bias=bias, draw_elo=draw_elo)[0], 0.0)
    return np.asarray(found / found.sum())


def figures(elo: float, played: PlayedTests, test: Sprt) -> dict[str, float]:
    """Count how the estimates of decided tests lie about the truth."""
    estimates, naive, covered = [], [], []
    for counts in played.counts:
        sample = Pentanomial(*map(int, counts))
        found = median_unbiased(
            sample, bounds=(test.elo0, test.elo1), model=test.model, alpha=test.alpha, beta=test.beta
        )
        estimates.append(found.elo)
        naive.append(elo_from_pentanomial(sample).elo)
        covered.append(found.low <= elo <= found.high)
    passed = played.passed == 1.0
    error, naive_error = np.array(estimates) - elo, np.array(naive) - elo
    return {
        "elo": elo,
        "passed": float(passed.mean()),
        "below": float((error < 0.0).mean()),
        "covered": float(np.mean(covered)),
        "covered_passes": float(np.array(covered)[passed].mean()) if passed.any() else 0.0,
        "bias": float(error.mean()),
        "naive_bias": float(naive_error.mean()),
        "bias_passes": float(error[passed].mean()) if passed.any() else 0.0,
        "naive_bias_passes": float(naive_error[passed].mean()) if passed.any() else 0.0,
    }


def main() -> None:
    """Simulate and print one line per true Elo."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bounds", type=float, nargs=2, default=(0.0, 30.0), help="normalized Elo")
    parser.add_argument("--elo", type=float, nargs="*", default=[-10.0, 0.0, 10.0, 21.0, 32.0])
    arguments = parser.parse_args()
    test = Sprt(*arguments.bounds)
    rng = np.random.default_rng(arguments.seed)
    for elo in arguments.elo:
        played = play_tests(shares_at(elo), test, tests=arguments.tests, most=10_000, rng=rng)
        print("  ".join(f"{name} {value:.3f}" for name, value in figures(elo, played, test).items()), flush=True)


if __name__ == "__main__":
    main()
