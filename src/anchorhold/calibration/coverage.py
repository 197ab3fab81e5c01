"""How often intervals cover the truth and verdicts are right, over many simulated checks of one kind of world.

Every figure has its own Monte-Carlo error. May import: numpy, anchorhold.calibration, anchorhold.domain.contract,
anchorhold.stats.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context

import numpy as np

from anchorhold.calibration.chain import Checks, bands, judge
from anchorhold.calibration.claims import Stream, long_tests, passed_gains
from anchorhold.calibration.games import advantages, joint_shares, played
from anchorhold.domain.contract import Contract
from anchorhold.stats.power import draw_elo_of
from anchorhold.stats.selection import selection_corrected_sum
from anchorhold.stats.vectors import Vector

AT_ONCE = 250
"""Checks that one process simulates at a time, with a seed of their own: results do not depend on the processes."""
BAND_DRAWS = 2000
"""Draws of a simulated band; the contract's 100,000 would narrow its ends by less than this simulation can see."""
SHARES = (1.0, 0.75, 0.6, 0.4, 0.2, 0.0)


@dataclass(frozen=True, slots=True)
class World:
    """What is true, and how it is measured."""

    stream: Stream
    gains: int
    """Counted gains in a window."""
    pairs: int
    """Against each anchor, for each version."""
    distances: tuple[float, ...]
    """Old main minus anchor, in Elo."""
    rating_errors: tuple[float, ...]
    draws: float
    """Share of draws between equals on an even opening."""
    bias_deviation: float
    """Standard deviation of the openings' bias towards White, in Elo."""
    intransitivity: float
    """Standard deviation of the true increases of the anchors around their mean, in Elo."""
    share: float = 1.0
    """True increase against the anchors over the sum of the true gains."""


@dataclass(frozen=True, slots=True)
class Share:
    """A probability that was simulated."""

    value: float
    error: float
    """Standard error of the simulation."""
    of: int

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {"value": self.value, "error": self.error, "of": self.of}


@dataclass(frozen=True, slots=True)
class Calibration:
    """One world, simulated."""

    share: float
    halt: Share
    warn: Share
    proceed: Share
    gap: Share
    increase_rule: Share
    """ΔA ± U(ΔA) covers the true increase."""
    increase_weighted: Share
    increase_paired: Share
    increase_unpaired: Share
    """The paired increase with the half-width that takes its endpoints as measured on different openings."""
    sum_naive: Share
    """S ± U(S) covers the sum of the true gains."""
    sum_median_unbiased: Share
    """The interval of the sum of the median-unbiased estimates covers it."""
    band_claimed: Share
    """The Monte-Carlo band covers true increase over the S that was claimed."""
    band_true: Share
    """The same over the sum of the true gains: what a reader of R would like to know."""
    fieller_claimed: Share
    fieller_true: Share
    overstatement: float
    """S over the sum of the true gains."""
    overstatement_median_unbiased: float
    """The sum of the median-unbiased estimates over it."""
    pairs_saved: float
    """Share of the games that paired openings save."""

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {name: value.to_json() if isinstance(value, Share) else value for name, value in values.items()}


@dataclass(frozen=True, slots=True)
class Simulated:
    """Simulated checks with the truth behind them."""

    checks: Checks
    band_low: Vector
    band_high: Vector
    increase: Vector
    """True increase, weighted as the paired increase is."""
    gains: Vector
    """Sum of the true gains."""
    median_unbiased: Vector
    """Sum of the median-unbiased estimates."""
    median_unbiased_low: Vector
    median_unbiased_high: Vector


def calibrate(
    world: World, contract: Contract, *, checks: int, seed: int, shares: Sequence[float] = SHARES, workers: int = 1
) -> list[Calibration]:
    """Simulate checks at each true share.

    Parameters
    ----------
    checks : int
        Per share; rounded up to whole batches of AT_ONCE.
    seed : int
        The same seed gives the same figures, with any number of workers.
    """
    batches = math.ceil(checks / AT_ONCE)
    seeds = np.random.SeedSequence(seed).spawn(batches * len(shares))
    jobs = [
        (replace(world, share=share), contract, seeds[place * batches + batch])
        for place, share in enumerate(shares)
        for batch in range(batches)
    ]
    if workers == 1:
        done = [_job(job) for job in jobs]
    else:
        # A fresh process knows no lock and no thread of this one.
        with ProcessPoolExecutor(max_workers=workers, mp_context=get_context("spawn")) as pool:
            done = list(pool.map(_job, jobs))
    return [
        summary(share, done[place * batches : (place + 1) * batches], contract) for place, share in enumerate(shares)
    ]


def _job(job: tuple[World, Contract, np.random.SeedSequence]) -> Simulated:
    world, contract, seed = job
    return simulate(world, contract, checks=AT_ONCE, rng=np.random.default_rng(seed))


def simulate(world: World, contract: Contract, *, checks: int, rng: np.random.Generator) -> Simulated:
    """Simulate checks of one world: gains, games, judgement."""
    passed = passed_gains(world.stream, registers=checks, gains=world.gains, rng=rng)
    gains = passed.true.sum(axis=1)
    old = np.broadcast_to(np.array(world.distances), (checks, len(world.distances)))
    increase = world.share * gains[:, None] + rng.normal(0.0, world.intransitivity, old.shape)
    draw_elo = draw_elo_of(world.draws)
    ends = (advantages(elo, bias_deviation=world.bias_deviation, draw_elo=draw_elo) for elo in (old, old + increase))
    joint = played(
        joint_shares(*ends, bias_deviation=world.bias_deviation, draw_elo=draw_elo), pairs=world.pairs, rng=rng
    )
    rule = contract.estimate_rule
    judged = judge(
        joint,
        rating=3000.0 - np.array(world.distances),
        rating_error=np.array(world.rating_errors),
        claimed=passed.claimed,
        error=passed.error,
        rule=rule,
        parameters=contract.parameters,
    )
    low, high = bands(judged, z=rule.z, draws=BAND_DRAWS, rng=rng)
    estimate, below, above = np.moveaxis(passed.median_unbiased, -1, 0)
    total = estimate.sum(axis=1)
    return Simulated(
        checks=judged,
        band_low=low,
        band_high=high,
        increase=(judged.shares * increase).sum(axis=1),
        gains=gains,
        median_unbiased=total,
        median_unbiased_low=total - np.sqrt(((estimate - below) ** 2).sum(axis=1)),
        median_unbiased_high=total + np.sqrt(((above - estimate) ** 2).sum(axis=1)),
    )


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
        covered=_share((low <= truth) & (truth <= high)), overstatement=float(value.sum() / truth.sum())
    )


def _selected(job: tuple[Stream, int, np.random.SeedSequence]) -> tuple[float, float, float, float]:
    stream, gains, seed = job
    rng = np.random.default_rng(seed)
    tests = long_tests(stream, passes=WINDOWS * gains, counted=gains, rng=rng)
    found = selection_corrected_sum(tests.ended, seed=int(rng.integers(2**31)))
    counted = np.array([test.counted for test in tests.ended])
    return found.value, found.low, found.high, float(tests.true[counted].sum())


def summary(share: float, parts: Iterable[Simulated], contract: Contract) -> Calibration:
    """Count how often the truth was covered and what the verdicts were."""
    parts = list(parts)

    def joined(name: str, *, of_checks: bool = True) -> Vector:
        return np.concatenate([getattr(part.checks if of_checks else part, name) for part in parts])

    r, delta_a, paired = joined("r"), joined("delta_a"), joined("paired")
    increase, gains = joined("increase", of_checks=False), joined("gains", of_checks=False)
    s, s_error = joined("s"), joined("s_error")
    band = joined("band_low", of_checks=False), joined("band_high", of_checks=False)
    fieller = joined("fieller_low"), joined("fieller_high")
    known = ~np.isnan(r)

    def within(estimate: Vector, error: Vector, truth: Vector) -> Share:
        return _share((np.abs(estimate - truth) <= error)[known])

    def covers(interval: tuple[Vector, Vector], truth: Vector) -> Share:
        low, high = interval
        there = known & ~np.isnan(low)
        return _share(((low <= truth) & (truth <= high))[there])

    halt_below, continue_from = contract.parameters.halt_below, contract.parameters.continue_from
    with np.errstate(invalid="ignore"):
        halt, proceed = r < halt_below, r >= continue_from
    paired_error, independent_error = joined("paired_error"), joined("independent_error")
    return Calibration(
        share=share,
        halt=_share(halt),
        warn=_share(known & ~halt & ~proceed),
        proceed=_share(proceed),
        gap=_share(~known),
        increase_rule=within(delta_a, joined("delta_a_error"), increase),
        increase_weighted=within(delta_a, joined("delta_a_error_weighted"), increase),
        increase_paired=within(paired, paired_error, increase),
        increase_unpaired=within(paired, independent_error, increase),
        sum_naive=within(s, s_error, gains),
        sum_median_unbiased=covers(
            (joined("median_unbiased_low", of_checks=False), joined("median_unbiased_high", of_checks=False)), gains
        ),
        band_claimed=covers(band, increase / s),
        band_true=covers(band, increase / gains),
        fieller_claimed=covers(fieller, increase / s),
        fieller_true=covers(fieller, increase / gains),
        overstatement=float(s.sum() / gains.sum()),
        overstatement_median_unbiased=float(joined("median_unbiased", of_checks=False).sum() / gains.sum()),
        pairs_saved=float(1.0 - np.nanmean((paired_error / independent_error) ** 2)),
    )


def _share(hits: np.ndarray) -> Share:
    """A share with its standard error; a share of 0 or 1 keeps the error of half a hit."""
    count = len(hits)
    if count == 0:
        return Share(0.0, 1.0, 0)
    value = float(hits.mean())
    kept = min(max(value, 0.5 / count), 1.0 - 0.5 / count)
    return Share(value, math.sqrt(kept * (1.0 - kept) / count), count)
