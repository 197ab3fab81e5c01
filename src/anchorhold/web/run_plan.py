"""What a journal's plan says of its run: a check, an oracle run or a match, its parts, how many pairs, which tests.

May import: anchorhold.checks, anchorhold.errors, anchorhold.stats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from anchorhold.checks.state import CheckState
from anchorhold.errors import BadInput
from anchorhold.stats.outcomes import Pentanomial
from anchorhold.stats.sprt import Sprt


@dataclass(frozen=True, slots=True)
class Sequential:
    """Where a sequential test stands."""

    stage: str
    llr: float
    lower: float
    upper: float
    decision: str


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What a journal's plan says, as far as it is known."""

    kind: Literal["check", "oracle", "match", ""]
    title: str
    parts: Mapping[tuple[str, str, str], int | None]
    """Stage, endpoint, anchor; pairs planned of each."""
    planned: int | None = None
    is_limit: bool = False
    tests: tuple[tuple[str, Sprt], ...] = ()
    names: Mapping[str, str] | None = None
    """Engines by their roles."""

    def name(self, role: str) -> str:
        """Return the engine in a role; a role that is none is a name itself."""
        return (self.names or {}).get(role, role)

    def over(self, tests: Sequence[Sequential]) -> bool:
        """A sequential run is over when its last stage is decided, or the first failed."""
        return any(test.decision == "failed" for test in tests) or (
            len(tests) == len(self.tests) > 0 and all(test.decision == "passed" for test in tests)
        )

    @classmethod
    def of(
        cls, plan: Mapping[str, object], checks: Mapping[str, CheckState], *, planned: int | None, default: str
    ) -> RunPlan:
        """Read a journal's plan.

        Parameters
        ----------
        checks : Mapping
            Those of the register, by id.
        planned : int, optional
            Pairs that the journal says its run is to have: of a match.
        default : str
            Title of a run that says nothing of itself.
        """
        if isinstance(check := plan.get("check"), str):
            state = checks.get(check)
            if state is None or state.opened.hash != plan.get("opened"):
                return cls("check", check, {})
            return _of_check(state)
        if isinstance(plan.get("oracle"), str):
            try:
                return _of_oracle(plan)
            except (KeyError, TypeError, ValueError, BadInput):
                return cls("", default, {})  # not a plan of this program's
        engines = plan.get("engines")
        if isinstance(engines, list):
            names = [str(engine.get("name")) for engine in engines if isinstance(engine, Mapping)]
            test = _test_of_match(plan.get("sprt"))
            shown = names if len(names) < 4 else [*names[:3], "…"]
            tests = () if test is None else (("match", test),)
            return cls("match", " – ".join(shown), {}, planned, is_limit=test is not None, tests=tests)
        return cls("", default, {})


def _of_check(state: CheckState) -> RunPlan:
    pairs = state.plan.planned_pairs
    old, new = state.plan.old.version, state.plan.new.version
    endpoints = ("old", "new") if state.plan.reuse_old_from is None else ("new",)
    parts: dict[tuple[str, str, str], int | None] = {}
    stages = (("short", pairs.short), ("long", pairs.long))
    planned = 0
    for stage, number in stages:
        if number is not None:
            for anchor in state.plan.anchor_set.anchors:
                for endpoint in endpoints:
                    parts[stage, endpoint, anchor.name] = number
                    planned += number
    if pairs.direct:
        parts["long", "new", "old"] = pairs.direct
        planned += pairs.direct
    title = f"{state.id} · {old} → {new}"
    return RunPlan("check", title, parts, planned, names={"old": old, "new": new})


def _of_oracle(plan: Mapping[str, object]) -> RunPlan:
    names = {"candidate": str(plan.get("candidate")), "base": str(plan.get("base"))}
    stages = plan.get("stages")
    tests: list[tuple[str, Sprt]] = []
    parts: dict[tuple[str, str, str], int | None] = {}
    planned = 0
    for name in ("short", "long"):
        stage = stages.get(name) if isinstance(stages, Mapping) else None
        if isinstance(stage, Mapping):
            low, high = stage["bounds"]
            tests.append((name, Sprt(low, high, model=stage["bounds_model"], alpha=stage["alpha"], beta=stage["beta"])))
            parts[name, "candidate", "base"] = stage["max_pairs"]
            planned += stage["max_pairs"]
    title = f"{plan.get('oracle')} · {names['candidate']} – {names['base']}"
    return RunPlan("oracle", title, parts, planned, True, tuple(tests), names)


def _test_of_match(given: object) -> Sprt | None:
    if not isinstance(given, list) or len(given) != 5:
        return None
    low, high, model, alpha, beta = given
    return Sprt(low, high, model=model, alpha=alpha, beta=beta)


def standing_of(stage: str, test: Sprt, counted: Sequence[Sequence[int]]) -> Sequential | None:
    """Say where a test stands after the counted pairs; None before the first."""
    if not counted:
        return None
    sample = Pentanomial(*(sum(column) for column in zip(*counted, strict=True)))
    llr = test.llr(sample)
    return Sequential(stage, llr, test.bounds.lower, test.bounds.upper, test.decide(llr))
