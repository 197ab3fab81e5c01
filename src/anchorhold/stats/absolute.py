"""A of one endpoint: the δ over all anchors become one absolute value, with what their errors do to it.

All figures are logistic Elo, all errors two-sided half-widths at one level. Sequences run over the anchors in one
order. Source: SPEC section 2. May import: anchorhold.errors: a gate that judges half a dozen anchors need not wait for
numpy.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from anchorhold.errors import BadInput


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
    """wᵢ = 1/(hᵢ² + h_L,ᵢ² + T²) of one measurement.

    Raises
    ------
    BadInput
        Half-widths whose squares leave what can be stored, so that the weight would be infinite, 0 or no number.
    """
    # A number of numpy warns where it overflows; a plain one becomes infinite, which is refused.
    error, rating_error, model_uncertainty = float(error), float(rating_error), float(model_uncertainty)
    weight = _inverse(error * error + rating_error * rating_error + model_uncertainty * model_uncertainty)
    if not 0.0 < weight < math.inf:
        raise BadInput(f"half-widths of {error} and {rating_error} with T = {model_uncertainty} have no weight")
    return weight


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

    Raises
    ------
    BadInput
        Sequences of different lengths, no anchors, or figures so large or small that A or σ would be infinite or no
        number.

    Examples
    --------
    >>> a = pool(rating=[3500, 3600], delta=[20, -60], error=[9, 11], rating_error=[5, 5],
    ...          model_uncertainty=36.9, transfer_band=51)
    >>> f"{a.value:.2f} ± {a.error:.2f}, {a.total_band:.2f} with the transfer band"
    '3529.87 ± 7.84, 51.60 with the transfer band'
    """
    if not rating or not len(rating) == len(delta) == len(error) == len(rating_error):
        raise BadInput("every anchor needs a rating, a δ and both their half-widths, and there must be one")
    rating, delta, error, rating_error = ([float(one) for one in row] for row in (rating, delta, error, rating_error))
    errors = tuple(zip(error, rating_error, strict=True))
    weights = tuple(weight_of(error=h, rating_error=h_l, model_uncertainty=model_uncertainty) for h, h_l in errors)
    weighted = _sum(w * (r + d) for w, r, d in zip(weights, rating, delta, strict=True))
    total = _sum(weights)
    sigma = math.sqrt(_inverse(_sum(_inverse(h * h + h_l * h_l) for h, h_l in errors)))
    value, total_band = weighted / total, math.hypot(sigma, transfer_band)
    if not all(map(math.isfinite, (value, sigma, total_band))):
        raise BadInput("the figures over the anchors leave what can be stored")
    return Pool(value=value, error=sigma, total_band=total_band, weights=weights)


def _inverse(square: float) -> float:
    return 1.0 / square if square else math.inf


def _sum(terms: Iterable[float]) -> float:
    # Python's own sum adds otherwise from 3.12 on, and fsum refuses what overflows: this gives one figure everywhere.
    total = 0.0
    for term in terms:
        total += term
    return total
