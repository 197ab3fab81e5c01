"""Conditions of a stage: what the short stage changes, and what an opening froze.

Source: SPEC sections 6 and 7. May import: anchorhold.checks.state.
"""

from __future__ import annotations

from collections.abc import Mapping

from anchorhold.checks.state import CheckState


def difference(long: Mapping[str, object], short: Mapping[str, object]) -> dict[str, object]:
    """Return what the short stage's conditions change; null takes a condition of the long stage away."""
    return {name: short.get(name) for name in sorted(set(long) | set(short)) if long.get(name) != short.get(name)}


def frozen_conditions(check: CheckState) -> dict[str, dict[str, object]]:
    """Return the conditions of each stage as the opening froze them."""
    return stage_conditions_of(check.opened.payload)


def stage_conditions_of(opening: Mapping[str, object]) -> dict[str, dict[str, object]]:
    """Return the conditions of each stage that an opening's payload plans."""
    long = dict(_mapping(opening["conditions"]))
    found = {"long": long}
    if "short" in _mapping(opening["planned_pairs"]):
        merged = {**long, **_mapping(opening.get("conditions_short", {}))}
        found["short"] = {name: value for name, value in merged.items() if value is not None}
    return found


def _mapping(value: object) -> Mapping[str, object]:
    assert isinstance(value, Mapping)
    return value
