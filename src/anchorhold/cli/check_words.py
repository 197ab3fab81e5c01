"""A check in lines for a terminal: what was opened, how it stands, what it still lacks.

May import: anchorhold.checks, anchorhold.domain, anchorhold.report, anchorhold.cli.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from anchorhold.domain.contract import BUILT_IN
from anchorhold.domain.sentences import said_in
from anchorhold.report.words import STAGE_NAMES, VERDICT_NAMES

if TYPE_CHECKING:
    from anchorhold.checks.state import CheckState
    from anchorhold.domain.payloads import Build
    from anchorhold.report.texts import Texts


def opened_lines(check: CheckState, texts: Texts) -> list[str]:
    """Return what was frozen when a check was opened."""
    _ = texts.gettext
    first = _(
        "{check}: {versions}, {planned}; {window}; {attempt}; contract edition {edition}.",
        check=check.id,
        versions=_versions(check, texts),
        planned=_planned(check, texts),
        window=_window(check, texts),
        attempt=_attempt(check, texts),
        edition=check.plan.contract.edition,
    )
    return [first, *(_("Note: {note}", note=note) for note in check.plan.notes)]


def warning_lines(foreseen: Sequence[str], texts: Texts) -> list[str]:
    """Return what was foreseen of a check as warnings."""
    return [texts.gettext("Warning: {what}", what=said_in(texts, one)) for one in foreseen]


def line_of(check: CheckState, texts: Texts) -> str:
    """Return a check in one line."""
    _ = texts.gettext
    names = {"open": _("open"), "measured": _("measured, not judged"), "abandoned": _("abandoned")}
    state = _(VERDICT_NAMES[check.verdict]) if check.verdict else names.get(check.status, check.status)
    if check.closed is not None:
        from anchorhold.checks.closing import stored_result

        r = stored_result(check).r
        decimals = 0 if r is None else len(f"{r:.9f}".rstrip("0").partition(".")[2])
        state += "" if r is None else f", R = {texts.number(r, decimals)}"
    if check.abandoned is not None:
        state += f": {check.reason}"
    edition = check.plan.contract.edition
    own = "" if edition in BUILT_IN else "  " + _("own contract edition {edition}", edition=edition)
    versions = _versions(check, texts)
    return f"{check.id}  {check.opened.recorded_at}  {versions}  {_attempt(check, texts)}  {state}{own}"


def shown_lines(check: CheckState, texts: Texts) -> list[str]:
    """Return a check with its plan, its measurements and what it lacks; its result is shown elsewhere."""
    _ = texts.gettext
    opened = _("opened {moment}, entry {seq}", moment=check.opened.recorded_at, seq=check.opened.seq)
    edition = _("contract edition {edition}", edition=check.plan.contract.edition)
    lines = [
        line_of(check, texts),
        f"  {opened}; {_window(check, texts)}; {_attempt(check, texts)}",
        "  " + _("planned: {planned}", planned=_planned(check, texts)) + f"; {edition}",
    ]
    for version in (check.plan.old, check.plan.new):
        if version.build is not None:
            built = _build(version.build, texts)
            lines.append("  " + _("built: {version} {how}", version=version.version, how=built))
    for part, measurement in check.measured().items():
        pairs = sum(sum(counts.pentanomial) for counts in measurement.counts.values())
        line = _("measured: {part}, {pairs}", part=_part(*part, texts), pairs=_pairs(pairs, texts))
        for name, count in measurement.faults.items():
            line += ", " + texts.ngettext(
                "{count} game lost by fault of {name}", "{count} games lost by fault of {name}", count, name=name
            )
        lines.append(f"  {line}")
    lines += ["  " + _("note: {note}", note=note) for note in check.plan.notes]
    if check.closed is None and check.abandoned is None:
        lines += ["  " + _("missing: {part}", part=_part(*part, texts)) for part in check.missing()]
    return lines


def _build(build: Build, texts: Texts) -> str:
    parts = [texts.gettext("from {commit}", commit=build.commit), build.command, *build.compilers.values()]
    return "; ".join(parts if build.bench is None else [*parts, f"bench {build.bench}"])


def _part(endpoint: str, stage: str, texts: Texts) -> str:
    _ = texts.gettext
    if endpoint == "direct":
        return _("direct at the {stage}", stage=_(STAGE_NAMES[stage]))
    return _("{endpoint} at the {stage}", endpoint=_(endpoint), stage=_(STAGE_NAMES[stage]))


def _pairs(count: int, texts: Texts) -> str:
    return texts.ngettext("{count} pair", "{count} pairs", count)


def _versions(check: CheckState, texts: Texts) -> str:
    return texts.gettext("{old} to {new}", old=check.plan.old.version, new=check.plan.new.version)


def _planned(check: CheckState, texts: Texts) -> str:
    _, pairs = texts.gettext, check.plan.planned_pairs
    anchors = texts.whole(len(check.plan.anchor_set.anchors))
    parts = [
        _("{pairs} against each of {anchors} anchors per version", pairs=_pairs(pairs.long, texts), anchors=anchors)
    ]
    if pairs.short is not None:
        parts.append(_("{count} at the short stage", count=texts.whole(pairs.short)))
    if pairs.direct is not None:
        parts.append(_("{count} of new against old", count=texts.whole(pairs.direct)))
    return ", ".join(parts)


def _window(check: CheckState, texts: Texts) -> str:
    return texts.gettext("window: entries {first} to {last}", first=check.plan.window.after + 1, last=check.opened.seq)


def _attempt(check: CheckState, texts: Texts) -> str:
    return texts.gettext("attempt {number}", number=check.attempt)
