"""The figures beside R: each with what it means and its formula with its numbers, or why it is not known.

May import: anchorhold.domain.contract, law, report.*.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from anchorhold.law.result import Result
from anchorhold.report.formulas import formulas
from anchorhold.report.pictures.forest import heterogeneity_in_short
from anchorhold.report.side_figure import SideFigure, elo, figure, in_brackets, suspicion, with_interval
from anchorhold.report.texts import Texts
from anchorhold.report.view import CheckView
from anchorhold.report.words import VERDICT_NAMES


@dataclass(frozen=True, slots=True)
class Unknown:
    """Figures that are not known for one reason."""

    names: str
    reason: str


@dataclass(frozen=True, slots=True)
class FigureGroup:
    """Side figures that belong together."""

    title: str
    figures: tuple[SideFigure, ...]
    """Those that have a value."""
    unknown: tuple[Unknown, ...]
    """The others, by their reason."""


def side_figures(view: CheckView, texts: Texts) -> tuple[FigureGroup, ...]:
    """List all side figures with what each means."""
    _ = texts.gettext
    worked = formulas(view, texts)
    groups = (
        (_("About the increase ΔA"), _about_the_increase(view.result, texts)),
        (_("About the claims S"), _about_the_claims(view, texts)),
        (_("Where the gains stayed"), _about_the_way(view, texts)),
        (_("About R"), _about_r(view, texts)),
    )
    return tuple(
        FigureGroup(
            title,
            tuple(replace(one, formula=worked.get(one.key)) for one in figures if not one.missing),
            _unknown(figures),
        )
        for title, figures in groups
    )


def _unknown(figures: list[SideFigure]) -> tuple[Unknown, ...]:
    names: dict[str, list[str]] = {}
    for one in figures:
        if one.missing:
            names.setdefault(one.missing, []).append(one.name)
    return tuple(Unknown("; ".join(found), reason) for reason, found in names.items())


def _about_the_increase(result: Result, texts: Texts) -> list[SideFigure]:
    _ = texts.gettext
    found = [
        figure(
            "delta_a",
            "ΔA ± U(ΔA)",
            elo(result.delta_a, result.delta_a_error, texts),
            _(
                "The increase with the half-width that the rule prescribes. U(ΔA) leaves the model uncertainty T out "
                "and counts errors of the anchors' ratings that cancel in a difference: depending on the design it is "
                "too wide or too narrow, by factors."
            ),
            ("figure_rests_on_defect",),
            result,
            texts,
        ),
        figure(
            "delta_a_error_weighted",
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
        figure(
            "paired",
            _("paired ΔA"),
            elo(result.paired.delta_a, result.paired.error, texts) if result.paired else None,
            _(
                "The mean of the anchors' increases with the same weights at both endpoints; where both versions "
                "played the same openings, the half-width profits from it."
            ),
            ("figure_rests_on_defect", "heterogeneity_not_computed"),
            result,
            texts,
        ),
        figure(
            "reweighting",
            _("reweighting"),
            elo(result.reweighting, None, texts),
            _("ΔA minus the paired ΔA: what unequal weights at the two endpoints moved without any gain."),
            ("figure_rests_on_defect",),
            result,
            texts,
        ),
    ]
    found.append(
        figure(
            "heterogeneity",
            _("disagreement of the anchors"),
            heterogeneity_in_short(result, texts) or None,
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
        figure(
            "a",
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


def _about_the_claims(view: CheckView, texts: Texts) -> list[SideFigure]:
    _, result = texts.gettext, view.result
    return [
        figure(
            "s",
            "S ± U(S)",
            elo(result.s, result.s_error, texts),
            _("The sum of the counted gains at the oracle's long stage, with their half-widths in quadrature."),
            ("figure_rests_on_defect", "claim_without_error"),
            result,
            texts,
        ),
        figure(
            "s_median_unbiased",
            _("S, median-unbiased"),
            with_interval(result.s_median_unbiased, view.intervals.get("s_median_unbiased"), texts),
            _(
                "The claims freed of the bias of stopping at a bound. Each is unbiased in the median over passes and "
                "fails together, still too high given that it passed, and medians do not add: read it as a direction."
            ),
            ("median_unbiased_not_computed", "no_ratio", "figure_rests_on_defect"),
            result,
            texts,
        ),
        figure(
            "s_selection_corrected",
            _("S, selection-corrected"),
            with_interval(result.s_selection_corrected, view.intervals.get("s_selection_corrected"), texts),
            _(
                "The claims freed of the bias of keeping only what passed, estimated from all tests of the register, "
                "rejected ones included."
            ),
            ("selection_not_computed", "no_ratio", "figure_rests_on_defect"),
            result,
            texts,
        ),
    ]


def _about_the_way(view: CheckView, texts: Texts) -> list[SideFigure]:
    _, result = texts.gettext, view.result
    direct = result.direct
    unmet = ("no_direct_match", "direct_not_estimable", "figure_rests_on_defect", "no_ratio")
    survival = transfer = None
    if direct is not None and direct.survival is not None:
        survival = texts.number(direct.survival) + in_brackets(direct.survival_interval, texts)
    if direct is not None and direct.transfer is not None:
        transfer = texts.number(direct.transfer) + in_brackets(direct.transfer_interval, texts)
    over = result.overfitting
    return [
        figure(
            "d",
            "D",
            elo(direct.elo, direct.error, texts) if direct else None,
            _("New against old in a direct match under the long stage's conditions: what is there of the claims."),
            unmet,
            result,
            texts,
        ),
        figure(
            "survival",
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
        figure(
            "transfer",
            _("transfer ΔA/D"),
            transfer,
            _("Does what is there arrive against strangers? A small transfer says: gains against oneself only."),
            (*unmet, "transfer_not_computed"),
            result,
            texts,
        ),
        figure(
            "overfitting",
            _("suspicion of overfitting"),
            suspicion(over.suspected, over.difference, over.band, texts) if over else None,
            _(
                "Suspected when S − ΔA exceeds the band. With the combined band it also fires on precise checks of "
                "healthy projects: it says that the two differ by more than their errors, not why."
            ),
            ("overfitting_not_computed", "no_ratio", "figure_rests_on_defect"),
            result,
            texts,
        ),
    ]


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
        figure(
            "band",
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
        figure(
            "fieller",
            _("Fieller interval of R"),
            texts.span(result.fieller.low, result.fieller.high) if result.fieller else None,
            _("The same question answered in closed form; unbounded when S is not beyond U(S)."),
            ("fieller_not_computed", "fieller_unbounded", "claim_without_error", "no_ratio", "figure_rests_on_defect"),
            result,
            texts,
        ),
        figure(
            "r_normalized",
            _("R in normalized Elo"),
            texts.number(result.r_normalized, 3) if result.r_normalized is not None else None,
            _("The same ratio on the scale that draws and unbalanced openings stretch less."),
            ("normalized_not_computed", "no_ratio", "figure_rests_on_defect"),
            result,
            texts,
        ),
        figure(
            "short",
            _("short stage"),
            short,
            _("The same rule on the short stage: what the fast games alone would have said."),
            ("no_short_stage", "short_stage_fault"),
            result,
            texts,
        ),
    ]
