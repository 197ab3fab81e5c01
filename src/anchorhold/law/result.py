"""The result document (``anchorhold/result/1``): what one evaluation says, as types.

Elo figures are logistic Elo unless named ``nelo`` or ``normalized``; every ``error`` is a 95 % half-width. A null
has its reason in ``notes``, ``gaps`` or ``defects``. Source: SPEC sections 4 and 9. May import: pydantic.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Verdict = Literal["CONTINUE", "WARN", "HALT", "GAP", "DEFECTIVE"]


class Part(BaseModel):
    """A frozen part of the result; unknown members are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, allow_inf_nan=False, defer_build=True)


class AbsoluteValue(Part):
    """A of one endpoint: the weighted mean of anchor rating plus δ."""

    value: float
    error: float
    """σ."""
    total_band: float
    """√(σ² + transfer band²)."""


class AnchorMeasurement(Part):
    """One endpoint against one anchor; null where it was not measured."""

    delta: float | None
    error: float | None
    nelo: float | None
    """Normalized Elo; null unless there are counts."""
    weight: float | None
    """wᵢ itself, not normalised."""


class AnchorResult(Part):
    """One anchor at both endpoints, and what main gained against it."""

    name: str
    old: AnchorMeasurement
    new: AnchorMeasurement
    increase: float | None
    increase_error: float | None


class Uncounted(Part):
    """A register entry of the window that adds nothing to S."""

    seq: int
    why: str


class Band(Part):
    """Monte-Carlo distribution of R; decides nothing."""

    low: float | None
    high: float | None
    halt: float
    warn: float
    continue_: float = Field(alias="continue")
    s_not_positive: float
    draws: int
    seed: int
    calibrated: bool


class Range(Part):
    """An interval."""

    low: float
    high: float


class Paired(Part):
    """The weighted mean of the anchors' increases, equal weights at both endpoints."""

    delta_a: float
    error: float | None


class Heterogeneity(Part):
    """Do the anchors agree on the increase? Cochran's Q, its p, I² (0 to 1), DerSimonian-Laird τ in Elo."""

    q: float
    p: float
    i2: float
    tau: float


class Direct(Part):
    """New main against old main, seen from new."""

    elo: float
    error: float
    survival: float | None
    """D / S: is the sum of the claims there at all?"""
    survival_interval: Range | None
    transfer: float | None
    """ΔA / D: does what is there arrive against others?"""
    transfer_interval: Range | None


class Overfitting(Part):
    """Suspicion of overfitting: S − ΔA beyond the contract's band."""

    suspected: bool
    difference: float
    band: float
    source: Literal["combined", "fixed"]


class Finding(Part):
    """A defect or a gap."""

    code: str
    where: str
    message: str
    next: str


class Note(Part):
    """Something to know that decides nothing."""

    code: str
    message: str


class ContractStamp(Part):
    """Which edition of the contract decided."""

    edition: int
    digest: str


class Result(Part):
    """The whole result of one evaluation."""

    schema_: Literal["anchorhold/result/1"] = Field(default="anchorhold/result/1", alias="schema")
    verdict: Verdict
    r: float | None
    delta_a: float | None
    delta_a_error: float | None
    delta_a_error_weighted: float | None
    reweighting: float | None
    s: float | None
    s_error: float | None
    a_old: AbsoluteValue | None
    a_new: AbsoluteValue | None
    anchors: tuple[AnchorResult, ...]
    counted: tuple[int, ...]
    uncounted: tuple[Uncounted, ...]
    verdict_short: Verdict | None
    r_short: float | None
    s_short: float | None
    r_normalized: float | None
    band: Band | None
    fieller: Range | None
    paired: Paired | None
    heterogeneity: Heterogeneity | None
    s_median_unbiased: float | None
    s_median_unbiased_interval: Range | None = None
    """At 95 %. Results that were recorded before it existed have no such member, nor the other interval."""
    s_selection_corrected: float | None
    s_selection_corrected_interval: Range | None = None
    direct: Direct | None
    overfitting: Overfitting | None
    defects: tuple[Finding, ...]
    gaps: tuple[Finding, ...]
    notes: tuple[Note, ...]
    contract: ContractStamp

    def to_json(self) -> dict[str, object]:
        """Return the JSON form, with the member names of the document."""
        return self.model_dump(mode="json", by_alias=True)
