"""The formula of every figure beside R, with the numbers of one check filled in.

Numbers are shown rounded; the figures themselves were computed with all digits. Source: SPEC section 4.
May import: anchorhold.law, report.*.
"""

from __future__ import annotations

from dataclasses import dataclass

from anchorhold.report.pictures.forest import weight_shares
from anchorhold.report.texts import Texts
from anchorhold.report.view import CheckView


@dataclass(frozen=True, slots=True)
class Formula:
    """How one figure is computed."""

    defined: str
    worked: tuple[str, ...] = ()
    """The same with this check's numbers; empty where a sum runs over too much to be written out."""


def formulas(view: CheckView, texts: Texts) -> dict[str, Formula]:
    """Return the formulas by the keys of the side figures; those that need what is not known have no numbers."""
    return {**_increase(view, texts), **_claims(view, texts), **_way(view, texts), **_ratio(view, texts)}


def _increase(view: CheckView, texts: Texts) -> dict[str, Formula]:
    result, number, signed = view.result, texts.number, texts.signed
    old, new, paired = result.a_old, result.a_new, result.paired
    transfer = number(view.contract.parameters.transfer_band, 0)
    rating = texts.gettext("rating")
    found = {
        "delta_a_error_weighted": Formula(
            "√( Σ (w̃²_old·h²_old + w̃²_new·h²_new + (w̃_new − w̃_old)²·h_L²) ), w̃ = w / Σ w"
        ),
        "heterogeneity": Formula(
            "Q = Σ (x − x̄)²/var, I² = max(0, (Q − df)/Q), τ² = (Q − df)/(Σ 1/var − Σ 1/var² / Σ 1/var)"
        ),
        "paired": Formula("Σ ŵ·(δ_new − δ_old), ± z·√(Σ ŵ²·var)", _paired(view, texts)),
    }
    if old is not None and new is not None and result.delta_a is not None:
        found["delta_a"] = Formula(
            "ΔA = A_new − A_old, U(ΔA) = √(σ²_old + σ²_new)",
            (
                f"{number(new.value)} − {number(old.value)} = {signed(result.delta_a)}",
                f"√({number(old.error)}² + {number(new.error)}²) = {number(result.delta_a_error)}",
            ),
        )
        found["a"] = Formula(
            f"A = Σ w·({rating} + δ) / Σ w, σ = 1/√(Σ 1/(h² + h_L²)), √(σ² + {transfer}²)",
            tuple(f"√({number(one.error)}² + {transfer}²) = {number(one.total_band)}" for one in (old, new)),
        )
    if paired is not None and result.delta_a is not None and result.reweighting is not None:
        found["reweighting"] = Formula(
            "ΔA − ΔA_paired",
            (f"{signed(result.delta_a)} − ({signed(paired.delta_a)}) = {signed(result.reweighting)}",),
        )
    return found


def _paired(view: CheckView, texts: Texts) -> tuple[str, ...]:
    anchors = view.result.anchors
    shares = weight_shares(anchors)
    if view.result.paired is None or len(anchors) > 12:
        return ()
    terms = [
        f"{texts.number(share, 3)}·({texts.signed(anchor.increase)})"
        for anchor, share in zip(anchors, shares, strict=True)
        if share is not None and anchor.increase is not None
    ]
    if len(terms) != len(anchors):
        return ()
    return (f"{' + '.join(terms)} = {texts.signed(view.result.paired.delta_a)}",)


def _claims(view: CheckView, texts: Texts) -> dict[str, Formula]:
    longs = [claim.long for claim in view.claims if claim.counted]
    values = [one.elo for one in longs if one is not None and one.elo is not None]
    errors = [one.error for one in longs if one is not None and one.error is not None]
    worked: list[str] = []
    if view.result.s is not None and 0 < len(values) == len(longs) <= 12:
        worked.append(f"{' '.join(texts.signed(elo) for elo in values)} = {texts.number(view.result.s)}")
        if len(errors) == len(longs) and view.result.s_error is not None:
            squares = " + ".join(f"{texts.number(error)}²" for error in errors)
            worked.append(f"√({squares}) = {texts.number(view.result.s_error)}")
    return {
        "s": Formula("S = Σ gain_j, U(S) = √(Σ e_j²)", tuple(worked)),
        "s_median_unbiased": Formula("Σ θ_j, P(worse than observed | θ_j) = ½"),
        "s_selection_corrected": Formula("Σ E(θ_j | stop_j), θ ~ N(m, s²)"),
    }


def _way(view: CheckView, texts: Texts) -> dict[str, Formula]:
    result, number, signed = view.result, texts.number, texts.signed
    found: dict[str, Formula] = {}
    direct, over = result.direct, result.overfitting
    sample = view.sample("direct", "old")
    if direct is not None:
        counts = sample.pentanomial.as_tuple() if sample is not None and sample.pentanomial is not None else None
        shown = (f"({', '.join(texts.whole(count) for count in counts)}): D = {signed(direct.elo)}",) if counts else ()
        found["d"] = Formula("D = −400·log₁₀(1/μ − 1)", shown)
        if direct.survival is not None:
            found["survival"] = Formula(
                "D / S", (f"{signed(direct.elo)} / {number(result.s)} = {number(direct.survival)}",)
            )
        if direct.transfer is not None:
            found["transfer"] = Formula(
                "ΔA / D", (f"{signed(result.delta_a)} / {signed(direct.elo)} = {number(direct.transfer)}",)
            )
    if over is not None:
        worked = [f"{number(result.s)} − ({signed(result.delta_a)}) = {signed(over.difference)}"]
        if over.source == "combined":
            worked.append(f"√({number(result.delta_a_error)}² + {number(result.s_error)}²) = {number(over.band)}")
        found["overfitting"] = Formula(
            "S − ΔA > √(U(ΔA)² + U(S)²)" if over.source == "combined" else "S − ΔA > b", tuple(worked)
        )
    return found


def _ratio(view: CheckView, texts: Texts) -> dict[str, Formula]:
    result, number, signed = view.result, texts.number, texts.signed
    found = {
        "band": Formula("ΔA* ~ N(ΔA, (U(ΔA)/z)²), gain*_j ~ N(gain_j, (e_j/z)²), R* = ΔA* / Σ gain*_j"),
        "r_normalized": Formula("Σ w̄·(nδ_new − nδ_old) / Σ w̄ / Σ nelo_j"),
        "short": Formula("R = ΔA / S"),
    }
    if result.fieller is not None and result.delta_a is not None and result.s is not None:
        a, u_a, s, u_s = (number(value) for value in (result.delta_a, result.delta_a_error, result.s, result.s_error))
        found["fieller"] = Formula(
            "(S² − U_S²)·R² − 2·ΔA·S·R + ΔA² − U_A² = 0",
            (
                f"({s}² − {u_s}²)·R² − 2·({signed(result.delta_a)})·{s}·R + ({a})² − {u_a}² = 0",
                f"R = {number(result.fieller.low)}, R = {number(result.fieller.high)}",
            ),
        )
    return found
