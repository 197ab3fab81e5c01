"""What a register entry says, in a few words of the reader's language.

May import: anchorhold.domain, anchorhold.errors, anchorhold.report.texts.
"""

from __future__ import annotations

from anchorhold.domain import payloads as of
from anchorhold.domain.entries import Entry
from anchorhold.errors import BadInput
from anchorhold.report.texts import Texts


def summary(entry: Entry, texts: Texts) -> str:
    """What an entry says; empty when its payload is not of its kind's form."""
    try:
        payload = of.read_payload(entry.kind, entry.payload)
    except BadInput:
        return ""
    _ = texts.gettext
    match payload:
        case of.Genesis():
            return payload.project or ""
        case of.ContractAdopted():
            return _("edition {edition}", edition=payload.edition)
        case of.AnchorSet():
            return ", ".join(anchor.name for anchor in payload.anchors)
        case of.SpecialPath():
            return " · ".join(filter(None, (payload.id, payload.special)))
        case of.Test():
            return " · ".join(filter(None, (payload.id, _claim(payload, texts))))
        case of.Retraction():
            return _("of {id}", id=payload.of)
        case of.CheckOpened():
            return f"{payload.check} · {payload.old.version} → {payload.new.version}"
        case of.Measurement():
            return f"{payload.check} · {payload.endpoint}, {payload.stage} · {payload.version}"
        case of.CheckClosed():
            return f"{payload.check} · {_(payload.verdict)}" + ("" if payload.r is None else f" · R = {payload.r_text}")
        case of.CheckAbandoned():
            return f"{payload.check} · {payload.reason}"
        case of.Release():
            return _("{reviewer}: {reason}", reviewer=payload.reviewer, reason=payload.reason)
        case of.EpochChange():
            return payload.reason or ""
        case of.Remark():
            return payload.text
        case _:
            return ""


def _claim(test: of.Test, texts: Texts) -> str:
    """The stage that decided: the long one when it was reached."""
    _ = texts.gettext
    name, stage = (_("long stage"), test.long) if test.long is not None else (_("short stage"), test.short)
    if stage is None:
        return ""
    outcome = _("passed") if stage.passed else _("not passed")
    words = f"{name} {outcome}"
    if stage.elo is None:
        return words
    return f"{words} · {texts.with_error(stage.elo, stage.elo_error, signed=True)} Elo"
