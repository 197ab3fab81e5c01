"""What is fixed before the first game of an oracle run: both stages, their tests, who plays.

Source: SPEC section 11. May import: anchorhold.errors, anchorhold.canonical, anchorhold.stats, anchorhold.domain,
anchorhold.matches.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from anchorhold.canonical import nearest
from anchorhold.domain.builds import BuildFacts
from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.payloads import Special
from anchorhold.errors import BadInput
from anchorhold.matches.jobs import MatchRules
from anchorhold.stats.sprt import Sprt

StageName = Literal["short", "long"]
STAGES: tuple[StageName, ...] = get_args(StageName)
SPECIALS: tuple[str, ...] = get_args(Special)


@dataclass(frozen=True, slots=True)
class StagePlan:
    """One stage: who plays under which limit, and when it stops."""

    candidate: EngineSpec
    base: EngineSpec
    test: Sprt
    max_pairs: int
    """A test that is undecided after so many pairs has not passed."""
    conditions: Mapping[str, object] = field(default_factory=dict)
    """As they are recorded (``domain.payloads.Conditions``)."""
    overshoot_corrected: bool = False
    """Whether the test stops before its bound by the overshoot seen so far; else at Wald's bound or beyond it."""


@dataclass(frozen=True, slots=True)
class OraclePlan:
    """All that is fixed before the first game of an oracle run."""

    id: str
    """Under which the test stands in the register; names one test for ever."""
    candidate: str
    """Version that is tested."""
    base: str
    """Version that it is tested against."""
    short: StagePlan
    long: StagePlan
    rules: MatchRules
    special: Special | None = None
    """A special path (Sonderweg): recorded as such, counted as zero."""
    identities: Mapping[str, object] = field(default_factory=dict)
    """What is run for both versions, by hashing: a run is resumed with the same files only."""
    builds: Mapping[str, BuildFacts] = field(default_factory=dict)
    """``candidate`` and ``base``, where they were built from source: as it is recorded."""

    def __post_init__(self) -> None:
        if not self.id.strip():
            raise BadInput("the test needs an id")
        if self.candidate == self.base:
            raise BadInput(
                f"candidate and base are both {self.base!r}", next_step="Name the version that the candidate came from."
            )
        if self.special is not None and self.special not in SPECIALS:
            raise BadInput(
                f"unknown special path {self.special!r}",
                next_step=nearest(self.special, SPECIALS) or f"Known are: {', '.join(SPECIALS)}.",
            )
        for name in STAGES:
            stage = self.stage(name)
            if stage.max_pairs < 1:
                raise BadInput(f"the {name} stage has at most {stage.max_pairs} pairs, expected at least 1")
            if stage.test.model == "bayeselo":
                raise BadInput(
                    f"the {name} stage has BayesElo bounds, which are for reading old tests only",
                    next_step="Give normalized or logistic bounds.",
                )
            # A pass at such bounds says "not much worse", and would be added up as a gain.
            if self.special is None and not stage.test.wants_gain:
                raise BadInput(
                    f"the {name} stage's bounds {stage.test.elo0:g} and {stage.test.elo1:g} do not ask for a gain",
                    next_step="Give bounds whose middle is above 0, or name the special path, such as simplification.",
                )

    def stage(self, name: StageName) -> StagePlan:
        """Return one stage."""
        return self.short if name == "short" else self.long

    def to_json(self) -> dict[str, object]:
        """Return what must be the same when an interrupted run is resumed."""
        return {
            "oracle": self.id,
            "candidate": self.candidate,
            "base": self.base,
            "special": self.special,
            "identities": dict(self.identities),
            "stages": {
                name: {
                    "bounds": [float(stage.test.elo0), float(stage.test.elo1)],
                    "bounds_model": stage.test.model,
                    "alpha": stage.test.alpha,
                    "beta": stage.test.beta,
                    "max_pairs": stage.max_pairs,
                    "limits": [stage.candidate.limit.to_json(), stage.base.limit.to_json()],
                    "conditions": dict(stage.conditions),
                    # Only where it is asked for, so that runs begun before it existed go on.
                    **({"overshoot": "dynamic"} if stage.overshoot_corrected else {}),
                }
                for name in STAGES
                for stage in (self.stage(name),)
            },
        }
