"""The engines: do they start, and keep the limits that they are given? By real searches.

Seconds everywhere. May import: anchorhold.config, domain, anchorhold.adopt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from anchorhold.adopt.doctor.findings import Finding
from anchorhold.adopt.limits import NODE_SHARE
from anchorhold.adopt.searching import OPENINGS, Failed, Search, searches
from anchorhold.config.record import Config
from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.limits import Limit
from anchorhold.errors import BadInput
from anchorhold.matches.jobs import MatchRules
from anchorhold.matches.process import command_line

LONGEST = 30.0
"""Seconds for a search without a clock; a slower one is no fault, but is not waited for."""


@dataclass(frozen=True, slots=True)
class Played:
    """An engine with all limits at which it is going to play."""

    name: str
    role: str
    specs: tuple[EngineSpec, ...]


def played(config: Config, versions: Sequence[str]) -> list[Played]:
    """Return main's versions and the anchors with their limits, each limit once."""
    stages = [config.long.limit, *([config.short.limit] if config.short else [])]
    oracle = [stage.limit for stage in (config.oracle_short, config.oracle_long) if stage is not None]
    found = [
        Played(version, "main", tuple(config.main.spec(version, limit) for limit in dict.fromkeys([*stages, *oracle])))
        for version in versions
    ]
    for anchor in config.anchors:
        specs = dict.fromkeys(anchor.spec(limit) for limit in stages)
        found.append(Played(anchor.name, "anchor", tuple(specs)))
    return found


def look_at_engines(engines: Sequence[Played], rules: MatchRules) -> Iterator[Finding]:
    """Start each engine at each of its limits, and let it search one position, as patiently as a match does."""
    for engine in engines:
        yield _look(engine, rules)


def _look(engine: Played, rules: MatchRules) -> Finding:
    seen: list[str] = []
    for spec in engine.specs:
        words = limit_words(spec.limit)
        try:
            (found,) = searches(
                spec,
                OPENINGS[:1],
                patience=min(rules.stall_timeout, LONGEST),
                start_timeout=rules.start_timeout,
            )
        except Failed as failure:
            return Finding(
                engine.role,
                "failure",
                f"{engine.name} at {words}: {failure}",
                f"Try it: anchorhold engines probe {engine.name!r}; its command is {command_line(spec.command)}",
            )
        if wrong := broken(spec, found):
            return Finding(
                engine.role,
                "failure",
                f"{engine.name} does not keep {words}: {wrong}",
                "Give it a limit that it obeys: 'anchorhold engines probe' says which",
            )
        seen.append(f"{words} kept in {found.seconds:.2f} s")
    return Finding(engine.role, "ok", f"{engine.name}: {', '.join(seen)}")


def broken(spec: EngineSpec, found: Search) -> str:
    """Say how a search went beyond its limit; empty when it did not, or does not tell."""
    limit = spec.limit
    allowed = limit.movetime if limit.time_control is None else limit.time_control.base
    if allowed is not None and found.seconds > allowed + spec.margin:
        return f"{found.seconds:.2f} s used"
    if limit.depth is not None and limit.nodes is None and allowed is None and found.depth not in (None, limit.depth):
        return f"depth {found.depth} reached"
    if limit.nodes is not None and found.nodes is not None and found.nodes > (1 + NODE_SHARE) * limit.nodes:
        return f"{found.nodes} nodes searched"
    if limit.nodes is not None and limit.depth is None and allowed is None and found.nodes is not None:
        return f"{found.nodes} nodes searched" if found.nodes < (1 - NODE_SHARE) * limit.nodes else ""
    return ""


def limit_words(limit: Limit) -> str:
    """Write a limit in words."""
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in limit.to_json().items())


def main_versions(config: Config, named: str | None) -> tuple[list[str], list[Finding]]:
    """Return the versions of main to look at, and why there are none."""
    listed = [named] if named is not None else [*config.main.versions, *config.main.builds]
    if listed:
        try:
            for version in listed:
                config.main.spec(version, config.long.limit)
        except BadInput as error:
            return [], [Finding("main", "failure", str(error), "Name a version that there is with --version")]
        return listed, []
    how = "no version is listed" if config.main.recipe is None else "it is built from source"
    return [], [Finding("main", "skipped", how, "Name a version with --version to have it looked at")]
