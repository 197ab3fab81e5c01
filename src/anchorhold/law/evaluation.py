"""The rule from end to end: games → counts → δ → A → ΔA → R → verdict.

The path, by file: ``law.counts`` (counts → δ ± h), ``law.numerator`` (δ → A → ΔA), ``law.window`` (claims → S),
``law.decision`` (R = ΔA/S → verdict), ``law.beside`` and ``law.corrected`` (what decides nothing), here the short stage
and the whole result.
Source: SPEC sections 1 to 6. May import: anchorhold.domain, anchorhold.errors, law.*, stats.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from anchorhold.domain.contract import Contract
from anchorhold.errors import BadInput
from anchorhold.law import beside
from anchorhold.law.corrected import corrected_sums
from anchorhold.law.counts import Measured
from anchorhold.law.decision import RegisterCheck, decide, quotient, zone
from anchorhold.law.document import Document
from anchorhold.law.numerator import EndpointPool, Increase, RatedAnchor, increase_of, read_endpoint
from anchorhold.law.problems import Problems
from anchorhold.law.result import (
    AbsoluteValue,
    AnchorMeasurement,
    AnchorResult,
    ContractStamp,
    Note,
    Range,
    Result,
    Verdict,
)
from anchorhold.law.soundness import check_conditions, short_conditions
from anchorhold.law.window import Denominator, Sum, sum_of
from anchorhold.stats.absolute import weight_of

DEFAULT_SEED = 20261016
"""Seed of the Monte-Carlo band unless another is given; recorded with the band."""


def evaluate(
    document: Document,
    contract: Contract,
    *,
    seed: int = DEFAULT_SEED,
    register_check: RegisterCheck | None = None,
) -> Result:
    """Evaluate one check.

    Parameters
    ----------
    document : Document
        Anchors, measurements at both endpoints, register entries and window.
    contract : Contract
        The edition that the document names.
    seed : int
        Of the Monte-Carlo band.
    register_check : RegisterCheck, optional
        Given when the document was built from a register: identity must then be attested, and the old version must
        follow from the check before.

    Raises
    ------
    BadInput
        The contract is not the edition that the document names.
    """
    decided = decide(document, contract, register_check=register_check)
    r, delta_a, claims, denominator = decided.r, decided.delta_a, decided.claims, decided.denominator
    anchors, old, new = decided.anchors, decided.old, decided.new
    problems, notes = decided.problems, decided.notes

    comparable = not problems.spoils("comparison", "succession")
    by_anchor = beside.increases(
        old.measured,
        new.measured,
        anchors,
        tables=decided.tables,
        broken=decided.broken_tables,
        contract=contract,
    )
    paired = beside.paired_figures(old, new, delta_a, by_anchor, anchors, contract=contract, notes=notes)
    short = _short_stage(
        document,
        denominator,
        anchors,
        decided.doubtful,
        contract=contract,
        problems=problems,
        short_problems=decided.short_problems,
        notes=notes,
    )
    if r is None:
        notes.append(
            Note(
                code="no_ratio",
                message="r, band, fieller, overfitting, survival, transfer and r_normalized are null: there is no R.",
            )
        )
    stands = r is not None and delta_a is not None and claims is not None
    unbiased, selected = corrected_sums(
        document.register_,
        denominator.counted,
        has_sum=claims is not None,
        contract=contract,
        seed=seed,
        notes=notes,
    )
    _note_missing(delta_a, claims, old, new, problems=problems, notes=notes)
    return Result(
        verdict=decided.verdict,
        r=r,
        delta_a=delta_a.value if delta_a else None,
        delta_a_error=delta_a.error if delta_a else None,
        delta_a_error_weighted=paired.delta_a_error_weighted,
        reweighting=paired.reweighting,
        s=claims.value if claims else None,
        s_error=claims.error if claims else None,
        a_old=_absolute(old),
        a_new=_absolute(new),
        anchors=tuple(_anchor_result(anchor, old, new, by_anchor, comparable, contract=contract) for anchor in anchors),
        counted=tuple(gain.seq for gain in denominator.counted),
        uncounted=denominator.uncounted,
        verdict_short=short.verdict,
        r_short=short.r,
        s_short=short.s,
        r_normalized=beside.normalized_ratio(old, new, denominator.counted, anchors, contract=contract, notes=notes)
        if stands
        else None,
        band=beside.band(delta_a, claims, contract=contract, seed=seed, notes=notes)
        if stands and delta_a and claims
        else None,
        fieller=beside.fieller_range(delta_a, claims, contract=contract, notes=notes)
        if stands and delta_a and claims
        else None,
        paired=paired.paired,
        heterogeneity=paired.heterogeneity,
        s_median_unbiased=unbiased.value if unbiased else None,
        s_median_unbiased_interval=Range(low=unbiased.low, high=unbiased.high) if unbiased else None,
        s_selection_corrected=selected.value if selected else None,
        s_selection_corrected_interval=Range(low=selected.low, high=selected.high) if selected else None,
        direct=decided.direct,
        overfitting=beside.overfitting(delta_a, claims, contract=contract, notes=notes)
        if stands and delta_a and claims
        else None,
        defects=problems.defects(),
        gaps=problems.gaps(),
        notes=tuple(notes),
        contract=ContractStamp(edition=contract.edition, digest=contract.digest),
    )


@dataclass(frozen=True, slots=True)
class ShortStage:
    """The same rule on the short stage."""

    verdict: Verdict | None
    r: float | None
    s: float | None


def _short_stage(
    document: Document,
    denominator: Denominator,
    anchors: tuple[RatedAnchor, ...],
    doubtful: Mapping[str, set[str]],
    *,
    contract: Contract,
    problems: Problems,
    short_problems: Problems,
    notes: list[Note],
) -> ShortStage:
    """Verdict, R and S of the short stage; all None on a fault of that stage or of what both stages share."""

    def nothing(code: str, reason: str, s: float | None = None) -> ShortStage:
        which = "verdict_short and r_short are" if s is not None else "verdict_short, r_short and s_short are"
        notes.append(Note(code=code, message=f"{which} null: {reason}."))
        return ShortStage(verdict=None, r=None, s=s)

    if problems.spoils("window"):
        return nothing("no_short_stage", "the window is defective")
    claims = sum_of([gain.short for gain in denominator.counted])
    if not short_problems and claims is None:
        return nothing("short_stage_fault", "a counted gain has no short-stage value")
    ends = document.endpoints
    if ends.old.short is None and ends.new.short is None:
        if short_problems:
            return nothing("short_stage_fault", _first(short_problems))
        return nothing("no_short_stage", "no measurement under the short conditions", claims.value if claims else None)
    for name in ("old", "new"):
        if getattr(ends, name).short is None:
            return nothing("short_stage_fault", f"the {name} endpoint has no short measurement")
    check_conditions(
        short_conditions(ends.old), short_conditions(ends.new), where="conditions_short", problems=short_problems
    )
    ignored: list[Note] = []  # notes on the short stage's plan would only repeat the long stage's
    pools: list[EndpointPool] = []
    for name in ("old", "new"):
        pools.append(
            read_endpoint(
                document,
                "old" if name == "old" else "new",
                "short",
                anchors,
                doubtful=doubtful[name],
                contract=contract,
                problems=short_problems,
                notes=ignored,
            )
        )
    if short_problems:
        return nothing("short_stage_fault", _first(short_problems))
    delta_a = increase_of(*pools)
    if claims is None or delta_a is None or problems.spoils("set", "old", "new", "succession"):
        return nothing(
            "no_short_stage", "the anchor set is defective or unrated, or what ran at an endpoint is not sure"
        )
    if not denominator.counted or claims.value <= 0:
        notes.append(Note(code="no_short_stage", message="r_short is null: nothing was claimed at the short stage."))
        return ShortStage(verdict="GAP", r=None, s=claims.value)
    r = quotient(delta_a, claims, contract=contract)
    if r is None:
        return nothing("no_short_stage", "the sum of the short claims is too near to 0", claims.value)
    return ShortStage(verdict=zone(r, contract), r=r, s=claims.value)


def _first(problems: Problems) -> str:
    first = next(iter(problems))
    return f"{first.where}: {first.message.rstrip('.')}"


def _absolute(endpoint: EndpointPool) -> AbsoluteValue | None:
    if endpoint.pool is None:
        return None
    return AbsoluteValue(value=endpoint.pool.value, error=endpoint.pool.error, total_band=endpoint.pool.total_band)


def _anchor_result(
    anchor: RatedAnchor,
    old: EndpointPool,
    new: EndpointPool,
    by_anchor: dict[str, beside.AnchorIncrease],
    comparable: bool,
    *,
    contract: Contract,
) -> AnchorResult:
    increase = by_anchor.get(anchor.name) if comparable else None
    error = None
    if increase is not None and increase.variance == 0:
        increase = None
    elif increase is not None and increase.variance is not None:
        error = contract.estimate_rule.z * math.sqrt(increase.variance)
    return AnchorResult(
        name=anchor.name,
        old=_anchor_measurement(anchor, old.measured.get(anchor.name), contract=contract),
        new=_anchor_measurement(anchor, new.measured.get(anchor.name), contract=contract),
        increase=increase.value if increase else None,
        increase_error=error,
    )


def _anchor_measurement(anchor: RatedAnchor, measured: Measured | None, *, contract: Contract) -> AnchorMeasurement:
    if measured is None:
        return AnchorMeasurement(delta=None, error=None, nelo=None, weight=None)
    weight = None
    if anchor.rating_error is not None:
        try:
            weight = weight_of(
                error=measured.error,
                rating_error=anchor.rating_error,
                model_uncertainty=contract.parameters.model_uncertainty,
            )
        except BadInput:  # a half-width near 0 has none
            weight = None
    return AnchorMeasurement(delta=measured.delta, error=measured.error, nelo=measured.nelo, weight=weight)


def _note_missing(
    delta_a: Increase | None,
    claims: Sum | None,
    old: EndpointPool,
    new: EndpointPool,
    *,
    problems: Problems,
    notes: list[Note],
) -> None:
    """Give the reason of the nulls that defects and gaps leave behind."""
    missing = [name for name, endpoint in (("a_old", old), ("a_new", new)) if endpoint.pool is None]
    if delta_a is None:
        missing += ["delta_a", "delta_a_error", "delta_a_error_weighted", "paired", "reweighting", "heterogeneity"]
    if claims is None:
        missing += ["s", "s_error", "s_median_unbiased"]
    if missing:
        codes = sorted({problem.code for problem in problems})
        notes.append(
            Note(code="figure_rests_on_defect", message=f"{', '.join(missing)}: null because of {', '.join(codes)}.")
        )
