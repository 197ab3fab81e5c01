"""An engine that speaks UCI.

Before every ``go`` stands ``isready``, and whatever came before ``readyok`` is dropped; of several answers to one
``go`` the first counts. On a clock ``go`` is written when ``readyok`` has come, so that the clock sees nothing but the
search; else it goes in one piece with ``isready``, which saves a wait for every move. Milliseconds on the wire only.
May import: anchorhold.canonical, domain.engines, domain.limits, anchorhold.matches.arbiter, engine.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from anchorhold.domain.engines import OptionValue
from anchorhold.matches.arbiter import Arbiter
from anchorhold.matches.engine import STRAY, Answer, Engine, whole

MOST_OPTIONS = 5000
"""Announced options that are kept."""

_OPTION = re.compile(r"option\s+name\s+(?P<name>.+?)\s+type\s+(?P<type>check|spin|combo|button|string)\b(?P<rest>.*)")
_OTHER_OPTION = re.compile(r"option\s+name\s+(?P<name>.+?)(?:\s+type\s+(?P<type>\S+)(?P<rest>.*))?")
_LINE_END = ord("\n")
_READY = b"readyok\n"
_BOUND = re.compile(r"\b(min|max)\s+(-?\d+)")


@dataclass(frozen=True, slots=True)
class UciOption:
    """One option as the engine announces it."""

    name: str
    type: str
    """``check``, ``spin``, ``combo``, ``button``, ``string``, or what the engine calls it; empty: not said."""
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()


def read_option(line: str) -> UciOption | None:
    """Read an ``option name … type …`` line; None when it has no name."""
    found = _OPTION.fullmatch(line) or _OTHER_OPTION.fullmatch(line)
    if not found:
        return None
    kind, rest = found["type"] or "", found["rest"] or ""
    bounds = {word: int(number) for word, number in _BOUND.findall(rest)} if kind == "spin" else {}
    choices = tuple(text.strip() for text in re.split(r"(?:^|\s)var\s", rest)[1:]) if kind == "combo" else ()
    return UciOption(found["name"], kind, low=bounds.get("min"), high=bounds.get("max"), choices=choices)


class OptionRefused(Exception):
    """An option that this engine does not have, or a value that it does not take."""

    def __init__(self, what: str, *, next_step: str = "") -> None:
        self.what, self.next_step = what, next_step
        super().__init__(what)


def option_command(wanted: str, value: OptionValue, known: Mapping[str, UciOption]) -> str | None:
    """The ``setoption`` line for one option; None when there is nothing to send (a button that is not to be pressed).

    Raises
    ------
    OptionRefused
        Unknown name, or a value that the announced type does not take.
    """
    option = known.get(wanted)
    if option is None and isinstance(value, str) and "=" in value:
        # A name may hold the sign that ends it on a command line.
        more, _, rest = value.rpartition("=")
        if f"{wanted}={more}" in known:
            option, value = known[f"{wanted}={more}"], rest
    if option is None:
        # Names are meant to be read without regard to case; two that differ in it only must be told apart exactly.
        alike = [known[name] for name in known if name.lower() == wanted.lower()]
        if len(alike) != 1:
            from anchorhold.canonical import nearest  # hardly ever needed

            raise OptionRefused(f"has no option {wanted!r}", next_step=nearest(wanted, known))
        option = alike[0]
    text = {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)
    if option.type == "button":
        return None if text == "false" else f"setoption name {option.name}"
    if option.type == "check":
        if text.lower() not in {"true", "false"}:
            raise OptionRefused(f"takes true or false for option {option.name!r}, not {value!r}")
        text = text.lower()
    elif option.type == "spin":
        try:
            number = int(float(text)) if isinstance(value, float) and value.is_integer() else int(text)
        except ValueError:
            raise OptionRefused(f"takes a whole number for option {option.name!r}, not {value!r}") from None
        low = -math.inf if option.low is None else option.low
        high = math.inf if option.high is None else option.high
        if not low <= number <= high:
            raise OptionRefused(f"takes {option.low} to {option.high} for option {option.name!r}, not {number}")
        text = str(number)
    elif option.type == "combo" and option.choices:
        match = [choice for choice in option.choices if choice.lower() == text.lower()]
        if not match:
            raise OptionRefused(f"takes {', '.join(option.choices)} for option {option.name!r}, not {value!r}")
        text = match[0]
    if "\n" in text or "\r" in text:
        raise OptionRefused(f"cannot be sent a line break in option {option.name!r}")
    return f"setoption name {option.name} value {text or '<empty>'}"


def go_command(game: Arbiter) -> str:
    """The ``go`` line for the side to move."""
    words = ["go"]
    for color, clock, increment in ((True, "wtime", "winc"), (False, "btime", "binc")):
        left, control = game.remaining(color), game.limit(color).time_control
        if left is not None and control is not None:
            # 0 is no time that every engine understands.
            words += [clock, str(max(1, int(left * 1000)))]
            if control.increment:
                words += [increment, str(int(control.increment * 1000))]
    to_go = game.moves_to_go(game.turn)
    if to_go is not None:
        words += ["movestogo", str(to_go)]
    limit = game.limit(game.turn)
    if limit.movetime is not None:
        words += ["movetime", str(max(1, int(limit.movetime * 1000)))]
    if limit.nodes is not None:
        words += ["nodes", str(limit.nodes)]
    if limit.depth is not None:
        words += ["depth", str(limit.depth)]
    return " ".join(words)


def position_command(game: Arbiter) -> str:
    """The ``position`` line: the starting position and all moves, so that engines see repetitions."""
    moves = game.moves
    fen = moves.start_shredder_fen if game.variant == "chess960" else moves.start_fen
    start = "startpos" if fen is None else f"fen {fen}"
    return f"position {start} moves {moves.line}" if moves.line else f"position {start}"


def read_info(line: bytes) -> tuple[int | None, int | None, int | None, int | None]:
    """Depth, score in centipawns, mate, nodes of an ``info`` line; None for each that is not there or not readable."""
    tokens = line.partition(b" pv ")[0].split()
    if b"pv" in tokens:
        del tokens[tokens.index(b"pv") + 1 :]
    # What comes twice counts as it stands last.
    said = dict(pairwise(tokens)).get
    mate = whole(said(b"mate", b""))
    return (
        whole(said(b"depth", b"")),
        None if mate is not None else whole(said(b"cp", b"")),
        mate,
        whole(said(b"nodes", b"")),
    )


def _is_score(line: bytes) -> bool:
    return b" score " in line and (b" multipv " not in line or b" multipv 1 " in line)


def _last_score(lines: bytes) -> bytes | None:
    """Return the last ``info`` line with a score of the first variation."""
    end = len(lines)
    while (place := lines.rfind(b" score ", 0, end)) >= 0:
        end = lines.rfind(b"\n", 0, place) + 1
        line = lines[end : lines.find(b"\n", place)].strip()
        if line.startswith(b"info") and _is_score(line):
            return line
    return None


class _State(Enum):
    IDLE = 0
    """Everything it says is dropped."""
    GREETING = 1
    SYNCING = 2
    SYNCING_WITH_GO = 3
    """``go`` has been written behind ``isready``: with ``readyok`` the search begins."""
    SEARCHING = 4


_IDLE, _GREETING, _SYNCING, _SYNCING_WITH_GO, _SEARCHING = _State


class UciEngine(Engine):
    """An engine that speaks UCI; see ``Engine`` for what its methods promise."""

    _state = _IDLE
    _info: bytes = b""
    _best: tuple[bytes, float] = (b"", 0.0)
    _heard: bytes = b""
    """The last line while an answer was waited for."""
    _chess960 = False
    _fixed_go: str | None = None
    """Its ``go`` line in this game, where no clock runs."""
    _options: dict[str, UciOption]
    _called: dict[str, str]

    # -- what it says about itself

    @property
    def called(self) -> Mapping[str, str]:
        """``name`` and ``author``, as far as it has said them at its start."""
        return self._called

    @property
    def announced(self) -> tuple[UciOption, ...]:
        """Its options, in its order."""
        return tuple(self._options.values())

    # -- life

    def _greet(self, deadline: float) -> None:
        self._options, self._called = {}, {}
        self._state = _GREETING
        self.process.send("uci")
        if not self._wait(lambda: self._state is _IDLE, deadline):
            raise self.failure(f"did not send uciok within {self.rules.start_timeout:g} s{self._last_heard()}")
        for name, value in self.spec.options:
            try:
                command = option_command(name, value, self._options)
            except OptionRefused as refusal:
                raise self.refuse(refusal.what, next_step=refusal.next_step) from refusal
            if command is not None:
                self.process.send(command)
        self._sync(deadline, within=self.rules.start_timeout)

    def _sync(
        self,
        deadline: float,
        *,
        within: float,
        before: Sequence[str] = (),
        go: str | None = None,
        opponent: Engine | None = None,
    ) -> None:
        """Send ``before``, ``isready`` and ``go`` in one piece, and drop everything up to ``readyok``."""
        self._state = _SYNCING if go is None else _SYNCING_WITH_GO
        self._heard = b""
        self.process.send("\n".join((*before, "isready") if go is None else (*before, "isready", go)))
        self.asked_at = self.switchboard.clock()
        if not self._wait(self._synced, deadline, opponent=opponent):
            raise self.failure(f"did not answer isready (no readyok within {within:g} s){self._last_heard()}")

    def _synced(self) -> bool:
        return self._state is not _SYNCING and self._state is not _SYNCING_WITH_GO

    def _on_lines(self, lines: bytes, stamp: float) -> None:
        state = self._state
        if state is _IDLE:
            return
        if state is _SEARCHING and b"bestmove" not in lines:
            # An engine may say more than one can read line by line while its clock runs: the last score is enough.
            last = _last_score(lines)
            if last:
                self._info = last
            return
        if state is _SYNCING_WITH_GO and lines.startswith(_READY):
            # What nearly every move begins with.
            self._state = _SEARCHING
            if len(lines) > len(_READY):
                self._on_lines(lines[len(_READY) :], stamp)
            return
        if state is _SEARCHING:
            # What nearly every move ends with: other lines, of which the last score counts, and the answer.
            place = lines.find(b"bestmove")
            if place == 0 or lines[place - 1] == _LINE_END:
                self._info = _last_score(lines[:place]) or self._info
                end = lines.find(b"\n", place)
                self._on_line(lines[place:end].strip(STRAY), stamp)
                lines = lines[end + 1 :]
        super()._on_lines(lines, stamp)

    def _on_line(self, line: bytes, stamp: float) -> None:
        state = self._state
        if state is _SEARCHING:
            if line.startswith(b"info"):
                # Read only when the move is there: an engine may send thousands of these.
                if _is_score(line):
                    self._info = line
            elif line.startswith(b"bestmove"):
                words = line.split(None, 2)
                if words[0] == b"bestmove":
                    self._best = (words[1] if len(words) > 1 else b"", stamp)
                    self._state = _IDLE
        elif state is _SYNCING or state is _SYNCING_WITH_GO:
            self._heard = line
            if line == b"readyok" or line.split(None, 1)[:1] == [b"readyok"]:
                self._state = _IDLE if state is _SYNCING else _SEARCHING
        elif state is _GREETING:
            self._heard = line
            word = line.split(None, 1)[:1]
            if word == [b"uciok"]:
                self._state = _IDLE
            elif word == [b"id"]:
                _, name, text = (*line.decode("utf-8", "replace").split(None, 2), "", "")[:3]
                if name in ("name", "author"):
                    self._called[name] = "".join(c for c in text if c.isprintable())
            elif word == [b"option"] and len(self._options) < MOST_OPTIONS:
                option = read_option(line.decode("utf-8", "replace"))
                if option is not None:
                    self._options[option.name] = option

    def _last_heard(self) -> str:
        """Return the last line it said instead of the answer, as an appendix to a message."""
        text = self._heard[:60].decode("ascii", "replace")
        return f"; the last it said was {text!r}" if text else ""

    # -- games

    def new_game(self, game: Arbiter) -> None:
        """See ``Engine.new_game``."""
        chess960 = game.variant == "chess960"
        self.went = False
        self._fixed_go = None
        before = []
        if chess960 != self._chess960:
            if "UCI_Chess960" not in self._options:
                raise self.refuse("cannot play Chess960: it has no option UCI_Chess960")
            before.append(f"setoption name UCI_Chess960 value {'true' if chess960 else 'false'}")
            self._chess960 = chess960
        before += ["ucinewgame", *self.spec.setup]
        timeout = self.rules.ping_timeout
        # Asked for the first move of a game that never began, because the opponent was gone.
        if not self.end_game(game):
            raise self.failure(f"did not answer stop (no bestmove within {timeout:g} s)")
        self._sync(self.switchboard.clock() + timeout, within=timeout, before=before)

    def think(self, game: Arbiter, *, opponent: Engine) -> Answer | None:
        """See ``Engine.think``."""
        clock = self.switchboard.clock
        timeout = self.rules.ping_timeout
        position, go = position_command(game), self._fixed_go or go_command(game)
        if not game.has_clock:
            self._fixed_go = go
        self._info = b""
        on_clock = game.on_clock
        self._sync(
            clock() + timeout, within=timeout, before=(position,), go=None if on_clock else go, opponent=opponent
        )
        self.went = True
        if on_clock:
            self._state = _SEARCHING
            self.process.send(go)
            self.asked_at = clock()
        if not self._wait(self._answered, clock() + game.allowance, opponent=opponent):
            return None
        move, stamp = self._best
        depth, score, mate, nodes = read_info(self._info)
        return Answer(
            kind="move",
            # A stray byte beside the move changes nothing about it.
            text=(move if move.isalnum() else bytes(c for c in move if 32 < c < 127)).decode("ascii"),
            seconds=max(0.0, stamp - self.asked_at),
            depth=depth,
            score=score,
            mate=mate,
            nodes=nodes,
        )

    def end_game(self, game: Arbiter) -> bool:  # noqa: ARG002
        """See ``Engine.end_game``."""
        if self._state is not _SEARCHING and self._state is not _SYNCING_WITH_GO:
            return True
        self.process.send("stop")
        return self._wait(self._answered, self.switchboard.clock() + self.rules.ping_timeout)

    def _answered(self) -> bool:
        return self._state is _IDLE
