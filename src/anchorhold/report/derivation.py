"""Where games become δ becomes A becomes R: every formula of the rule with the numbers of one check filled in.

Numbers are shown rounded; the figures themselves come from the result, which was computed with all digits. A step whose
inputs are not known is shown without numbers. Source: SPEC sections 1 to 3. May import: anchorhold.stats, law,
report.texts, report.view.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from anchorhold.law.result import AnchorMeasurement, AnchorResult
from anchorhold.report.texts import Texts
from anchorhold.report.view import CheckView, Endpoint, Sample
from anchorhold.stats.elo import elo_of_score

_MOST_TERMS = 12
"""Sums of more terms than these are shown with an ellipsis."""


@dataclass(frozen=True, slots=True)
class CountRow:
    """One line of the table of games."""

    anchor: str
    endpoint: str
    pairs: str
    classes: tuple[str, ...]
    """LL, LD, DD+WL, WD, WW; or losses, draws, wins."""
    mean: str
    delta: str


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the way from games to the verdict."""

    title: str
    says: str
    formulas: tuple[str, ...]
    """The formula as it is defined, with what its letters mean in ``says``."""
    worked: tuple[str, ...]
    """The same with this check's numbers; empty when they are not known."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """The whole way."""

    pairs: tuple[CountRow, ...]
    games: tuple[CountRow, ...]
    """What was counted in single games only."""
    steps: tuple[Step, ...]


def derivation(view: CheckView, texts: Texts) -> Derivation:
    """Fill the rule's formulas with the numbers of one check."""
    rows = [
        (sample, row)
        for anchor in view.result.anchors
        for endpoint, measured in (("old", anchor.old), ("new", anchor.new))
        if (sample := view.sample(endpoint, anchor.name)) is not None  # type: ignore[arg-type]
        for row in [_count_row(view, sample, measured, texts)]
    ]
    return Derivation(
        pairs=tuple(row for sample, row in rows if sample.pentanomial is not None),
        games=tuple(row for sample, row in rows if sample.pentanomial is None),
        steps=(
            _games_to_delta(view, texts),
            _delta_to_a(view, texts),
            _a_to_increase(view, texts),
            _claims_to_s(view, texts),
            _to_r(view, texts),
        ),
    )


def _count_row(view: CheckView, sample: Sample, measured: AnchorMeasurement, texts: Texts) -> CountRow:
    _ = texts.gettext
    found = sample.moments(view.contract.estimate_rule)
    if sample.pentanomial is not None:
        units, classes = sample.pentanomial.pairs, sample.pentanomial.as_tuple()
    else:
        assert sample.trinomial is not None, "a sample has counts"
        units = sample.trinomial.games
        classes = (sample.trinomial.losses, sample.trinomial.draws, sample.trinomial.wins)  # type: ignore[assignment]
    return CountRow(
        anchor=sample.anchor,
        endpoint=_("old") if sample.endpoint == "old" else _("new"),
        pairs=texts.whole(units),
        classes=tuple(texts.whole(count) for count in classes),
        mean=texts.number(found.mean, 4) if units else texts.number(None),
        delta=texts.with_error(measured.delta, measured.error, signed=True),
    )


def _example(view: CheckView) -> tuple[AnchorResult, AnchorMeasurement, Endpoint] | None:
    """The first anchor that was measured, at the new version if it was there: it stands for all in the worked lines."""
    for endpoint in ("new", "old"):
        for anchor in view.result.anchors:
            measured = anchor.new if endpoint == "new" else anchor.old
            if measured.delta is not None and measured.error is not None:
                return anchor, measured, endpoint
    return None


def _games_to_delta(view: CheckView, texts: Texts) -> Step:
    _, number = texts.gettext, texts.number
    worked: list[str] = []
    example = _example(view)
    sample = view.sample(example[2], example[0].name) if example else None
    if example is not None and sample is not None:
        rule = view.contract.estimate_rule
        found = sample.moments(rule)
        reach = rule.z * math.sqrt(found.variance / found.n)
        low, high = found.mean - reach, found.mean + reach
        if rule.lowest_score <= low and high <= 1 - rule.lowest_score:
            ends = (elo_of_score(high, lowest=rule.lowest_score), elo_of_score(low, lowest=rule.lowest_score))
            which = _("new version") if example[2] == "new" else _("old version")
            worked = [
                f"{example[0].name}, {which}: n = {number(found.n, 0)}, μ = {number(found.mean, 5)}, "
                f"v = {number(found.variance, 5)}",
                f"δ = −400·log₁₀(1/{number(found.mean, 5)} − 1) = {texts.signed(example[1].delta)}",
                f"h = (elo({number(high, 5)}) − elo({number(low, 5)}))/2 = "
                f"({texts.signed(ends[0])} − ({texts.signed(ends[1])}))/2 = {number(example[1].error)}",
            ]
    return Step(
        title=_("Games become δ"),
        says=_(
            "Two games from one opening with colours swapped are a pair; its score is 0, ¼, ½, ¾ or 1, seen from main. "
            "μ and v are mean and variance of the n scores, δ is the logistic Elo of μ and h its {level} half-width.",
            level=texts.percent(view.contract.parameters.uncertainty_level, 0),
        ),
        formulas=("δ = elo(μ) = −400·log₁₀(1/μ − 1)", "h = (elo(μ + z√(v/n)) − elo(μ − z√(v/n)))/2"),
        worked=tuple(worked),
    )


def _delta_to_a(view: CheckView, texts: Texts) -> Step:
    _, number = texts.gettext, texts.number
    uncertainty = view.contract.parameters.model_uncertainty
    worked: list[str] = []
    example = _example(view)
    rating = _("rating")
    if example is not None:
        anchor, measured, _endpoint = example
        pinned = view.anchor(anchor.name)
        if pinned is not None and pinned.rating_error is not None and measured.weight is not None:
            worked.append(
                f"{anchor.name}: w = 1/({number(measured.error)}² + {number(pinned.rating_error)}² + "
                f"{number(uncertainty, 1)}²) = {texts.significant(measured.weight)}"
            )
    for name, value, endpoint in (
        (_("old"), view.result.a_old, "old"),
        (_("new"), view.result.a_new, "new"),
    ):
        if value is None:
            continue
        sums = _sums(view, endpoint, texts)
        worked.append(f"A({name}) = {sums + ' = ' if sums else ''}{number(value.value)}")
    return Step(
        title=_("δ becomes A"),
        says=_(
            "Each anchor's rating plus δ is one estimate of main's strength; A is their weighted mean. h_L is the "
            "half-width of the anchor's rating, T = {t} the uncertainty of the model. An A is taken once for the old "
            "version and once for the new one.",
            t=number(uncertainty, 1),
        ),
        formulas=("w = 1/(h² + h_L² + T²)", f"A = Σ w·({rating} + δ) / Σ w"),
        worked=tuple(worked),
    )


def _sums(view: CheckView, endpoint: str, texts: Texts) -> str:
    """Σ w·(rating + δ)/Σ w with all its terms; empty when a rating or a measurement is not known."""
    terms, weights = [], 0.0
    for anchor in view.result.anchors:
        measured = anchor.old if endpoint == "old" else anchor.new
        pinned = view.anchor(anchor.name)
        if measured.delta is None or measured.weight is None or pinned is None or pinned.rating is None:
            return ""
        weights += measured.weight
        sign = "−" if measured.delta < 0 else "+"
        terms.append(
            f"{texts.significant(measured.weight)}·({texts.number(pinned.rating)} {sign} "
            f"{texts.number(abs(measured.delta))})"
        )
    if not terms:
        return ""
    shown = [*terms[:_MOST_TERMS], *(["…"] if len(terms) > _MOST_TERMS else [])]
    return f"[{' + '.join(shown)}] / {texts.significant(weights)}"


def _a_to_increase(view: CheckView, texts: Texts) -> Step:
    _, number, result = texts.gettext, texts.number, view.result
    worked: list[str] = []
    if result.delta_a is not None and result.a_old is not None and result.a_new is not None:
        worked.append(
            f"ΔA = {number(result.a_new.value)} − {number(result.a_old.value)} = {texts.signed(result.delta_a)}"
        )
        worked.append(
            f"U(ΔA) = √({number(result.a_old.error)}² + {number(result.a_new.error)}²) = {number(result.delta_a_error)}"
        )
    return Step(
        title=_("A becomes ΔA"),
        says=_("What arrived is the difference of the two. σ is the half-width of each A; it decides nothing."),
        formulas=(_("ΔA = A(new) − A(old)"), _("U(ΔA) = √(σ(old)² + σ(new)²)")),
        worked=tuple(worked),
    )


def _claims_to_s(view: CheckView, texts: Texts) -> Step:
    _, result = texts.gettext, view.result
    worked: list[str] = []
    if result.s is not None:
        counted = [claim.long.elo if claim.long else None for claim in view.claims if claim.counted]
        values = [elo for elo in counted if elo is not None]
        if values and len(values) == len(counted):
            shown = [texts.signed(elo) for elo in values[:_MOST_TERMS]]
            shown += ["…"] if len(values) > _MOST_TERMS else []
            worked.append(f"S = {' '.join(shown)} = {texts.number(result.s)}")
        else:
            worked.append(f"S = {texts.number(result.s)}")
    return Step(
        title=_("Claims become S"),
        says=_(
            "Every gain test of the window that passed both stages counts with its long stage's logistic Elo; "
            "everything else counts as zero."
        ),
        formulas=(_("S = Σ of the counted gains"),),
        worked=tuple(worked),
    )


def _to_r(view: CheckView, texts: Texts) -> Step:
    _, number, result = texts.gettext, texts.number, view.result
    p = view.contract.parameters
    factor = "" if p.elo_factor == 1 else f"{texts.significant(p.elo_factor)}·"
    worked: list[str] = []
    if result.r is not None:
        worked.append(
            f"R = {factor}{number(result.delta_a)} / {number(result.s)} = {number(result.r, p.ratio_decimals)}"
        )
        halt, go, r = number(p.halt_below), number(p.continue_from), texts.ratio(result.r, view.thresholds.as_tuple())
        if result.r < p.halt_below:
            worked.append(_("{r} < {halt}: HALT", r=r, halt=halt))
        elif result.r < p.continue_from:
            worked.append(_("{halt} ≤ {r} < {go}: WARN", r=r, halt=halt, go=go))
        else:
            worked.append(_("{r} ≥ {go}: CONTINUE", r=r, go=go))
    return Step(
        title=_("ΔA and S become R"),
        says=_(
            "The point value decides, no band. R is rounded to {decimals} decimals and compared so.",
            decimals=texts.whole(p.ratio_decimals),
        ),
        formulas=(f"R = {factor}ΔA / S",),
        worked=tuple(worked),
    )
