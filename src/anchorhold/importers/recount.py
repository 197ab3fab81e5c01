"""What a report's counts give, beside what it printed: Elo, error, LLR, outcome, and whether the counts hold together.

Nothing that an input prints about itself is trusted. A difference is a Remark; it changes no record by itself. May
import: numpy, anchorhold.importers.base, anchorhold.importers.report, anchorhold.stats.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from anchorhold.errors import BadInput
from anchorhold.importers.base import Remark
from anchorhold.importers.report import Report
from anchorhold.stats.elo import Estimate, NoEstimate, elo_from_pentanomial, elo_from_trinomial
from anchorhold.stats.outcomes import PAIR_SCORES, Pentanomial, Trinomial, contradictions
from anchorhold.stats.sprt import (
    LARGEST_BOUND,
    BoundsModel,
    draw_elo,
    log_likelihood_ratio,
    logistic_of_bayeselo,
    wald_bounds,
)
from anchorhold.stats.sprt_near import NEAR, near_llr

ELO_TOLERANCE = 0.05
"""Elo by which a printed value may differ from that of its counts (SPEC section 3)."""
ERROR_TOLERANCE = 0.02
"""Share by which a printed half-width may differ: programs take the normal quantile as 1.96, or skip a small bend."""
LLR_TOLERANCE = 0.03
"""How far printed and recomputed LLR may lie apart: two decimals are printed, and programs differ in the third."""
FEW = 400
"""Tests that are computed one by one, which takes as long as loading numpy."""


@dataclass(frozen=True, slots=True)
class SoundCounts:
    """Counts of a report that do not contradict themselves; None where a form is absent or left out."""

    pairs: Pentanomial | None = None
    games: Trinomial | None = None
    faults: tuple[str, ...] = ()
    """Why a form was left out."""
    lost: bool = False
    """Whether no form is left though one was printed."""


def sound_counts(report: Report) -> SoundCounts:
    """Return the counts that can be relied on.

    Pairs win over games where both stand and do not agree: servers have left unpaired games out of the pairs. A form
    that contradicts the printed number of games has a slip of the pen, and is left out.
    """
    return _sound(report.wins, report.draws, report.losses, report.games, report.pentanomial)


@lru_cache(maxsize=16_384, typed=True)
def _sound(
    wins: int | None, draws: int | None, losses: int | None, printed: int | None, pentanomial: tuple[int, ...] | None
) -> SoundCounts:
    """Return them; several steps of an import ask for those of the same report."""
    pairs = None if pentanomial is None else Pentanomial(*pentanomial)
    games = (
        None if wins is None or draws is None or losses is None else Trinomial(wins=wins, draws=draws, losses=losses)
    )
    any_form = pairs is not None or games is not None
    faults = []
    if games is not None and printed is not None and games.games != printed:
        faults.append(f"wins + draws + losses is {games.games}, but {printed} games are printed")
        games = None
    if pairs is not None and games is not None:
        found = contradictions(pairs, games)
        if found and abs(2 * pairs.pairs - games.games) <= _unpaired(games.games):
            faults.append(f"the pairs are not of all games ({found[0]}); the pairs are taken")
            games = None
        elif found:
            faults.append(f"the counts of pairs and of games contradict each other: {found[0]}")
            pairs = games = None
    elif pairs is not None and printed is not None and abs(2 * pairs.pairs - printed) > _unpaired(printed):
        faults.append(f"twice the pairs is {2 * pairs.pairs}, but {printed} games are printed")
        pairs = None
    return SoundCounts(pairs, games, tuple(faults), lost=any_form and pairs is None and games is None)


def _unpaired(games: int) -> int:
    """How many games may be missing in the pairs before that is a slip: in the field's worst case 2 %."""
    return max(4, games // 50)


def counted_estimate(counts: SoundCounts) -> Estimate | None:
    """Return the Elo that the counts give, pairs first; None where they carry none."""
    try:
        if counts.pairs is not None:
            return elo_from_pentanomial(counts.pairs)
        if counts.games is not None:
            return elo_from_trinomial(counts.games)
    except NoEstimate:
        pass
    return None


def counted_llr(report: Report, counts: SoundCounts) -> float | None:
    """Return the LLR that the counts give under the report's bounds; None without counts, bounds or model."""
    return _exact([_sample(report, counts)])[0]


def checked_llrs(reports: Sequence[Report], counts: Sequence[SoundCounts]) -> list[float | None]:
    """Return ``counted_llr`` of many reports; the printed figure itself where a look at the counts confirms it."""
    found: list[float | None] = [None] * len(reports)
    doubtful: list[tuple[int, _Sample]] = []
    for at, (report, sound) in enumerate(zip(reports, counts, strict=True)):
        sample = _sample(report, sound)
        if sample is None:
            continue
        if report.llr is not None:
            near = near_llr(sample.counts, sample.bounds, model=sample.model, draws=sample.draws)
            if near is not None and abs(near - report.llr) <= LLR_TOLERANCE - NEAR:
                found[at] = report.llr
                continue
        doubtful.append((at, sample))
    for (at, _), llr in zip(doubtful, _exact([sample for _, sample in doubtful]), strict=True):
        found[at] = llr
    return found


def _exact(samples: Sequence[_Sample | None]) -> list[float | None]:
    """Compute the LLR of each sample, all of one model at once."""
    alike: dict[tuple[BoundsModel, int], list[tuple[int, _Sample]]] = {}
    for at, sample in enumerate(samples):
        if sample is not None:
            alike.setdefault((sample.model, len(sample.counts)), []).append((at, sample))
    found: list[float | None] = [None] * len(samples)
    reckon = _llrs_one_by_one if sum(map(len, alike.values())) <= FEW else _llrs
    for (model, _), group in alike.items():
        for (at, _), llr in zip(group, reckon(model, [sample for _, sample in group]), strict=True):
            found[at] = llr
    return found


def _llrs_one_by_one(model: BoundsModel, samples: Sequence[_Sample]) -> list[float | None]:
    found: list[float | None] = []
    for sample in samples:
        bounds: tuple[float, float] = sample.bounds
        try:
            if model == "bayeselo":
                low, high = (logistic_of_bayeselo(bound, draw=sample.draws) for bound in bounds)
                bounds = low, high
            found.append(
                log_likelihood_ratio(
                    _counts(sample.counts), bounds=bounds, model="logistic" if model == "bayeselo" else model
                )
            )
        except BadInput:
            found.append(None)
    return found


def _counts(counts: tuple[int, ...]) -> Pentanomial | Trinomial:
    if len(counts) == len(PAIR_SCORES):
        return Pentanomial(*counts)
    losses, draws, wins = counts
    return Trinomial(wins=wins, draws=draws, losses=losses)


def _llrs(model: BoundsModel, samples: Sequence[_Sample]) -> list[float | None]:
    import numpy as np

    from anchorhold.stats.sprt_many import log_likelihood_ratios

    found = log_likelihood_ratios(
        np.array([sample.counts for sample in samples], dtype=np.float64),
        np.array([sample.bounds for sample in samples], dtype=np.float64),
        model=model,
        draws=np.array([sample.draws for sample in samples], dtype=np.float64),
    )
    return [float(llr) if known else None for llr, known in zip(found.llr, found.known, strict=True)]


@dataclass(frozen=True, slots=True)
class _Sample:
    """What the LLR of one report is computed from."""

    model: BoundsModel
    bounds: tuple[float, float]
    counts: tuple[int, ...]
    draws: float
    """Draw Elo; 0 where the model needs none."""


def _sample(report: Report, counts: SoundCounts) -> _Sample | None:
    bounds, model = report.elo_bounds, report.bounds_model
    if bounds is None or model is None or not -LARGEST_BOUND <= bounds[0] < bounds[1] <= LARGEST_BOUND:
        return None
    games = counts.games or report.trinomial_counts
    if model == "bayeselo" and (games is None or games.games == 0):
        return None
    draws = draw_elo(games) if model == "bayeselo" and games is not None else 0.0
    if counts.pairs is not None:
        return _Sample(model, bounds, counts.pairs.as_tuple(), draws)
    if counts.games is not None:
        return _Sample(model, bounds, (counts.games.losses, counts.games.draws, counts.games.wins), draws)
    return None


def differences(report: Report) -> Iterator[Remark]:
    """Say where printed figures are not those of the counts."""
    return differences_of([report])


def differences_of(reports: Sequence[Report]) -> Iterator[Remark]:
    """Say the same of many reports, in their order."""
    counts = [sound_counts(report) for report in reports]
    for report, sound, llr in zip(reports, counts, checked_llrs(reports, counts), strict=True):
        for fault in sound.faults:
            yield Remark(report.place, fault)
        if report.elo is not None or report.elo_error is not None:
            yield from _elo_differences(report, counted_estimate(sound))
        if llr is not None and report.llr is not None and abs(report.llr - llr) > LLR_TOLERANCE:
            yield Remark(report.place, f"the LLR is printed as {report.llr:g}, the counts give {llr:.2f}")


def _elo_differences(report: Report, estimate: Estimate | None) -> Iterator[Remark]:
    if estimate is None:
        return
    if report.elo is not None and _differs(report.elo, estimate.elo):
        yield Remark(report.place, f"Elo is printed as {report.elo:g}, the counts give {estimate.elo:.2f}")
    if report.elo_error is None:
        return
    if abs(report.elo_error - estimate.error) > _unit(report.elo_error) + ERROR_TOLERANCE * estimate.error:
        yield Remark(
            report.place, f"the error is printed as {report.elo_error:g}, the counts give {estimate.error:.2f}"
        )


def _differs(printed: float, counted: float) -> bool:
    return abs(printed - counted) > ELO_TOLERANCE + (_unit(printed) if printed == round(printed) else 0.0)


def _unit(printed: float) -> float:
    """Half of the last place that is printed: of a whole number, else of a tenth."""
    return 0.5 if printed == round(printed) else 0.05


@lru_cache(maxsize=1024)
def error_rates(llr_bounds: tuple[float, float]) -> tuple[float, float] | None:
    """Return alpha and beta of Wald's bounds, rounded to the usual figures where those print the same bounds.

    None where no test has such bounds.

    Examples
    --------
    >>> error_rates((-2.25, 2.89))
    (0.05, 0.1)
    """
    low, high = llr_bounds
    if not -50.0 < low < 0.0 < high < 50.0:
        return None
    alpha = (1.0 - math.exp(low)) / (math.exp(high) - math.exp(low))
    beta = math.exp(low) * (1.0 - alpha)
    for digits in (2, 3):
        usual = round(alpha, digits), round(beta, digits)
        if 0.0 < usual[0] < 0.5 and 0.0 < usual[1] < 0.5:
            wald = wald_bounds(*usual)
            if abs(wald.lower - low) < 0.006 and abs(wald.upper - high) < 0.006:
                return usual
    return (alpha, beta) if alpha < 0.5 and beta < 0.5 else None
