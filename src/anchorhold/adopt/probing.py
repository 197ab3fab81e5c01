"""What one engine is and can: identity, limits that it obeys, speed, whether it repeats itself.

Seconds everywhere. May import: anchorhold.checks.identity, domain, anchorhold.adopt.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from anchorhold.adopt.greeting import Greeting, greet
from anchorhold.adopt.known import KnownEngine
from anchorhold.adopt.limits import Obeyed, try_limit
from anchorhold.adopt.recipes import LIMIT_KINDS
from anchorhold.adopt.repeating import Repeats, repeats
from anchorhold.adopt.searching import Failed
from anchorhold.checks.identity import RunIdentity, run_identity
from anchorhold.domain.limits import Limit
from anchorhold.errors import MatchStopped
from anchorhold.matches.process import command_line

LEAST_SECONDS = 0.02
"""A search that says something about speed."""


@dataclass(frozen=True, slots=True)
class Probe:
    """All that was found out about one engine."""

    engine: KnownEngine
    greeting: Greeting
    limits: tuple[Obeyed, ...]
    nodes_per_second: float | None
    """Of its longest search; None: it tells no nodes, or is done too fast to be measured."""
    repeats: Repeats | None
    """None: it obeys neither depth nor nodes, so that it cannot be told."""
    identity: RunIdentity


def probe(
    engine: KnownEngine, *, digest_of: Callable[[Path], str], on_step: Callable[[str], None] | None = None
) -> Probe:
    """Start an engine several times and let it search.

    Parameters
    ----------
    on_step : callable, optional
        Called with what is done next, in words.

    Raises
    ------
    MatchStopped
        It does not start.
    """
    say = on_step or (lambda _words: None)
    spec = engine.template.spec(engine.name, Limit(depth=1))
    try:
        say("start")
        greeting = greet(spec)
        tried: list[Obeyed] = []
        for kind in LIMIT_KINDS:
            say(kind)
            tried.append(try_limit(spec, kind))
        say("repetition")
        again = repeats(spec, tried)
    except Failed as failure:
        raise MatchStopped(
            f"engine {engine.name} {failure}",
            where=command_line(spec.command),
            next_step="Run this command by hand to see what it says",
        ) from failure
    return Probe(
        engine=engine,
        greeting=greeting,
        limits=tuple(tried),
        nodes_per_second=_speed(tried),
        repeats=again,
        identity=run_identity(spec, digest_of=digest_of),
    )


def _speed(tried: list[Obeyed]) -> float | None:
    found = [search for one in tried for search in one.searches if search.nodes and search.seconds >= LEAST_SECONDS]
    longest = max(found, key=lambda search: search.seconds, default=None)
    return None if longest is None or longest.nodes is None else longest.nodes / longest.seconds
