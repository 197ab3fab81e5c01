"""A of one endpoint: the δ over all anchors become one absolute value, with what their errors do to it.

All figures are logistic Elo, all errors two-sided half-widths at one level. Sequences run over the anchors in one
order. A square that leaves what can be stored makes its weight infinite or 0, and A infinite or no number: the caller
looks. Source: SPEC section 2. May import: nothing: a gate that judges half a dozen anchors need not wait for numpy.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pool:
    """A of one endpoint and what it is made of."""

    value: float
    """A = Σ wᵢ(Rᵢ + δᵢ)/Σ wᵢ."""
    error: float
    """σ = 1/√Σ 1/(hᵢ² + h_L,ᵢ²)."""
    total_band: float
    """√(σ² + transfer band²)."""
    weights: tuple[float, ...]
    """wᵢ = 1/(hᵢ² + h_L,ᵢ² + T²), not normalised."""


def weight_of(*, error: float, rating_error: float, model_uncertainty: float) -> float:
    """wᵢ = 1/(hᵢ² + h_L,ᵢ² + T²) of one measurement."""
    return _inverse(error * error + rating_error * rating_error + model_uncertainty * model_uncertainty)


def pool(
    *,
    rating: Sequence[float],
    delta: Sequence[float],
    error: Sequence[float],
    rating_error: Sequence[float],
    model_uncertainty: float,
    transfer_band: float,
) -> Pool:
    """Absolute value A of one endpoint over the anchors.

    Parameters
    ----------
    rating, rating_error : Sequence[float]
        The anchors' fixed ratings Rᵢ and half-widths h_L,ᵢ.
    delta, error : Sequence[float]
        δᵢ of main over each anchor and its half-width hᵢ > 0.
    model_uncertainty : float
        T: enters the weights, not σ.
    transfer_band : float
        Added to σ in quadrature for the total band.

    Examples
    --------
    >>> a = pool(rating=[3500, 3600], delta=[20, -60], error=[9, 11], rating_error=[5, 5],
    ...          model_uncertainty=36.9, transfer_band=51)
    >>> f"{a.value:.2f} ± {a.error:.2f}, {a.total_band:.2f} with the transfer band"
    '3529.87 ± 7.84, 51.60 with the transfer band'
    """
    errors = tuple(zip(error, rating_error, strict=True))
    weights = tuple(weight_of(error=h, rating_error=h_l, model_uncertainty=model_uncertainty) for h, h_l in errors)
    weighted = _sum(w * (r + d) for w, r, d in zip(weights, rating, delta, strict=True))
    total = _sum(weights)
    sigma = math.sqrt(_inverse(_sum(_inverse(h * h + h_l * h_l) for h, h_l in errors)))
    return Pool(
        value=weighted / total if total else math.nan,
        error=sigma,
        total_band=math.hypot(sigma, transfer_band),
        weights=weights,
    )


def _inverse(square: float) -> float:
    return 1.0 / square if square else math.inf


def _sum(terms: Iterable[float]) -> float:
    # Python's own sum adds otherwise from 3.12 on, and fsum refuses what overflows: this gives one figure everywhere.
    total = 0.0
    for term in terms:
        total += term
    return total
