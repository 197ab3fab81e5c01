"""The evaluation document of a check, made from register entries alone.

Closing a check and verifying it later both start here. Source: SPEC sections 3, 7 and 9.
May import: anchorhold.errors, anchorhold.domain, anchorhold.law.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from anchorhold.checks.conditions import difference
from anchorhold.checks.state import CheckState, checks_of, find_check
from anchorhold.domain.contract import Contract
from anchorhold.domain.entries import Entry
from anchorhold.law.document import Document, Window, document_from_json

# What the law reads of a stage of a test; the rest of the entry is the oracle's own record.
_STAGE_FIELDS = (
    "passed",
    "elo",
    "elo_error",
    "pentanomial",
    "wins",
    "draws",
    "losses",
    "bounds",
    "bounds_model",
    "alpha",
    "beta",
)
_DECIDING_FIELDS = _STAGE_FIELDS[: _STAGE_FIELDS.index("bounds")]
"""Those that a verdict rests on: bounds and rates are for corrected sums."""
_TESTS = ("gain_test", "rejected_test", "special_path")


def document_of_check(entries: Sequence[Entry], check_id: str) -> Document:
    """Build the document that a check is judged by.

    Parameters
    ----------
    entries : sequence of Entry
        The register, from its first entry on.
    check_id : str
        The check; it need not be measured whole: what is missing is missing in the document.

    Raises
    ------
    BadState
        There is no such check.
    BadInput
        An entry of the window holds what no document may.
    """
    check = find_check(checks_of(entries), check_id)
    return document_from_json(document_json(entries, check), where=f"check {check.id}")


def contract_of(check: CheckState) -> Contract:
    """Return the contract that was frozen when the check was opened."""
    frozen = check.plan.contract
    return Contract.from_json(
        {
            "edition": frozen.edition,
            "date": frozen.date,
            "remark": frozen.remark,
            "parameters": dict(frozen.parameters),
        },
        where=f"entry {check.opened.seq}: contract",
    )


def document_json(entries: Sequence[Entry], check: CheckState, *, verdict_only: bool = False) -> dict[str, object]:
    """Return the document in its JSON form.

    Parameters
    ----------
    verdict_only : bool
        Leave out of the window what no verdict rests on: the values of tests that do not count and of short stages,
        bounds and rates. A register that was read holds no counts that contradict themselves, so they could not make
        the check defective.
    """
    register_entry = _deciding_entry if verdict_only else window_entry
    opened = check.opened.payload
    after, until = check.plan.window.after, check.opened.seq
    raw = {_part(entry): entry.payload for entry in check.measurements}
    document: dict[str, object] = {
        "schema": "anchorhold/evaluation/1",
        "contract": {"edition": check.plan.contract.edition},
        "anchors": _mapping(opened["anchor_set"])["anchors"],
        "endpoints": {
            "old": _endpoint(check.plan.old.version, "old", raw, opened),
            "new": _endpoint(check.plan.new.version, "new", raw, opened),
        },
        "planned_pairs": {
            name: pairs for name, pairs in _mapping(opened["planned_pairs"]).items() if name in ("long", "short")
        },
        "register": [
            *map(register_entry, () if verdict_only else _earlier_tests(entries, after, until)),
            *map(register_entry, _between(entries, after, until)),
        ],
        "window": {"after": after, "until": until},
    }
    joint = raw.get(("new", "long"), {}).get("joint")
    if joint:
        document["joint"] = joint
    direct = raw.get(("direct", "long"))
    if direct is not None:
        document["direct"] = _mapping(direct["counts"])["old"]
    return document


def _between(entries: Sequence[Entry], after: int, until: int) -> Sequence[Entry]:
    """Return the entries ``after`` + 1 … ``until``; a register is read in its order, so nothing else is looked at."""
    start, end = (bisect_right(entries, seq, key=lambda entry: entry.seq) for seq in (after, until))
    return entries[start:end]


def _earlier_tests(entries: Sequence[Entry], after: int, until: int) -> list[Entry]:
    """Return the tests before the window, for the selection-corrected sum; none when a source did not keep them all."""
    tests = [entry for entry in _between(entries, 0, until) if entry.kind in ("gain_test", "rejected_test")]
    if not all(entry.payload.get("all_kept") is True for entry in tests):
        return []
    return [entry for entry in tests if entry.seq <= after]


def _part(entry: Entry) -> tuple[str, str]:
    return str(entry.payload["endpoint"]), str(entry.payload["stage"])


def _mapping(value: object) -> Mapping[str, object]:
    assert isinstance(value, Mapping)
    return value


def _endpoint(
    version: str,
    name: str,
    raw: Mapping[tuple[str, str], Mapping[str, object]],
    opened: Mapping[str, object],
) -> dict[str, object]:
    long, short = raw.get((name, "long")), raw.get((name, "short"))
    endpoint: dict[str, object] = {
        "version": version if long is None else long["version"],
        "conditions": opened["conditions"] if long is None else long["conditions"],
        "long": {} if long is None else long["counts"],
    }
    if long is not None:
        endpoint["anchors"] = _attested(long, short, _mapping(opened["anchor_set"])["anchors"])
    if short is not None:
        endpoint["short"] = short["counts"]
        endpoint["conditions_short"] = difference(_mapping(endpoint["conditions"]), _mapping(short["conditions"]))
    return endpoint


def _attested(long: Mapping[str, object], short: Mapping[str, object] | None, pinned: object) -> list[object]:
    """Return the identities seen at an endpoint; where the stages saw different ones, that which is not the pinned."""
    assert isinstance(pinned, list)
    seen = list(_anchors(long))
    for other in [] if short is None else _anchors(short):
        at = next((place for place, one in enumerate(seen) if one["name"] == other["name"]), None)
        if at is None:
            seen.append(other)
        elif other not in pinned:
            seen[at] = other
    return list(seen)


def _anchors(measurement: Mapping[str, object]) -> list[Mapping[str, object]]:
    anchors = measurement.get("anchors", [])
    assert isinstance(anchors, list)
    return anchors


def _deciding_entry(entry: Entry) -> dict[str, object]:
    members = _named_entry(entry)
    if entry.kind == "gain_test":
        stages = {name: report for name in ("short", "long") if isinstance(report := entry.payload.get(name), Mapping)}
        members.update({name: {"passed": report["passed"]} for name, report in stages.items()})
        if len(stages) == 2 and all(report["passed"] is True for report in stages.values()):
            members["long"] = _stage(stages["long"], _DECIDING_FIELDS)
    return members


def window_entries(entries: Sequence[Entry], window: Window) -> list[dict[str, object]]:
    """Return what a document's ``register`` has for a window: its entries, and the tests before it where all were kept.

    Parameters
    ----------
    entries : sequence of Entry
        The register, from its first entry on.
    window : Window
        What the document is about; it need not be a check's.
    """
    earlier = _earlier_tests(entries, window.after, window.until)
    return [window_entry(entry) for entry in (*earlier, *_between(entries, window.after, window.until))]


def window_entry(entry: Entry) -> dict[str, object]:
    """Return a register entry as a document's window has it."""
    members = _named_entry(entry)
    if entry.kind in _TESTS:
        for stage in ("short", "long"):
            report = entry.payload.get(stage)
            if isinstance(report, Mapping):
                members[stage] = _stage(report)
    return members


def _stage(report: Mapping[str, object], fields: Sequence[str] = _STAGE_FIELDS) -> dict[str, object]:
    return {name: report[name] for name in fields if name in report}


def _named_entry(entry: Entry) -> dict[str, object]:
    members: dict[str, object] = {"seq": entry.seq, "kind": entry.kind}
    if isinstance(entry.payload.get("id"), str):
        members["id"] = entry.payload["id"]
    if isinstance(entry.payload.get("all_kept"), bool) and entry.kind in ("gain_test", "rejected_test"):
        members["all_kept"] = entry.payload["all_kept"]
    if entry.kind == "special_path":
        members["special"] = entry.payload["special"]
    if entry.kind == "retraction":
        members["of"] = entry.payload["of"]
    return members
