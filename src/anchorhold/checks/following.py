"""What an opening, a measurement or an adopted contract says and does not follow from the entries before it.

A right chain says only that nothing was changed after it was written. Everything here is cheap: no rule is applied, no
game looked at. Source: SPEC sections 5 to 7. May import: anchorhold.domain, anchorhold.checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from anchorhold.checks.conditions import frozen_conditions
from anchorhold.checks.start import Start
from anchorhold.checks.state import CheckState, payload_of
from anchorhold.domain.contract import BUILT_IN, edition
from anchorhold.domain.entries import Entry
from anchorhold.domain.payloads import ContractAdopted, MainVersion


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that was stored and does not follow from the entries before it."""

    seq: int
    """The entry that says it."""
    check: str
    """Empty when the entry belongs to no check."""
    where: str
    message: str

    def __str__(self) -> str:
        entry = f"entry {self.seq} ({self.check})" if self.check else f"entry {self.seq}"
        return f"{entry}, {self.where}: {self.message}"

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {"seq": self.seq, "check": self.check, "where": self.where, "message": self.message}

    @classmethod
    def from_json(cls, members: Mapping[str, object]) -> Difference:
        """Return what ``to_json`` wrote."""
        return cls(int(str(members["seq"])), str(members["check"]), str(members["where"]), str(members["message"]))


@dataclass(frozen=True, slots=True)
class Pinned:
    """What was in force when a check was opened."""

    anchor_set: Entry | None
    contract: Entry | None


def in_force(entries: Sequence[Entry]) -> dict[int, Pinned]:
    """Return, for every opening by its number, the anchor set and the contract that were newest before it."""
    found: dict[int, Pinned] = {}
    anchor_set = contract = None
    for entry in entries:
        if entry.kind == "anchor_set":
            anchor_set = entry
        elif entry.kind == "contract":
            contract = entry
        elif entry.kind == "check_opened":
            found[entry.seq] = Pinned(anchor_set, contract)
    return found


def contracts(entries: Sequence[Entry]) -> Iterator[Difference]:
    """Yield adopted editions that are not what was released, or was adopted before, under their number."""
    adopted: dict[int, ContractAdopted] = {}
    for entry in entries:
        if entry.kind != "contract":
            continue
        contract = payload_of(entry, ContractAdopted)
        if message := not_as_released(contract):
            yield Difference(entry.seq, "", "contract", message)
        before = adopted.setdefault(contract.edition, contract)
        if before.digest != contract.digest:
            yield Difference(
                entry.seq, "", "contract", f"edition {contract.edition} was adopted before with other parameters"
            )


def not_as_released(contract: ContractAdopted) -> str:
    """Say how an edition under a released number differs from the released file; empty when it does not."""
    if contract.edition not in BUILT_IN or contract.digest == edition(contract.edition).digest:
        return ""
    return f"edition {contract.edition} has other parameters than the released file"


def opening(check: CheckState, start: Start, pinned: Pinned) -> Iterator[Difference]:
    """Yield in what an opening differs from what the register before it allows."""
    seq, plan = check.opened.seq, check.plan
    if plan.window.after != start.after:
        message = f"the window begins after {plan.window.after}, expected after {start.after}"
        yield Difference(seq, check.id, "window", message)
    if start.old is not None and plan.old.version != start.old:
        message = f"old is {plan.old.version!r}, but must be {start.old!r}: {start.because}"
        yield Difference(seq, check.id, "old", message)
    if pinned.anchor_set is None or pinned.anchor_set.payload.get("digest") != plan.anchor_set.digest:
        yield Difference(seq, check.id, "anchor_set", "is not the set that was pinned when the check was opened")
    if message := not_as_released(plan.contract) or _not_in_force(plan.contract, pinned.contract):
        yield Difference(seq, check.id, "contract", message)


def _not_in_force(contract: ContractAdopted, adopted: Entry | None) -> str:
    if adopted is None:
        return "" if contract.edition in BUILT_IN else f"edition {contract.edition} was never adopted"
    if adopted.payload.get("digest") == contract.digest and adopted.payload.get("edition") == contract.edition:
        return ""
    return f"edition {contract.edition} is not the one that was in force, {adopted.payload.get('edition')}"


def measurements(check: CheckState) -> Iterator[Difference]:
    """Yield in what the measurements of a check differ from its opening."""
    conditions = frozen_conditions(check)
    for entry, (part, measurement) in zip(check.measurements, check.recorded.items(), strict=True):
        endpoint, stage = part
        where = f"{endpoint} at the {stage} stage"
        if part not in check.planned():
            yield Difference(entry.seq, check.id, where, "was not planned when the check was opened")
            continue
        frozen = check.plan.old if endpoint == "old" else check.plan.new
        if measurement.version != frozen.version:
            message = f"measures {measurement.version!r}, the check was opened for {frozen.version!r}"
            yield Difference(entry.seq, check.id, where, message)
        elif message := _other_program(frozen, measurement.main):
            yield Difference(entry.seq, check.id, where, message)
        if measurement.opponent is not None and measurement.opponent != check.plan.old:
            yield Difference(entry.seq, check.id, where, "the opponent is another program than the check's old version")
        if entry.payload["conditions"] != conditions[stage]:
            yield Difference(entry.seq, check.id, where, "the conditions are not those of the opening")


def _other_program(frozen: MainVersion, run: MainVersion | None) -> str:
    if run is None:
        return "" if frozen.sha256 is None else "nothing says which program was run"
    return "" if run == frozen else "another program was run than the check was opened for"


def closing(check: CheckState, closed: Entry) -> Iterator[Difference]:
    """Yield in what the end of a check differs from its opening and its measurements, the result apart."""
    window = closed.payload["window"]
    assert isinstance(window, Mapping)
    if window != {"after": check.plan.window.after, "until": check.opened.seq}:
        message = f"is {window['after']} to {window['until']}, not that of the opening"
        yield Difference(closed.seq, check.id, "window", message)
    if missing := check.missing():
        named = ", ".join(f"{endpoint} ({stage})" for endpoint, stage in missing)
        yield Difference(closed.seq, check.id, "measurements", f"was closed without {named}")
