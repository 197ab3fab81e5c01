"""Rating tables in a message: the match of two engines is a report, a longer list is not one test.

May import: anchorhold.importers.commits.fields, anchorhold.importers.commits.numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from anchorhold.importers.commits.fields import Fields
from anchorhold.importers.commits.numbers import count
from anchorhold.importers.patterns import Pattern

_HEADER = Pattern(
    r"^(?:#|rank|no\.?|nr\.?)?\s*(?:name|player|engine|opponent)\b.*\b(?:elo|rating|games|score)\b", re.IGNORECASE
)
_NAMES = Pattern(r"[Nn]ame|[Pp]layer|PLAYER|[Ee]ngine\s|[Oo]pponent")
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Table:
    """A table that begins at a header line."""

    rows: int
    """Lines below the header."""
    fields: Fields
    """The first engine's games, when the table is of two engines and counts them; else empty."""


def may_head_table(text: str) -> bool:
    """Whether a line names a column of names; most lines are passed over here."""
    if "ame" in text or "layer" in text or "LAYER" in text or "ngine" in text or "pponent" in text:
        return _NAMES.search(text) is not None
    return False


def heads_table(text: str) -> bool:
    """Whether a line is the header of a table, if rows follow."""
    return may_head_table(text) and _HEADER.match(text) is not None


def table_at(texts: Sequence[str]) -> Table | None:
    """Read a table whose header is the first text; None when no rows follow."""
    header = texts[0]
    columns = [word.lower() for word in re.findall(r"[A-Za-z]+|[+-]/?-?|%", header)]
    names = [at for at, word in enumerate(columns) if word in {"name", "player", "engine", "opponent"}]
    numeric = columns[names[0] + 1 :]
    rows = []
    for text in texts[1:]:
        found = re.match(
            rf"^(?:\d+[.)]?\s+)?(?P<name>\S.{{0,{_LONGEST_NAME}}}?)\s*:?\s+(?P<cells>[-+]?\d[-+.\d%\s:|,\[\]]*)$", text
        )
        if not found:
            break
        rows.append(found.group("cells").replace(":", " ").split())
    if not rows:
        return None
    return Table(rows=len(rows), fields=_first_of_two(numeric, rows) or Fields(family="table", fixed=True))


def _first_of_two(columns: list[str], rows: list[list[str]]) -> Fields | None:
    places = {
        name: at for at, word in enumerate(columns) for name in ("wins", "draws", "losses", "games") if word == name
    }
    if len(rows) != 2 or not {"wins", "draws", "losses"} <= places.keys():
        return None
    first, second = rows
    # Names may end in a number, which then stands among the cells: the columns are counted from the right.
    if len(first) < len(columns) or len(second) < len(columns):
        return None
    cells = first[len(first) - len(columns) :]
    counts = {name: count(cells[at]) if cells[at].isdecimal() else None for name, at in places.items()}
    if any(counts[name] is None for name in ("wins", "draws", "losses")):
        return None
    return Fields(family="table", starts=True, fixed=True, **counts)  # type: ignore[arg-type]
