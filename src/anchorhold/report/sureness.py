"""How sure a verdict of this design is: chances of HALT, WARN and CONTINUE for a true R, and with more pairs.

The design is the check's own: the pairs that were played, the anchors' measured distances, how drawish the games were.
Source: SPEC section 13 (``plan``). May import: anchorhold.stats, law, report.*.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from anchorhold.report.scale import Thresholds
from anchorhold.report.view import CheckView
from anchorhold.stats.power import Chances, Design, correlation_of, draws_of, pairs_needed, verdict_chances

RATIOS = (0.0, 0.2, 0.4, 0.5, 0.6, 0.75, 0.9, 1.0)
"""The true R of the table's rows."""
LOW, HIGH, STEPS = -0.25, 1.25, 60
"""The stretch of the curve."""
MORE = 4
"""How many times as many pairs the second curve has."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The chances of a design."""

    pairs: int
    """Against each anchor, for each version."""
    points: tuple[Chances, ...]
    """Along the curve."""
    rows: tuple[Chances, ...]
    """At the ratios of the table."""


@dataclass(frozen=True, slots=True)
class Sureness:
    """What the design of a check tells apart."""

    claims: float
    """S."""
    thresholds: Thresholds
    played: Curve
    more: Curve
    needed: int | None
    """Pairs against each anchor that tell the two thresholds apart with 5 % risk either way; None: no number does."""


def sureness_of(view: CheckView) -> Sureness | None:
    """Return what a check's design tells apart; None without a positive S, without pairs, or without distances."""
    claims = view.result.s
    if claims is None or claims <= 0.0 or not view.result.counted:
        return None
    samples = [view.sample("new", anchor.name) for anchor in view.result.anchors]
    pairs = [sample.pentanomial for sample in samples if sample is not None and sample.pentanomial is not None]
    distances = [anchor.new.delta for anchor in view.result.anchors]
    known = [distance for distance in distances if distance is not None]
    errors = [
        anchor.rating_error for anchor in view.anchors if anchor.rating_error is not None and anchor.rating_error >= 0
    ]
    played = [sample for sample in pairs if sample.pairs]
    if not known or len(played) != len(distances) or len(known) != len(distances) or len(errors) != len(known):
        return None
    weight = sum(sample.pairs for sample in played)
    design = Design(
        pairs=round(weight / len(played)),
        distances=tuple(known),
        rating_errors=tuple(errors),
        draws=math.fsum(draws_of(sample) * sample.pairs for sample in played) / weight,
        correlation=correlation_of(view.joint.values()) or 0.0,
        model_uncertainty=view.contract.parameters.model_uncertainty,
    )
    return sureness_for(design, claims=claims, thresholds=view.thresholds)


def sureness_for(design: Design, *, claims: float, thresholds: Thresholds) -> Sureness:
    """Return what a design tells apart at an S above 0."""
    return Sureness(
        claims=claims,
        thresholds=thresholds,
        played=_curve(design, claims, thresholds),
        more=_curve(replace(design, pairs=MORE * design.pairs), claims, thresholds),
        needed=pairs_needed(design, claims=claims, low=thresholds.halt_below, high=thresholds.continue_from),
    )


def _curve(design: Design, claims: float, thresholds: Thresholds) -> Curve:
    ratios = [LOW + (HIGH - LOW) * step / STEPS for step in range(STEPS + 1)]
    limits = {"halt_below": thresholds.halt_below, "continue_from": thresholds.continue_from}
    return Curve(
        pairs=design.pairs,
        points=tuple(verdict_chances(design, claims=claims, ratios=ratios, **limits)),
        rows=tuple(verdict_chances(design, claims=claims, ratios=RATIOS, **limits)),
    )
