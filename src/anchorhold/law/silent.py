"""Stages of which a window takes nothing and has nothing to say, told by thousands at once.

Of an entry that does not count, only what is wrong or odd is told. Nothing is found here: of any stage that is not
plainly silent, ``law.window`` says whether there is something to tell. Source: SPEC section 3.
May import: numpy when called, anchorhold.domain.contract, law.counts, law.document, stats.
"""

from __future__ import annotations

from collections.abc import Sequence

from anchorhold.domain.contract import Contract
from anchorhold.law.counts import are_sound
from anchorhold.law.document import StageReport
from anchorhold.stats.outcomes import Pentanomial, Trinomial, contradictions

MANY = 500
"""Stages from which on it is worth loading what looks at all of them at once."""
CLEAR = 1e-6
"""Elo: distance from what is told, beyond which rounding decides nothing."""


def plainly_silent(reports: Sequence[StageReport], *, contract: Contract) -> list[bool]:
    """Say of each stage of an entry that does not count whether nothing is to be told of it; False says nothing.

    Parameters
    ----------
    reports : sequence of StageReport
        In any order; fewer than ``MANY`` are not looked at.
    """
    found = [False] * len(reports)
    if len(reports) < MANY:
        return found
    import numpy as np  # slow to load

    from anchorhold.stats.elo_many import elos_from_pentanomials

    places = [place for place, report in enumerate(reports) if _is_of_sound_pairs(report)]
    if not places:
        return found
    chosen = [reports[place] for place in places]
    counted = elos_from_pentanomials(
        np.array([report.pentanomial for report in chosen], dtype=np.float64), rule=contract.estimate_rule
    )
    elo = np.array([report.elo for report in chosen], dtype=np.float64)  # NaN where none is reported
    odd = np.abs(elo - counted.elo) > contract.parameters.claim_tolerance - CLEAR
    for place, is_silent in zip(places, (counted.known & ~odd).tolist(), strict=True):
        found[place] = is_silent
    return found


def _is_of_sound_pairs(report: StageReport) -> bool:
    pairs, error = report.pentanomial, report.elo_error
    if pairs is None or not are_sound(pairs) or (error is not None and error <= 0):
        return False
    games = report.wins, report.draws, report.losses
    if games == (None, None, None):
        return True
    if not are_sound(games):
        return False
    wins, draws, losses = games
    return not contradictions(Pentanomial(*pairs), Trinomial(wins=wins, draws=draws, losses=losses))
