"""A check in a few lines of Markdown. May import: report.texts, report.view, report.words."""

from __future__ import annotations

from collections.abc import Sequence

from anchorhold.report.texts import NOTHING, Texts
from anchorhold.report.view import CheckView
from anchorhold.report.words import headline


def markdown_summary(view: CheckView, texts: Texts) -> str:
    """Write the check in a few lines of Markdown, to be pasted into release notes."""
    _, result = texts.gettext, view.result
    said = headline(result, thresholds=view.thresholds.as_tuple(), texts=texts)
    lines = [f"**{said.verdict}** – {said.sentence} {said.follows}", ""]
    rows: Sequence[tuple[str, str]] = [
        (_("claimed, S"), texts.with_error(result.s, result.s_error, signed=True)),
        (
            _("there, D"),
            texts.with_error(result.direct.elo, result.direct.error, signed=True) if result.direct else NOTHING,
        ),
        (_("arrived, ΔA"), texts.with_error(result.delta_a, result.delta_a_error, signed=True)),
    ]
    unit = _("logistic Elo")
    lines += [f"| | {unit} |", "| --- | --- |"]
    lines += [f"| {name} | {value} |" for name, value in rows]
    versions = f"{view.old.version} → {view.new.version}, " if view.old and view.new else ""
    lines += [
        "",
        versions
        + _(
            "{anchors} anchors, contract edition {edition} ({digest}…)",
            anchors=texts.whole(len(result.anchors)),
            edition=result.contract.edition,
            digest=result.contract.digest[:12],
        ),
    ]
    return "\n".join(lines)
