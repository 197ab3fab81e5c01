"""Does an engine start at all: greeted once, given its options, and ended again.

Seconds everywhere. May import: anchorhold.errors, domain.engines, anchorhold.matches.
"""

from __future__ import annotations

from anchorhold.domain.engines import EngineSpec
from anchorhold.errors import MatchStopped
from anchorhold.matches.engine import Engine, EngineFailure
from anchorhold.matches.jobs import MatchRules
from anchorhold.matches.process import command_line, stop_all
from anchorhold.matches.switchboard import Switchboard
from anchorhold.matches.uci import UciEngine
from anchorhold.matches.xboard import XboardEngine

QUIT_GRACE = 1.0


def require_start(spec: EngineSpec, *, rules: MatchRules) -> None:
    """Start an engine, send its options, wait until it is ready, and end it.

    Raises
    ------
    MatchStopped
        It cannot be started, does not answer in time, or does not take an option.
    """
    switchboard = Switchboard()
    engine: Engine = (UciEngine if spec.protocol == "uci" else XboardEngine)(spec, rules=rules, switchboard=switchboard)
    try:
        engine.start()
    except EngineFailure as failure:
        raise MatchStopped(
            f"engine {spec.name} {failure.what}{failure.errors}",
            where=command_line(spec.command),
            next_step="Run this command by hand to see what it says",
        ) from failure
    try:
        engine.quit()
        stop_all([engine.process], switchboard=switchboard, grace=QUIT_GRACE)
    finally:
        engine.kill()
