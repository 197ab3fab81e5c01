"""Whether an engine repeats itself: the same positions under the same limit, in fresh processes and in another order.

May import: anchorhold.domain, anchorhold.adopt.limits, searching.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from anchorhold.adopt.limits import PATIENCE, Obeyed
from anchorhold.adopt.searching import OPENINGS, Search, searches
from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.limits import Limit

Repeats = Literal["always", "in a fresh process", "no"]
SHALLOW, DEEP = 4, 7
QUICK = 0.05
"""Seconds within which the shallow search must end for the deep one to be tried."""


def repeats(spec: EngineSpec, obeyed: Sequence[Obeyed]) -> Repeats | None:
    """Search some positions in two fresh processes, and in a third one in the opposite order.

    Returns
    -------
    Repeats or None
        None: it obeys neither depth nor nodes, so that nothing can be repeated.

    Raises
    ------
    Failed
        It gave no usable answer.
    """
    limit = _limit(obeyed)
    if limit is None:
        return None
    held = replace(spec, limit=limit)
    one, other = (searches(held, OPENINGS, patience=PATIENCE) for _ in range(2))
    backwards = searches(held, OPENINGS[::-1], patience=PATIENCE)[::-1]
    if _seen(one) != _seen(other):
        return "no"
    return "always" if _seen(one) == _seen(backwards) else "in a fresh process"


def _limit(obeyed: Sequence[Obeyed]) -> Limit | None:
    by_kind = {one.kind: one for one in obeyed}
    if by_kind["depth"].obeyed is not False:
        seconds = [search.seconds for search in by_kind["depth"].searches]
        return Limit(depth=DEEP if seconds and seconds[-1] < QUICK else SHALLOW)
    return Limit(nodes=20_000) if by_kind["nodes"].obeyed else None


def _seen(found: Sequence[Search]) -> list[tuple[object, ...]]:
    return [(one.move, one.score, one.mate, one.nodes) for one in found]
