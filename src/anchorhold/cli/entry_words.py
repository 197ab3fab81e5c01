"""What a register entry says, in a few words on one line.

May import: anchorhold.domain, anchorhold.errors.
"""

from __future__ import annotations

from anchorhold.domain import payloads as of
from anchorhold.domain.entries import Entry
from anchorhold.errors import BadInput


def summary(entry: Entry) -> str:
    """What an entry says, in a few words; empty when its payload is not of its kind's form."""
    try:
        payload = of.read_payload(entry.kind, entry.payload)
    except BadInput:
        return ""
    match payload:
        case of.Genesis():
            return payload.project or ""
        case of.ContractAdopted():
            return f"edition {payload.edition}, {payload.digest[:10]}"
        case of.AnchorSet():
            return f"{len(payload.anchors)} anchors, {payload.digest[:10]}"
        case of.SpecialPath():
            return " ".join(filter(None, (payload.id, payload.special)))
        case of.Test():
            return " ".join(filter(None, (payload.id, _claim(payload))))
        case of.Retraction():
            return f"of {payload.of}"
        case of.CheckOpened():
            return f"{payload.check}: {payload.old.version} to {payload.new.version}"
        case of.Measurement():
            return f"{payload.check}: {payload.endpoint}, {payload.stage} stage, {payload.version}"
        case of.CheckClosed():
            return f"{payload.check}: {payload.verdict}" + ("" if payload.r is None else f", R = {payload.r_text}")
        case of.CheckAbandoned():
            return f"{payload.check}: {payload.reason}"
        case of.Release():
            return f"of {payload.halt[:10]} by {payload.reviewer}: {payload.reason}"
        case of.EpochChange():
            return payload.reason or ""
        case of.Remark():
            return payload.text
        case _:
            return ""


def _claim(test: of.Test) -> str:
    """The stage that decided: the long one when it was reached."""
    name, stage = ("long", test.long) if test.long is not None else ("short", test.short)
    if stage is None:
        return ""
    value = _value(stage)
    return f"{name} {'passed' if stage.passed else 'not passed'}" + (f" {value}" if value else "")


def _value(stage: of.TestStage) -> str:
    if stage.elo is None:
        return ""
    return f"{stage.elo:+.2f}" + ("" if stage.elo_error is None else f" ± {stage.elo_error:.2f}")


def printable(text: str) -> str:
    """One line that cannot move the cursor: entries may come from strangers."""
    return "".join(character if character.isprintable() else "�" for character in text)
