"""Where two plans of a run differ, in words.

May import: nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping


def plan_differences(old: Mapping[str, object], new: Mapping[str, object]) -> list[str]:
    """Say in words where two plans differ."""
    return sorted(_differences("", dict(old), dict(new)))


def _differences(place: str, old: object, new: object) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for name in old.keys() | new.keys():
            inner = f"{place}.{name}" if place else str(name)
            yield from _differences(inner, old.get(name), new.get(name))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for position, (left, right) in enumerate(zip(old, new, strict=True), start=1):
            yield from _differences(f"{place}[{position}]", left, right)
    elif old != new:
        yield f"{place} was {_short(old)} and is {_short(new)}"


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."
