"""The figures of a match as current match runners print them: Elo, likelihood of superiority, draw ratio, pairs ratio.

Counts are pairs, seen from the first engine, and are taken as they are: the rule of a check (SPEC section 2) lends
empty classes a little, the field does not. None or NoEstimate is the answer where a figure does not exist.
May import: anchorhold.stats.elo, anchorhold.stats.outcomes.
"""

from __future__ import annotations

import math

from anchorhold.stats.elo import Estimate, EstimateRule, elo_from_pentanomial, moments
from anchorhold.stats.outcomes import PAIR_SCORES, Pentanomial

PRINTED = EstimateRule(zero_count=0.0, lowest_score=1e-9)
"""Counts as they are; an estimate exists as long as its half-width ends within scores of 0 and 1."""


def printed_elo(sample: Pentanomial) -> Estimate:
    """Elo and normalized Elo with their 95 % half-widths, as match runners print them.

    Raises
    ------
    NoEstimate
        At most one class is occupied, or the half-width reaches a score of 0 or 1.

    Examples
    --------
    >>> e = printed_elo(Pentanomial(ll=20, ld=130, dd_wl=180, wd=150, ww=20))
    >>> f"{e.elo:.2f} ± {e.error:.2f}, {e.nelo:.2f} ± {e.nelo_error:.2f} nElo"
    '6.95 ± 14.28, 10.49 ± 21.53 nElo'
    """
    return elo_from_pentanomial(sample, rule=PRINTED)


def likelihood_of_superiority(sample: Pentanomial) -> float | None:
    """Φ((μ − ½)/√(v/n)): the probability that the first engine is the stronger, before which all was equally likely.

    Returns
    -------
    float or None
        In [0, 1]; None when at most one class is occupied, so that no variance is known.

    Examples
    --------
    >>> f"{likelihood_of_superiority(Pentanomial(ll=20, ld=130, dd_wl=180, wd=150, ww=20)):.4f}"
    '0.8300'
    """
    if sum(count > 0 for count in sample.as_tuple()) <= 1:
        return None
    found = moments(sample.counts(), PAIR_SCORES, zero_count=PRINTED.zero_count)
    # Φ by the error function of the C library: a match must not wait for scipy to load.
    return 0.5 * math.erfc((0.5 - found.mean) / math.sqrt(2 * found.variance / found.n))


def draw_ratio(sample: Pentanomial) -> float | None:
    """Share of pairs that were even (both games drawn, or one won each); None without pairs."""
    return sample.dd_wl / sample.pairs if sample.pairs else None


def pairs_ratio(sample: Pentanomial) -> float | None:
    """Pairs won (WD, WW) per pair lost (LL, LD); None when none was lost."""
    lost = sample.ll + sample.ld
    return (sample.wd + sample.ww) / lost if lost else None
