"""The contract (Vertrag): every number of the rule, in numbered editions (Fassungen) that are never edited.

The built-in editions are the files in ``editions/``; a project's own edition is a file of the same form with a new
number. Elo is logistic. Source: SPEC section 5. May import: pydantic, anchorhold.canonical, errors, stats.elo.
"""

from __future__ import annotations

from datetime import date
from functools import cached_property, lru_cache
from importlib import resources
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from anchorhold.canonical import digest, nearest, strict_json
from anchorhold.errors import BadInput
from anchorhold.stats.elo import EstimateRule

Positive = Annotated[float, Field(gt=0, le=10_000)]
Share = Annotated[float, Field(gt=0, lt=1)]


class Parameters(BaseModel):
    """The numbers of one edition."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    continue_from: Positive = Field(description="R from which merges go on.")
    halt_below: Positive = Field(description="R below which no merge may go on.")
    elo_factor: Positive = Field(description="Factor between the Elo of claims and the Elo of A.")
    ratio_decimals: int = Field(ge=3, le=12, description="Decimals to which R is rounded, half to even.")
    anchors: int = Field(ge=1, le=1000, description="Number of anchors of a set.")
    model_uncertainty: float = Field(ge=0, le=10_000, description="T: enters the weights, not σ.")
    transfer_band: float = Field(ge=0, le=10_000, description="Transfer band (Übertragungsband).")
    total_band: Literal["quadrature"] = Field(description="How the transfer band is added (our reading).")
    uncertainty_level: Share = Field(description="Coverage of all half-widths (our reading).")
    zero_count: Annotated[float, Field(gt=0, lt=1)] = Field(description="What a count of zero is replaced by.")
    lowest_score: Annotated[float, Field(gt=0, lt=0.5)] = Field(description="Clip of scores.")
    claim_tolerance: Positive = Field(description="Elo by which a reported claim may differ from its counts.")
    delta_tolerance: Positive = Field(description="Elo by which a reported δ may differ from its counts.")
    contradiction_band: Literal["combined"] | Positive = Field(
        description="Suspicion of overfitting beyond √(U(ΔA)² + U(S)²), or beyond a fixed number of Elo (our reading)."
    )
    band_draws: int = Field(ge=1000, le=10_000_000, description="Monte-Carlo draws of the band.")
    band_coverage: Share = Field(description="Coverage of the Monte-Carlo band.")
    band_s_not_positive_limit: Share = Field(description="Share of draws with S ≤ 0 above which the band has no ends.")
    anchors_disagree_below: Share = Field(description="p of Cochran's Q below which the anchors disagree.")
    selection_min_tests: int = Field(ge=1, description="Tests needed for the selection-corrected sum.")
    selection_min_rejected: int = Field(ge=0, description="Rejected tests needed for it.")

    @model_validator(mode="after")
    def _zones_in_order(self) -> Self:
        if self.halt_below >= self.continue_from:
            raise ValueError("halt_below must be below continue_from")
        return self


class Contract(BaseModel):
    """One edition: number, date, remark, parameters."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    edition: int = Field(ge=1)
    date: str
    remark: str = ""
    """What a reader must know about the edition; empty when there is nothing. Becomes a note of every result."""
    parameters: Parameters

    @model_validator(mode="after")
    def _dated(self) -> Self:
        date.fromisoformat(self.date)
        return self

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON of the parameters."""
        return digest(self.parameters.model_dump(mode="json"))

    @cached_property  # asked for with every estimate
    def estimate_rule(self) -> EstimateRule:
        """How counts become Elo under this edition."""
        p = self.parameters
        return EstimateRule(zero_count=p.zero_count, lowest_score=p.lowest_score, level=p.uncertainty_level)

    def to_json(self) -> dict[str, object]:
        """Return the full file form."""
        return self.model_dump(mode="json")

    @classmethod
    def from_json(cls, value: object, *, where: str) -> Contract:
        """Read the full file form; there are no partial overrides.

        Raises
        ------
        BadInput
            Another form, an unknown or missing parameter, a value out of range.
        """
        try:
            return cls.model_validate(value)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            if first["type"] == "extra_forbidden":
                known = Parameters.model_fields if first["loc"][0] == "parameters" else cls.model_fields
                hint = nearest(str(first["loc"][-1]), known)
                raise BadInput(f"unknown parameter {place!r}", where=where, next_step=hint) from error
            if first["type"] == "missing":
                raise BadInput(
                    f"parameter {place!r} is missing",
                    where=where,
                    next_step="An edition is a full file; copy a built-in one and change its number",
                ) from error
            raise BadInput(f"{place or 'the edition'}: {first['msg']}", where=where) from error


BUILT_IN = (7, 8)
DEFAULT_EDITION = 7
FIRST_PUBLISHED = 7


@lru_cache(maxsize=64)
def edition(number: int, *, where: str = "") -> Contract:
    """Return a built-in edition; ``where`` is the place that names it, for messages.

    Raises
    ------
    BadInput
        No built-in edition has this number.
    """
    if number in BUILT_IN:
        file = resources.files("anchorhold.domain").joinpath(f"editions/{number}.json")
        return Contract.from_json(strict_json(file.read_text("utf-8"), where=file.name), where=file.name)
    if number < FIRST_PUBLISHED:
        raise BadInput(
            f"contract edition {number} is refused: before {FIRST_PUBLISHED} the band rule was another, not published",
            where=where,
            next_step=f"Use edition {DEFAULT_EDITION}",
        )
    raise BadInput(
        f"contract edition {number} is unknown; built in are {', '.join(map(str, BUILT_IN))}",
        where=where,
        next_step=f"Use the nearest, {max(BUILT_IN)}, or give a project's own edition as a file (--contract FILE)",
    )


def own_edition(text: str, *, where: str) -> Contract:
    """Read a project's own edition from a file's text.

    Raises
    ------
    BadInput
        Unreadable, or its number belongs to a built-in or unpublished edition.
    """
    contract = Contract.from_json(strict_json(text, where=where), where=where)
    if contract.edition <= max(BUILT_IN):
        raise BadInput(
            f"edition {contract.edition} is not free for a project's own edition",
            where=where,
            next_step=f"Give it a number above {max(BUILT_IN)}",
        )
    return contract
