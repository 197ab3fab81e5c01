"""Which limits an engine obeys, by real searches: nodes, depth, seconds a move, a clock.

Seconds everywhere. May import: anchorhold.domain, anchorhold.adopt.recipes, searching.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from anchorhold.adopt.recipes import LIMIT_KINDS, LimitKind
from anchorhold.adopt.searching import OPENINGS, Failed, Search, play_moves, searches
from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.limits import Limit, TimeControl

NODES = (10_000, 40_000)
DEPTHS = (2, 4)
MOVETIME = {"uci": 0.3, "xboard": 1.0}
"""XBoard's ``st`` is made for whole seconds."""
CLOCK = TimeControl(base=1.0, increment=0.02)
CLOCK_MOVES = 8
NODE_SHARE = 0.5
"""Between half of the nodes and half more than them is obeyed: engines look at the count now and then."""
PATIENCE = 8.0
"""Seconds for a search to a small depth: engines in Python need them."""
NODES_PATIENCE = 4.0
"""Seconds for a search of few nodes: many engines never end one, and would keep everybody waiting."""


@dataclass(frozen=True, slots=True)
class Obeyed:
    """Whether one kind of limit is obeyed."""

    kind: LimitKind
    obeyed: bool | None
    """None: it cannot be told."""
    detail: str
    """What was asked and what was seen."""
    searches: tuple[Search, ...] = ()


def kinds_of(limit: Limit) -> tuple[LimitKind, ...]:
    """Return the kinds of bounds that a limit has."""
    has: dict[LimitKind, bool] = {
        "nodes": limit.nodes is not None,
        "depth": limit.depth is not None,
        "movetime": limit.movetime is not None,
        "clock": limit.time_control is not None,
    }
    return tuple(kind for kind in LIMIT_KINDS if has[kind])


def try_limits(spec: EngineSpec) -> tuple[Obeyed, ...]:
    """Try all kinds of limits; what ``spec`` itself is limited to does not matter, its margin of time does."""
    return tuple(try_limit(spec, kind) for kind in LIMIT_KINDS)


def try_limit(spec: EngineSpec, kind: LimitKind) -> Obeyed:
    """Try one kind of limit; an engine that fails does not obey it."""
    if kind == "nodes" and spec.protocol == "xboard":
        return Obeyed(kind, False, "XBoard has no command for it")
    try:
        return _TRIES[kind](spec)
    except Failed as failure:
        return Obeyed(kind, False, f"{_asked(kind, spec)}: {failure}")


def _nodes(spec: EngineSpec) -> Obeyed:
    found = _searches(spec, [Limit(nodes=nodes) for nodes in NODES], patience=NODES_PATIENCE)
    detail = ", ".join([f"{wanted} nodes: {one.nodes} searched" for wanted, one in zip(NODES, found, strict=True)])
    if any(one.nodes is None for one in found):
        return Obeyed("nodes", None, "it does not say how many nodes it has searched", found)
    kept = all(abs(one.nodes / wanted - 1) <= NODE_SHARE for wanted, one in zip(NODES, found, strict=True) if one.nodes)
    return Obeyed("nodes", kept, detail, found)


def _depth(spec: EngineSpec) -> Obeyed:
    found = _searches(spec, [Limit(depth=depth) for depth in DEPTHS], patience=PATIENCE)
    told = [(wanted, one.depth) for wanted, one in zip(DEPTHS, found, strict=True) if one.depth is not None]
    if not told:
        return Obeyed("depth", None, "it does not say how deep it has searched", found)
    detail = ", ".join([f"depth {wanted}: {depth} reached" for wanted, depth in told])
    return Obeyed("depth", all(wanted == depth for wanted, depth in told), detail, found)


def _movetime(spec: EngineSpec) -> Obeyed:
    wanted = MOVETIME[spec.protocol]
    found = _searches(spec, [Limit(movetime=wanted)], patience=PATIENCE)
    return Obeyed("movetime", True, f"{wanted:g} s a move: {found[0].seconds:.2f} s used", found)


def _clock(spec: EngineSpec) -> Obeyed:
    left = play_moves(replace(spec, limit=Limit(time_control=CLOCK)), moves=CLOCK_MOVES, patience=PATIENCE)
    return Obeyed("clock", True, f"{CLOCK_MOVES} moves on {CLOCK} s: {left:.2f} s left")


_TRIES: dict[LimitKind, Callable[[EngineSpec], Obeyed]] = {
    "nodes": _nodes,
    "depth": _depth,
    "movetime": _movetime,
    "clock": _clock,
}


def _asked(kind: LimitKind, spec: EngineSpec) -> str:
    texts: dict[LimitKind, str] = {
        "nodes": f"{NODES[0]} nodes",
        "depth": f"depth {DEPTHS[0]}",
        "movetime": f"{MOVETIME[spec.protocol]:g} s a move",
        "clock": f"{CLOCK_MOVES} moves on {CLOCK} s",
    }
    return texts[kind]


def _searches(spec: EngineSpec, limits: list[Limit], *, patience: float) -> tuple[Search, ...]:
    # A process of its own for each: an XBoard engine may keep an earlier limit.
    return tuple(searches(replace(spec, limit=limit), OPENINGS[:1], patience=patience)[0] for limit in limits)
