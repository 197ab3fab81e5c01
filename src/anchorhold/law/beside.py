"""What is recorded beside R and decides nothing: bands, intervals, paired increase, suspicion of overfitting.

Every figure that cannot be had is None, and its reason stands in ``notes``. Source: SPEC section 4.
May import: numpy, anchorhold.domain.contract, law.*, stats.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anchorhold.domain.contract import Contract
from anchorhold.law.counts import Measured
from anchorhold.law.intervals import fieller_interval, finite
from anchorhold.law.numerator import EndpointPool, Increase, RatedAnchor
from anchorhold.law.result import Band, Heterogeneity, Note, Overfitting, Paired, Range
from anchorhold.law.window import CountedGain, Sum
from anchorhold.stats.absolute import Pool
from anchorhold.stats.outcomes import JointTable
from anchorhold.stats.pooling import (
    heterogeneity,
    increase_error_weighted,
    independent_increase_variance,
    joint_increase_variance,
    normalised,
    paired_increase,
)
from anchorhold.stats.ratio_band import ratio_band
from anchorhold.stats.vectors import Vector


@dataclass(frozen=True, slots=True)
class AnchorIncrease:
    """What main gained against one anchor; variance 0: cannot be told, None: rests on a defect."""

    value: float
    variance: float | None


def increases(
    old: Mapping[str, Measured],
    new: Mapping[str, Measured],
    anchors: Sequence[RatedAnchor],
    *,
    tables: Mapping[str, JointTable],
    broken: set[str],
    contract: Contract,
) -> dict[str, AnchorIncrease]:
    """Per anchor δ(new) − δ(old) and its variance: from the joint table where it is known, else as independent."""
    rule = contract.estimate_rule
    found = {}
    for anchor in anchors:
        if anchor.name not in old or anchor.name not in new:
            continue
        before, after = old[anchor.name], new[anchor.name]
        variance: float | None
        if anchor.name in broken:
            variance = None
        elif anchor.name in tables:
            variance = joint_increase_variance(tables[anchor.name], rule=rule)
        else:
            variance = independent_increase_variance(error_old=before.error, error_new=after.error, z=rule.z)
        found[anchor.name] = AnchorIncrease(value=after.delta - before.delta, variance=variance)
    return found


@dataclass(frozen=True, slots=True)
class PairedFigures:
    """ΔA seen with equal weights, and whether the anchors agree."""

    delta_a_error_weighted: float | None
    paired: Paired | None
    reweighting: float | None
    heterogeneity: Heterogeneity | None


def paired_figures(
    old: EndpointPool,
    new: EndpointPool,
    delta_a: Increase | None,
    by_anchor: Mapping[str, AnchorIncrease],
    anchors: Sequence[RatedAnchor],
    *,
    contract: Contract,
    notes: list[Note],
) -> PairedFigures:
    """Half-width of the weighted mean, paired increase, reweighting and heterogeneity; None without ΔA."""
    if delta_a is None or old.pool is None or new.pool is None:
        return PairedFigures(None, None, None, None)
    names = [anchor.name for anchor in anchors]
    z = contract.estimate_rule.z
    weighted = increase_error_weighted(
        old=old.pool,
        new=new.pool,
        error_old=_vector([old.measured[name].error for name in names]),
        error_new=_vector([new.measured[name].error for name in names]),
        rating_error=_vector([anchor.rating_error or 0.0 for anchor in anchors]),
    )
    values = _vector([by_anchor[name].value for name in names])
    known = [variance for name in names if (variance := by_anchor[name].variance) is not None]
    # A variance that rests on a defect leaves the widths out just as one of 0 does; the mean stays.
    variances = _vector(known) if len(known) == len(names) else _vector([0.0] * len(names))
    mean = paired_increase(increase=values, variance=variances, weights=_mean_weights(old.pool, new.pool), z=z)
    spread = heterogeneity(increase=values, variance=variances)
    shown = None
    if spread is not None:
        shown = Heterogeneity(q=spread.q, p=spread.p, i2=spread.i2, tau=spread.tau)
        if spread.p < contract.parameters.anchors_disagree_below:
            notes.append(
                Note(
                    code="anchors_disagree",
                    message=f"The anchors' increases differ by more than chance (Q = {spread.q:.2f}, "
                    f"p = {spread.p:.2g}): an average increase then says little.",
                )
            )
    if shown is None:
        if bool((variances == 0).any()):
            reason = "some anchor's increase has a variance of 0 or one that rests on a defect"
        else:
            reason = "it takes at least two anchors" if len(names) < 2 else "it is beyond what can be stored"
        notes.append(Note(code="heterogeneity_not_computed", message=f"heterogeneity is null: {reason}."))
    return PairedFigures(
        delta_a_error_weighted=weighted,
        paired=Paired(delta_a=mean.value, error=mean.error),
        reweighting=delta_a.value - mean.value,
        heterogeneity=shown,
    )


def band(delta_a: Increase, claims: Sum, *, contract: Contract, seed: int, notes: list[Note]) -> Band | None:
    """Monte-Carlo band of R; None when a counted gain has no half-width."""
    if claims.error is None:
        notes.append(Note(code="band_not_computed", message="band is null: a counted gain has no half-width."))
        return None
    p = contract.parameters
    drawn = ratio_band(
        increase=p.elo_factor * delta_a.value,
        increase_error=p.elo_factor * delta_a.error,
        claimed=claims.value,
        claimed_error=claims.error,
        z=contract.estimate_rule.z,
        halt_below=p.halt_below,
        continue_from=p.continue_from,
        decimals=p.ratio_decimals,
        coverage=p.band_coverage,
        s_not_positive_limit=p.band_s_not_positive_limit,
        draws=p.band_draws,
        seed=seed,
    )
    if drawn.low is None or drawn.high is None:
        notes.append(
            Note(
                code="band_without_ends",
                message=f"The band has no ends: in {drawn.s_not_positive:.1%} of the draws S is 0 or less.",
            )
        )
    elif _zone(drawn.low, contract) != _zone(drawn.high, contract):
        notes.append(
            Note(
                code="band_spans_verdicts",
                message=f"The band from {drawn.low:.2f} to {drawn.high:.2f} reaches into more than one verdict: "
                "more games would make it narrower.",
            )
        )
    return Band(
        low=drawn.low,
        high=drawn.high,
        halt=drawn.halt,
        warn=drawn.warn,
        continue_=drawn.go_on,
        s_not_positive=drawn.s_not_positive,
        draws=drawn.draws,
        seed=drawn.seed,
        calibrated=False,
    )


def _zone(r: float, contract: Contract) -> int:
    return (r >= contract.parameters.halt_below) + (r >= contract.parameters.continue_from)


def fieller_range(delta_a: Increase, claims: Sum, *, contract: Contract, notes: list[Note]) -> Range | None:
    """Fieller interval of R; None when S is not beyond U(S) or U(S) is unknown."""
    if claims.error is None:
        notes.append(Note(code="fieller_not_computed", message="fieller is null: a counted gain has no half-width."))
        return None
    factor = contract.parameters.elo_factor
    found = fieller_interval(factor * delta_a.value, factor * delta_a.error, claims.value, claims.error)
    if found is None:
        notes.append(
            Note(
                code="fieller_unbounded",
                message=f"fieller is null: unbounded, S = {claims.value:.2f} is not beyond U(S) = {claims.error:.2f}.",
            )
        )
    return found


def overfitting(delta_a: Increase, claims: Sum, *, contract: Contract, notes: list[Note]) -> Overfitting | None:
    """Suspicion of overfitting (Verdacht auf Überanpassung): S − ΔA beyond the contract's band."""
    rule = contract.parameters.contradiction_band
    difference = claims.value - delta_a.value
    if rule != "combined":
        return Overfitting(suspected=difference > rule, difference=difference, band=rule, source="fixed")
    if claims.error is None:
        notes.append(
            Note(code="overfitting_not_computed", message="overfitting is null: a counted gain has no half-width.")
        )
        return None
    width = math.hypot(delta_a.error, claims.error)
    return Overfitting(suspected=difference > width, difference=difference, band=width, source="combined")


def normalized_ratio(
    old: EndpointPool,
    new: EndpointPool,
    counted: Sequence[CountedGain],
    anchors: Sequence[RatedAnchor],
    *,
    contract: Contract,
    notes: list[Note],
) -> float | None:
    """R in normalized Elo; None unless every figure comes from pentanomials and their sum is positive."""

    def nothing(reason: str) -> float | None:
        notes.append(Note(code="normalized_not_computed", message=f"r_normalized is null: {reason}."))
        return None

    names = [anchor.name for anchor in anchors]
    before = [_pair_nelo(old.measured[name]) for name in names]
    after = [_pair_nelo(new.measured[name]) for name in names]
    claimed = [gain.long.nelo if gain.long else None for gain in counted]
    if None in before or None in after:
        return nothing("not every anchor was measured in pairs at both endpoints")
    if None in claimed:
        return nothing("not every counted gain has long-stage pairs")
    total = math.fsum(value for value in claimed if value is not None)
    if total <= 0:
        return nothing(f"the sum of the claims in normalized Elo is {total:.2f}")
    assert old.pool is not None
    assert new.pool is not None
    share = normalised(_mean_weights(old.pool, new.pool))
    rise = _vector([b - a for a, b in zip(before, after, strict=True) if a is not None and b is not None])
    ratio = finite(contract.parameters.elo_factor * float(share @ rise) / total)
    return nothing("the sum of the claims in normalized Elo is too near to 0") if ratio is None else ratio


def _pair_nelo(measured: Measured) -> float | None:
    """Normalized Elo from pairs; what comes from single games is on another scale."""
    return None if measured.pentanomial is None else measured.nelo


def _mean_weights(old: Pool, new: Pool) -> Vector:
    """w̄: the mean of the two endpoints' weights, by anchor."""
    return (_vector(old.weights) + _vector(new.weights)) / 2.0


def _vector(values: Sequence[float]) -> Vector:
    """Return an array over the anchors."""
    return np.array(values, dtype=np.float64)
