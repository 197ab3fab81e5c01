"""What is wrong with a check: defects and gaps, each with the part of the result that rests on it.

May import: anchorhold.law.codes, law.result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from anchorhold.law.codes import DEFECTS, GAPS
from anchorhold.law.result import Finding

Scope = Literal[
    "set",
    "old",
    "new",
    "old_measured",
    "new_measured",
    "comparison",
    "succession",
    "joint",
    "direct",
    "window",
    "claims",
]
"""What a problem spoils: all that rests on the anchor set, on the identity at one endpoint (both stages), on what one
stage measured there, on comparing the two endpoints of one stage, on new following from old (both stages), on a joint
table, the direct match, the window (both stages), or the claims of one stage."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One defect or gap, found at one place."""

    code: str
    scope: Scope
    where: str
    message: str
    next_step: str

    def __post_init__(self) -> None:
        assert self.code in DEFECTS or self.code in GAPS, f"{self.code} is not in the closed list"

    @property
    def is_defect(self) -> bool:
        """A defect makes the check count for nothing; a gap only leaves R out."""
        return self.code in DEFECTS

    def finding(self) -> Finding:
        """Return the form of the result document."""
        return Finding(code=self.code, where=self.where, message=self.message, next=self.next_step)


class Problems:
    """All problems of one evaluation, in the order found; nothing hides another."""

    def __init__(self, found: Iterable[Problem] = ()) -> None:
        self._found = list(found)

    def add(self, code: str, *, scope: Scope, where: str, message: str, next_step: str) -> None:
        """Note one problem."""
        self._found.append(Problem(code=code, scope=scope, where=where, message=message, next_step=next_step))

    def extend(self, others: Iterable[Problem]) -> None:
        """Take over problems that were found apart."""
        self._found.extend(others)

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._found)

    def __bool__(self) -> bool:
        return bool(self._found)

    def defects(self) -> tuple[Finding, ...]:
        """Return the defects as the result shows them."""
        return tuple(problem.finding() for problem in self._found if problem.is_defect)

    def gaps(self) -> tuple[Finding, ...]:
        """Return the gaps as the result shows them."""
        return tuple(problem.finding() for problem in self._found if not problem.is_defect)

    def spoils(self, *scopes: Scope) -> bool:
        """Whether a defect spoils one of these."""
        return any(problem.is_defect and problem.scope in scopes for problem in self._found)
