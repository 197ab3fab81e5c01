"""Whole PGN inputs: counts for every pair of engines, with every game that is not counted and why.

Two passes: all games in columns (``scan``), then pairs from the columns; a game is read again only where its moves
decide (duplicates, openings that no tag tells, the list of games, the board). May import: anchorhold.importers.base,
sources, pgn.*, anchorhold.stats.
"""

from __future__ import annotations

import bisect
import contextlib
import gc
import heapq
from collections.abc import Iterable, Iterator, Sequence

from anchorhold.importers.base import Place, Problem, Remark
from anchorhold.importers.pgn.columns import NOT_COUNTED, Columns, Unread
from anchorhold.importers.pgn.found import EnginePair, GameLine, PgnImport
from anchorhold.importers.pgn.judge import judge
from anchorhold.importers.pgn.pairing import Pairing, Side, Start, pair_by_round, pair_up
from anchorhold.importers.pgn.parts import scan_file
from anchorhold.importers.pgn.texts import Texts
from anchorhold.importers.sources import PlainFile
from anchorhold.stats.outcomes import Pentanomial, Trinomial

REPLAYED_BY_DEFAULT = 500
"""Inputs of at most so many games are played over on a board unless it is said otherwise; a game takes 5 ms."""
MOST_LISTED = 1_000
"""Problems and remarks that are kept; further ones are counted."""
FIRST_PLIES = 8
"""Half-moves that stand for the opening of a game whose book moves nobody has marked."""

_UNREADABLE = {"cut", "contradiction", "no engines", "flaw"}


def read_pgn(
    files: Sequence[PlainFile],
    *,
    first: str | None = None,
    replay: bool | None = None,
    list_games: bool = False,
    processes: int = 2,
) -> PgnImport:
    """Read games and count them.

    Parameters
    ----------
    files : sequence of PlainFile
        In the order in which they continue each other; a game that stands in two of them counts once.
    first : str, optional
        From whose side results are seen where it plays; else from the side of the first White of each pair of engines.
    replay : bool, optional
        Whether games are played over on a board; by default when there are at most REPLAYED_BY_DEFAULT.
    list_games : bool
        Whether ``lines`` holds every game; costs time and memory.
    """
    with _without_collection():
        reading = _Reading(files, processes=processes)
        replayed = 0
        if replay or (replay is None and len(reading.columns.starts) <= REPLAYED_BY_DEFAULT):
            replayed = reading.replay()
        reading.drop_duplicates()
        records = tuple(reading.engine_pairs(first.encode() if first is not None else None))
        return reading.result(records, replayed=replayed, list_games=list_games)


@contextlib.contextmanager
def _without_collection() -> Iterator[None]:
    """Let no garbage be looked for: millions of small objects are made, none of them in a circle."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


class _Reading:
    def __init__(self, files: Sequence[PlainFile], *, processes: int) -> None:
        self.columns = Columns()
        bases: list[int] = []
        base = 0
        for file in files:
            found = scan_file(file.path, processes=processes)
            if base:
                found = found.moved(base)
            bases.append(base)
            base += file.path.stat().st_size
            if bases[:-1]:
                self.columns.extend(found)
            else:
                self.columns = found
        self.texts = Texts(files, bases, self.columns)

    def replay(self) -> int:
        """Play every counted game over; what a board contradicts is no longer counted."""
        from anchorhold.importers.pgn.replay import board_contradiction

        columns, replayed = self.columns, 0
        for index, game in self.texts.games(range(len(columns.starts))):
            if columns.points[index] == NOT_COUNTED:
                continue
            replayed += 1
            for flaw in game.strange:
                columns.unread.add(columns.starts[index], "flaw", flaw.what, flaw.text)
            if found := board_contradiction(game):
                columns.points[index] = NOT_COUNTED
                columns.unread.add(columns.starts[index], "contradiction", found)
        return replayed

    def drop_duplicates(self) -> None:
        """Count a game once that stands twice, whole or without its comments."""
        columns = self.columns
        seen: dict[tuple[bytes, ...], int] = {}
        again: dict[int, list[int]] = {}
        keyed = (columns.whites, columns.blacks, columns.rounds, columns.fens, columns.times, columns.groups)
        if len(set(zip(*keyed[:3], strict=True))) == len(columns.starts):
            return
        for index, key in enumerate(zip(*keyed, strict=True)):
            if columns.points[index] != NOT_COUNTED and (earlier := seen.setdefault(key, index)) != index:
                again.setdefault(earlier, [earlier]).append(index)
        for indices in again.values():
            kept: dict[tuple[bytes, ...], list[tuple[int, bytes]]] = {}
            for index, game in self.texts.games(indices):
                text = b"".join(self.texts.text(index).split())
                for earlier, other in kept.setdefault((game.marker, *game.moves), []):
                    # Engines that play by nodes repeat games; the times in their comments differ then.
                    if text == other or b"{" not in text or b"{" not in other or b"." in columns.rounds[index]:
                        columns.points[index] = NOT_COUNTED
                        first = self.texts.place(columns.starts[earlier])
                        columns.unread.add(
                            columns.starts[index], "duplicate", f"the same game a second time; first at {first}"
                        )
                        break
                else:
                    kept[(game.marker, *game.moves)].append((index, text))

    def engine_pairs(self, first: bytes | None) -> Iterator[EnginePair]:
        """Pair and count the games of every two engines, in the order in which they first meet."""
        columns = self.columns
        groups: dict[tuple[bytes, bytes, bytes], list[int]] = {}
        sides = (columns.whites, columns.blacks, columns.stages)
        counted = {key for key, points in zip(zip(*sides, strict=True), columns.points, strict=True) if points >= 0}
        counted |= {(black, white, stage) for white, black, stage in counted}
        for index, key in enumerate(zip(*sides, strict=True)):
            if key not in counted:
                continue
            try:
                groups[key].append(index)
            except KeyError:
                white, black, stage = key
                groups[key] = groups[black, white, stage] = [index]
        done: set[int] = set()
        for (white, black, stage), group in groups.items():
            if id(group) in done:
                continue
            done.add(id(group))
            one, other = (black, white) if black == first else (white, black)
            yield self._engine_pair(one, other, stage, group)

    def _engine_pair(self, one: bytes, other: bytes, stage: bytes, group: list[int]) -> EnginePair:
        columns = self.columns
        whites, points, fens, rounds = columns.whites, columns.points, columns.fens, columns.rounds
        counted = [index for index in group if points[index] != NOT_COUNTED]
        scores = {index: points[index] if whites[index] == one else 2 - points[index] for index in counted}
        pairing = None
        if len(counted) == len(group) and not any(columns.groups[index] for index in group):
            pairing = pair_by_round(counted, whites=whites, rounds=rounds, fens=fens)
        if pairing is None:
            sides = [
                Side(index, whites[index] == one, index in scores, columns.groups[index], rounds[index], fens[index])
                for index in group
            ]
            pairing = pair_up(sides, start_of=self.start)
        return EnginePair(
            first=_text(one),
            second=_text(other),
            stage=_text(stage),
            pentanomial=_pentanomial(pairing, scores),
            trinomial=_trinomial(scores.values()),
            singles=len(pairing.singles),
            paired_by=pairing.paired_by,
            paired=_trinomial(scores[index] for pair in pairing.pairs for index in pair),
        )

    def start(self, index: int) -> Start:
        """Return a game's opening moves: those marked as the book's, else the first few."""
        _, game = next(self.texts.games([index]))
        if game.book_plies:
            return Start(tuple(game.moves[: game.book_plies]), known=True)
        return Start(tuple(game.moves[:FIRST_PLIES]), known=False)

    def result(self, records: tuple[EnginePair, ...], *, replayed: int, list_games: bool) -> PgnImport:
        """Put everything together."""
        columns = self.columns
        not_counted: dict[str, int] = {}
        told = 0
        for one in columns.unread:
            told += bool(one.message)
            if one.kind not in ("flaw", "remark"):
                not_counted[one.kind] = not_counted.get(one.kind, 0) + 1
        listed = heapq.nsmallest(
            MOST_LISTED, (one for one in columns.unread if one.message), key=lambda one: one.offset
        )
        wanted = [one.offset for one in listed]
        if list_games:
            wanted.extend(columns.starts)
        places = dict(self.texts.places(wanted))
        problems, remarks = [], []
        for one in listed:
            round_ = self._round(one)
            what = f"round {_text(round_)}: {one.message}" if round_ else one.message
            if one.kind in _UNREADABLE:
                problems.append(Problem(places[one.offset], what, _text(one.text)))
            else:
                remarks.append(Remark(places[one.offset], what))
        return PgnImport(
            records=records,
            problems=tuple(problems),
            remarks=tuple(remarks),
            games=len(columns.starts),
            not_counted=not_counted,
            replayed=replayed,
            unlisted=told - len(listed),
            lines=tuple(self._lines(places)) if list_games else (),
        )

    def _round(self, one: Unread) -> bytes:
        """Return the Round tag of the game that a note is about; empty for a flaw in it."""
        starts = self.columns.starts
        at = bisect.bisect_left(starts, one.offset)
        about = one.kind != "flaw" and at < len(starts) and starts[at] == one.offset
        return self.columns.rounds[at] if about else b""

    def _lines(self, places: dict[int, Place]) -> Iterator[GameLine]:
        reasons = {one.offset: one for one in self.columns.unread if one.kind not in ("flaw", "remark")}
        for index, game in self.texts.games(range(len(self.columns.starts))):
            start = self.columns.starts[index]
            reason = reasons.get(start)
            counted = self.columns.points[index] != NOT_COUNTED
            result = judge(game).result if reason is None or reason.kind != "contradiction" else b"conflict"
            yield GameLine(
                place=places[start],
                round=_text(self.columns.rounds[index]),
                white=_text(self.columns.whites[index]),
                black=_text(self.columns.blacks[index]),
                result=_text(result),
                plies=len(game.moves),
                counted=counted,
                why_not=None if counted or reason is None else reason.message or reason.kind,
                termination=_text(game.tags.get(b"Termination", b"")),
                start_fen=_text(game.tags[b"FEN"]) if b"FEN" in game.tags else None,
            )


def _pentanomial(pairing: Pairing, scores: dict[int, int]) -> Pentanomial:
    counts = [0] * 5
    for one, other in pairing.pairs:
        counts[scores[one] + scores[other]] += 1
    return Pentanomial(*counts)


def _trinomial(scores: Iterable[int]) -> Trinomial:
    counts = [0] * 3
    for score in scores:
        counts[score] += 1
    return Trinomial(wins=counts[2], draws=counts[1], losses=counts[0])


def _text(value: bytes) -> str:
    """Decode what a tag holds: UTF-8, else the Windows code page that old programs wrote."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("cp1252", "replace")
