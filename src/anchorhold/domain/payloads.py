"""What each kind of register entry holds: one typed payload per kind, unknown members refused.

A payload is stored exactly as it was given (as canonical JSON); these types say whether it may be stored, and give
typed access to it. Elo figures are logistic Elo, half-widths 95 %, counts are pairs or games seen from main (the
candidate). Source: SPEC sections 7 and 9. May import: pydantic, anchorhold.canonical, anchorhold.errors,
anchorhold.stats, anchorhold.domain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, ValidationError, model_validator

from anchorhold.canonical import canonical_json, digest, nearest, write_plain
from anchorhold.domain.anchors import set_digest
from anchorhold.domain.entries import KINDS
from anchorhold.errors import BadInput
from anchorhold.stats.elo import Estimate, NoEstimate, elo_from_pentanomial, elo_from_trinomial, near_elo
from anchorhold.stats.outcomes import PAIR_SCORES, Pentanomial, Trinomial, contradictions

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Text = Annotated[str, StringConstraints(pattern=r"\S", max_length=10_000)]
Day = Annotated[str, StringConstraints(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")]
Elo = Annotated[float, Field(ge=-10_000, le=10_000)]
HalfWidth = Annotated[float, Field(gt=0, le=10_000)]
Count = Annotated[int, Field(ge=0, le=2**53 - 1)]
Pairs = Annotated[int, Field(ge=1, le=2**53 - 1)]
ErrorRate = Annotated[float, Field(gt=0, lt=0.5)]
Five = tuple[Count, Count, Count, Count, Count]
Special = Literal["edge_case", "tempo_change", "game_settings", "simplification"]
BoundsModel = Literal["normalized", "logistic", "bayeselo"]
Stage = Literal["long", "short"]
Verdict = Literal["CONTINUE", "WARN", "HALT", "GAP", "DEFECTIVE"]


class Payload(BaseModel):
    """A frozen part of an entry; unknown members are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, defer_build=True)


class Genesis(Payload):
    """The first entry: which form the register has, and whose it is."""

    schema_: Literal["anchorhold/register/1"] = Field(alias="schema")
    project: Text | None = None


class ContractAdopted(Payload):
    """An edition of the contract: its full file form with its digest; in force from the next check on."""

    edition: Annotated[int, Field(ge=1)]
    date: Text
    remark: str = ""
    digest: Sha256
    """SHA-256 of the canonical JSON of the parameters."""
    parameters: dict[str, JsonValue]

    @model_validator(mode="after")
    def _digest_is_of_the_parameters(self) -> ContractAdopted:
        if digest(self.parameters) != self.digest:
            raise ValueError(f"the digest {self.digest[:12]}… is not that of the parameters")
        return self


class Anchor(Payload):
    """The identity fields of one anchor."""

    name: Text
    sha256: Sha256
    rating: Elo
    rating_error: Annotated[float, Field(ge=0, le=10_000)]
    version: str | None = None
    files: dict[str, Sha256] = Field(default_factory=dict)
    options: dict[str, JsonValue] = Field(default_factory=dict)
    limit: dict[str, JsonValue] = Field(default_factory=dict)
    protocol: str | None = None
    source: str | None = None


class AnchorSet(Payload):
    """The pinned anchors as a whole."""

    digest: Sha256
    """``domain.anchors.set_digest`` of the anchors."""
    anchors: Annotated[tuple[Anchor, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _names_differ_and_digest_fits(self) -> AnchorSet:
        names = [anchor.name for anchor in self.anchors]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise ValueError(f"the anchor {twice[0]!r} stands twice")
        as_given = [anchor.model_dump(mode="json", exclude_unset=True) for anchor in self.anchors]
        if set_digest(as_given) != self.digest:
            raise ValueError(f"the digest {self.digest[:12]}… is not that of the anchors")
        return self


class TestStage(Payload):
    """One stage of a sequential test."""

    __test__ = False  # its name begins like a test class, which pytest would collect

    passed: bool
    elo: Elo | None = None
    elo_error: HalfWidth | None = None
    pentanomial: Five | None = None
    wins: Count | None = None
    draws: Count | None = None
    losses: Count | None = None
    bounds: tuple[Elo, Elo] | None = None
    bounds_model: BoundsModel | None = None
    alpha: ErrorRate | None = None
    beta: ErrorRate | None = None
    llr: float | None = None
    """Log-likelihood ratio where the test ended."""
    overshoot: tuple[HalfWidth, HalfWidth] | None = None
    """By how much the lower and the upper bound of the ratio had been moved inwards then; none without a correction."""
    pairs: Count | None = None
    """Pairs counted; the sum of the pentanomial where there is one."""
    outcome: Text | None = None
    """How the stage ended, in words."""
    conditions: Conditions | None = None
    games_sha256: Sha256 | None = None
    """Digest of the games."""

    @model_validator(mode="after")
    def _counts_hold_together(self) -> TestStage:
        bounds = self.bounds
        if bounds is not None and bounds[0] >= bounds[1]:
            raise ValueError(f"the lower bound {bounds[0]:g} is not below the upper bound {bounds[1]:g}")
        if self.wins is self.draws is self.losses is None:
            return self
        games, pairs = self.trinomial_counts, self.pentanomial_counts
        if games is None:
            given = [name for name in ("wins", "draws", "losses") if getattr(self, name) is not None]
            raise ValueError(f"wins, draws and losses belong together; only {' and '.join(given)} given")
        # The window cannot be mended once it holds counts that contradict themselves: nothing is ever deleted.
        if pairs is not None and (found := contradictions(pairs, games)):
            raise ValueError(f"the counts contradict themselves: {found[0]}")
        return self

    @property
    def pentanomial_counts(self) -> Pentanomial | None:
        """The pairs, None where they are not known."""
        return None if self.pentanomial is None else Pentanomial(*self.pentanomial)

    @property
    def trinomial_counts(self) -> Trinomial | None:
        """The games, None where they are not known."""
        if self.wins is None or self.draws is None or self.losses is None:
            return None
        return Trinomial(wins=self.wins, draws=self.draws, losses=self.losses)

    def claims_what_its_counts_give(self) -> bool:
        """Say whether the Elo plainly lies within its own half-width of what pairs give; False says nothing.

        A register has thousands of tests, and nearly all of them do.
        """
        if self.elo is None or self.elo_error is None or self.pentanomial is None or not any(self.pentanomial):
            return False
        return abs(self.elo - near_elo(self.pentanomial, PAIR_SCORES)) < self.elo_error

    def counted_estimate(self) -> Estimate | None:
        """Return the Elo that the counts give, pairs first; None where they carry none."""
        if (pairs := self.pentanomial_counts) is not None:
            with suppress(NoEstimate):
                return elo_from_pentanomial(pairs)
        if (games := self.trinomial_counts) is not None:
            with suppress(NoEstimate):
                return elo_from_trinomial(games)
        return None


class Test(Payload):
    """A test by the oracle: what both stages gave."""

    __test__ = False  # its name begins like a test class, which pytest would collect

    id: Text
    candidate: Text | None = None
    """The version that was tested."""
    base: Text | None = None
    """The version that it was tested against."""
    short: TestStage | None = None
    long: TestStage | None = None
    reason: Text | None = None
    source: Text | None = None
    """Where the record comes from, when this program did not play it."""
    date: Day | None = None
    """When the source has it, such as 2026-11-30; of an imported test, the entry's own time is that of the import."""
    all_kept: bool | None = None
    """The source declares that all its tests were kept, the rejected ones too; the oracle always does."""
    builds: dict[Literal["candidate", "base"], Build] = Field(default_factory=dict)
    """How both versions were built from source, where they were."""


class GainTest(Test):
    """A gain test; it counts when both stages passed."""

    @model_validator(mode="after")
    def _counts_with_something(self) -> GainTest:
        passed = self.short is not None and self.short.passed and self.long is not None and self.long.passed
        # Such entries would make every check of their window defective, and an entry cannot be taken out again.
        if not passed or self.long is None or self.long.claims_what_its_counts_give():
            return self
        counted, elo = self.long.counted_estimate(), self.long.elo
        if counted is None and elo is None:
            raise ValueError("passed both stages, but the long stage has neither elo nor counts that give one")
        if counted is not None and elo is not None:
            error = self.long.elo_error if self.long.elo_error is not None else counted.error
            if abs(elo - counted.elo) > error + counted.error:
                raise ValueError(
                    f"the long stage's elo {elo:g} and what its counts give, {counted.elo:.2f}, differ by more than "
                    "both half-widths"
                )
        return self


class RejectedTest(Test):
    """A gain test that failed, or was not decided in the games it had."""


class SpecialPath(Test):
    """A change that came in by another way than a gain test; counted as zero."""

    special: Special
    id: Text | None = None  # type: ignore[assignment]


class EpochChange(Payload):
    """The oracle's conditions changed; counted as zero."""

    id: Text | None = None
    reason: Text | None = None
    conditions: Conditions | None = None


class Retraction(Payload):
    """A change was taken back; what it names is not resolved."""

    of: Text
    id: Text | None = None
    reason: Text | None = None


class Conditions(Payload):
    """How the games of a stage are played; only those that apply."""

    time_control: Text | None = None
    movetime: Annotated[float, Field(gt=0)] | None = None
    """Seconds."""
    nodes: Pairs | None = None
    depth: Pairs | None = None
    threads: Pairs | None = None
    hash_mb: Annotated[float, Field(ge=0)] | None = None
    book_sha256: Sha256 | None = None
    book_order: Text | None = None
    book_seed: int | None = None
    adjudication: JsonValue = None
    tablebases: JsonValue = None
    runner: JsonValue = None
    host_class: JsonValue = None


class Build(Payload):
    """How a version of main was built from source."""

    commit: Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{40}|[0-9a-f]{64})$")]
    command: Text
    sha256: Sha256
    """Of the program that was built."""
    compilers: dict[str, str] = Field(default_factory=dict)
    """Name → the first line of what it says about its version."""
    flags: dict[str, str] = Field(default_factory=dict)
    """Variables that choose compilers or what they do."""
    bench: Count | None = None
    name: Text | None = None
    """What the program calls itself."""


class MainVersion(Payload):
    """A version of main with the identity of what is run for it."""

    version: Text
    sha256: Sha256 | None = None
    files: dict[str, Sha256] = Field(default_factory=dict)
    options: dict[str, JsonValue] = Field(default_factory=dict)
    protocol: str | None = None
    limit: dict[str, JsonValue] = Field(default_factory=dict)
    build: Build | None = None
    """None: the program was ready-made."""


class PlannedPairs(Payload):
    """Pairs against each anchor, equal for both endpoints; ``direct``: between the endpoints."""

    long: Pairs
    short: Pairs | None = None
    direct: Pairs | None = None


class OpenWindow(Payload):
    """The entries after ``after``: the entry that opened the last check that closed its window; 1 at first."""

    after: Pairs


class Window(Payload):
    """The entries ``after`` + 1 … ``until``."""

    after: Pairs
    until: Pairs


class CheckOpened(Payload):
    """All that is fixed before a game is played."""

    check: Text
    contract: ContractAdopted
    anchor_set: AnchorSet
    old: MainVersion
    new: MainVersion
    conditions: Conditions
    conditions_short: Conditions | None = None
    """What differs at the short stage."""
    planned_pairs: PlannedPairs
    window: OpenWindow
    reuse_old_from: Text | None = None
    """The check whose measurement stands for old; None: old is measured anew."""
    notes: tuple[Text, ...] = ()
    """What a reader must know about the opening, such as that old was built anew since the last check."""


class Counts(Payload):
    """Pairs of one endpoint against one anchor, seen from main."""

    pentanomial: Five


class Measurement(Payload):
    """What one endpoint scored at one stage, and what was really run."""

    check: Text
    endpoint: Literal["old", "new", "direct"]
    """``direct``: new against old, seen from new; its only count is named ``old``."""
    stage: Stage
    version: Text
    main: MainVersion | None = None
    """Identity of main, by hashing the files that were run."""
    conditions: Conditions
    counts: dict[str, Counts]
    anchors: tuple[Anchor, ...] = ()
    """Identities attested by hashing the files that were run."""
    joint: dict[str, tuple[Five, Five, Five, Five, Five]] = Field(default_factory=dict)
    """Per anchor, old (rows) by new (columns), where both played the same openings."""
    opponent: MainVersion | None = None
    """Direct match only: identity of the old version."""
    games_sha256: Sha256
    """Digest of the games' PGN, which holds all games of the check."""
    games_file: Text | None = None
    """Name of that file."""
    faults: dict[str, Count] = Field(default_factory=dict)
    """Games lost by an engine's own fault (crash, time, illegal move), by engine."""
    reused_from: Text | None = None
    """The check whose measurement of the same version under the same conditions this is."""


class CheckClosed(Payload):
    """The result of a check. Only CONTINUE, WARN and HALT close its window."""

    check: Text
    verdict: Verdict
    result: dict[str, JsonValue]
    """The result document, ``anchorhold/result/1``."""
    window: Window

    @model_validator(mode="after")
    def _verdict_is_the_results(self) -> CheckClosed:
        if self.result.get("schema") != "anchorhold/result/1":
            raise ValueError(f"result.schema is {self.result.get('schema')!r}, expected 'anchorhold/result/1'")
        if self.result.get("verdict") != self.verdict:
            raise ValueError(f"the verdict is {self.verdict}, that of the result {self.result.get('verdict')!r}")
        if self.window.until < self.window.after:
            raise ValueError(f"the window ends ({self.window.until}) before it begins ({self.window.after})")
        return self

    @property
    def r(self) -> float | None:
        """R as it stands in the result; None where there is none."""
        value = self.result.get("r")
        return None if isinstance(value, bool) or not isinstance(value, int | float) else float(value)

    @property
    def r_text(self) -> str:
        """R with all nine decimals that the rule compares, shortest form: 0.399999999 halts and is not 0.4."""
        return "" if self.r is None else f"{self.r:.9f}".rstrip("0").rstrip(".")


class CheckAbandoned(Payload):
    """A check was given up."""

    check: Text
    reason: Text


class Release(Payload):
    """A human review of a HALT."""

    halt: Sha256
    """Hash of the ``check_closed`` entry that halts."""
    check: Text | None = None
    reviewer: Text
    reason: Text
    signature: Text | None = None
    """SSH signature, namespace ``anchorhold``."""


class Remark(Payload):
    """Something to know; decides nothing."""

    text: Text
    id: Text | None = None


PAYLOADS: dict[str, type[Payload]] = {
    "genesis": Genesis,
    "contract": ContractAdopted,
    "anchor_set": AnchorSet,
    "gain_test": GainTest,
    "rejected_test": RejectedTest,
    "special_path": SpecialPath,
    "epoch_change": EpochChange,
    "retraction": Retraction,
    "check_opened": CheckOpened,
    "measurement": Measurement,
    "check_closed": CheckClosed,
    "check_abandoned": CheckAbandoned,
    "release": Release,
    "note": Remark,
}


_LONG_WHOLE = re.compile(rb"(?<![\d.])\d{16}")
"""Whole numbers that may lie beyond 2**53, which canonical JSON refuses."""


def read_payload(kind: str, payload: Mapping[str, object]) -> Payload:
    """Read a payload as its kind's type.

    Raises
    ------
    BadInput
        An unknown kind or member (with the nearest known name), a missing member, a value of another type or beyond
        its range, or a digest that is not that of what it names.
    """
    return read_payload_json(kind, _json_of(dict(payload)))


def _json_of(payload: dict[str, object]) -> bytes:
    """Write a payload for reading it; canonically only where that refuses what Python's own writer takes."""
    try:
        text = write_plain(payload).encode()
    except (ValueError, TypeError, RecursionError):
        return canonical_json(payload)
    return canonical_json(payload) if _LONG_WHOLE.search(text) else text


def read_payload_json(kind: str, text: str | bytes) -> Payload:
    """Read a payload from its JSON; raises as ``read_payload`` does."""
    if kind not in PAYLOADS:
        raise BadInput(f"unknown kind of entry {kind!r}", next_step=nearest(kind, KINDS))
    try:
        return PAYLOADS[kind].model_validate_json(text, strict=True)
    except ValidationError as error:
        raise _as_bad_input(kind, error) from error


def _as_bad_input(kind: str, error: ValidationError) -> BadInput:
    """Turn the first finding into one line; pydantic's own text runs over several."""
    finding = error.errors(include_url=False)[0]
    path = ".".join(str(part) for part in finding["loc"])
    where = f"{kind} payload" + (f", {path}" if path else "")
    if finding["type"] == "extra_forbidden":
        name = str(finding["loc"][-1])
        return BadInput(
            f"unknown member {name!r}", where=f"{kind} payload", next_step=nearest(name, _members(PAYLOADS[kind]))
        )
    if finding["type"] == "missing":
        return BadInput("the member is missing", where=where)
    message = finding["msg"].removeprefix("Value error, ")
    value = finding["input"]
    shown = f" (found {value!r})" if value is None or isinstance(value, str | int | float) else ""
    return BadInput(message + shown[:120], where=where)


def _members(model: type[BaseModel]) -> set[str]:
    """Names of all members of a payload and of its parts."""
    names: set[str] = set()
    for name, field in model.model_fields.items():
        names.add(field.alias or name)
        for part in _parts(field.annotation):
            names |= _members(part)
    return names


def _parts(annotation: Any) -> Iterator[type[BaseModel]]:
    if get_origin(annotation) is not None:
        for argument in get_args(annotation):
            yield from _parts(argument)
    elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
