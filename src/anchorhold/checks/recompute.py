"""Verification of a register's checks: every stored result against a recomputation from the entries.

The chain says that nothing was changed after it was written; this says that what was written was right. Figures
compare to 1e-9; the Monte-Carlo band within five standard errors, since a library's random stream may change. Texts of
findings may be worded anew, so their codes and places are compared. Source: SPEC section 7.
May import: anchorhold.errors, anchorhold.domain, anchorhold.law, anchorhold.checks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from anchorhold.checks.closing import result_of_check
from anchorhold.checks.measuring import frozen_conditions
from anchorhold.checks.state import CheckState, checks_of, last_closing, part_of, payload_of
from anchorhold.domain.contract import BUILT_IN, edition
from anchorhold.domain.entries import Entry
from anchorhold.domain.payloads import CheckClosed, Measurement
from anchorhold.errors import AnchorholdError
from anchorhold.law.evaluation import DEFAULT_SEED

TOLERANCE = 1e-9
STANDARD_ERRORS = 5.0
SHARES = ("halt", "warn", "continue", "s_not_positive")
BAND_ENDS = 0.05
"""Ends of the band may differ by this part of its width."""
GENESIS = 1


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that was stored and does not follow from the entries before it."""

    seq: int
    """The entry that says it."""
    check: str
    where: str
    message: str

    def __str__(self) -> str:
        return f"entry {self.seq} ({self.check}), {self.where}: {self.message}"


def recompute(entries: Sequence[Entry]) -> tuple[Difference, ...]:
    """Recompute every check of a register; empty when all that is stored follows.

    Raises
    ------
    RegisterBroken
        Entries that belong to no check, or say again what was said.
    """
    found: list[Difference] = []
    checks = checks_of(entries)
    for place, check in enumerate(checks):
        found.extend(_opening(entries, check, checks[:place]))
        found.extend(_measurements(check))
        if check.closed is not None:
            found.extend(_closing(entries, check, check.closed))
    return tuple(sorted(found, key=lambda difference: difference.seq))


def _opening(entries: Sequence[Entry], check: CheckState, before: Sequence[CheckState]) -> Iterator[Difference]:
    seq = check.opened.seq
    closing = last_closing(before)
    after = GENESIS if closing is None else closing.opened.seq
    if check.plan.window.after != after:
        message = f"the window begins after {check.plan.window.after}, expected after {after}"
        yield Difference(seq, check.id, "window", message)
    if closing is not None and check.plan.old.version != closing.plan.new.version:
        message = f"old is {check.plan.old.version!r}, the last closing check ended at {closing.plan.new.version!r}"
        yield Difference(seq, check.id, "old", message)
    pinned = next((entry for entry in reversed(entries[: seq - 1]) if entry.kind == "anchor_set"), None)
    if pinned is None or pinned.payload.get("digest") != check.plan.anchor_set.digest:
        yield Difference(seq, check.id, "anchor_set", "is not the set that was pinned when the check was opened")
    contract = check.plan.contract
    if contract.edition in BUILT_IN and contract.digest != edition(contract.edition).digest:
        message = f"edition {contract.edition} has other parameters than the released file"
        yield Difference(seq, check.id, "contract", message)


def _measurements(check: CheckState) -> Iterator[Difference]:
    versions = {"old": check.plan.old, "new": check.plan.new, "direct": check.plan.new}
    conditions = frozen_conditions(check)
    for entry in check.measurements:
        measurement = payload_of(entry, Measurement)
        endpoint, stage = part_of(measurement)
        where = f"{endpoint} at the {stage} stage"
        if (endpoint, stage) not in check.planned():
            yield Difference(entry.seq, check.id, where, "was not planned when the check was opened")
            continue
        frozen = versions[endpoint]
        if measurement.version != frozen.version:
            message = f"measures {measurement.version!r}, the check was opened for {frozen.version!r}"
            yield Difference(entry.seq, check.id, where, message)
        elif measurement.main is not None and measurement.main != frozen:
            yield Difference(entry.seq, check.id, where, "another program was run than the check was opened for")
        if entry.payload["conditions"] != conditions[stage]:
            yield Difference(entry.seq, check.id, where, "the conditions are not those of the opening")


def _closing(entries: Sequence[Entry], check: CheckState, closed: Entry) -> Iterator[Difference]:
    payload = payload_of(closed, CheckClosed)
    if (payload.window.after, payload.window.until) != (check.plan.window.after, check.opened.seq):
        message = f"is {payload.window.after} to {payload.window.until}, not that of the opening"
        yield Difference(closed.seq, check.id, "window", message)
    stored = dict(payload.result)
    band = stored.get("band")
    seed = band.get("seed") if isinstance(band, Mapping) else None
    try:
        again = result_of_check(
            entries[: closed.seq - 1],
            check,
            seed=seed if isinstance(seed, int) and not isinstance(seed, bool) and seed >= 0 else DEFAULT_SEED,
        ).to_json()
    except AnchorholdError as error:
        yield Difference(closed.seq, check.id, "result", f"cannot be recomputed: {error}")
        return
    for where, message in compare_results(stored, again):
        yield Difference(closed.seq, check.id, f"result.{where}", message)


def compare_results(stored: Mapping[str, object], again: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield place and message for everything in which two result documents differ beyond the tolerances."""
    for name in sorted(set(stored) | set(again)):
        if name == "band":
            yield from _band(stored.get(name), again.get(name))
        elif name in ("defects", "gaps", "notes"):
            yield from _findings(name, stored.get(name), again.get(name))
        elif name not in stored or name not in again:
            yield name, "is not stored" if name not in stored else "is stored, and no part of a result"
        else:
            yield from _value(name, stored[name], again[name])


def _value(where: str, stored: object, again: object) -> Iterator[tuple[str, str]]:
    if isinstance(stored, Mapping) and isinstance(again, Mapping):
        for name in sorted(set(stored) | set(again)):
            yield from _value(f"{where}.{name}", stored.get(name), again.get(name))
    elif isinstance(stored, list) and isinstance(again, list) and len(stored) == len(again):
        for place, (one, other) in enumerate(zip(stored, again, strict=True)):
            yield from _value(f"{where}.{place}", one, other)
    elif _is_number(stored) and _is_number(again):
        if not math.isclose(float(stored), float(again), rel_tol=TOLERANCE, abs_tol=TOLERANCE):  # type: ignore[arg-type]
            yield where, f"{stored} is stored, the entries give {again}"
    elif stored != again or isinstance(stored, bool) != isinstance(again, bool):
        yield where, f"{_shown(stored)} is stored, the entries give {_shown(again)}"


def _findings(name: str, stored: object, again: object) -> Iterator[tuple[str, str]]:
    def codes(value: object) -> list[tuple[object, object]]:
        items = value if isinstance(value, list) else []
        return sorted(((item.get("code"), item.get("where")) for item in items if isinstance(item, Mapping)), key=str)

    if codes(stored) != codes(again):
        shown = [", ".join(str(code) for code, _ in codes(value)) or "none" for value in (stored, again)]
        yield name, f"{shown[0]} stored, the entries give {shown[1]}"


def _band(stored: object, again: object) -> Iterator[tuple[str, str]]:
    if not isinstance(stored, Mapping) or not isinstance(again, Mapping):
        yield from _value("band", stored, again)
        return
    for name in sorted(set(stored) | set(again) - {"low", "high", *SHARES}):
        if name in ("low", "high", *SHARES):
            continue
        yield from _value(f"band.{name}", stored.get(name), again.get(name))
    draws = again["draws"]
    assert isinstance(draws, int)
    for name in SHARES:
        one, other = stored.get(name), again[name]
        assert isinstance(other, float | int)
        # Both shares are estimates; half a draw keeps a share of 0 from having no error at all.
        share = min(max(float(other), 0.5 / draws), 1 - 0.5 / draws)
        allowed = STANDARD_ERRORS * math.sqrt(2 * share * (1 - share) / draws)
        if not _is_number(one) or abs(float(one) - float(other)) > allowed:  # type: ignore[arg-type]
            yield f"band.{name}", f"{one} is stored, the entries give {other}"
    yield from _band_ends(stored, again)


def _band_ends(stored: Mapping[str, object], again: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    low, high = again["low"], again["high"]
    if not isinstance(low, float | int) or not isinstance(high, float | int):
        # Near the limit of draws without a ratio a repetition may have ends where this one has none.
        return
    allowed = BAND_ENDS * (high - low)
    for name, other in (("low", low), ("high", high)):
        one = stored.get(name)
        if one is not None and (not _is_number(one) or abs(float(one) - other) > allowed):  # type: ignore[arg-type]
            yield f"band.{name}", f"{one} is stored, the entries give {other}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
