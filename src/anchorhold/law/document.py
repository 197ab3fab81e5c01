"""The evaluation document (``anchorhold/evaluation/1``): one self-contained check, as types.

Structure is judged here and refused as a whole (unknown fields and kinds, absent required fields, wrong types, Elo
beyond ±10,000); what a readable document says wrongly is judged in ``law.evaluation``. Source: SPEC section 9.
May import: pydantic, anchorhold.canonical, errors, law.codes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    ValidationError,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

from anchorhold.canonical import nearest, strict_json
from anchorhold.domain.entries import KINDS
from anchorhold.errors import BadInput

ELO_LIMIT = 10_000

DEEPEST = 32
"""Levels of nesting that a condition without a form of its own may have."""


def _refuse(expected: str, found: object) -> PydanticCustomError:
    shown = repr(found)
    shown = shown if len(shown) <= 40 else shown[:37] + "…"
    return PydanticCustomError("anchorhold", "{text}", {"text": f"expected {expected}, found {shown}"})


def _number(value: object, expected: str) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _refuse(expected, value)
    if isinstance(value, float) and not math.isfinite(value):
        raise _refuse(expected, value)
    return value


# What follows is asked of every test of a long register a dozen times: what is plainly right is known by its class.


def _elo(value: object) -> float | None:
    if value is None or (value.__class__ is float and -ELO_LIMIT <= value <= ELO_LIMIT):
        return value
    expected = f"an Elo number within ±{ELO_LIMIT:,} or null"
    number = _number(value, expected)
    if abs(number) > ELO_LIMIT:
        raise _refuse(expected, value)
    return float(number)


def _count(value: object) -> int | float:
    # Any number is readable as a count; whether it can be one (negative, fractional, too large) is judged later.
    if value.__class__ is int:
        return value
    return _number(value, "a count")


def _whole(value: object) -> int:
    number = _number(value, "a whole number")
    if number != int(number):
        raise _refuse("a whole number", value)
    return int(number)


def _not_negative(value: object) -> int:
    number = _whole(value)
    if number < 0:
        raise _refuse("a whole number of at least 0", value)
    return number


def _seq(value: object) -> int:
    if value.__class__ is int and 0 <= value <= 2**53:
        return value
    number = _whole(value)
    if not 0 <= number <= 2**53:
        raise _refuse("a whole number from 0 to 2**53", value)
    return number


def _sha256(value: object) -> str:
    if not isinstance(value, str) or len(value) != 64 or not set(value.lower()) <= set("0123456789abcdef"):
        raise _refuse("64 hexadecimal digits (SHA-256)", value)
    return value.lower()


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _refuse("a text", value)
    return value


def _probability(value: object) -> float | None:
    if value is None or (value.__class__ is float and 0 < value < 0.5):
        return value
    number = _number(value, "a number between 0 and 0.5")
    if not 0 < number < 0.5:
        raise _refuse("a number between 0 and 0.5", value)
    return float(number)


def _scalar(value: object) -> object:
    if isinstance(value, dict | list):
        raise _refuse("a text, a number, true, false or null", value)
    return value


def _shallow(value: object) -> object:
    # Identity and conditions are compared member by member; what nobody writes must not exhaust the stack there.
    level, depth = [value], 0
    while level:
        if (depth := depth + 1) > DEEPEST:
            raise _refuse(f"at most {DEEPEST} levels of nesting", value)
        lists = [item for item in level if isinstance(item, list)]
        members = [item.values() for item in level if isinstance(item, Mapping)]
        level = [item for group in (*lists, *members) for item in group]
    return value


_NUMBER_SCHEMA = {"type": "number"}
Elo = Annotated[
    float | None,
    BeforeValidator(_elo),
    WithJsonSchema({"type": ["number", "null"], "minimum": -ELO_LIMIT, "maximum": ELO_LIMIT}),
]
Count = Annotated[int | float, BeforeValidator(_count), WithJsonSchema(_NUMBER_SCHEMA)]
Seq = Annotated[int, BeforeValidator(_seq), WithJsonSchema({"type": "integer", "minimum": 0})]
Whole = Annotated[int, BeforeValidator(_not_negative), WithJsonSchema({"type": "integer", "minimum": 0})]
Sha256 = Annotated[str, BeforeValidator(_sha256), WithJsonSchema({"type": "string", "pattern": "^[0-9a-fA-F]{64}$"})]
Text = Annotated[str, BeforeValidator(_text), WithJsonSchema({"type": "string", "minLength": 1})]
Probability = Annotated[
    float | None,
    BeforeValidator(_probability),
    WithJsonSchema({"type": ["number", "null"], "exclusiveMinimum": 0, "exclusiveMaximum": 0.5}),
]
Scalar = Annotated[Any, BeforeValidator(_scalar)]
Loose = Annotated[Any, BeforeValidator(_shallow)]
Number = Annotated[
    float | int,
    BeforeValidator(lambda value: _number(value, "a number")),
    WithJsonSchema(_NUMBER_SCHEMA),
]
Flag = Annotated[bool | None, Field(strict=True)]


@cache
def _members(model: type[BaseModel]) -> dict[str, None]:
    """Names of a part's members, in their order; asked for once per entry of a register."""
    return dict.fromkeys(field.alias or name for name, field in model.model_fields.items())


class Strict(BaseModel):
    """A part of the document: an object whose members are all known."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _all_members_known(cls, value: object) -> object:
        known = _members(cls)
        if value.__class__ is dict and value.keys() <= known.keys():
            return value
        if not isinstance(value, Mapping):
            raise _refuse("an object", value)
        for name in value:
            if name not in known:
                raise PydanticCustomError(
                    "anchorhold",
                    "{text}",
                    {
                        "text": f"unknown field {name!r}",
                        "hint": nearest(str(name), known) or f"Known: {', '.join(known)}",
                    },
                )
        return value


class ContractRef(Strict):
    """Which edition decides."""

    edition: Whole


class AnchorFields(Strict):
    """Identity fields of an anchor as seen at an endpoint."""

    IDENTITY: ClassVar[tuple[str, ...]] = (
        "sha256",
        "rating",
        "rating_error",
        "version",
        "files",
        "options",
        "limit",
        "protocol",
        "source",
    )

    name: Text
    sha256: Sha256 | None = None
    rating: Elo = None
    rating_error: Elo = None
    version: Text | None = None
    files: dict[str, Sha256] | None = None
    options: dict[str, Scalar] | None = None
    limit: dict[str, Scalar] | Text | None = None
    protocol: Text | None = None
    source: Text | None = None


class PinnedAnchor(AnchorFields):
    """An anchor of the pinned set; a rating of null is a missing one."""

    sha256: Sha256
    rating: Elo
    rating_error: Elo


class Conditions(Strict):
    """Under which conditions games were played; those that apply."""

    time_control: Text | None = None
    movetime: Number | None = None
    nodes: Number | None = None
    depth: Number | None = None
    threads: Number | None = None
    hash_mb: Number | None = None
    book_sha256: Sha256 | None = None
    book_order: Text | None = None
    book_seed: Number | None = None
    adjudication: Loose = None
    tablebases: Loose = None
    runner: Loose = None
    host_class: Loose = None

    def applying(self) -> dict[str, object]:
        """Return the conditions that are stated."""
        return {name: value for name in type(self).model_fields if (value := getattr(self, name)) is not None}


FIVE = "a list of 5 counts (LL, LD, DD+WL, WD, WW) or null"
_GAMES = ("wins", "draws", "losses")
Five = Annotated[list[Count], Field(min_length=5, max_length=5)]


class Counted(Strict):
    """Counts of games or pairs, seen from the first engine."""

    pentanomial: Five | None = None
    wins: Count | None = None
    draws: Count | None = None
    losses: Count | None = None

    @model_validator(mode="after")
    def _all_three(self) -> Counted:
        if self.model_fields_set.isdisjoint(_GAMES):
            return self
        given = {name for name in _GAMES if name in self.model_fields_set}
        if len(given) != 3:
            missing = ", ".join(sorted({*_GAMES} - given))
            raise _refuse("wins, draws and losses together", f"no {missing}")
        return self


class Measurement(Counted):
    """Main against one anchor at one endpoint and stage, or new against old."""

    delta: Elo = None
    error: Elo = None


Measurements = dict[str, Measurement | None]


class Endpoint(Strict):
    """One version of main, measured against the anchors."""

    version: Text
    conditions: Conditions
    conditions_short: Conditions | None = None
    anchors: list[AnchorFields] | None = None
    long: Measurements
    short: Measurements | None = None


class Endpoints(Strict):
    """The two versions of main."""

    old: Endpoint
    new: Endpoint


class PlannedPairs(Strict):
    """Pairs planned against each anchor, equal for both endpoints."""

    long: Whole | None = None
    short: Whole | None = None


class StageReport(Counted):
    """What the oracle reported of one stage of a test."""

    passed: Flag = None
    elo: Elo = None
    elo_error: Elo = None
    bounds: Annotated[list[Elo], Field(min_length=2, max_length=2)] | None = None
    bounds_model: Literal["normalized", "logistic", "bayeselo"] | None = None
    alpha: Probability = None
    beta: Probability = None


class _Entry(Strict):
    seq: Seq
    id: Text | None = None


class GainTest(_Entry):
    """A test for a gain; counted when both stages passed."""

    kind: Literal["gain_test"]
    short: StageReport | None = None
    long: StageReport | None = None
    all_kept: Flag = None
    """The source declares that all its tests were kept, the rejected ones too."""


class RejectedTest(_Entry):
    """A test that did not pass."""

    kind: Literal["rejected_test"]
    short: StageReport | None = None
    long: StageReport | None = None
    all_kept: Flag = None
    """The source declares that all its tests were kept, the rejected ones too."""


class SpecialPath(_Entry):
    """A change accepted on another path (Sonderweg); counts as zero."""

    kind: Literal["special_path"]
    special: Literal["edge_case", "tempo_change", "game_settings", "simplification"]
    short: StageReport | None = None
    long: StageReport | None = None


class Retraction(_Entry):
    """Something was taken back; earlier gains stay in S and what it names is not resolved."""

    kind: Literal["retraction"]
    of: Text


class OtherEntry(_Entry):
    """An entry that carries no claim; counts as zero."""

    kind: Literal[
        "genesis",
        "contract",
        "anchor_set",
        "epoch_change",
        "check_opened",
        "measurement",
        "check_closed",
        "check_abandoned",
        "release",
        "note",
    ]


_CLASS_OF_KIND = {
    "gain_test": "gain_test",
    "rejected_test": "rejected_test",
    "special_path": "special_path",
    "retraction": "retraction",
}


def _entry_class(value: object) -> str:
    is_object = value.__class__ is dict or isinstance(value, Mapping)
    kind = value.get("kind") if is_object else getattr(value, "kind", None)  # type: ignore[attr-defined]
    if isinstance(kind, str) and kind in KINDS:
        return _CLASS_OF_KIND.get(kind, "other")
    return ""


RegisterEntry = Annotated[
    Annotated[GainTest, Tag("gain_test")]
    | Annotated[RejectedTest, Tag("rejected_test")]
    | Annotated[SpecialPath, Tag("special_path")]
    | Annotated[Retraction, Tag("retraction")]
    | Annotated[OtherEntry, Tag("other")],
    Discriminator(_entry_class),
]


class Window(Strict):
    """The entries ``after`` + 1 … ``until`` are the window."""

    after: Seq
    until: Seq


Joint = Annotated[list[Five], Field(min_length=5, max_length=5)]


class Document(Strict):
    """The whole evaluation document."""

    schema_: Literal["anchorhold/evaluation/1"] = Field(alias="schema")
    contract: ContractRef
    anchors: list[PinnedAnchor]
    endpoints: Endpoints
    planned_pairs: PlannedPairs | None = None
    joint: dict[str, Joint | None] | None = None
    direct: Measurement | None = None
    register_: list[RegisterEntry] = Field(alias="register")
    window: Window


_EXPECTED = {
    "list_type": "a list",
    "dict_type": "an object",
    "bool_type": "true, false or null",
    "string_type": "a text",
}


def document_from_json(value: object, *, where: str) -> Document:
    """Read a document from its parsed JSON.

    Raises
    ------
    BadInput
        Not such a document; names the place, what was expected and the nearest known name.
    """
    try:
        return Document.model_validate(value)
    except ValidationError as error:
        raise _as_bad_input(error, where=where) from error


def read_document(text: str, *, where: str) -> Document:
    """Read a document from JSON text.

    Raises
    ------
    BadInput
        Not JSON, or not such a document.
    """
    return document_from_json(strict_json(text, where=where), where=where)


def _as_bad_input(error: ValidationError, *, where: str) -> BadInput:
    problems = error.errors(include_url=False)
    first = problems[0]
    steps = [step for step in first["loc"] if not (isinstance(step, str) and step in (*_CLASS_OF_KIND, "other"))]
    found = first["input"]
    hint = ""
    kind = first["type"]
    context = first.get("ctx", {})
    if kind == "anchorhold":
        text, hint = str(context["text"]), str(context.get("hint", ""))
    elif kind == "missing":
        text = f"the required field {first['loc'][-1]!r} is absent"
        steps = steps[:-1]
        if isinstance(found, Mapping):
            hint = nearest(str(first["loc"][-1]), [str(name) for name in found])
    elif kind == "union_tag_invalid":
        named = found.get("kind") if isinstance(found, Mapping) else None
        if isinstance(named, str):
            text, hint = f"unknown kind {named!r}", nearest(named, KINDS) or f"Known: {', '.join(KINDS)}"
        else:
            text = "expected a register entry with a kind" if named is None else f"expected a kind, found {named!r}"
    elif kind == "literal_error":
        text = f"expected {context['expected']}, found {str(found)[:40]!r}"
        known = [part.strip(" '") for part in str(context["expected"]).replace(" or ", ",").split(",")]
        hint = nearest(found, known) if isinstance(found, str) else ""
    elif kind in ("too_short", "too_long"):
        text = (
            f"expected {context.get('min_length', context.get('max_length'))} items, found {context['actual_length']}"
        )
    else:
        text = f"expected {_EXPECTED.get(kind, first['msg'])}, found {str(found)[:40]!r}"
    place = ".".join(str(step) for step in steps) or "the document"
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return BadInput(f"{place}: {text}{more}", where=where, next_step=hint)
