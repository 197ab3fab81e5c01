"""What a stretch of the register claims, in words and numbers for a terminal.

May import: anchorhold.checks, anchorhold.domain, anchorhold.report, anchorhold.cli.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from anchorhold.cli.colour import painted
from anchorhold.cli.entry_words import printable
from anchorhold.report.reasons import in_own_words, reason_in_words
from anchorhold.report.words import KIND_NAMES, VERDICT_NAMES

if TYPE_CHECKING:
    from anchorhold.checks.claimed import Claims, Sum
    from anchorhold.report.texts import Texts

_MONTH_WIDTH = 40


def claims_lines(found: Claims, texts: Texts, *, show_tests: bool) -> list[str]:
    """Return one window in words and numbers."""
    _ = texts.gettext
    if found.until <= found.after:
        return [_("No entry stands in this window: it is empty, behind entry {after}.", after=found.after)]
    title = _("Entries {first} to {last}", first=found.after + 1, last=found.until)
    if found.check is not None and found.verdict is not None:
        verdict = _(VERDICT_NAMES[found.verdict])
        title = _("{entries}, closed by {check}: {verdict}", entries=title, check=found.check, verdict=verdict)
    lines = [painted(title, "bold"), ""]
    for name, total, unit in (
        (_("S, long stage"), found.s, "Elo"),
        (_("S, short stage"), found.s_short, "Elo"),
        (_("S, normalized"), found.s_normalized, _("normalized Elo")),
        (_("S, median-unbiased"), found.s_median_unbiased, "Elo"),
        (_("S, selection-corrected"), found.s_selection_corrected, "Elo"),
    ):
        lines.append(f"  {name:<24}{_sum(total, unit, texts)}")
    lines += ["", *(f"  {line}" for line in _counts(found, texts)), *_direct(found, texts)]
    if found.r is not None:
        lines.append("  " + _("Arrived against the anchors: R = {r}.", r=texts.number(found.r)))
    for finding in found.defects:
        message = in_own_words(finding.message, texts) or finding.message
        lines.append("  " + _("Would make a check defective: {why}", why=message))
    lines += _months(found, texts)
    if show_tests:
        lines += _tests(found, texts)
    return lines


def _sum(total: Sum, unit: str, texts: Texts) -> str:
    _ = texts.gettext
    if total.value is None:
        return painted(_("not known: {why}", why=reason_in_words(total.reason, texts)), "dim")
    text = f"{texts.number(total.value, 1)} {unit}"
    if total.low is not None and total.high is not None:
        return _("{figure}, 95 %: {span}", figure=text, span=texts.span(total.low, total.high, 1))
    return f"{text} ({reason_in_words(total.reason, texts)})" if total.reason else text


def _counts(found: Claims, texts: Texts) -> list[str]:
    _, number = texts.gettext, texts.whole
    counted = {"counted": number(len(found.counted)), "changes": number(found.changes)}
    lines = [_("{counted} of {changes} changes are counted gains.", **counted)]
    if found.changes:
        share = texts.percent(found.without_long_test / found.changes, 0).replace("\N{NO-BREAK SPACE}", " ")
        without = number(found.without_long_test)
        lines.append(_("{count} ({share}) have no passed long-stage test behind them.", count=without, share=share))
    if found.retractions:
        lines.append(
            texts.ngettext(
                "{count} retraction; what it names is not taken out of S.",
                "{count} retractions; what they name is not taken out of S.",
                found.retractions,
            )
        )
    return lines


def _direct(found: Claims, texts: Texts) -> list[str]:
    _, direct = texts.gettext, found.direct
    if direct is None:
        return []
    figure = texts.with_error(direct.elo, direct.error, signed=True)
    lines = ["  " + _("New against old: D = {figure} Elo ({source}).", figure=figure, source=_(direct.source))]
    if direct.survival is not None:
        survival = texts.number(direct.survival)
        if direct.interval is not None:
            survival += f" ({texts.span(direct.interval.low, direct.interval.high)})"
        lines.append("  " + _("Survival D/S = {survival}: that much of the claims is there at all.", survival=survival))
    return lines


def _months(found: Claims, texts: Texts) -> list[str]:
    """Draw the claims month by month; nothing when they are all of one."""
    months: dict[str, float] = {}
    for gain in found.counted:
        if gain.long is not None:
            months[gain.date[:7]] = months.get(gain.date[:7], 0.0) + gain.long.elo
    if len(months) < 2:
        return []
    _ = texts.gettext
    most = max(*months.values(), 0.01)
    month, claimed, total = _("month"), _("claimed"), _("sum")
    lines, running = ["", f"  {month:<8} {claimed:>9}{total:>8}"], 0.0
    for month in sorted(months):
        running += months[month]
        bar = painted("#" * round(_MONTH_WIDTH * max(months[month], 0.0) / most), "bar")
        lines.append(f"  {month}  {texts.number(months[month], 1):>8}{texts.number(running, 1):>8}  {bar}".rstrip())
    return lines


def _tests(found: Claims, texts: Texts) -> list[str]:
    _ = texts.gettext
    lines = ["", "  " + _("counted")]
    for gain in found.counted:
        long = gain.long
        value = _("no value") if long is None else texts.with_error(long.elo, long.error, signed=True)
        lines.append(printable(f"  {gain.seq:>6}  {gain.date}  {value:<16}  {gain.id}"))
    lines += ["", "  " + _("not counted")] if found.uncounted else []
    for one in found.uncounted:
        kind = _(KIND_NAMES.get(one.kind, one.kind))
        lines.append(printable(f"  {one.seq:>6}  {kind:<17}  {_(one.why)}  {one.id}"))
    return lines
