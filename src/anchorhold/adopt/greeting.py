"""Which protocol a program speaks, and what it says about itself.

May import: anchorhold.domain, errors, matches, anchorhold.adopt.searching.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from anchorhold.adopt.searching import OPENINGS, START_TIMEOUT, Failed, Seat
from anchorhold.domain.engines import EngineSpec, Protocol
from anchorhold.domain.limits import Limit
from anchorhold.errors import BadInput
from anchorhold.matches.process import EngineProcess, command_line
from anchorhold.matches.switchboard import Switchboard
from anchorhold.matches.uci_options import UciOption
from anchorhold.matches.xboard import XboardEngine
from anchorhold.matches.xboard_options import XboardOption

NO_UCI = re.compile(rb"illegal|unknown|error|invalid", re.IGNORECASE)
"""How XBoard engines answer ``uci``."""
SILENCE = 2.0
"""Seconds in which something must be said, or XBoard is tried."""


@dataclass(frozen=True, slots=True)
class Greeting:
    """What an engine says about itself when it is started."""

    name: str
    """Empty: it does not say."""
    author: str
    options: tuple[UciOption | XboardOption, ...]
    setboard: bool
    """Whether it can be given a position."""


def detect_protocol(command: Sequence[str], *, directory: Path | None = None) -> Protocol:
    """Find out by talking to it whether a program speaks UCI or XBoard.

    Raises
    ------
    BadInput
        It cannot be started, or speaks neither.
    """
    switchboard = Switchboard()
    heard: list[bytes] = []
    try:
        process = EngineProcess(
            command, directory=directory, switchboard=switchboard, on_lines=lambda lines, _: heard.append(lines)
        )
    except OSError as error:
        raise BadInput(f"cannot be started: {error.strerror}", where=command_line(command)) from error
    try:
        process.send("uci")
        begun = switchboard.clock()

        def answers_uci(*, within: float) -> bool | None:
            """Whether it does; None: it has said nothing by then."""
            while switchboard.clock() < begun + within and not process.ended:
                said = b"".join(heard)
                if re.search(rb"^uciok\b", said, re.MULTILINE):
                    return True
                # What only echoes has said nothing.
                within = START_TIMEOUT if said.strip() not in (b"", b"uci") else within
                if NO_UCI.search(said):
                    return False
                switchboard.turn(switchboard.clock() + 0.1)
            return None

        if answers_uci(within=SILENCE):
            return "uci"
        try:
            _require_xboard(command, directory)
        except Failed as failure:
            # What has not even echoed may only be slow to start.
            if not b"".join(heard).strip() and answers_uci(within=START_TIMEOUT):
                return "uci"
            raise BadInput(
                f"speaks neither UCI nor XBoard ({failure})",
                where=command_line(command),
                next_step="Run it by hand and type uci: an engine answers with uciok",
            ) from failure
        return "xboard"
    finally:
        process.kill()


def _require_xboard(command: Sequence[str], directory: Path | None) -> None:
    """Fail when a program does not speak XBoard."""
    spec = EngineSpec(name="?", command=tuple(command), limit=Limit(depth=1), protocol="xboard", directory=directory)
    with Seat(spec, patience=SILENCE) as seat:
        assert isinstance(seat.engine, XboardEngine)
        if not seat.engine.features:
            # Protocol version 1 announces nothing; then a move tells.
            seat.search(OPENINGS[0])


def greet(spec: EngineSpec) -> Greeting:
    """Start an engine as it is set up, without its options, and take down what it says.

    Raises
    ------
    Failed
        It does not start.
    """
    with Seat(replace(spec, options=()), patience=SILENCE) as seat:
        engine = seat.engine
        if isinstance(engine, XboardEngine):
            setboard = engine.features.get("setboard") == "1"
            return Greeting(engine.features.get("myname", ""), "", engine.announced, setboard)
        return Greeting(engine.called.get("name", ""), engine.called.get("author", ""), engine.announced, True)
