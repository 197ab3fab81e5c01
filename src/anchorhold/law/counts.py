"""Counts as a document states them: do they contradict themselves, and what Elo do they give?

Source: SPEC sections 2 and 6. May import: anchorhold.domain.contract, law.document, law.problems, stats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

from anchorhold.domain.contract import Contract
from anchorhold.law.document import Count, Counted, Measurement
from anchorhold.law.problems import Problems, Scope
from anchorhold.stats.elo import Estimate, NoEstimate, elo_from_pentanomial, elo_from_trinomial
from anchorhold.stats.outcomes import Pentanomial, Trinomial, contradictions

LARGEST_COUNT = 2**53
_FIVE = tuple(f"pentanomial.{place}" for place in range(5))
_THREE = ("wins", "draws", "losses")
RECOUNT = "Count the games again from their PGN."


@dataclass(frozen=True, slots=True)
class SoundCounts:
    """Counts that hold together; None where a form is absent."""

    pentanomial: Pentanomial | None
    trinomial: Trinomial | None


def _fault(value: Count) -> str:
    if value < 0:
        return "is negative"
    if value != int(value):
        return "is not whole"
    if value > LARGEST_COUNT:
        return "is beyond 2**53"
    return ""


def are_sound(values: Sequence[Count | None]) -> TypeGuard[Sequence[int]]:
    """Say whether all of some counts are whole, not negative, and no larger than canonical JSON takes."""
    return set(map(type, values)) == {int} and min(values) >= 0 and max(values) <= LARGEST_COUNT  # type: ignore[type-var, operator]


def read_counts(counted: Counted, *, where: str, scope: Scope, problems: Problems) -> SoundCounts | None:
    """Counts of one measurement or stage, or None when they contradict themselves (noted as a defect)."""
    faults: list[tuple[str, str]] = []

    def check(names: Sequence[str], values: Sequence[Count]) -> Sequence[int] | None:
        if are_sound(values):
            return [int(value) for value in values]
        wrong = [
            (name, f"the count {str(value)[:24]} {fault}")
            for name, value in zip(names, values, strict=True)
            if (fault := _fault(value))
        ]
        faults.extend(wrong)
        return None if wrong else [int(value) for value in values]

    pentanomial = trinomial = None
    if counted.pentanomial is not None:
        five = check(_FIVE, counted.pentanomial)
        pentanomial = Pentanomial(*five) if five else None
    wins, draws, losses = counted.wins, counted.draws, counted.losses
    if wins is not None and draws is not None and losses is not None:
        three = check(_THREE, (wins, draws, losses))
        trinomial = Trinomial(*three) if three else None
    if not faults and pentanomial and trinomial:
        faults = [("pentanomial", text) for text in contradictions(pentanomial, trinomial)]
    for member, text in faults:
        problems.add(
            "counts_contradict",
            scope=scope,
            where=f"{where}.{member}",
            message=f"Counts contradict themselves: {text}.",
            next_step=RECOUNT,
        )
    return None if faults else SoundCounts(pentanomial=pentanomial, trinomial=trinomial)


def estimate_of(counts: SoundCounts, *, contract: Contract) -> Estimate | None:
    """Elo from counts, pairs first; None where there are no counts.

    Raises
    ------
    NoEstimate
        Counts that carry no estimate.
    """
    if counts.pentanomial is not None:
        return elo_from_pentanomial(counts.pentanomial, rule=contract.estimate_rule)
    if counts.trinomial is not None:
        return elo_from_trinomial(counts.trinomial, rule=contract.estimate_rule)
    return None


@dataclass(frozen=True, slots=True)
class Measured:
    """One δ with its half-width, and the counts behind it where there are any."""

    delta: float
    error: float
    nelo: float | None
    pentanomial: Pentanomial | None


@dataclass(frozen=True, slots=True)
class Reading:
    """A measurement as read: its value (None when missing or faulty) and its pairs (None when it has none)."""

    value: Measured | None
    pairs: int | None
    why_missing: str = ""
    """In words, when there is no value and no defect: the reason of a gap."""
    no_estimate: bool = False
    """There are counts, but they carry no estimate."""


def read_measurement(
    measurement: Measurement | None, *, where: str, scope: Scope, contract: Contract, problems: Problems
) -> Reading:
    """Read δ ± h of one measurement: from pairs, else from games, else as reported.

    Defects are noted in ``problems``; a missing value is told, and the caller judges what it means.
    """
    if measurement is None:
        return Reading(value=None, pairs=None, why_missing="the measurement is null")
    counts = read_counts(measurement, where=where, scope=scope, problems=problems)
    faulty = counts is None
    if measurement.error is not None and measurement.error <= 0:
        faulty = True
        problems.add(
            "error_not_positive",
            scope=scope,
            where=f"{where}.error",
            message=f"The half-width {measurement.error:g} of δ is not above 0.",
            next_step="Give the 95 % half-width, or the counts.",
        )
    if counts is None:
        return Reading(value=None, pairs=None)
    pentanomial = counts.pentanomial
    pairs = pentanomial.pairs if pentanomial else None
    try:
        estimate = estimate_of(counts, contract=contract)
    except NoEstimate as reason:
        return Reading(value=None, pairs=pairs, why_missing=str(reason), no_estimate=True)
    if estimate is None:
        if measurement.delta is None or measurement.error is None:
            missing = "there are no counts and no δ" if measurement.delta is None else "δ has no half-width"
            return Reading(value=None, pairs=None, why_missing=missing)
        reported = Measured(delta=measurement.delta, error=measurement.error, nelo=None, pentanomial=None)
        return Reading(value=None if faulty else reported, pairs=None)
    if measurement.delta is not None:
        difference = abs(measurement.delta - estimate.elo)
        if difference > contract.parameters.delta_tolerance:
            faulty = True
            problems.add(
                "delta_differs_from_counts",
                scope=scope,
                where=f"{where}.delta",
                message=f"δ is reported as {measurement.delta:g} but its counts give {estimate.elo:.3f}.",
                next_step="Leave the reported δ out, or correct the counts.",
            )
    measured = Measured(delta=estimate.elo, error=estimate.error, nelo=estimate.nelo, pentanomial=pentanomial)
    return Reading(value=None if faulty else measured, pairs=pairs)
