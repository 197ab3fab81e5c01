"""What is recorded beside R and decides nothing: bands, intervals, paired increase, survival.

Every figure that cannot be had is None, and its reason stands in ``notes``. Source: SPEC section 4.
May import: anchorhold.domain.contract, law.*, stats.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anchorhold.domain.contract import Contract
from anchorhold.law.counts import Measured, read_measurement
from anchorhold.law.document import Document
from anchorhold.law.numerator import EndpointPool, Increase, RatedAnchor, vector
from anchorhold.law.problems import Problems
from anchorhold.law.result import Band, Direct, Heterogeneity, Note, Overfitting, Paired, Range
from anchorhold.law.window import CountedGain, Sum
from anchorhold.stats.outcomes import JointTable
from anchorhold.stats.pooling import (
    heterogeneity,
    increase_error_weighted,
    independent_increase_variance,
    joint_increase_variance,
    normalised,
    paired_increase,
)
from anchorhold.stats.ratio import fieller, ratio_band


def finite(value: float) -> float | None:
    """Return the value, or None when it left what can be stored."""
    return value if math.isfinite(value) else None


@dataclass(frozen=True, slots=True)
class AnchorIncrease:
    """What main gained against one anchor; variance 0: cannot be told, None: rests on a defect."""

    value: float
    variance: float | None


def read_joint(
    document: Document,
    old: EndpointPool,
    new: EndpointPool,
    anchors: Sequence[RatedAnchor],
    *,
    problems: Problems,
    notes: list[Note],
) -> tuple[dict[str, JointTable], set[str]]:
    """Joint tables of pair scores that hold, and the names of those that do not.

    A table without both pentanomials is ignored with a note; one whose margins differ from them is a defect.
    """
    tables: dict[str, JointTable] = {}
    broken: set[str] = set()
    known = {anchor.name for anchor in anchors}
    for name, rows in (document.joint or {}).items():
        where = f"joint.{name}"
        if name not in known:
            problems.add(
                "anchor_not_in_set",
                scope="joint",
                where=where,
                message=f"A joint table names {name!r}, which is not in the pinned set.",
                next_step="Spell names as pinned.",
            )
            continue
        if rows is None:
            continue
        cells = [cell for row in rows for cell in row]
        if any(cell < 0 or cell != int(cell) or cell > 2**53 for cell in cells):
            broken.add(name)
            problems.add(
                "counts_contradict",
                scope="joint",
                where=where,
                message="Counts contradict themselves: a cell is negative, not whole or beyond 2**53.",
                next_step="Count the pairs again from the journal.",
            )
            continue
        table = JointTable(rows=tuple((int(r[0]), int(r[1]), int(r[2]), int(r[3]), int(r[4])) for r in rows))
        margins = {
            "old": (table.old(), _stated_pairs(document, "old", name)),
            "new": (table.new(), _stated_pairs(document, "new", name)),
        }
        if any(stated is None for _, stated in margins.values()):
            notes.append(
                Note(code="joint_ignored", message=f"{where}: ignored, since not both endpoints have pentanomials.")
            )
            continue
        for endpoint, (margin, stated) in margins.items():
            if margin.as_tuple() != stated:
                broken.add(name)
                problems.add(
                    "joint_margins_differ",
                    scope="joint",
                    where=where,
                    message=f"The {endpoint} margin is {list(margin.as_tuple())}, the pentanomial {_shown(stated)}.",
                    next_step="Leave the joint table out, or count it again: rows are old, columns new.",
                )
        if name not in broken and name in old.measured and name in new.measured:
            tables[name] = table
    return tables, broken


def _stated_pairs(document: Document, endpoint: str, name: str) -> tuple[float, ...] | None:
    measurement = getattr(document.endpoints, endpoint).long.get(name)
    if measurement is None or measurement.pentanomial is None:
        return None
    return tuple(measurement.pentanomial)


def _shown(stated: tuple[float, ...] | None) -> str:
    return "absent" if stated is None else f"[{', '.join(str(count)[:24] for count in stated)}]"


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
        error_old=vector([old.measured[name].error for name in names]),
        error_new=vector([new.measured[name].error for name in names]),
        rating_error=vector([anchor.rating_error or 0.0 for anchor in anchors]),
    )
    values = vector([by_anchor[name].value for name in names])
    known = [variance for name in names if (variance := by_anchor[name].variance) is not None]
    # A variance that rests on a defect leaves the widths out just as one of 0 does; the mean stays.
    variances = vector(known) if len(known) == len(names) else vector([0.0] * len(names))
    mean = paired_increase(
        increase=values, variance=variances, weights=(old.pool.weights + new.pool.weights) / 2.0, z=z
    )
    spread = heterogeneity(increase=values, variance=variances)
    shown = None
    if spread is not None and all(math.isfinite(value) for value in (spread.q, spread.p, spread.i2, spread.tau)):
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
            reason = "it takes at least two anchors" if spread is None else "it is beyond what can be stored"
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
    found = _range(factor * delta_a.value, factor * delta_a.error, claims.value, claims.error)
    if found is None:
        notes.append(
            Note(
                code="fieller_unbounded",
                message=f"fieller is null: unbounded, S = {claims.value:.2f} is not beyond U(S) = {claims.error:.2f}.",
            )
        )
    return found


def _range(numerator: float, numerator_error: float, denominator: float, denominator_error: float) -> Range | None:
    found = fieller(
        numerator=numerator,
        numerator_error=numerator_error,
        denominator=denominator,
        denominator_error=denominator_error,
    )
    return None if found is None else Range(low=found.low, high=found.high)


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
    share = normalised((old.pool.weights + new.pool.weights) / 2.0)
    rise = vector([b - a for a, b in zip(before, after, strict=True) if a is not None and b is not None])
    ratio = finite(contract.parameters.elo_factor * float(share @ rise) / total)
    return nothing("the sum of the claims in normalized Elo is too near to 0") if ratio is None else ratio


def _pair_nelo(measured: Measured) -> float | None:
    """Normalized Elo from pairs; what comes from single games is on another scale."""
    return None if measured.pentanomial is None else measured.nelo


def direct_match(
    document: Document,
    delta_a: Increase | None,
    claims: Sum | None,
    *,
    ratio_stands: bool,
    contract: Contract,
    problems: Problems,
    notes: list[Note],
) -> Direct | None:
    """New main against old main: D ± h_D, survival D/S and transfer ΔA/D with their Fieller intervals.

    Parameters
    ----------
    ratio_stands : bool
        There is an R; without it survival and transfer are None.
    """
    if document.direct is None:
        notes.append(
            Note(
                code="no_direct_match",
                message="direct is null: the two versions did not meet, so survival and transfer are not told apart.",
            )
        )
        return None
    reading = read_measurement(document.direct, where="direct", scope="direct", contract=contract, problems=problems)
    if reading.value is None:
        if reading.why_missing:
            notes.append(Note(code="direct_not_estimable", message=f"direct is null: {reading.why_missing}."))
        return None
    elo, error = reading.value.delta, reading.value.error
    survival = transfer = None
    survival_interval = transfer_interval = None
    if ratio_stands and delta_a is not None and claims is not None:
        survival = finite(elo / claims.value)
        if claims.error is not None and survival is not None:
            survival_interval = _range(elo, error, claims.value, claims.error)
        if survival_interval is None:
            notes.append(
                Note(
                    code="survival_unbounded",
                    message="survival_interval is null: S is not beyond U(S), or U(S) is unknown.",
                )
            )
        if elo > error:
            transfer = finite(delta_a.value / elo)
            transfer_interval = _range(delta_a.value, delta_a.error, elo, error) if transfer is not None else None
        if transfer is None:
            notes.append(
                Note(
                    code="transfer_not_computed",
                    message=f"transfer is null: D = {elo:.2f} is not beyond its half-width {error:.2f}.",
                )
            )
    return Direct(
        elo=elo,
        error=error,
        survival=survival,
        survival_interval=survival_interval,
        transfer=transfer,
        transfer_interval=transfer_interval,
    )
