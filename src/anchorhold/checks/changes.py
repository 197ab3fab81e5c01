"""What is not as it was at the last check that closed its window: such checks do not compare like with like.

May import: anchorhold.canonical, anchorhold.checks.
"""

from __future__ import annotations

from collections.abc import Mapping

from anchorhold.canonical import digest
from anchorhold.checks.identity import differences
from anchorhold.checks.state import CheckState

_SHOWN = 4
"""How many differences of one kind a note lists."""


def changes_since(closing: CheckState | None, payload: Mapping[str, object]) -> list[str]:
    """Compare an opening with that of the last check that closed its window; one line for each kind of change.

    Parameters
    ----------
    closing : CheckState, optional
        None: there is none, and nothing to compare with.
    payload : Mapping
        Of the new opening.
    """
    if closing is None:
        return []
    before = closing.opened.payload
    notes: list[str] = []
    if changed := differences(_part(before, "new"), _part(payload, "old")):
        old = _part(payload, "old")["version"]
        notes.append(f"{old} is not byte for byte what {closing.id} measured as new: {_listed(changed)}")
    for what, one, other in (
        ("the contract is", _stamp(before), _stamp(payload)),
        ("the anchor set is", _anchors(before), _anchors(payload)),
        ("the conditions are", _part(before, "conditions"), _part(payload, "conditions")),
        ("the short stage's conditions are", _part(before, "conditions_short"), _part(payload, "conditions_short")),
        ("the planned pairs are", _part(before, "planned_pairs"), _part(payload, "planned_pairs")),
    ):
        if changed := differences(one, other):
            notes.append(f"{what} not that of {closing.id}: {_listed(changed)}")
    return notes


def _part(payload: Mapping[str, object], name: str) -> Mapping[str, object]:
    part = payload.get(name)
    return part if isinstance(part, Mapping) else {}


def _stamp(payload: Mapping[str, object]) -> dict[str, object]:
    contract = _part(payload, "contract")
    return {name: contract.get(name) for name in ("edition", "digest")}


def _anchors(payload: Mapping[str, object]) -> dict[str, object]:
    """Return the anchors by name, each as the beginning of its identity's digest."""
    anchors = _part(payload, "anchor_set").get("anchors")
    return {
        str(anchor["name"]): digest(dict(anchor))[:12]
        for anchor in (anchors if isinstance(anchors, list | tuple) else ())
    }


def _listed(changed: list[str]) -> str:
    more = f"; and {len(changed) - _SHOWN} more" if len(changed) > _SHOWN else ""
    return "; ".join(changed[:_SHOWN]) + more
