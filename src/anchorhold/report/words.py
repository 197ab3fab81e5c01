"""What a check says in sentences: the verdict, what follows, what the band means, what each side figure means.

May import: anchorhold.domain.contract, law, report.texts, report.codes, report.view.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from anchorhold.domain.contract import Parameters
from anchorhold.law.result import Range, Result
from anchorhold.report.codes import meaning
from anchorhold.report.texts import NOTHING, Texts, mark

if TYPE_CHECKING:  # the terminal needs the words and not all that a view is made from
    from anchorhold.report.view import CheckView

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
    follows: str


def headline(result: Result, *, thresholds: tuple[float, float], texts: Texts) -> Headline:
    """Say the verdict in one sentence, with R, and what follows from it."""
    _ = texts.gettext
    if result.r is not None and result.s is not None and result.delta_a is not None:
        r, s = texts.ratio(result.r, thresholds), texts.number(result.s)
        if result.delta_a >= 0:
            sentence = _(
                "R = {r}: of {s} Elo of confirmed gains, {arrived} Elo arrived against the anchors.",
                r=r,
                s=s,
                arrived=texts.number(result.delta_a),
            )
        else:
            sentence = _(
                "R = {r}: {s} Elo of gains were confirmed, and against the anchors main lost {lost} Elo.",
                r=r,
                s=s,
                lost=texts.number(-result.delta_a),
            )
    elif result.verdict == "DEFECTIVE":
        sentence = _("The check is unsound, so there is no R.") + _first(result.defects, texts)
    else:
        sentence = _("There is no R.") + _first(result.gaps, texts)
    return Headline(_(VERDICT_NAMES[result.verdict]), sentence, _(WHAT_FOLLOWS[result.verdict]))


def _first(findings: Sequence[object], texts: Texts) -> str:
    for finding in findings:
        return " " + texts.gettext(meaning(str(getattr(finding, "code", ""))))
    return ""


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


@dataclass(frozen=True, slots=True)
class SideFigure:
    """One figure that is recorded beside R and decides nothing."""

    name: str
    value: str
    meaning: str
    """One plain sentence; the reason when there is no value."""
    own: str = ""
    """On a page in another language: the law's own words for the reason, in English."""


@dataclass(frozen=True, slots=True)
class FigureGroup:
    """Side figures that belong together."""

    title: str
    figures: tuple[SideFigure, ...]


def side_figures(view: CheckView, texts: Texts) -> tuple[FigureGroup, ...]:
    """List all side figures with what each means."""
    _ = texts.gettext
    return (
        FigureGroup(_("About the increase ΔA"), tuple(_about_the_increase(view.result, texts))),
        FigureGroup(_("About the claims S"), tuple(_about_the_claims(view.result, texts))),
        FigureGroup(_("Where the gains stayed"), tuple(_about_the_way(view.result, texts))),
        FigureGroup(_("About R"), tuple(_about_r(view, texts))),
    )


def _about_the_increase(result: Result, texts: Texts) -> list[SideFigure]:
    _ = texts.gettext
    found = [
        _figure(
            "ΔA ± U(ΔA)",
            _elo(result.delta_a, result.delta_a_error, texts),
            _(
                "The increase with the half-width that the rule prescribes. U(ΔA) leaves the model uncertainty T out "
                "and counts errors of the anchors' ratings that cancel in a difference: depending on the design it is "
                "too wide or too narrow, by factors."
            ),
            ("figure_rests_on_defect",),
            result,
            texts,
        ),
        _figure(
            _("sampling error of ΔA"),
            "± " + texts.number(result.delta_a_error_weighted) if result.delta_a_error_weighted is not None else None,
            _(
                "The half-width that the weighted mean really has from the games. U(ΔA) is not that, so the two "
                "differ; compare them before trusting either."
            ),
            ("figure_rests_on_defect",),
            result,
            texts,
        ),
        _figure(
            _("paired ΔA"),
            _elo(result.paired.delta_a, result.paired.error, texts) if result.paired else None,
            _(
                "The mean of the anchors' increases with the same weights at both endpoints; where both versions "
                "played the same openings, the half-width profits from it."
            ),
            ("figure_rests_on_defect", "heterogeneity_not_computed"),
            result,
            texts,
        ),
        _figure(
            _("reweighting"),
            _elo(result.reweighting, None, texts),
            _("ΔA minus the paired ΔA: what unequal weights at the two endpoints moved without any gain."),
            ("figure_rests_on_defect",),
            result,
            texts,
        ),
    ]
    spread = result.heterogeneity
    found.append(
        _figure(
            _("disagreement of the anchors"),
            _(
                "Q = {q}, p = {p}, I² = {i2}, τ = {tau} Elo",
                q=texts.number(spread.q),
                p=texts.number(spread.p, 3),
                i2=texts.percent(spread.i2, 0),
                tau=texts.number(spread.tau),
            )
            if spread
            else None,
            _(
                "Do the increases differ by more than chance? A small p says yes, and then an average increase says "
                "little; I² is the share of their spread that chance does not explain, τ its size."
            ),
            ("heterogeneity_not_computed", "figure_rests_on_defect"),
            result,
            texts,
        )
    )
    endpoints = None
    if result.a_old is not None and result.a_new is not None:
        endpoints = " → ".join(texts.with_error(value.value, value.error) for value in (result.a_old, result.a_new))
    found.append(
        _figure(
            _("A, old → new"),
            endpoints,
            _(
                "The absolute value over all anchors with its half-width σ. With the transfer band, which is the same "
                "at both endpoints and drops out of ΔA, the total bands are ± {old} and ± {new}.",
                old=texts.number(result.a_old.total_band if result.a_old else None),
                new=texts.number(result.a_new.total_band if result.a_new else None),
            ),
            ("figure_rests_on_defect",),
            result,
            texts,
        )
    )
    return found


def _about_the_claims(result: Result, texts: Texts) -> list[SideFigure]:
    _ = texts.gettext
    return [
        _figure(
            "S ± U(S)",
            _elo(result.s, result.s_error, texts),
            _("The sum of the counted gains at the oracle's long stage, with their half-widths in quadrature."),
            ("figure_rests_on_defect", "claim_without_error"),
            result,
            texts,
        ),
        _figure(
            _("S, median-unbiased"),
            _elo(result.s_median_unbiased, None, texts),
            _(
                "The claims freed of the bias of stopping at a bound. Each is unbiased in the median over passes and "
                "fails together, still too high given that it passed, and medians do not add: read it as a direction."
            ),
            ("median_unbiased_not_computed", "no_ratio", "figure_rests_on_defect"),
            result,
            texts,
        ),
        _figure(
            _("S, selection-corrected"),
            _elo(result.s_selection_corrected, None, texts),
            _(
                "The claims freed of the bias of keeping only what passed, estimated from all tests of the register, "
                "rejected ones included."
            ),
            ("selection_not_computed", "no_ratio", "figure_rests_on_defect"),
            result,
            texts,
        ),
    ]


def _about_the_way(result: Result, texts: Texts) -> list[SideFigure]:
    _ = texts.gettext
    direct = result.direct
    unmet = ("no_direct_match", "direct_not_estimable", "figure_rests_on_defect", "no_ratio")
    survival = transfer = None
    if direct is not None and direct.survival is not None:
        survival = texts.number(direct.survival) + _in_brackets(direct.survival_interval, texts)
    if direct is not None and direct.transfer is not None:
        transfer = texts.number(direct.transfer) + _in_brackets(direct.transfer_interval, texts)
    over = result.overfitting
    return [
        _figure(
            "D",
            _elo(direct.elo, direct.error, texts) if direct else None,
            _("New against old in a direct match under the long stage's conditions: what is there of the claims."),
            unmet,
            result,
            texts,
        ),
        _figure(
            _("survival D/S"),
            survival,
            _(
                "Is the sum of the claims there at all? R is survival times transfer; a small survival says that the "
                "tests promised too much, not that strangers are different."
            ),
            unmet,
            result,
            texts,
        ),
        _figure(
            _("transfer ΔA/D"),
            transfer,
            _("Does what is there arrive against strangers? A small transfer says: gains against oneself only."),
            (*unmet, "transfer_not_computed"),
            result,
            texts,
        ),
        _figure(
            _("suspicion of overfitting"),
            _overfitting(over.suspected, over.difference, over.band, texts) if over else None,
            _(
                "Suspected when S − ΔA exceeds the band. With the combined band it also fires on precise checks of "
                "healthy projects: it says that the two differ by more than their errors, not why."
            ),
            ("overfitting_not_computed", "no_ratio", "figure_rests_on_defect"),
            result,
            texts,
        ),
    ]


def _overfitting(suspected: bool, difference: float, band: float, texts: Texts) -> str:
    _ = texts.gettext
    numbers = {"difference": texts.signed(difference), "band": texts.number(band)}
    if suspected:
        return _("suspected: S − ΔA = {difference} Elo, band {band}", **numbers)
    return _("not suspected: S − ΔA = {difference} Elo, band {band}", **numbers)


def _about_r(view: CheckView, texts: Texts) -> list[SideFigure]:
    _, result = texts.gettext, view.result
    limits = view.thresholds.as_tuple()
    band = result.band
    short = None
    if result.verdict_short is not None:
        short = _(VERDICT_NAMES[result.verdict_short])
        if result.r_short is not None:
            short += f", R = {texts.ratio(result.r_short, limits)}"
    elif result.r_short is not None:
        short = f"R = {texts.ratio(result.r_short, limits)}"
    if result.s_short is not None:
        short = (short + "; " if short else "") + _("S = {s} Elo", s=texts.number(result.s_short))
    return [
        _figure(
            _("Monte-Carlo band of R"),
            texts.span(band.low, band.high) if band is not None and band.low is not None else None,
            _(
                "The middle of {draws} draws within the errors of ΔA and of each claim (seed {seed}).",
                draws=texts.whole(band.draws),
                seed=band.seed,
            )
            if band
            else "",
            ("band_not_computed", "band_without_ends", "claim_without_error", "no_ratio", "figure_rests_on_defect"),
            result,
            texts,
        ),
        _figure(
            _("Fieller interval of R"),
            texts.span(result.fieller.low, result.fieller.high) if result.fieller else None,
            _("The same question answered in closed form; unbounded when S is not beyond U(S)."),
            ("fieller_not_computed", "fieller_unbounded", "claim_without_error", "no_ratio", "figure_rests_on_defect"),
            result,
            texts,
        ),
        _figure(
            _("R in normalized Elo"),
            texts.number(result.r_normalized, 3) if result.r_normalized is not None else None,
            _("The same ratio on the scale that draws and unbalanced openings stretch less."),
            ("normalized_not_computed", "no_ratio", "figure_rests_on_defect"),
            result,
            texts,
        ),
        _figure(
            _("short stage"),
            short,
            _("The same rule on the short stage: what the fast games alone would have said."),
            ("no_short_stage", "short_stage_fault"),
            result,
            texts,
        ),
    ]


def _elo(value: float | None, error: float | None, texts: Texts) -> str | None:
    return None if value is None else texts.with_error(value, error, signed=True) + " Elo"


def _in_brackets(interval: Range | None, texts: Texts) -> str:
    return "" if interval is None else f" ({texts.span(interval.low, interval.high)})"


def _figure(
    name: str, value: str | None, says: str, reasons: tuple[str, ...], result: Result, texts: Texts
) -> SideFigure:
    """Return the figure; where it is missing, the first note that gives the reason takes the place of its meaning."""
    if value is not None:
        return SideFigure(name, value, says)
    messages = {note.code: note.message for note in result.notes}
    reason = next((code for code in reasons if code in messages), None)
    if reason is None:
        return SideFigure(name, NOTHING, texts.gettext("Not known; defects, gaps and notes say why."))
    own = messages[reason]
    if texts.language == "en":
        return SideFigure(name, NOTHING, texts.gettext("Not known: {reason}", reason=own))
    return SideFigure(name, NOTHING, texts.gettext("Not known: {reason}", reason=texts.gettext(meaning(reason))), own)
