"""δ and its half-width of many tests at once: the formulas of ``stats.elo``, one row per test.

A register's verification recomputes a hundred thousand of them. Source: SPEC section 2.
May import: numpy, anchorhold.errors, anchorhold.stats.elo, anchorhold.stats.outcomes, anchorhold.stats.vectors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anchorhold.errors import BadInput
from anchorhold.stats.elo import EDITION_7, EstimateRule
from anchorhold.stats.outcomes import PAIR_SCORES
from anchorhold.stats.vectors import Vector


@dataclass(frozen=True, slots=True)
class Estimates:
    """Logistic Elo of many samples, each array of shape (samples,)."""

    elo: Vector
    error: Vector
    """Half-widths."""
    known: npt.NDArray[np.bool_]
    """False where the counts carry no estimate; there the figures are 0."""


def elos_from_pentanomials(counts: Vector, *, rule: EstimateRule = EDITION_7) -> Estimates:
    """Elo of the first engine from the game pairs of each sample.

    Parameters
    ----------
    counts : Vector
        Shape (samples, 5), in the order of ``PAIR_SCORES``.
    rule : EstimateRule
        Parameters of the contract.

    Returns
    -------
    Estimates
        Agree with ``elo_from_pentanomial`` to 1e-9; known where that gives an estimate, but for scores within 1e-9 of
        the rim of what it takes.

    Raises
    ------
    BadInput
        An array of another shape, counts below 0 or no numbers.
    """
    if counts.ndim != 2 or counts.shape[1] != len(PAIR_SCORES):
        raise BadInput(f"the counts have the shape {counts.shape}, expected five of pairs per sample")
    if not ((counts >= 0.0) & (counts < 1e300)).all():
        raise BadInput("a count is below 0 or no number")
    scores, lowest = np.array(PAIR_SCORES), rule.lowest_score
    replaced = np.where(counts > 0.0, counts, rule.zero_count)
    with np.errstate(all="ignore"):
        n = replaced.sum(axis=1)
        mean = replaced @ scores / n
        variance = (replaced * (scores - mean[:, None]) ** 2).sum(axis=1) / n
        reach = rule.z * np.sqrt(variance / n)
        known = ((counts > 0.0).sum(axis=1) > 1) & (mean - reach >= lowest) & (mean + reach <= 1.0 - lowest)
        elo, low, high = (-400.0 * np.log10(1.0 / score - 1.0) for score in (mean, mean - reach, mean + reach))
    return Estimates(elo=np.where(known, elo, 0.0), error=np.where(known, (high - low) / 2.0, 0.0), known=known)
