"""What lines of a report say, before anybody asks what it means: one optional field for each thing.

May import: nothing.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from operator import attrgetter

Bounds = tuple[float, float]


@dataclass(slots=True, kw_only=True)
class Fields:
    """The fields that one row, or a whole block of rows, prints; None is "not printed"."""

    family: str = ""
    """``fishtest``, ``openbench``, ``fastchess``, ``cutechess``, ``page``, ``script``, ``log``, ``old``, ``table``."""
    llr: float | None = None
    llr_bounds: Bounds | None = None
    elo_bounds: Bounds | None = None
    bracket: str = ""
    """The bracket around the Elo bounds: it tells their model."""
    games: int | None = None
    wins: int | None = None
    losses: int | None = None
    draws: int | None = None
    pentanomial: tuple[int, ...] | None = None
    """As printed, in the order of points; five numbers unless some were lost."""
    elo: float | None = None
    elo_error: float | None = None
    header: str | None = None
    """The row that names the conditions: ``SPRT |``, ``Conf |``, ``Results of … (…)``."""
    fixed: bool | None = None
    """A row says that the number of games was fixed."""
    accepted: bool | None = None
    """``H1 was accepted`` (True), ``H0 was accepted`` (False)."""
    lead: str | None = None
    """What stands before the data on its line: often the label."""
    rest: str | None = None
    """What stands after it."""
    starts: bool | None = None
    """A row with which a report begins, in its family."""
    more_pairs: bool | None = None
    """The list of pairs goes on on the next line."""

    def values(self) -> dict[str, object]:
        """Return what is printed, without how it is printed."""
        return {name: value for name, value in zip(_PRINTED, _printed_of(self), strict=True) if value is not None}

    def take(self, row: Fields) -> None:
        """Add what another row of the same report prints."""
        for name, value in zip(_ALL, _all_of(row), strict=True):
            if value is not None and value != "":
                setattr(self, name, value)


_ALL = tuple(field.name for field in dataclasses.fields(Fields))
_PRINTED = tuple(name for name in _ALL if name not in {"family", "bracket", "lead", "rest", "starts", "more_pairs"})
_all_of, _printed_of = attrgetter(*_ALL), attrgetter(*_PRINTED)
