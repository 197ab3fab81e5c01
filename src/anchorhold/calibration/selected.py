"""How the selection-corrected sum does over many registers that kept all their tests.

May import: numpy, anchorhold.calibration, anchorhold.stats.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import numpy as np

from anchorhold.calibration.claims import Stream, long_tests
from anchorhold.calibration.shares import Share
from anchorhold.stats.selection import selection_corrected_sum


@dataclass(frozen=True, slots=True)
class SelectedSums:
    """The selection-corrected sum over many registers."""

    covered: Share
    """Its 95 % interval covers the sum of the true gains."""
    overstatement: float
    """The corrected sums over the sums of the true gains."""

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {"covered": self.covered.to_json(), "overstatement": self.overstatement}


WINDOWS = 4
"""Windows in a register whose last one is summed: the tests of the others tell how large gains are, too."""


def selected_sums(stream: Stream, *, gains: int, registers: int, seed: int, workers: int = 1) -> SelectedSums:
    """Simulate registers that kept all their tests, and correct the last window's sum for selection.

    Each has a bootstrap of its own, which takes the better part of a second.
    """
    jobs = [(stream, gains, one) for one in np.random.SeedSequence(seed).spawn(registers)]
    if workers == 1:
        found = [_selected(job) for job in jobs]
    else:
        with ProcessPoolExecutor(max_workers=workers, mp_context=get_context("spawn")) as pool:
            found = list(pool.map(_selected, jobs, chunksize=4))
    value, low, high, truth = np.array(found).T
    return SelectedSums(
        covered=Share.among((low <= truth) & (truth <= high)), overstatement=float(value.sum() / truth.sum())
    )


def _selected(job: tuple[Stream, int, np.random.SeedSequence]) -> tuple[float, float, float, float]:
    stream, gains, seed = job
    rng = np.random.default_rng(seed)
    tests = long_tests(stream, passes=WINDOWS * gains, counted=gains, rng=rng)
    found = selection_corrected_sum(tests.ended, seed=int(rng.integers(2**31)))
    counted = np.array([test.counted for test in tests.ended])
    return found.value, found.low, found.high, float(tests.true[counted].sum())
