"""Members of a JSON object by name, with the type they should have; what has another type is a Problem, not a guess.

May import: anchorhold.importers.base.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from anchorhold.importers.base import Place, Problem

LARGEST_COUNT = 2**53 - 1


class Members:
    """The members of one object; faults are noted in ``problems``."""

    def __init__(self, value: Mapping[str, object], *, place: Place, problems: list[Problem], path: str = "") -> None:
        self._value, self._place, self._problems, self._path = value, place, problems, path
        self.faulty = False

    def inner(self, name: str) -> Members:
        """Return an object's members; those of an empty one where it is absent or null."""
        value = self._value.get(name)
        if value is not None and not isinstance(value, dict):
            self._fault(name, "an object", value)
        return Members(
            value if isinstance(value, dict) else {},
            place=self._place,
            problems=self._problems,
            path=f"{self._path}{name}.",
        )

    def has(self, name: str) -> bool:
        """Whether a member is there and not null."""
        return self._value.get(name) is not None

    def text(self, name: str) -> str:
        """Return a text, empty where it is absent; a number is its digits."""
        value = self._value.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if value is not None:
            self._fault(name, "a text", value)
        return ""

    def flag(self, name: str, default: bool = False) -> bool:
        """Return a truth value."""
        value = self._value.get(name)
        if isinstance(value, bool):
            return value
        if value is not None:
            self._fault(name, "true or false", value)
        return default

    def number(self, name: str, default: float | None = None) -> float | None:
        """Return a finite number; digits in a text count as one."""
        value = self._value.get(name)
        if isinstance(value, str):
            try:
                value = float(value)
            except ValueError:
                value = math.nan
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            return float(value)
        if value is not None:
            self._fault(name, "a number", self._value.get(name))
        return default

    def count(self, name: str) -> int | None:
        """Return a whole number from 0; None where it is absent."""
        return self._count(name, self._value.get(name))

    def counts(self, name: str, length: int) -> tuple[int, ...] | None:
        """Return a list of ``length`` counts; None where it is absent."""
        value = self._value.get(name)
        if value is None:
            return None
        if not isinstance(value, list) or len(value) != length:
            self._fault(name, f"a list of {length} counts", value)
            return None
        found = [self._count(f"{name}.{index}", one) for index, one in enumerate(value)]
        if None in found:
            if any(one is None for one in value):
                self._fault(name, f"a list of {length} counts", value)
            return None
        return tuple(one for one in found if one is not None)

    def _count(self, name: str, value: object) -> int | None:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST_COUNT:
            return value
        if value is not None:
            self._fault(name, "a count, whole and from 0", value)
        return None

    def _fault(self, name: str, expected: str, value: object) -> None:
        self.faulty = True
        self._problems.append(Problem(self._place, f"{self._path}{name}: expected {expected}", str(value)[:200]))
