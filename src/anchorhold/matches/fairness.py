"""Whether a machine is fair: judged from games of one binary against itself, where nothing may tell the seats apart.

Source: SPEC section 10 (both versions must meet the same conditions). Seconds everywhere.
May import: numpy, anchorhold.domain, anchorhold.stats.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from anchorhold.domain.games import GameRecord, PairRecord
from anchorhold.stats.elo import moments
from anchorhold.stats.outcomes import PAIR_SCORES, Pentanomial, Trinomial

SIGMAS = 3.0
"""A fair machine is called unfair by one of the tests once in 370 times."""
SPEED_SHARE = 0.03
"""Of its speed that one seat may lack before it matters: about two Elo in games on the clock."""
LEAST_SECONDS = 0.05
"""Thinking time of both sides in a game that says anything about speed."""

Seat = Literal["first", "second"]
Kind = Literal["score", "time", "fault", "speed"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that tells the seats apart, or games that were not decided by play."""

    kind: Kind
    message: str


@dataclass(frozen=True, slots=True)
class SeatReport:
    """What happened on one side of all pairs."""

    moves: int
    seconds: float
    nodes: int
    time_losses: int
    faults: int
    """Crashes, stalls and illegal moves."""

    @property
    def seconds_per_move(self) -> float | None:
        """None: no move was made."""
        return self.seconds / self.moves if self.moves else None


@dataclass(frozen=True, slots=True)
class Fairness:
    """What games of one binary against itself say about the machine."""

    pairs: Pentanomial
    """Seen from the first seat."""
    white: Trinomial
    """Seen from White: it may well win more, in both games of a pair alike."""
    score: float
    """Of the first seat, 0 to 1."""
    error: float | None
    """Half-width at SIGMAS; None: all pairs ended alike, so there is no scatter."""
    mirrored: int
    """Pairs whose two games are the same, move by move: the engine repeats itself."""
    seats: dict[Seat, SeatReport]
    speed: float | None
    """Nodes a second of the first seat over those of the second, minus 1; None: not to be told."""
    speed_error: float | None
    """Half-width at SIGMAS."""
    findings: tuple[Finding, ...]

    @property
    def fair(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


@dataclass(slots=True)
class _Seat:
    moves: int = 0
    seconds: float = 0.0
    nodes: int = 0
    time_losses: int = 0
    faults: int = 0

    def report(self) -> SeatReport:
        return SeatReport(self.moves, self.seconds, self.nodes, self.time_losses, self.faults)


@dataclass(slots=True)
class _Counts:
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    white: list[int] = field(default_factory=lambda: [0] * 3)
    mirrored: int = 0
    seats: dict[Seat, _Seat] = field(default_factory=lambda: {"first": _Seat(), "second": _Seat()})
    speeds: list[float] = field(default_factory=list)
    """Of each game, the logarithm of the first seat's speed over the second's."""


def judge(records: Iterable[PairRecord]) -> Fairness:
    """Judge a machine by pairs that one binary has played against itself.

    Parameters
    ----------
    records : Iterable of PairRecord
        At least one.
    """
    counts = _Counts()
    for record in records:
        counts.pairs[record.half_points] += 1
        one, other = record.games
        counts.mirrored += [m.uci for m in one.moves] == [m.uci for m in other.moves] and one.result == other.result
        for game in record.games:
            _count_game(counts, game, first_moves=_first_moves(record, game))
    pairs = Pentanomial(*counts.pairs)
    found = moments(pairs.counts(), PAIR_SCORES, zero_count=0.0)
    error = SIGMAS * math.sqrt(found.variance / found.n) if found.variance > 0.0 else None
    speed, speed_error = _speed(counts.speeds)
    losses, draws, wins = counts.white
    seats: dict[Seat, SeatReport] = {name: seat.report() for name, seat in counts.seats.items()}
    return Fairness(
        pairs=pairs,
        white=Trinomial(wins=wins, draws=draws, losses=losses),
        score=found.mean,
        error=error,
        mirrored=counts.mirrored,
        seats=seats,
        speed=speed,
        speed_error=speed_error,
        findings=tuple(_findings(found.mean, error, seats, speed, speed_error)),
    )


def _first_moves(record: PairRecord, game: GameRecord) -> int:
    """Place of the first seat's first move among the game's moves: 0 or 1."""
    black_begins = record.opening.fen is not None and record.opening.fen.split()[1] == "b"
    white_to_move = (len(record.opening.moves) % 2 == 0) != black_begins
    return 0 if white_to_move == game.first_is_white else 1


def _count_game(counts: _Counts, game: GameRecord, *, first_moves: int) -> None:
    points = game.first_half_points if game.first_is_white else 2 - game.first_half_points
    counts.white[points] += 1
    speeds: list[float | None] = []
    names: tuple[tuple[Seat, int], ...] = (("first", first_moves), ("second", 1 - first_moves))
    for name, start in names:
        moves = game.moves[start::2]
        seat = counts.seats[name]
        seconds, nodes = sum(m.seconds for m in moves), sum(m.nodes or 0 for m in moves)
        seat.moves += len(moves)
        seat.seconds += seconds
        seat.nodes += nodes
        if game.fault_of == name:
            seat.time_losses += game.termination == "time forfeit"
            seat.faults += game.termination != "time forfeit"
        speeds.append(nodes / seconds if nodes and seconds >= LEAST_SECONDS else None)
    one, other = speeds
    if one is not None and other is not None:
        counts.speeds.append(math.log(one / other))


def _speed(logarithms: list[float]) -> tuple[float | None, float | None]:
    """Return the mean difference in speed, and its half-width, as shares."""
    n = len(logarithms)
    if n < 10:
        return None, None
    mean = math.fsum(logarithms) / n
    variance = math.fsum((value - mean) ** 2 for value in logarithms) / (n - 1)
    return math.expm1(mean), SIGMAS * math.sqrt(variance / n)


def _findings(
    score: float,
    error: float | None,
    seats: dict[Seat, SeatReport],
    speed: float | None,
    speed_error: float | None,
) -> list[Finding]:
    found: list[Finding] = []
    if abs(score - 0.5) > (error or 0.0):
        width = "without any scatter" if error is None else f"± {100 * error:.2f} %"
        found.append(Finding("score", f"the first seat scores {100 * score:.2f} % {width}, which leaves out 50 %"))
    for name, seat in seats.items():
        if seat.time_losses:
            found.append(Finding("time", f"the {name} seat lost {seat.time_losses} games on time"))
        if seat.faults:
            found.append(Finding("fault", f"the {name} seat lost {seat.faults} games by crash, stall or illegal move"))
    if speed is not None and speed_error is not None and abs(speed) > max(SPEED_SHARE, speed_error):
        which = "first" if speed > 0 else "second"
        found.append(
            Finding("speed", f"the {which} seat searches {100 * abs(speed):.1f} % more nodes a second than the other")
        )
    return found
