"""Using an earlier measurement of the old version again, instead of playing it anew.

It halves the cost of a check and makes successive checks depend on each other, so it is decided and noted at the
opening, before a game is played, and allowed only when identity, anchors, conditions and the number of pairs are the
same. Source: SPEC section 7. May import: anchorhold.errors, anchorhold.domain, anchorhold.checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from anchorhold.checks.conditions import stage_conditions_of
from anchorhold.checks.following import Difference
from anchorhold.checks.identity import differences
from anchorhold.checks.state import CheckState
from anchorhold.domain.entries import Entry
from anchorhold.errors import BadState

OLD = "old"
_OF_THE_CHECK = ("check", "endpoint", "reused_from", "joint")
"""Members of a measurement that say to which check it belongs, not what was measured."""


def source_of(checks: Sequence[CheckState], opening: Mapping[str, object]) -> CheckState:
    """Return the check whose measurement may stand for old in a check that is being opened.

    Parameters
    ----------
    checks : sequence of CheckState
        All checks of the register, in their order.
    opening : Mapping
        Payload of the opening.

    Raises
    ------
    BadState
        No closed check measured that version, or it did so as another program, against other anchors, under other
        conditions or with another number of pairs.
    """
    old = _mapping(opening["old"])
    source = next((check for check in reversed(checks) if check.closed and old["version"] in _versions(check)), None)
    if source is None:
        raise _refused(f"no closed check measured {old['version']}")
    for stage in stage_conditions_of(opening):
        found = _measured(source, str(old["version"]), stage)
        if found is None:
            raise _refused(f"{source.id} did not measure {old['version']} at the {stage} stage")
        if wrong := _unlike(found.payload, opening, stage):
            raise _refused(f"{source.id} measured {old['version']} otherwise at the {stage} stage: {'; '.join(wrong)}")
    return _origin(source, checks, str(old["version"]))


def reused_measurements(check: CheckState, checks: Sequence[CheckState]) -> list[dict[str, object]]:
    """Return payloads of the measurements of old that the opening takes over, and that are not recorded yet."""
    source = next((one for one in checks if one.id == check.plan.reuse_old_from), None)
    if source is None:
        return []
    payloads: list[dict[str, object]] = []
    for endpoint, stage in check.missing():
        found = _measured(source, check.plan.old.version, stage)
        if endpoint == OLD and found is not None:
            payloads.append(
                {
                    **{name: value for name, value in found.payload.items() if name not in _OF_THE_CHECK},
                    "check": check.id,
                    "endpoint": OLD,
                    "reused_from": source.id,
                }
            )
    return payloads


def reuse_differences(check: CheckState, before: Mapping[str, CheckState]) -> Iterator[Difference]:
    """Yield measurements that were taken over and are not what the named check measured.

    Parameters
    ----------
    before : Mapping
        The checks that were opened before, by id.
    """
    for entry, ((endpoint, stage), measurement) in zip(check.measurements, check.recorded.items(), strict=True):
        declared = check.plan.reuse_old_from if endpoint == OLD else None
        if measurement.reused_from != declared:
            message = f"was taken over from {measurement.reused_from}, the opening says {declared}"
            yield Difference(entry.seq, check.id, "reused_from", message)
            continue
        if declared is None:
            continue
        source = before.get(declared)
        found = None if source is None else _measured(source, measurement.version, stage)
        if found is None:
            message = f"{declared} did not measure {measurement.version!r} at the {stage} stage before"
            yield Difference(entry.seq, check.id, "reused_from", message)
            continue
        if wrong := [*_changed(found.payload, entry.payload), *_unlike(entry.payload, check.opened.payload, stage)]:
            yield Difference(entry.seq, check.id, "reused_from", f"is not what {declared} measured: {'; '.join(wrong)}")


def _changed(source: Mapping[str, object], taken: Mapping[str, object]) -> list[str]:
    return [
        name
        for name in sorted(set(source) | set(taken))
        if name not in _OF_THE_CHECK and source.get(name) != taken.get(name)
    ]


def _unlike(measured: Mapping[str, object], opening: Mapping[str, object], stage: str) -> list[str]:
    """Say in what a measurement differs from what an opening plans for old at a stage."""
    main = measured.get("main")
    wrong = differences(main if isinstance(main, Mapping) else {}, _mapping(opening["old"]))
    wrong += differences(_mapping(measured["conditions"]), stage_conditions_of(opening)[stage])
    wrong += differences(_by_name(measured.get("anchors", [])), _by_name(_mapping(opening["anchor_set"])["anchors"]))
    planned = _mapping(opening["planned_pairs"])[stage]
    for name, counts in _mapping(measured["counts"]).items():
        pairs = sum(_mapping(counts)["pentanomial"])  # type: ignore[call-overload]
        if pairs != planned:
            wrong.append(f"{pairs} pairs against {name}, planned are {planned}")
    return wrong


def _by_name(anchors: object) -> dict[str, object]:
    assert isinstance(anchors, list)
    return {str(anchor["name"]): anchor for anchor in anchors}


def _versions(check: CheckState) -> set[str]:
    return {measurement.version for (endpoint, _), measurement in check.recorded.items() if endpoint != "direct"}


def _measured(check: CheckState, version: str, stage: str) -> Entry | None:
    """Return the measurement of a version at a stage, as new before as old: a check's old may be taken over itself."""
    for endpoint in ("new", OLD):
        for entry, part in zip(check.measurements, check.recorded, strict=True):
            if part == (endpoint, stage) and check.recorded[part].version == version:
                return entry
    return None


def _origin(source: CheckState, checks: Sequence[CheckState], version: str) -> CheckState:
    """Return the check that played the games, where the source took the version over itself."""
    if source.plan.reuse_old_from is None or version != source.plan.old.version:
        return source
    return next(check for check in checks if check.id == source.plan.reuse_old_from)


def _refused(why: str) -> BadState:
    return BadState(f"nothing can be used again: {why}", next_step="Leave --reuse-old out: old is then measured anew")


def _mapping(value: object) -> Mapping[str, object]:
    assert isinstance(value, Mapping)
    return value
