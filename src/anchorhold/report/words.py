"""What a check says in sentences: the verdict, what follows, how sure it is, what the band means.

May import: anchorhold.domain.contract, law, report.texts, report.codes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anchorhold.domain.contract import Parameters
from anchorhold.law.result import Result
from anchorhold.report.codes import meaning
from anchorhold.report.texts import Texts, mark

VERDICT_NAMES = {
    "CONTINUE": mark("CONTINUE"),
    "WARN": mark("WARN"),
    "HALT": mark("HALT"),
    "GAP": mark("GAP"),
    "DEFECTIVE": mark("DEFECTIVE"),
}
WHAT_FOLLOWS = {
    "CONTINUE": mark("Merges go on."),
    "WARN": mark("Merges go on, with a warning."),
    "HALT": mark("No merge until a human review is recorded."),
    "GAP": mark("Nothing was confirmed. The window stays open, and the old version stays the old one."),
    "DEFECTIVE": mark("The check counts for nothing and must be mended. The window stays open."),
}
WHAT_NEXT = {
    "CONTINUE": mark("Next: record further gains; anchorhold plan says when the next check is due."),
    "WARN": mark("Next: see below where the gains stayed, and do not wait long for the next check."),
    "HALT": mark(
        "Next: a reviewer reads this page, decides, and signs the decision with anchorhold release. "
        "Until then the gate holds every merge."
    ),
    "GAP": mark("Next: do what stands below at each gap, then run a check of the same window again."),
    "DEFECTIVE": mark("Next: mend what stands below, then run a check of the same window again."),
}
WHY = {
    "CONTINUE": mark("Why CONTINUE: R, the share of the claims that arrived, is {go} or more."),
    "WARN": mark("Why WARN: R, the share of the claims that arrived, lies between {halt} and {go}."),
    "HALT": mark("Why HALT: R, the share of the claims that arrived, lies below {halt}."),
}
KIND_NAMES = {
    "gain_test": mark("gain test"),
    "rejected_test": mark("rejected test"),
    "special_path": mark("special path"),
    "epoch_change": mark("epoch change"),
    "retraction": mark("retraction"),
    "genesis": mark("beginning of the register"),
    "contract": mark("contract"),
    "anchor_set": mark("anchor set"),
    "check_opened": mark("check opened"),
    "measurement": mark("measurement"),
    "check_closed": mark("check closed"),
    "check_abandoned": mark("check abandoned"),
    "release": mark("release"),
    "note": mark("note"),
}
CONDITION_NAMES = {
    "time_control": mark("time control (seconds)"),
    "movetime": mark("seconds per move"),
    "nodes": mark("nodes per move"),
    "depth": mark("depth"),
    "threads": mark("threads"),
    "hash_mb": mark("hash (MB)"),
    "book_sha256": mark("opening book (SHA-256)"),
    "book_order": mark("order of the openings"),
    "book_seed": mark("seed of the openings"),
    "adjudication": mark("adjudication"),
    "tablebases": mark("tablebases"),
    "runner": mark("runner"),
    "host_class": mark("kind of machine"),
}
ENDPOINT_NAMES = {
    "old": mark("old version"),
    "new": mark("new version"),
    "direct": mark("new against old"),
}
STAGE_NAMES = {"long": mark("long stage"), "short": mark("short stage")}


@dataclass(frozen=True, slots=True)
class Headline:
    """The verdict in words."""

    verdict: str
    """The verdict's name in the language."""
    sentence: str
    why: str
    """Which threshold decided; empty where there is no R."""
    sure: str
    """How sure that is, in one sentence."""
    follows: str
    next: str
    """What to do now."""


def headline(result: Result, *, thresholds: tuple[float, float], texts: Texts) -> Headline:
    """Say the verdict in one sentence, with R, and what follows from it."""
    _ = texts.gettext
    if result.r is not None and result.s is not None and result.delta_a is not None:
        r, s = texts.ratio(result.r, thresholds), texts.number(result.s)
        if result.delta_a >= 0:
            sentence = _(
                "R = {r}: of {s} Elo that the project's own tests confirmed, {arrived} Elo arrived against the "
                "anchors, foreign engines that stay the same.",
                r=r,
                s=s,
                arrived=texts.number(result.delta_a),
            )
        else:
            sentence = _(
                "R = {r}: the project's own tests confirmed {s} Elo, but against the anchors, foreign engines "
                "that stay the same, main lost {lost} Elo.",
                r=r,
                s=s,
                lost=texts.number(-result.delta_a),
            )
    elif result.verdict == "DEFECTIVE":
        sentence = _("The check is unsound, so there is no R.") + _first(result.defects, texts)
    else:
        sentence = _("There is no R.") + _first(result.gaps, texts)
    return Headline(
        verdict=_(VERDICT_NAMES[result.verdict]),
        sentence=sentence,
        why=_why(result, thresholds, texts),
        sure=_how_sure(result, texts),
        follows=_(WHAT_FOLLOWS[result.verdict]),
        next=_(WHAT_NEXT[result.verdict]),
    )


def _why(result: Result, thresholds: tuple[float, float], texts: Texts) -> str:
    if result.r is None:
        return ""
    halt, go = (texts.number(limit) for limit in thresholds)
    return texts.gettext(WHY[result.verdict], halt=halt, go=go)


def _how_sure(result: Result, texts: Texts) -> str:
    """Say how often the draws of the band give the same verdict; without an R, which of its parts are known."""
    _, band = texts.gettext, result.band
    if result.r is not None and band is not None:
        same = {"HALT": band.halt, "WARN": band.warn, "CONTINUE": band.continue_}[result.verdict]
        share = texts.percent(same, 0)
        if same >= 0.95:
            return _(
                "How sure: drawn again within the errors of games and claims, {share} of the cases give the same "
                "verdict.",
                share=share,
            )
        return _(
            "How sure: drawn again within the errors of games and claims, only {share} of the cases give the same "
            "verdict.",
            share=share,
        )
    if result.r is not None:
        return _("How sure: that cannot be told, since a claim has no half-width.")
    known = []
    if result.delta_a is not None:
        known.append(f"ΔA = {texts.with_error(result.delta_a, result.delta_a_error, signed=True)} Elo")
    if result.s is not None and result.counted:
        known.append(f"S = {texts.with_error(result.s, result.s_error)} Elo")
    if result.verdict == "DEFECTIVE" or not known:
        return _("How sure: there is no verdict to be sure of.")
    return _("How sure: there is no verdict to be sure of. Known so far: {known}.", known=", ".join(known))


def _first(findings: Sequence[object], texts: Texts) -> str:
    for finding in findings:
        return " " + texts.gettext(meaning(str(getattr(finding, "code", ""))))
    return ""


def met_without_estimate(result: Result) -> bool:
    """Whether the two versions have met in a direct match whose games carry no estimate."""
    return result.direct is None and any(note.code == "direct_not_estimable" for note in result.notes)


def zones_in_words(thresholds: tuple[float, float], texts: Texts) -> str:
    """Say where the verdicts lie on the R scale."""
    return texts.gettext(
        "The R scale: HALT below {halt}, WARN from {halt} to {go}, CONTINUE from {go}.",
        halt=texts.number(thresholds[0]),
        go=texts.number(thresholds[1]),
    )


def band_in_words(result: Result, *, parameters: Parameters, pairs: int | None, texts: Texts) -> list[str]:
    """Say what the Monte-Carlo band means for this check; empty when there is no band.

    Parameters
    ----------
    pairs : int, optional
        Planned pairs against each anchor at the long stage.
    """
    _, band = texts.gettext, result.band
    if band is None:
        return []
    level = texts.percent(parameters.band_coverage, 0)
    said = []
    if band.low is not None and band.high is not None:
        said.append(
            _(
                "The {level} band of R reaches from {span}; it decides nothing, the point does.",
                level=level,
                span=texts.span(band.low, band.high),
            )
        )
    else:
        said.append(
            _(
                "The band has no ends: in {share} of the draws the sum of the claims is not above 0.",
                share=texts.percent(band.s_not_positive),
            )
        )
    said.append(
        _(
            "Drawn again within the errors of games and claims, R would be HALT in {halt}, WARN in {warn}, "
            "CONTINUE in {go} of the cases.",
            halt=texts.percent(band.halt),
            warn=texts.percent(band.warn),
            go=texts.percent(band.continue_),
        )
    )
    if any(note.code == "band_spans_verdicts" for note in result.notes):
        said.append(
            _("The games are too few to tell the verdicts apart: the band is wide and reaches into more than one.")
            + " "
            + (
                texts.ngettext(
                    "With {count} pair against each anchor, chance alone could have given another verdict; "
                    "more pairs, or more claims in one check, make it narrower.",
                    "With {count} pairs against each anchor, chance alone could have given another verdict; "
                    "more pairs, or more claims in one check, make it narrower.",
                    pairs,
                )
                if pairs
                else _(
                    "Chance alone could have given another verdict; more pairs, or more claims in one check, "
                    "make it narrower."
                )
            )
        )
    if not band.calibrated:
        said.append(_("Whether the band covers as often as it says has not been simulated for this design."))
    return said
