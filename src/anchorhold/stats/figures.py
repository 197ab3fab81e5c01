"""The field's figures of a match beside its Elo: likelihood of superiority, draw ratio, pairs ratio.

Counts are pairs, seen from the first engine; the definitions are those that current match runners print. None is the
answer where a figure does not exist. May import: scipy, anchorhold.stats.elo, anchorhold.stats.outcomes.
"""

from __future__ import annotations

import math

from scipy.special import ndtr

from anchorhold.stats.elo import moments
from anchorhold.stats.outcomes import PAIR_SCORES, Pentanomial


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
    found = moments(sample.counts(), PAIR_SCORES)
    return float(ndtr((found.mean - 0.5) / math.sqrt(found.variance / found.n)))


def draw_ratio(sample: Pentanomial) -> float | None:
    """Share of pairs that were even (both games drawn, or one won each); None without pairs."""
    return sample.dd_wl / sample.pairs if sample.pairs else None


def pairs_ratio(sample: Pentanomial) -> float | None:
    """Pairs won (WD, WW) per pair lost (LL, LD); None when none was lost."""
    lost = sample.ll + sample.ld
    return (sample.wd + sample.ww) / lost if lost else None
