"""The lines of the page's two tables: anchors with what was measured against them, claims with what they said.

May import: report.pictures, report.texts, report.view, report.words.
"""

from __future__ import annotations

from dataclasses import dataclass

from anchorhold.report import pictures
from anchorhold.report.texts import NOTHING, Texts
from anchorhold.report.view import CheckView, Claim, ClaimStage
from anchorhold.report.words import KIND_NAMES


@dataclass(frozen=True, slots=True)
class AnchorRow:
    """One line of the table of anchors."""

    name: str
    rating: str
    delta_old: str
    nelo_old: str
    delta_new: str
    nelo_new: str
    weight: str
    share: str
    increase: str


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One line of the table of claims."""

    seq: str
    what: str
    id: str
    short: str
    long: str
    why: str
    change: bool = True
    """A change of main or a test of one; the others carry no claim by their kind."""


def anchor_rows(view: CheckView, texts: Texts) -> list[AnchorRow]:
    """Return the anchors in the order of the result."""
    rows = []
    shares = pictures.weight_shares(view.result.anchors)
    for anchor, share in zip(view.result.anchors, shares, strict=True):
        pinned = view.anchor(anchor.name)
        rows.append(
            AnchorRow(
                name=anchor.name,
                rating=texts.with_error(pinned.rating, pinned.rating_error, 1) if pinned else NOTHING,
                delta_old=texts.with_error(anchor.old.delta, anchor.old.error, signed=True),
                nelo_old=_nelo(anchor.old.nelo, texts),
                delta_new=texts.with_error(anchor.new.delta, anchor.new.error, signed=True),
                nelo_new=_nelo(anchor.new.nelo, texts),
                weight=f"{texts.significant(anchor.old.weight, 3)} → {texts.significant(anchor.new.weight, 3)}",
                share=texts.gettext("share {share}", share=texts.percent(share)) if share is not None else "",
                increase=texts.with_error(anchor.increase, anchor.increase_error, signed=True),
            )
        )
    return rows


def _nelo(nelo: float | None, texts: Texts) -> str:
    return "" if nelo is None else f"{texts.signed(nelo)} nElo"


_CHANGES = {"gain_test", "rejected_test", "special_path", "retraction", "epoch_change"}


def claim_rows(view: CheckView, texts: Texts, *, counted: bool) -> list[ClaimRow]:
    """Return the entries of the window that are counted, or the others."""
    if view.claims:
        return [_claim_row(claim, texts) for claim in view.claims if claim.counted == counted]
    # Of a result alone only the numbers of the entries are known, and why the others add nothing.
    if counted:
        return [
            ClaimRow(str(seq), texts.gettext(KIND_NAMES["gain_test"]), "", "", "", "") for seq in view.result.counted
        ]
    return [ClaimRow(str(entry.seq), "", "", "", "", texts.gettext(entry.why)) for entry in view.result.uncounted]


def _claim_row(claim: Claim, texts: Texts) -> ClaimRow:
    return ClaimRow(
        seq=str(claim.seq),
        what=texts.gettext(KIND_NAMES.get(claim.kind, claim.kind)),
        id=claim.id or "",
        short=_stage(claim.short, texts),
        long=_stage(claim.long, texts),
        why=texts.gettext(claim.why) if claim.why else "",
        change=claim.kind in _CHANGES,
    )


def _stage(stage: ClaimStage | None, texts: Texts) -> str:
    if stage is None:
        return NOTHING
    _ = texts.gettext
    passed = "" if stage.passed is None else _("passed") if stage.passed else _("failed")
    if stage.elo is None:
        return passed or NOTHING
    # What stands beside a figure may go to the next line, the figure stays whole.
    figure = texts.with_error(stage.elo, stage.error, signed=True).replace(" ", "\N{NO-BREAK SPACE}")
    if stage.from_counts:
        figure = _("{figure} (from counts)", figure=figure)
    return f"{figure}, {passed}" if passed else figure
