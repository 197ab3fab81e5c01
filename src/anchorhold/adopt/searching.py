"""Single searches of one engine, asked for as the referee of a match asks for them.

Seconds everywhere. May import: chess, anchorhold.domain, errors, matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

import chess

from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.games import Opening
from anchorhold.errors import MatchStopped
from anchorhold.matches.arbiter import Arbiter, Side
from anchorhold.matches.engine import Answer, EngineFailure
from anchorhold.matches.jobs import MatchRules
from anchorhold.matches.process import stop_all
from anchorhold.matches.switchboard import Switchboard
from anchorhold.matches.uci import UciEngine
from anchorhold.matches.xboard import XboardEngine

START_TIMEOUT = MatchRules().start_timeout
"""Seconds for an engine's start: as in a match."""
# Middle games with a choice of moves, as move lists: not every engine can be given a position.
OPENINGS = tuple(
    Opening(None, tuple(moves.split()))
    for moves in (
        "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6",
        "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4 e2e3 e8g8 f1d3 d7d5 g1f3 c7c5",
        "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 c1e3 e7e5 d4b3 c8e6",
    )
)


@dataclass(frozen=True, slots=True)
class Search:
    """What one search did."""

    move: str
    seconds: float
    depth: int | None
    """As the engine said it last; None: it said none."""
    nodes: int | None
    score: int | None
    mate: int | None


class Failed(Exception):
    """The engine gave no usable answer; the text goes on after its name."""


class Seat:
    """One process of an engine, started on entering and ended on leaving.

    Parameters
    ----------
    spec : EngineSpec
        How it is run, and the limit of every search.
    patience : float
        Seconds after which a search without a clock is given up.
    start_timeout : float
        Seconds for its start.

    Raises
    ------
    Failed
        It does not start, or does not take its options.
    """

    def __init__(self, spec: EngineSpec, *, patience: float, start_timeout: float = START_TIMEOUT) -> None:
        # Thinking is wanted here: it tells depth and nodes.
        spec = replace(spec, setup=tuple(line for line in spec.setup if line != "nopost"))
        self.rules = MatchRules(start_timeout=start_timeout, ping_timeout=patience, stall_timeout=patience)
        self.switchboard = Switchboard()
        kind = UciEngine if spec.protocol == "uci" else XboardEngine
        self.engine: UciEngine | XboardEngine = kind(spec, rules=self.rules, switchboard=self.switchboard)

    def __enter__(self) -> Self:
        """Start the engine."""
        try:
            self.engine.start()
        except EngineFailure as failure:
            raise Failed(f"{failure.what}{failure.errors}") from failure
        except MatchStopped as refusal:
            raise Failed(str(refusal)) from refusal
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the engine."""
        try:
            if not self.engine.ended:
                self.engine.quit()
                stop_all([self.engine.process], switchboard=self.switchboard, grace=0.5)
        finally:
            self.engine.kill()

    def search(self, opening: Opening) -> Search:
        """Ask for one move in a new game.

        Raises
        ------
        Failed
            No answer in time, no legal move, or it ended.
        """
        side = Side(self.engine.spec.limit, self.engine.spec.margin)
        game = Arbiter(opening=opening, variant="standard", white=side, black=side, rules=self.rules)
        try:
            self.engine.new_game(game)
            answer = self.engine.think(game, opponent=self.engine)
        except EngineFailure as failure:
            raise Failed(f"{failure.what}{failure.errors}") from failure
        except MatchStopped as refusal:
            raise Failed(str(refusal)) from refusal
        if answer is None:
            raise Failed(f"gave no move within {game.allowance:g} s")
        move = _moved(game, answer)
        self.engine.end_game(game)
        return Search(move, answer.seconds, answer.depth, answer.nodes, answer.score, answer.mate)


def _moved(game: Arbiter, answer: Answer) -> str:
    if answer.kind != "move":
        raise Failed(f"answered {answer.text!r} where a move was wanted")
    game.answer(answer.text, seconds=0.0, san_allowed=True)
    if not game.records:
        raise Failed(f"gave {answer.text!r}, which is no legal move")
    return game.records[0].uci


def searches(
    spec: EngineSpec, openings: Sequence[Opening], *, patience: float, start_timeout: float = START_TIMEOUT
) -> list[Search]:
    """Search some positions one after the other in one fresh process, each as a new game.

    Raises
    ------
    Failed
        As for ``Seat.search``.
    """
    found: list[Search] = []
    with Seat(spec, patience=patience, start_timeout=start_timeout) as seat:
        for opening in openings:
            found.append(seat.search(opening))
            if seat.engine.fresh_every_game and opening is not openings[-1]:
                seat.__exit__(None, None, None)
                seat.__enter__()
    return found


def play_moves(spec: EngineSpec, *, moves: int, patience: float) -> float:
    """Let the engine play so many moves on each side of one game, and return the least time that was left on a clock.

    Raises
    ------
    Failed
        It lost on time, or failed otherwise.
    """
    side = Side(spec.limit, spec.margin)
    with Seat(spec, patience=patience) as white, Seat(spec, patience=patience) as black:
        game = Arbiter(opening=OPENINGS[0], variant="standard", white=side, black=side, rules=white.rules)
        # One switchboard would do, but each side watches its own engine only while it thinks.
        seats = {chess.WHITE: white, chess.BLACK: black}
        try:
            for seat in seats.values():
                seat.engine.new_game(game)
            for _ in range(2 * moves):
                mover = seats[game.turn].engine
                answer = mover.think(game, opponent=mover)
                if answer is None:
                    game.time_is_up()
                elif answer.kind == "move":
                    game.answer(answer.text, seconds=answer.seconds, san_allowed=True)
                else:
                    break
                if game.verdict is not None:
                    break
        except EngineFailure as failure:
            raise Failed(f"{failure.what}{failure.errors}") from failure
        if game.verdict is not None and game.verdict.fault is not None:
            raise Failed(game.verdict.reason)
        return min(game.remaining(color) or 0.0 for color in seats)
