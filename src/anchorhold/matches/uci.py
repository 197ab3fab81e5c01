"""An engine that speaks UCI.

Before every ``go`` stands ``isready``, and whatever came before ``readyok`` is dropped; of several answers to one
``go`` the first counts. On a clock ``go`` is written when ``readyok`` has come, so that the clock sees nothing but the
search; else it goes in one piece with ``isready``, which saves a wait for every move. Milliseconds on the wire only.
May import: anchorhold.matches.arbiter, engine, uci_options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import pairwise

from anchorhold.matches.arbiter import Arbiter
from anchorhold.matches.engine import STRAY, Answer, Engine, whole
from anchorhold.matches.uci_options import OptionRefused, UciOption, option_command, read_option

MOST_OPTIONS = 5000
"""Announced options that are kept."""

_LINE_END = ord("\n")
_READY = b"readyok\n"


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
