"""The depth at which main is near its anchors, found by a few games. Nothing of them is kept.

May import: anchorhold.domain, errors, matches, stats, anchorhold.adopt.limits, trial.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from anchorhold.adopt.limits import try_limit
from anchorhold.adopt.recipes import LimitKind
from anchorhold.adopt.searching import OPENINGS, Failed, searches
from anchorhold.adopt.trial import play_trial
from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.limits import Limit, TimeControl
from anchorhold.matches.books import load_book
from anchorhold.matches.jobs import MatchRules

DEPTHS = range(1, 13)
FIRST = 4
NEAR = 0.15
"""Score away from one half that is near enough: a hundred Elo."""
FAR = 0.35
"""Score away from one half at which the next depth is not enough."""
MOST_TRIALS = 5
PAIRS = 2
"""Against each anchor, in each trial."""
SLOWEST = 0.5
"""Seconds a move beyond which games would take too long to be played by the way."""
UNKNOWN = "Nothing was played to choose this limit."


@dataclass(frozen=True, slots=True)
class Balanced:
    """The limit for main, and what speaks for it."""

    limit: Limit
    reason: str
    """One sentence."""
    far: bool = False
    """Hardly a game was won, or hardly one lost: a measurement would say little."""


def balance(
    main: EngineSpec,
    anchors: Sequence[EngineSpec],
    *,
    book: Path,
    workers: int,
    on_step: Callable[[str], None] | None = None,
) -> Balanced:
    """Play a few games at some depths, and take the one at which main's score is nearest to one half.

    Raises
    ------
    MatchStopped
        An engine cannot be started, or fails too often in a row.
    """
    if not anchors:
        return Balanced(Limit(depth=FIRST), UNKNOWN)
    if try_limit(main, "depth").obeyed is False:
        return _without_depth(main)
    deepest = _deepest(main)
    if deepest == 0:
        return Balanced(Limit(depth=1), f"Main takes more than {SLOWEST:g} s at depth 1: too slow to play a few games.")
    openings = load_book(book)
    low, high, depth = DEPTHS.start - 1, deepest + 1, min(FIRST, deepest)
    scores: dict[int, float] = {}
    while len(scores) < MOST_TRIALS and low < depth < high and depth not in scores:
        if on_step is not None:
            on_step(f"main at depth {depth} against {len(anchors)} anchors")
        found = play_trial(
            replace(main, limit=Limit(depth=depth)),
            anchors,
            book=openings,
            pairs=PAIRS,
            workers=workers,
            rules=MatchRules(max_moves=100),
        )
        scores[depth] = found.score
        if abs(found.score - 0.5) <= NEAR:
            break
        if found.score > 0.5:
            high = depth
        else:
            low = depth
        # A ply is worth some hundred Elo: the next depth is seldom far.
        depth = (low + high) // 2 if abs(found.score - 0.5) > FAR else depth + (1 if found.score < 0.5 else -1)
    best = min(scores, key=lambda one: abs(scores[one] - 0.5))
    games = 2 * PAIRS * len(anchors)
    return Balanced(
        Limit(depth=best),
        f"At depth {best} main scored {100 * scores[best]:.0f} % in {games} games against them.",
        far=abs(scores[best] - 0.5) > FAR,
    )


def _without_depth(main: EngineSpec) -> Balanced:
    others: dict[LimitKind, Limit] = {
        "nodes": Limit(nodes=10_000),
        "movetime": Limit(movetime=0.1),
        "clock": Limit(time_control=TimeControl(base=5.0, increment=0.05)),
    }
    for kind, limit in others.items():
        if try_limit(main, kind).obeyed is not False:
            return Balanced(limit, f"Main obeys no depth, but {kind}; how near it is to the anchors is not known.")
    return Balanced(Limit(depth=FIRST), "Main obeys no limit: 'anchorhold engines probe' shows what was tried.")


def _deepest(main: EngineSpec) -> int:
    """Return the greatest depth that main reaches fast enough for games; 0: none."""
    reached = 0
    for depth in DEPTHS:
        try:
            (one,) = searches(replace(main, limit=Limit(depth=depth)), OPENINGS[:1], patience=2 * SLOWEST)
        except Failed:
            break
        if one.seconds > SLOWEST:
            break
        reached = depth
    return reached
