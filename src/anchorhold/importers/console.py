"""Console output of fastchess and cutechess: the last standing of every match, checked against the finished games.

Both print a line per finished game and, from time to time, a standing. Orders differ: ``Score of`` gives wins, losses,
draws; ``Games:`` names each number. May import: anchorhold.importers.*, anchorhold.stats.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from anchorhold.importers.base import Place, Problem, Remark
from anchorhold.importers.commits.clocks import clock_in, hash_in
from anchorhold.importers.commits.stages import stage_of_clock
from anchorhold.importers.counts import MatchCounts
from anchorhold.importers.report import Report
from anchorhold.stats.outcomes import Pentanomial, Trinomial

Tool = Literal["fastchess", "cutechess"]

_FINISHED = re.compile(r"Finished game (\d{1,9}) \((.+) vs (.+)\): (1-0|0-1|1/2-1/2|\*)(?: \{(.*)\})?\s*$")
_RESULTS = re.compile(r"Results of (.+) vs (.+?) \(([^()]*(?:\([^()]*\)[^()]*)*)\):\s*$")
_SCORE = re.compile(
    r"Score of (.+) vs (.+): (\d{1,12}) - (\d{1,12}) - (\d{1,12})(?:\s+\[([^\]]*)\])?(?:\s+(\d{1,12}))?\s*$"
)
_GAMES = re.compile(r"Games: (\d{1,12}), Wins: (\d{1,12}), Losses: (\d{1,12}), Draws: (\d{1,12})\b")
_PAIRS = re.compile(r"Ptnml\(0-2\): \[(\d{1,12}), (\d{1,12}), (\d{1,12}), (\d{1,12}), (\d{1,12})\]")
_NUMBER = r"([-+]?(?:\d+(?:[.,]\d+)?|inf|-?nan(?:\(ind\))?))"
_ELO = re.compile(rf"Elo(?: difference)?: {_NUMBER} \+/- {_NUMBER}")
_LLR = re.compile(rf"LLR: {_NUMBER}.*?\({_NUMBER}, {_NUMBER}\) ?\[{_NUMBER}, {_NUMBER}\]")
_SPRT = re.compile(rf"SPRT: llr {_NUMBER}.*?lbound {_NUMBER}, ubound {_NUMBER}(?: - (H[01]) was accepted)?")
_LOOKS = re.compile(r"^(?:Finished game|Results of|Score of|Games: \d|Ptnml\(|LLR: |SPRT: llr|Elo(?: difference)?: )")
_ENDED = re.compile(r"^(?:Finished match|SPRT .*completed|Tournament finished)")
_STAMP = re.compile(r"(?:(?:\[[^\[\]]*\]\s*)?\[[^\[\]]*\d:\d\d[^\[\]]*\]|\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.,]*Z?)\s+")
"""The time that a runner's log or a terminal's recorder puts before each line."""


@dataclass(slots=True)
class ConsoleMatch:
    """The last standing of two engines."""

    place: Place
    counts: MatchCounts
    report: Report
    ended: bool = False
    """Whether the output goes on to the end of the match."""

    @property
    def sequential(self) -> bool:
        """Whether an LLR was printed."""
        return self.report.llr is not None or self.report.llr_bounds is not None


@dataclass(slots=True)
class Console:
    """All that a console output holds."""

    matches: list[ConsoleMatch] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Game:
    number: int
    white: str
    black: str
    result: str


def read_console(text: str, *, source: str, tool: Tool) -> Console:
    """Read a whole output, which may break off anywhere."""
    reader = _Reader(source, tool)
    for number, line in enumerate(text.splitlines(), start=1):
        reader.line(number, _unstamped(line.strip()))
    return reader.done()


class _Reader:
    def __init__(self, source: str, tool: Tool) -> None:
        self.source, self.tool = source, tool
        self.console = Console()
        self.games: dict[int, _Game] = {}
        self.standing: dict[tuple[str, str], ConsoleMatch] = {}
        self.names: tuple[str, str] | None = None
        self.ended = False
        self.said_unclear = False

    def line(self, number: int, line: str) -> None:
        found = _LOOKS.search(line)
        if _ENDED.match(line):
            self.ended = True
        if not found:
            return
        place = Place(self.source, number)
        taken = (
            self._game(line, place)
            or self._heading(line, place)
            or self._score(line, place)
            or self._figures(line, place)
        )
        if not taken:
            self.console.problems.append(
                Problem(place, f"looks like a line of {self.tool} and cannot be read", line[:200])
            )

    def _game(self, line: str, place: Place) -> bool:
        found = _FINISHED.match(line)
        if not found:
            return False
        if self._unclear(found.group(2), found.group(3), place, line):
            return True
        number = int(found.group(1))
        game = _Game(number, found.group(2), found.group(3), found.group(4))
        if number in self.games and self.games[number] != game:
            self.console.remarks.append(
                Remark(place, f"game {number} ends a second time; the output holds two matches")
            )
        self.games[number] = game
        return True

    def _unclear(self, first: str, second: str, place: Place, line: str) -> bool:
        """Note, once, that a name holds what stands between names: where the first ends cannot be told."""
        unclear = " vs " in f"{first} {second}"
        if unclear and not self.said_unclear:
            self.said_unclear = True
            what = "which two engines play cannot be told: a name has ' vs ' in it; such lines are left out"
            self.console.problems.append(Problem(place, what, line[:200]))
        return unclear

    def _heading(self, line: str, place: Place) -> bool:
        found = _RESULTS.match(line)
        if not found:
            return False
        first, second, how = found.groups()
        if self._unclear(first, second, place, line):
            self.names = None
            return True
        clock = clock_in(how)
        threads = re.search(r"\b(\d{1,4})t\b", how)
        report = Report(
            place=place,
            tool=self.tool,
            stage=stage_of_clock(clock),
            time_control=clock.text,
            nodes=clock.nodes,
            depth=clock.depth,
            movetime=clock.movetime,
            threads=int(threads.group(1)) or None if threads else None,
            hash_mb=hash_in(how),
        )
        self.names = (first, second)
        nothing = MatchCounts(first, second, None, Trinomial(wins=0, draws=0, losses=0))
        # A standing that breaks off leaves the one before it; see done().
        self.standing[self.names] = ConsoleMatch(place, nothing, report)
        return True

    def _score(self, line: str, place: Place) -> bool:
        found = _SCORE.match(line)
        if not found:
            return False
        first, second = found.group(1), found.group(2)
        if self._unclear(first, second, place, line):
            self.names = None
            return True
        wins, losses, draws = (int(found.group(index)) for index in (3, 4, 5))
        games = Trinomial(wins=wins, draws=draws, losses=losses)
        if found.group(7) is not None and int(found.group(7)) != games.games:
            what = f"wins, losses and draws make {games.games} games, {found.group(7)} are printed"
            self.console.problems.append(Problem(place, what, line[:200]))
            return True
        self.names = (first, second)
        counts = MatchCounts(first, second, None, games)
        self.standing[self.names] = ConsoleMatch(place, counts, Report(place=place, tool=self.tool))
        return True

    def _figures(self, line: str, place: Place) -> bool:
        match = self.standing.get(self.names) if self.names is not None else None
        if match is None:
            return self.said_unclear and self.names is None
        report, counts = match.report, match.counts
        if found := _GAMES.match(line):
            total, wins, losses, draws = (int(one) for one in found.groups())
            if total != wins + losses + draws:
                what = f"wins, losses and draws make {wins + losses + draws} games, {total} are printed"
                self.console.problems.append(Problem(place, what, line[:200]))
                return True
            match.counts = replace(counts, trinomial=Trinomial(wins=wins, draws=draws, losses=losses))
            match.report = replace(report, games=total)
        elif found := _PAIRS.match(line):
            match.counts = replace(counts, pentanomial=Pentanomial(*(int(one) for one in found.groups())))
        elif found := _LLR.match(line):
            llr, *bounds = (_finite(one) for one in found.groups())
            match.report = replace(report, llr=llr, llr_bounds=_two(bounds[:2]), elo_bounds=_two(bounds[2:]))
        elif found := _SPRT.match(line):
            llr, low, high = (_finite(one) for one in found.groups()[:3])
            match.report = replace(report, llr=llr, llr_bounds=_two([low, high]))
            match.ended = match.ended or found.group(4) is not None
        elif found := _ELO.match(line):
            elo, error = (_finite(one) for one in found.groups())
            match.report = replace(report, elo=elo, elo_error=error if error and error > 0 else None)
        else:
            return False
        return True

    def done(self) -> Console:
        """Compare the standings with the games, and give those that hold."""
        console = self.console
        by_names: dict[tuple[str, str], list[_Game]] = {}
        for game in self.games.values():
            names = (game.white, game.black)
            key = names if names in by_names or names[::-1] not in by_names else names[::-1]
            by_names.setdefault(key, []).append(game)
        for names, match in self.standing.items():
            match.ended = match.ended or self.ended
            games = by_names.pop(names, None) or by_names.pop(names[::-1], None)
            if not match.counts.trinomial.games:
                if games:
                    by_names[names] = games
                else:
                    console.problems.append(Problem(match.place, "a standing without its numbers"))
                continue
            console.matches.append(match)
            self._compare(match, games)
        for names, games in by_names.items():
            place = Place(self.source)
            counts = _from_games(names, games, pairs=self.tool == "fastchess")
            if counts.trinomial.games:
                console.remarks.append(Remark(place, f"{names[0]} against {names[1]}: counted from the finished games"))
                console.matches.append(ConsoleMatch(place, counts, Report(place=place, tool=self.tool), self.ended))
        return console

    def _compare(self, match: ConsoleMatch, games: Sequence[_Game] | None) -> None:
        if not games:
            return
        counts = _from_games((match.counts.first, match.counts.second), games, pairs=False).trinomial
        stated = match.counts.trinomial
        if counts != stated and self.ended:
            self.console.remarks.append(
                Remark(
                    match.place,
                    f"the finished games make {counts.wins} wins, {counts.losses} losses, {counts.draws} draws, the "
                    f"standing says {stated.wins}, {stated.losses}, {stated.draws}",
                )
            )


def _from_games(names: tuple[str, str], games: Sequence[_Game], *, pairs: bool) -> MatchCounts:
    """Count games by name; games 2k − 1 and 2k of fastchess are a pair."""
    counts, points = [0, 0, 0], {}
    for game in games:
        if game.result == "*":
            continue
        white = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}[game.result]
        score = white if game.white == names[0] else 2 - white
        counts[score] += 1
        points[game.number] = (score, game.white)
    five = [0] * 5
    for number, (score, white_name) in points.items():
        other = points.get(number + 1) if number % 2 else None
        if other is not None and other[1] != white_name:
            five[score + other[0]] += 1
    games_counted = Trinomial(wins=counts[2], draws=counts[1], losses=counts[0])
    return MatchCounts(*names, Pentanomial(*five) if pairs and any(five) else None, games_counted)


def begins_with_time(text: str) -> bool:
    """Whether the first line of a text is one of a log, with its time before it."""
    return _STAMP.match(text.lstrip()) is not None


def _unstamped(line: str) -> str:
    stamp = _STAMP.match(line)
    return line if stamp is None else line[stamp.end() :]


def _finite(text: str) -> float | None:
    """Read a number as the locale wrote it; None for what runners print where there is none."""
    try:
        value = float(text.replace(",", ".").replace("(ind)", ""))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _two(values: Sequence[float | None]) -> tuple[float, float] | None:
    low, high = values
    return None if low is None or high is None else (low, high)
