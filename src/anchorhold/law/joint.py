"""Joint tables of pair scores: which of them hold. Source: SPEC sections 4 and 6. May import: law.*, stats."""

from __future__ import annotations

from collections.abc import Sequence

from anchorhold.law.document import Document
from anchorhold.law.numerator import EndpointPool, RatedAnchor
from anchorhold.law.problems import Problems
from anchorhold.law.result import Note
from anchorhold.stats.outcomes import JointTable


def read_joint(
    document: Document,
    old: EndpointPool,
    new: EndpointPool,
    anchors: Sequence[RatedAnchor],
    *,
    problems: Problems,
    notes: list[Note],
) -> tuple[dict[str, JointTable], set[str]]:
    """Joint tables of pair scores that hold, and the names of those that do not.

    A table without both pentanomials is ignored with a note; one whose margins differ from them is a defect.
    """
    tables: dict[str, JointTable] = {}
    broken: set[str] = set()
    known = {anchor.name for anchor in anchors}
    for name, rows in (document.joint or {}).items():
        where = f"joint.{name}"
        if name not in known:
            problems.add(
                "anchor_not_in_set",
                scope="joint",
                where=where,
                message=f"A joint table names {name!r}, which is not in the pinned set.",
                next_step="Spell names as pinned.",
            )
            continue
        if rows is None:
            continue
        cells = [cell for row in rows for cell in row]
        if any(cell < 0 or cell != int(cell) or cell > 2**53 for cell in cells):
            broken.add(name)
            problems.add(
                "counts_contradict",
                scope="joint",
                where=where,
                message="Counts contradict themselves: a cell is negative, not whole or beyond 2**53.",
                next_step="Count the pairs again from the journal.",
            )
            continue
        table = JointTable(rows=tuple((int(r[0]), int(r[1]), int(r[2]), int(r[3]), int(r[4])) for r in rows))
        margins = {
            "old": (table.old(), _stated_pairs(document, "old", name)),
            "new": (table.new(), _stated_pairs(document, "new", name)),
        }
        if any(stated is None for _, stated in margins.values()):
            notes.append(
                Note(code="joint_ignored", message=f"{where}: ignored, since not both endpoints have pentanomials.")
            )
            continue
        for endpoint, (margin, stated) in margins.items():
            if margin.as_tuple() != stated:
                broken.add(name)
                problems.add(
                    "joint_margins_differ",
                    scope="joint",
                    where=where,
                    message=f"The {endpoint} margin is {list(margin.as_tuple())}, the pentanomial {_shown(stated)}.",
                    next_step="Leave the joint table out, or count it again: rows are old, columns new.",
                )
        if name not in broken and name in old.measured and name in new.measured:
            tables[name] = table
    return tables, broken


def _stated_pairs(document: Document, endpoint: str, name: str) -> tuple[float, ...] | None:
    measurement = getattr(document.endpoints, endpoint).long.get(name)
    if measurement is None or measurement.pentanomial is None:
        return None
    return tuple(measurement.pentanomial)


def _shown(stated: tuple[float, ...] | None) -> str:
    return "absent" if stated is None else f"[{', '.join(str(count)[:24] for count in stated)}]"
