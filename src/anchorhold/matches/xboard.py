"""An engine that speaks XBoard, also called CECP, version 2 or older.

XBoard engines may print a result or a move after the end of a game; ``ping`` before each game drops it, and an engine
without ``ping`` gets a fresh process for each game. Centiseconds on the wire only. May import: anchorhold.errors,
domain.limits, anchorhold.matches.arbiter, engine, uci_options, xboard_options.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from enum import Enum

from anchorhold.domain.limits import TimeControl
from anchorhold.errors import MatchStopped
from anchorhold.matches.arbiter import Arbiter
from anchorhold.matches.engine import Answer, Engine, whole
from anchorhold.matches.uci_options import OptionRefused
from anchorhold.matches.xboard_options import XboardOption, option_command, read_features, read_option

FEATURE_PATIENCE = 2.0
"""Seconds for the first feature; an engine of protocol version 1 never sends one."""
MATE_SCORE = 100_000
"""Scores beyond this are 100000 + moves to mate."""
NO_CLOCK = "level 0 1000 0"
"""Some engines play on a clock unless told otherwise: this one does not disturb a depth limit."""
MOST_OPTIONS = 5000

_THINKING = re.compile(rb"\s*(\d{1,4})[^\d\s]?\s+([-+]?\d{1,9})\s+(\d{1,18})\s+(\d{1,18})(?:\s|$)")
_MOVE = re.compile(rb"(?:move\b(?!\s+ordering\b)|my move is\s*:?)\s*(\S*)", re.IGNORECASE)
"""The second form is that of engines older than the protocol's second version; Sjeng tells its move ordering."""
_RESIGNS = re.compile(r"(?:tellics )?resigns?\b.*", re.IGNORECASE)
_RESULT = re.compile(r"(1-0|0-1|1/2-1/2)(\s.*)?")
_ILLEGAL = re.compile(r"illegal move\s*(\([^)]*\))?\s*:?\s*(?P<move>\S*)", re.IGNORECASE)

_ABOUT = "myname variants option done memory smp egt"
_SWITCHES = "ping setboard playother san usermove time draw sigint sigterm reuse analyze colors ics name pause nps"
_KNOWN_FEATURES = frozenset(f"{_ABOUT} {_SWITCHES} debug".split())


def level_command(control: TimeControl) -> str:
    """The ``level`` line; base time in whole seconds, since ``time`` tells the exact clock before each move."""
    seconds = max(1, math.ceil(control.base))
    base = str(seconds // 60) if seconds % 60 == 0 else f"{seconds // 60}:{seconds % 60:02d}"
    return f"level {control.moves or 0} {base} {control.increment:g}"


def read_thinking(line: bytes) -> tuple[int | None, int | None, int | None, int | None]:
    """Depth, score in centipawns, mate, nodes of a thinking line ``ply score time nodes pv``."""
    found = _THINKING.match(line)
    if not found:
        return None, None, None, None
    depth, score, nodes = whole(found[1]), whole(found[2]), whole(found[4])
    if score is not None and abs(score) > MATE_SCORE:
        moves = abs(score) - MATE_SCORE
        return depth, None, moves if score > 0 else -moves, nodes
    return depth, score, None, nodes


class _State(Enum):
    IDLE = 0
    """Moves and thinking are dropped; claims are kept until its next turn."""
    GREETING = 1
    SYNCING = 2
    """Everything up to the pong is dropped."""
    THINKING = 3


class XboardEngine(Engine):
    """An engine that speaks XBoard; see ``Engine`` for what its methods promise."""

    _state = _State.IDLE
    _features: dict[str, str]
    _options: dict[str, XboardOption]
    _ping = 0
    _forced = True
    _told = 0
    _told_last = ""
    _info: bytes = b""
    _said: tuple[str, str, float] | None = None
    """Kind, text, and time of its answer."""
    _claimed: tuple[str, str, float] | None = None
    """The same for what it said while it was not to move."""
    _in_game = False

    @property
    def fresh_every_game(self) -> bool:
        """Without ``ping`` nobody can tell its old lines from its new ones; ``reuse=0`` asks for it."""
        return self._features.get("ping") != "1" or self._features.get("reuse") == "0"

    # -- what it says about itself

    @property
    def features(self) -> Mapping[str, str]:
        """The features that it has announced, options apart; empty for an engine of the protocol's first version."""
        return self._features

    @property
    def announced(self) -> tuple[XboardOption, ...]:
        """Its options, in its order."""
        return tuple(self._options.values())

    # -- life

    def _greet(self, deadline: float) -> None:
        self._features, self._options = {}, {}
        self._state = _State.GREETING
        self.process.send("xboard\nprotover 2")
        clock = self.switchboard.clock
        first = min(deadline, clock() + FEATURE_PATIENCE)
        # done=0 means that more will come, however long it takes; no feature at all means an old engine.
        self._wait(lambda: "done" in self._features, first)
        if self._features.get("done") == "0" and not self._wait(lambda: self._features["done"] != "0", deadline):
            raise self.failure(f"did not send feature done=1 within {self.rules.start_timeout:g} s")
        self._state = _State.IDLE
        for name, value in self.spec.options:
            try:
                command = option_command(name, value, features=self._features, known=self._options)
            except OptionRefused as refusal:
                raise self.refuse(refusal.what, next_step=refusal.next_step) from refusal
            if command is not None:
                self.process.send(command)
        if self._features.get("ping") == "1":
            self._sync(deadline, within=self.rules.start_timeout)

    def _sync(self, deadline: float, *, within: float) -> None:
        """Send ``ping`` and drop everything up to its ``pong``."""
        self._ping += 1
        self._state = _State.SYNCING
        self.process.send(f"ping {self._ping}")
        if not self._wait(lambda: self._state is _State.IDLE, deadline):
            raise self.failure(f"did not answer ping (no pong within {within:g} s)")

    def _on_line(self, line: bytes, stamp: float) -> None:
        word, _, rest = line.partition(b" ")
        state = self._state
        if state is _State.SYNCING:
            if word == b"pong" and rest.strip() == str(self._ping).encode():
                self._state = _State.IDLE
        elif state is _State.GREETING:
            if word == b"feature":
                self._take_features(line.decode("utf-8", "replace"))
        elif state is _State.THINKING:
            if move := _MOVE.match(line):
                self._say("move", move[1], stamp)
            elif not self._take_claim(line, stamp) and _THINKING.match(line):
                self._info = line
        elif self._in_game:
            self._take_claim(line, stamp)

    def _take_features(self, line: str) -> None:
        for name, value in read_features(line):
            if name not in _KNOWN_FEATURES:
                self.process.send(f"rejected {name}")
                continue
            if name == "option":
                option = read_option(value)
                if option is not None and len(self._options) < MOST_OPTIONS:
                    self._options[option.name] = option
            else:
                self._features[name] = value
            self.process.send(f"accepted {name}")

    def _say(self, kind: str, text: bytes, stamp: float) -> None:
        said = (kind, "".join(c for c in text.decode("ascii", "ignore") if c.isprintable()), stamp)
        if self._state is _State.THINKING:
            self._said = said
            self._state = _State.IDLE
        elif self._claimed is None:
            self._claimed = said

    def _take_claim(self, line: bytes, stamp: float) -> bool:
        """Keep a resignation, a result or the claim of an illegal move; False when the line is none of them."""
        start = line[:200].decode("ascii", "ignore")
        if _RESIGNS.fullmatch(start):
            self._say("resign", b"resign", stamp)
            return True
        if _RESULT.fullmatch(start):
            self._say("result claim", line[:200], stamp)
            return True
        illegal = _ILLEGAL.match(start)
        if illegal:
            named = illegal["move"]
            # "Illegal move: sd 4" is an answer to a command that it does not know.
            if named and named not in {self._told_last, self._told_last.lower()}:
                self.warn("illegal command", f"says {start!r}")
            else:
                self._say("illegal move claim", line[:200], stamp)
            return True
        return False

    # -- games

    def new_game(self, game: Arbiter) -> None:
        """See ``Engine.new_game``."""
        self._in_game = self.went = False
        self._check(game)
        lines = ["new"]
        if game.variant == "chess960":
            lines.append("variant fischerandom")
        lines += ["force", "easy", "post", *self.spec.setup, *self._limit_lines()]
        if game.moves.start_fen is not None:
            lines.append(f"setboard {game.moves.start_fen}")
        lines += [self._move_line(game, ply) for ply in range(game.book_plies)]
        self.process.send("\n".join(lines))
        if self._features.get("ping") == "1":
            timeout = self.rules.ping_timeout
            self._sync(self.switchboard.clock() + timeout, within=timeout)
        self._told = game.book_plies
        self._told_last = ""
        self._forced = True
        self._claimed = None
        self._in_game = True

    def _check(self, game: Arbiter) -> None:
        """Refuse what this engine cannot play."""
        if game.moves.start_fen is not None and self._features.get("setboard") != "1":
            raise MatchStopped(
                f"engine {self.spec.name} has no setboard, so that it cannot play from a position",
                where=game.opening.source,
                next_step="Use a book of move lists from the usual starting position",
            )
        variants = [name.strip() for name in self._features.get("variants", "normal").split(",")]
        if game.variant == "chess960" and "fischerandom" not in variants:
            raise self.refuse("cannot play Chess960: fischerandom is not among its variants")
        if self.spec.limit.nodes is not None:
            raise self.refuse(
                "cannot be limited to nodes: XBoard has no command for it", next_step="Use depth or a clock"
            )

    def _limit_lines(self) -> list[str]:
        limit = self.spec.limit
        lines = []
        if limit.time_control is not None:
            lines.append(level_command(limit.time_control))
        elif limit.movetime is not None:
            lines.append(f"st {limit.movetime:g}")
        else:
            lines.append(NO_CLOCK)
        if limit.depth is not None:
            lines.append(f"{self.spec.depth_command} {limit.depth}")
        return lines

    def _move_line(self, game: Arbiter, ply: int) -> str:
        text = game.moves.played[ply]
        if self._features.get("san") == "1":
            text = game.moves.sans[ply]
        elif game.variant == "chess960":
            san = game.moves.sans[ply].rstrip("+#")
            text = san if san.startswith("O-O") else text
        self._told_last = text
        return f"usermove {text}" if self._features.get("usermove") == "1" else text

    def think(self, game: Arbiter, *, opponent: Engine) -> Answer | None:
        """See ``Engine.think``."""
        clock = self.switchboard.clock
        if self._claimed is not None:
            # It resigned or claimed something while it was not to move.
            self._said, self._claimed = self._claimed, None
            self.asked_at = clock()
            return self._answer(self.asked_at)
        lines = []
        fresh = [self._move_line(game, ply) for ply in range(self._told, len(game.moves.played))]
        if self._forced:
            lines += fresh
        lines += self._clock_lines(game)
        lines += ["go"] if self._forced else fresh
        self._forced = False
        self._info = b""
        self._state = _State.THINKING
        self._said = None
        self.went = True
        self.process.send("\n".join(lines))
        self.asked_at = asked = clock()
        # Its own move, which it has made on its own board, is not told again.
        self._told = len(game.moves.played) + 1
        if not self._wait(lambda: self._said is not None, asked + game.allowance, opponent=opponent):
            return None
        return self._answer(asked)

    def _answer(self, asked: float) -> Answer:
        assert self._said is not None
        kind, text, stamp = self._said
        depth, score, mate, nodes = read_thinking(self._info)
        seconds = max(0.0, stamp - asked)
        if kind == "move":
            return Answer("move", text, seconds, depth=depth, score=score, mate=mate, nodes=nodes)
        if kind == "resign":
            return Answer("resign", text, seconds)
        return Answer("result claim" if kind == "result claim" else "illegal move claim", text, seconds)

    def _clock_lines(self, game: Arbiter) -> list[str]:
        own, other = game.remaining(game.turn), game.remaining(not game.turn)
        if self._features.get("time") == "0" or own is None:
            return []
        return [f"time {int(own * 100)}", f"otim {int((own if other is None else other) * 100)}"]

    def end_game(self, game: Arbiter) -> bool:
        """See ``Engine.end_game``."""
        self._in_game = False
        if self._state is _State.THINKING:
            return False
        if game.verdict is not None:
            self.process.send(f"result {game.verdict.result} {{{game.verdict.reason}}}\nforce")
        return True
