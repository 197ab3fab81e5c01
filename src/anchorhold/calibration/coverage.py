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

from anchorhold.calibration.chain import Checks, Range, judge, place_in_band
from anchorhold.calibration.claims import Stream, passed_gains
from anchorhold.calibration.games import advantages, joint_shares, played
from anchorhold.calibration.shares import Share
from anchorhold.domain.contract import Contract
from anchorhold.stats.border import expect
from anchorhold.stats.power import draw_elo_of
from anchorhold.stats.vectors import Vector

AT_ONCE = 250
"""Checks that one process simulates at a time, with a seed of their own: results do not depend on the processes."""
MOST_PAIRS = 10**9
MOST_CHECKS = 10_000_000
LARGEST_ELO = 2_000.0
"""Of a distance, an error or a spread: what is further away scores nothing in any number of games."""
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
    """95 % half-widths of the anchors' ratings: by so much the ratings that a check knows miss the true ones."""
    draws: float
    """Share of draws between equals on an even opening."""
    bias_deviation: float
    """Standard deviation of the openings' bias towards White, in Elo."""
    intransitivity: float
    """Standard deviation of the true increases of the anchors around their mean, in Elo."""
    share: float = 1.0
    """True increase against the anchors over the sum of the true gains."""

    def __post_init__(self) -> None:
        expect(1 <= self.gains <= 10_000, f"{self.gains} counted gains in a window, expected 1 to 10,000")
        expect(1 <= self.pairs <= MOST_PAIRS, f"{self.pairs} pairs against each anchor, expected 1 to {MOST_PAIRS:,}")
        expect(len(self.distances) > 0, "there is no anchor")
        expect(
            len(self.distances) == len(self.rating_errors),
            f"{len(self.rating_errors)} rating errors for {len(self.distances)} anchors, expected as many",
        )
        for name, figures, least, most in (
            ("distance of an anchor", self.distances, -LARGEST_ELO, LARGEST_ELO),
            ("rating error of an anchor", self.rating_errors, 0.0, LARGEST_ELO),
            ("spread of the true increases", (self.intransitivity,), 0.0, LARGEST_ELO),
            ("deviation of the openings' bias", (self.bias_deviation,), 0.0, 400.0),
            ("share of draws", (self.draws,), 0.0, 0.99),
            ("true increase over the true gains", (self.share,), -100.0, 100.0),
        ):
            for figure in figures:
                expect(least <= figure <= most, f"the {name} is {figure:g}, expected {least:g} to {most:g}")


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
    fieller_weighted_true: Share
    """Fieller's interval by ``delta_a_error_weighted`` instead of U(ΔA): what is left is the claims' own fault."""
    overstatement: float | None
    """S over the sum of the true gains; None where that is not above 0."""
    overstatement_median_unbiased: float | None
    """The sum of the median-unbiased estimates over it."""
    pairs_saved: float | None
    """Share of the games that paired openings save; None where no check had an R."""

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {name: value.to_json() if isinstance(value, Share) else value for name, value in values.items()}


@dataclass(frozen=True, slots=True)
class Simulated:
    """Simulated checks with the truth behind them."""

    checks: Checks
    band_claimed: Vector
    """Share of the band's draws below the true increase over the claimed S; NaN where it has no ends."""
    band_true: Vector
    """The same over the sum of the true gains."""
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

    Raises
    ------
    BadInput
        No checks, or more than anybody waits for; a world in which hardly anything passes its test.
    """
    expect(1 <= checks <= MOST_CHECKS, f"{checks} checks for each true share, expected 1 to {MOST_CHECKS:,}")
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
    rule, rating_error = contract.estimate_rule, np.array(world.rating_errors)
    judged = judge(
        joint,
        rating=rng.normal(3000.0 - old, rating_error / rule.z),
        rating_error=rating_error,
        claimed=passed.claimed,
        error=passed.error,
        rule=rule,
        parameters=contract.parameters,
    )
    seen = (judged.shares * increase).sum(axis=1)
    estimate, below, above = np.moveaxis(passed.median_unbiased, -1, 0)
    total = estimate.sum(axis=1)
    return Simulated(
        checks=judged,
        band_claimed=place_in_band(judged, seen / judged.s, z=rule.z, parameters=contract.parameters),
        band_true=place_in_band(judged, seen / gains, z=rule.z, parameters=contract.parameters),
        increase=seen,
        gains=gains,
        median_unbiased=total,
        median_unbiased_low=total - np.sqrt(((estimate - below) ** 2).sum(axis=1)),
        median_unbiased_high=total + np.sqrt(((above - estimate) ** 2).sum(axis=1)),
    )


def summary(share: float, parts: Iterable[Simulated], contract: Contract) -> Calibration:
    """Count how often the truth was covered and what the verdicts were."""
    parts = list(parts)

    def joined(name: str, *, of_checks: bool = True) -> Vector:
        return np.concatenate([getattr(part.checks if of_checks else part, name) for part in parts])

    r, delta_a, paired = joined("r"), joined("delta_a"), joined("paired")
    increase, gains = joined("increase", of_checks=False), joined("gains", of_checks=False)
    s, s_error = joined("s"), joined("s_error")
    known = ~np.isnan(r)

    def within(estimate: Vector, error: Vector, truth: Vector) -> Share:
        return Share.among((np.abs(estimate - truth) <= error)[known])

    def covers(name: str, truth: Vector) -> Share:
        ends = [getattr(part.checks, name) for part in parts]
        interval = Range(*(np.concatenate([getattr(one, end) for one in ends]) for end in ("low", "high")))
        return Share.among(interval.covers(truth)[known & ~np.isnan(interval.low)])

    def band(name: str) -> Share:
        place, tail = joined(name, of_checks=False), (1.0 - contract.parameters.band_coverage) / 2.0
        return Share.among(((place >= tail) & (place <= 1.0 - tail))[known & ~np.isnan(place)])

    halt_below, continue_from = contract.parameters.halt_below, contract.parameters.continue_from
    with np.errstate(invalid="ignore"):
        halt, proceed = r < halt_below, r >= continue_from
    paired_error, independent_error = joined("paired_error"), joined("independent_error")
    narrower = (paired_error / independent_error)[known]
    narrower = narrower[~np.isnan(narrower)]
    return Calibration(
        share=share,
        halt=Share.among(halt),
        warn=Share.among(known & ~halt & ~proceed),
        proceed=Share.among(proceed),
        gap=Share.among(~known),
        increase_rule=within(delta_a, joined("delta_a_error"), increase),
        increase_weighted=within(delta_a, joined("delta_a_error_weighted"), increase),
        increase_paired=within(paired, paired_error, increase),
        increase_unpaired=within(paired, independent_error, increase),
        sum_naive=within(s, s_error, gains),
        sum_median_unbiased=Share.among(
            Range(
                joined("median_unbiased_low", of_checks=False), joined("median_unbiased_high", of_checks=False)
            ).covers(gains)[known]
        ),
        band_claimed=band("band_claimed"),
        band_true=band("band_true"),
        fieller_claimed=covers("fieller", increase / s),
        fieller_true=covers("fieller", increase / gains),
        fieller_weighted_true=covers("fieller_weighted", increase / gains),
        overstatement=_over(s, gains),
        overstatement_median_unbiased=_over(joined("median_unbiased", of_checks=False), gains),
        pairs_saved=float(1.0 - np.mean(narrower**2)) if len(narrower) else None,
    )


def _over(claimed: Vector, gains: Vector) -> float | None:
    total = float(gains.sum())
    return float(claimed.sum() / total) if total > 0.0 else None
