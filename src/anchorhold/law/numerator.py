"""The numerator: measurements at both endpoints become A(old), A(new) and ΔA.

Numbered as in SPEC section 2: (1) counts → δᵢ ± hᵢ, (2) wᵢ and A per endpoint, (3) ΔA = A(new) − A(old).
May import: anchorhold.domain.contract, anchorhold.errors, law.*, stats.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Literal

from anchorhold.domain.contract import Contract
from anchorhold.errors import BadInput
from anchorhold.law.counts import Measured, Reading, read_measurement
from anchorhold.law.document import Document, Endpoint, Measurements, PinnedAnchor
from anchorhold.law.problems import Problems, Scope
from anchorhold.law.result import Note
from anchorhold.stats.absolute import Pool, pool

Stage = Literal["long", "short"]
EndpointName = Literal["old", "new"]


@dataclass(frozen=True, slots=True)
class RatedAnchor:
    """An anchor of the set with its rating; None where a rating is missing or faulty."""

    name: str
    rating: float | None
    rating_error: float | None


@dataclass(frozen=True, slots=True)
class EndpointPool:
    """One endpoint at one stage."""

    measured: Mapping[str, Measured]
    """Anchor name → what was measured; anchors without a sound measurement are absent."""
    pool: Pool | None
    """A; None when something that it rests on is missing or faulty."""


def rated_anchors(anchors: Sequence[PinnedAnchor], *, problems: Problems) -> tuple[RatedAnchor, ...]:
    """Anchors of the set in order, each name once, with missing and faulty ratings noted."""
    rated: dict[str, RatedAnchor] = {}
    for index, anchor in enumerate(anchors):
        rating_error = anchor.rating_error
        if rating_error is not None and rating_error < 0:
            problems.add(
                "rating_error_negative",
                scope="set",
                where=f"anchors.{index}.rating_error",
                message=f"The rating half-width {rating_error:g} of {anchor.name!r} is below 0.",
                next_step="Give the 95 % half-width of the rating; 0 when it is taken as exact.",
            )
            rating_error = None
        for field in ("rating", "rating_error"):
            if getattr(anchor, field) is None:
                problems.add(
                    "rating_missing",
                    scope="set",
                    where=f"anchors.{index}.{field}",
                    message=f"{field} of {anchor.name!r} is missing.",
                    next_step="Rate the anchor and pin the set again.",
                )
        rated.setdefault(anchor.name, RatedAnchor(name=anchor.name, rating=anchor.rating, rating_error=rating_error))
    return tuple(rated.values())


def read_endpoint(
    document: Document,
    name: EndpointName,
    stage: Stage,
    anchors: Sequence[RatedAnchor],
    *,
    doubtful: Set[str],
    contract: Contract,
    problems: Problems,
    notes: list[Note],
) -> EndpointPool:
    """Read one endpoint at one stage: (1) every δᵢ ± hᵢ, (2) A.

    Parameters
    ----------
    doubtful : set of str
        Anchors whose identity does not hold at this endpoint: what was measured against them says nothing.
    """
    endpoint: Endpoint = getattr(document.endpoints, name)
    stated: Measurements = getattr(endpoint, stage) or {}
    planned = getattr(document.planned_pairs, stage) if document.planned_pairs else None
    scope: Scope = "old_measured" if name == "old" else "new_measured"
    place = f"endpoints.{name}.{stage}"
    known = {anchor.name for anchor in anchors}
    for stranger in (each for each in stated if each not in known):
        problems.add(
            "anchor_not_in_set",
            scope=scope,
            where=f"{place}.{stranger}",
            message=f"{stranger!r} was measured but is not in the pinned set.",
            next_step="Measure against the pinned set only; spell names as pinned.",
        )
    measured: dict[str, Measured] = {}
    for anchor in anchors:
        where = f"{place}.{anchor.name}"
        if anchor.name not in stated:
            reading = Reading(value=None, pairs=None, why_missing="it was not measured")
        else:
            reading = read_measurement(
                stated[anchor.name], where=where, scope=scope, contract=contract, problems=problems
            )
        if reading.why_missing:
            problems.add(
                "no_estimate" if reading.no_estimate else "measurement_missing",
                scope=scope,
                where=where,
                message=f"No δ of {name} main against {anchor.name!r}: {reading.why_missing}.",
                next_step="Choose an anchor nearer in strength, or play more pairs."
                if reading.no_estimate
                else "Play or report the measurement.",
            )
        _compare_with_plan(
            reading, planned, name, anchor.name, where=where, scope=scope, problems=problems, notes=notes
        )
        if reading.value is not None and anchor.name not in doubtful:
            measured[anchor.name] = reading.value
    spoilt = problems.spoils("set", name, scope)
    return EndpointPool(measured=measured, pool=None if spoilt else _pool_of(measured, anchors, contract=contract))


def _compare_with_plan(
    reading: Reading,
    planned: int | None,
    endpoint: EndpointName,
    anchor: str,
    *,
    where: str,
    scope: Scope,
    problems: Problems,
    notes: list[Note],
) -> None:
    if planned is None:
        return
    if reading.pairs is None:
        if reading.value is not None:
            notes.append(
                Note(
                    code="planned_pairs_not_compared",
                    message=f"{where}: the measurement has no pairs to compare with the {planned} planned.",
                )
            )
    elif reading.pairs != planned:
        problems.add(
            "measurement_incomplete",
            scope=scope,
            where=where,
            message=f"{reading.pairs} pairs of {endpoint} main against {anchor!r} were counted, {planned} planned.",
            next_step="Play exactly the planned pairs: stopping when the figure pleases is not a measurement.",
        )


def _pool_of(measured: Mapping[str, Measured], anchors: Sequence[RatedAnchor], *, contract: Contract) -> Pool | None:
    """(2) wᵢ and A = Σ wᵢ(Rᵢ + δᵢ)/Σ wᵢ; None when a δ or a rating is missing."""
    rating: list[float] = []
    rating_error: list[float] = []
    for anchor in anchors:
        if anchor.name not in measured or anchor.rating is None or anchor.rating_error is None:
            return None
        rating.append(anchor.rating)
        rating_error.append(anchor.rating_error)
    if not rating:
        return None
    try:
        return pool(
            rating=rating,
            delta=[measured[anchor.name].delta for anchor in anchors],
            error=[measured[anchor.name].error for anchor in anchors],
            rating_error=rating_error,
            model_uncertainty=contract.parameters.model_uncertainty,
            transfer_band=contract.parameters.transfer_band,
        )
    except BadInput:  # half-widths near 0 have no weights, nor the anchors an A
        return None


@dataclass(frozen=True, slots=True)
class Increase:
    """(3) ΔA = A(new) − A(old) and U(ΔA) = √(σ_old² + σ_new²)."""

    value: float
    error: float


def increase_of(old: EndpointPool, new: EndpointPool) -> Increase | None:
    """(3) ΔA with its half-width; None when one A is missing."""
    if old.pool is None or new.pool is None:
        return None
    return Increase(value=new.pool.value - old.pool.value, error=math.hypot(old.pool.error, new.pool.error))
