"""The rule from end to end: games → counts → δ → A → ΔA → R → verdict.

The path, by file: ``law.counts`` (counts → δ ± h), ``law.numerator`` (δ → A → ΔA), ``law.window`` (claims → S), here
(R = ΔA/S → verdict), ``law.beside`` (what decides nothing), ``law.soundness`` (what makes it count for nothing).
Source: SPEC sections 1 to 6. May import: anchorhold.domain, law.*, stats.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from anchorhold.domain.contract import Contract
from anchorhold.errors import BadInput
from anchorhold.law import beside
from anchorhold.law.counts import Measured
from anchorhold.law.document import Document
from anchorhold.law.numerator import (
    EndpointPool,
    Increase,
    RatedAnchor,
    increase_of,
    rated_anchors,
    read_endpoint,
    vector,
)
from anchorhold.law.problems import Problems
from anchorhold.law.result import (
    AbsoluteValue,
    AnchorMeasurement,
    AnchorResult,
    ContractStamp,
    Note,
    Result,
    Verdict,
)
from anchorhold.law.soundness import check_conditions, check_identity, check_set, short_conditions
from anchorhold.law.window import Denominator, Sum, read_window, sum_of
from anchorhold.stats.pooling import weights_of
from anchorhold.stats.ratio import rounded

DEFAULT_SEED = 20261016
"""Seed of the Monte-Carlo band unless another is given; recorded with the band."""


@dataclass(frozen=True, slots=True)
class RegisterCheck:
    """What a check of a register knows beyond its document."""

    last_new: str | None
    """The new version of the last check that closed its window; None for the first check."""
    chain_fault: str = ""
    """What is wrong with the register's chain, in words; empty when it holds."""


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
    if document.contract.edition != contract.edition:
        raise BadInput(
            f"contract.edition: the document names edition {document.contract.edition}, given was {contract.edition}",
            next_step="Give the edition that the document names.",
        )
    problems, short_problems = Problems(), Problems()
    notes: list[Note] = []
    if contract.remark:
        notes.append(Note(code="edition_remark", message=f"Edition {contract.edition}: {contract.remark}"))

    # Soundness: set, identity, conditions, succession (SPEC section 6).
    check_set(document, contract=contract, problems=problems)
    doubtful = check_identity(document, attestation_needed=register_check is not None, problems=problems)
    _check_endpoints(document, register_check, problems=problems, notes=notes)

    # Numerator (section 2): counts → δ → A → ΔA.
    anchors = rated_anchors(document.anchors, problems=problems)
    old = read_endpoint(
        document, "old", "long", anchors, doubtful=doubtful["old"], contract=contract, problems=problems, notes=notes
    )
    new = read_endpoint(
        document, "new", "long", anchors, doubtful=doubtful["new"], contract=contract, problems=problems, notes=notes
    )
    tables, broken = beside.read_joint(document, old, new, anchors, problems=problems, notes=notes)
    delta_a = None if problems.spoils("set", "comparison", "succession") else increase_of(old, new)

    # Denominator (section 3): claims → S.
    denominator = read_window(
        document.register_, document.window, contract=contract, problems=problems, short_problems=short_problems
    )
    notes.extend(denominator.notes)
    claims = None if problems.spoils("window", "claims") else sum_of([gain.long for gain in denominator.counted])
    _check_claims(denominator, claims, problems=problems, notes=notes)

    # The direct match may be faulty too, so it is read before anything is decided (section 4).
    ratio = None if problems else _ratio(delta_a, claims, contract=contract, problems=problems)
    direct_problems = Problems()
    direct = beside.direct_match(
        document,
        delta_a,
        claims,
        ratio_stands=ratio is not None,
        contract=contract,
        problems=direct_problems,
        notes=notes,
    )
    problems.extend(direct_problems)

    # Verdict (section 1): DEFECTIVE outranks GAP, GAP outranks every R.
    r = None if problems else ratio
    verdict = _verdict(r, problems, contract)

    comparable = not problems.spoils("comparison", "succession")
    by_anchor = beside.increases(old.measured, new.measured, anchors, tables=tables, broken=broken, contract=contract)
    paired = beside.paired_figures(old, new, delta_a, by_anchor, anchors, contract=contract, notes=notes)
    short = _short_stage(
        document,
        denominator,
        anchors,
        doubtful,
        contract=contract,
        problems=problems,
        short_problems=short_problems,
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
    s_median_unbiased = None
    if claims is not None:
        s_median_unbiased = beside.median_unbiased_claims(denominator.counted, notes=notes)
    notes.append(
        Note(
            code="selection_not_computed",
            message="s_selection_corrected is null: it needs every source's declaration that all its tests were kept, "
            "the rejected ones too; none declares it.",
        )
    )
    _note_missing(delta_a, claims, old, new, problems=problems, notes=notes)
    return Result(
        verdict=verdict,
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
        s_median_unbiased=s_median_unbiased,
        s_selection_corrected=None,
        direct=direct,
        overfitting=beside.overfitting(delta_a, claims, contract=contract, notes=notes)
        if stands and delta_a and claims
        else None,
        defects=problems.defects(),
        gaps=problems.gaps(),
        notes=tuple(notes),
        contract=ContractStamp(edition=contract.edition, digest=contract.digest),
    )


def _check_endpoints(
    document: Document, register_check: RegisterCheck | None, *, problems: Problems, notes: list[Note]
) -> None:
    """Conditions, succession and chain; what a bare document leaves out is noted."""
    ends = document.endpoints
    check_conditions(
        ends.old.conditions.applying(),
        ends.new.conditions.applying(),
        where="endpoints.new.conditions",
        problems=problems,
    )
    if register_check is None:
        for name in ("old", "new"):
            if getattr(ends, name).anchors is None:
                notes.append(
                    Note(
                        code="identity_not_attested",
                        message=f"endpoints.{name}: no hashes attest that the pinned files were run.",
                    )
                )
    else:
        if register_check.chain_fault:
            problems.add(
                "chain_broken",
                scope="window",
                where="register",
                message=f"The register's chain does not hold: {register_check.chain_fault}.",
                next_step="Run 'anchorhold register verify' and restore the register from a good copy.",
            )
        if register_check.last_new is not None and register_check.last_new != ends.old.version:
            problems.add(
                "old_is_not_last_new",
                scope="succession",
                where="endpoints.old.version",
                message=f"Old is {ends.old.version!r}, but the last check that closed its window ended at "
                f"{register_check.last_new!r}.",
                next_step="Open the check with that version as old.",
            )
    if ends.old.version == ends.new.version:
        notes.append(Note(code="same_version", message=f"Old and new are both called {ends.old.version!r}."))


def _check_claims(denominator: Denominator, claims: Sum | None, *, problems: Problems, notes: list[Note]) -> None:
    if not denominator.counted:
        problems.add(
            "no_counted_gain",
            scope="claims",
            where="register",
            message="No gain test of the window passed both stages: nothing was claimed that could arrive.",
            next_step="Close the check after the next confirmed gain.",
        )
    negative = [gain.seq for gain in denominator.counted if gain.long is not None and gain.long.elo < 0]
    if negative:
        notes.append(
            Note(
                code="negative_claims",
                message=f"Counted with a negative value: entries {', '.join(str(seq) for seq in negative)}.",
            )
        )
    if claims is None:
        return
    if denominator.counted and claims.value <= 0:
        problems.add(
            "s_not_positive",
            scope="claims",
            where="register",
            message=f"The counted gains sum to S = {claims.value:.3f}, which is not above 0.",
            next_step="Close the check after further confirmed gains.",
        )
    if claims.error is None:
        notes.append(Note(code="claim_without_error", message="s_error is null: a counted gain has no half-width."))
    elif denominator.counted and claims.value <= claims.error:
        notes.append(
            Note(
                code="claims_not_distinguishable_from_zero",
                message=f"S = {claims.value:.2f} is not beyond its own half-width U(S) = {claims.error:.2f}.",
            )
        )


def _ratio(delta_a: Increase | None, claims: Sum | None, *, contract: Contract, problems: Problems) -> float | None:
    """R = ΔA/S, rounded; S so small that R cannot be stored is as one of 0."""
    if delta_a is None or claims is None:
        return None
    ratio = _quotient(delta_a, claims, contract=contract)
    if ratio is None:
        problems.add(
            "s_not_positive",
            scope="claims",
            where="register",
            message=f"The counted gains sum to S = {claims.value:g}: too near to 0 for a ratio.",
            next_step="Close the check after further confirmed gains.",
        )
    return ratio


def _quotient(delta_a: Increase, claims: Sum, *, contract: Contract) -> float | None:
    """ΔA/S, rounded as it is reported and compared; None when S is too near to 0 for it to be stored."""
    ratio = beside.finite(contract.parameters.elo_factor * delta_a.value / claims.value)
    return None if ratio is None else rounded(ratio, decimals=contract.parameters.ratio_decimals)


def _verdict(r: float | None, problems: Problems, contract: Contract) -> Verdict:
    if any(problem.is_defect for problem in problems):
        return "DEFECTIVE"
    if r is None:
        return "GAP"
    return zone(r, contract)


def zone(r: float, contract: Contract) -> Literal["CONTINUE", "WARN", "HALT"]:
    """Return the verdict of a rounded R: at exactly the lower threshold there is no halt."""
    if r >= contract.parameters.continue_from:
        return "CONTINUE"
    return "WARN" if r >= contract.parameters.halt_below else "HALT"


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
    doubtful: dict[str, set[str]],
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
    r = _quotient(delta_a, claims, contract=contract)
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
        found = weights_of(
            error=vector([measured.error]),
            rating_error=vector([anchor.rating_error]),
            model_uncertainty=contract.parameters.model_uncertainty,
        )
        weight = beside.finite(float(found[0]))
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
