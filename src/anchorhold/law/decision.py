"""What decides a check: games → counts → δ → A → ΔA, claims → S, R = ΔA/S → verdict; nothing that is only shown.

The path, by file: ``law.counts`` (counts → δ ± h), ``law.numerator`` (δ → A → ΔA), ``law.window`` (claims → S), here
(R = ΔA/S → verdict), ``law.soundness`` (what makes it count for nothing). Source: SPEC sections 1 to 3 and 6.
May import: anchorhold.domain, law.*, stats.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from anchorhold.domain.contract import Contract
from anchorhold.errors import BadInput
from anchorhold.law.direct import direct_match
from anchorhold.law.document import Document
from anchorhold.law.intervals import finite
from anchorhold.law.joint import read_joint
from anchorhold.law.numerator import EndpointPool, Increase, RatedAnchor, increase_of, rated_anchors, read_endpoint
from anchorhold.law.problems import Problems
from anchorhold.law.result import Direct, Note, Verdict
from anchorhold.law.soundness import check_conditions, check_identity, check_set
from anchorhold.law.window import Denominator, Sum, read_window, sum_of
from anchorhold.stats.outcomes import JointTable
from anchorhold.stats.ratio import rounded


@dataclass(frozen=True, slots=True)
class RegisterCheck:
    """What a check of a register knows beyond its document."""

    last_new: str | None
    """The new version of the last check that closed its window; None for the first check."""
    chain_fault: str = ""
    """What is wrong with the register's chain, in words; empty when it holds."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Verdict and R, with all that was read on the way to them."""

    verdict: Verdict
    r: float | None
    """Rounded as it is compared; None with GAP and DEFECTIVE."""
    problems: Problems
    """Defects and gaps."""
    short_problems: Problems
    """Those that only the short stage rests on."""
    notes: list[Note]
    anchors: tuple[RatedAnchor, ...]
    doubtful: Mapping[str, set[str]]
    """Endpoint → anchors whose identity does not hold there."""
    old: EndpointPool
    new: EndpointPool
    tables: dict[str, JointTable]
    """Joint tables that hold, by anchor."""
    broken_tables: set[str]
    delta_a: Increase | None
    denominator: Denominator
    claims: Sum | None
    direct: Direct | None


def decide(document: Document, contract: Contract, *, register_check: RegisterCheck | None = None) -> Decision:
    """Decide one check: what ``evaluate`` begins with, and all that the gate needs. No draws are made.

    Parameters
    ----------
    document : Document
        Anchors, measurements at both endpoints, register entries and window.
    contract : Contract
        The edition that the document names.
    register_check : RegisterCheck, optional
        See ``law.evaluation.evaluate``.

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
    tables, broken_tables = read_joint(document, old, new, anchors, problems=problems, notes=notes)
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
    direct = direct_match(
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
    return Decision(
        verdict=_verdict(r, problems, contract),
        r=r,
        problems=problems,
        short_problems=short_problems,
        notes=notes,
        anchors=anchors,
        doubtful=doubtful,
        old=old,
        new=new,
        tables=tables,
        broken_tables=broken_tables,
        delta_a=delta_a,
        denominator=denominator,
        claims=claims,
        direct=direct,
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
    ratio = quotient(delta_a, claims, contract=contract)
    if ratio is None:
        problems.add(
            "s_not_positive",
            scope="claims",
            where="register",
            message=f"The counted gains sum to S = {claims.value:g}: too near to 0 for a ratio.",
            next_step="Close the check after further confirmed gains.",
        )
    return ratio


def quotient(delta_a: Increase, claims: Sum, *, contract: Contract) -> float | None:
    """ΔA/S, rounded as it is reported and compared; None when S is too near to 0 for it to be stored."""
    ratio = finite(contract.parameters.elo_factor * delta_a.value / claims.value)
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
