"""Real sequential tests on simulated pairs, many at a time: the GSPRT itself, no model of it.

May import: numpy, anchorhold.stats.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anchorhold.stats.overshoot import MOST
from anchorhold.stats.sprt import Sprt
from anchorhold.stats.sprt_many import log_likelihood_ratios
from anchorhold.stats.vectors import Vector


@dataclass(frozen=True, slots=True)
class PlayedTests:
    """How tests ended; one row each."""

    counts: Vector
    """Pentanomials at the stop, shape (tests, 5)."""
    llr: Vector
    passed: Vector
    """1 passed, 0 failed, NaN not decided."""

    @property
    def pairs(self) -> Vector:
        """Pairs at the stop."""
        return np.asarray(self.counts.sum(axis=1))


def play_tests(
    shares: Vector,
    test: Sprt,
    *,
    tests: int,
    most: int,
    rng: np.random.Generator,
    corrected: bool = False,
    batch: int = 1,
) -> PlayedTests:
    """Play tests until each is decided, pair by pair or so many pairs at a time.

    Parameters
    ----------
    shares : Vector
        Probabilities of 0, ½, 1, 1½ and 2 points of a pair, shape (5,).
    most : int
        Pairs after which a test is left undecided.
    corrected : bool
        Stop earlier by the mean overshoot seen so far (``stats.overshoot``).
    batch : int
        Pairs between two looks at the LLR, as servers look when a worker reports.
    """
    counts, llr = np.zeros((tests, 5)), np.zeros(tests)
    passed = np.full(tests, np.nan)
    records, sums, squares = np.zeros((2, tests)), np.zeros((2, tests)), np.zeros((2, tests))
    wald = test.bounds
    going = np.arange(tests)
    for _ in range(-(-most // batch)):
        if not len(going):
            break
        if batch == 1:
            counts[going, rng.choice(5, size=len(going), p=shares)] += 1.0
        else:
            counts[going] += rng.multinomial(batch, shares, size=len(going))
        now = log_likelihood_ratios(
            counts[going], np.tile((test.elo0, test.elo1), (len(going), 1)), model=test.model
        ).llr
        llr[going] = now
        inwards = np.zeros((2, len(going)))
        if corrected:
            for side, sign in enumerate((-1.0, 1.0)):
                step = np.maximum(sign * now - records[side, going], 0.0)
                records[side, going] += step
                sums[side, going] += step
                squares[side, going] += step**2
            with np.errstate(divide="ignore", invalid="ignore"):
                mean = np.nan_to_num(squares[:, going] / sums[:, going] / 2.0)
            inwards = np.minimum(mean, MOST * np.array([[-wald.lower], [wald.upper]]))
        up, down = now >= wald.upper - inwards[1], now <= wald.lower + inwards[0]
        passed[going[up]], passed[going[down]] = 1.0, 0.0
        going = going[~(up | down)]
    return PlayedTests(counts=counts, llr=llr, passed=passed)
