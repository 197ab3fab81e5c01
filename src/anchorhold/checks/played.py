"""The games of a check read back from its PGN file: which pair each belongs to, how it ended, where its text lies.

Only the tags are read; a text is taken from the file when somebody wants to see it. Results are seen from main. The
form is the one that ``matches.pgn`` writes. May import: anchorhold.errors.
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from anchorhold.errors import BadInput

_EVENT = re.compile(rb'^\[Event "', re.MULTILINE)
_TAG = re.compile(r'^\[([A-Za-z]+) "((?:[^"\\]|\\.)*)"\]$', re.MULTILINE)
_HALF_POINTS = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}
"""Of White."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game, without its moves."""

    main_is_white: bool
    result: str
    """As PGN has it, from White's side."""
    termination: str
    start: int
    """First byte of its text in the file."""
    end: int

    @property
    def half_points(self) -> int:
        """Main's half points, 0 to 2."""
        white = _HALF_POINTS[self.result]
        return white if self.main_is_white else 2 - white


@dataclass(frozen=True, slots=True)
class PlayedPair:
    """Both games of one opening."""

    main: str
    """Name of the version that met the opponent."""
    endpoint: str
    stage: str
    anchor: str
    """The opponent: an anchor's name, or ``old`` in the direct match."""
    opening: int
    games: tuple[PlayedGame, PlayedGame]

    @property
    def half_points(self) -> int:
        """Main's half points, 0 to 4."""
        return sum(game.half_points for game in self.games)


def played_pairs(path: Path) -> list[PlayedPair]:
    """Return all pairs of a file, in its order.

    Raises
    ------
    BadInput
        The file cannot be read, or holds a game that is of no pair of a check.
    """
    try:
        with path.open("rb") as handle:
            if not path.stat().st_size:
                return []
            with mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ) as text:
                return list(_pairs(text))
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", where=str(path)) from error
    except (KeyError, ValueError) as error:
        raise BadInput(
            f"holds games that are of no check: {error}",
            where=str(path),
            next_step="Write it anew from the journal: anchorhold check measure",
        ) from error


def read_games(path: Path, games: Iterable[PlayedGame]) -> list[str]:
    """Return the PGN text of each game.

    Raises
    ------
    BadInput
        The file cannot be read.
    """
    try:
        with path.open("rb") as handle:
            found = []
            for game in games:
                handle.seek(game.start)
                found.append(handle.read(game.end - game.start).decode("utf-8", "replace"))
            return found
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", where=str(path)) from error


def _pairs(text: mmap.mmap) -> Iterator[PlayedPair]:
    starts = [match.start() for match in _EVENT.finditer(text)]
    first: tuple[dict[str, str], PlayedGame] | None = None
    for start, end in pairwise([*starts, len(text)]):
        head = text[start : text.find(b"\n\n", start, end)]
        tags = dict(_TAG.findall(head.decode("utf-8", "replace")))
        # The first game of a pair is the one that main plays with White.
        game = PlayedGame(first is None, tags["Result"], tags["Termination"], start, end)
        if game.result not in _HALF_POINTS:
            raise ValueError(f"a result {game.result!r} at byte {start}")
        if first is None:
            first = tags, game
            continue
        if first[0]["Pair"] != tags["Pair"]:
            raise ValueError(f"half a pair before byte {start}")
        yield _pair(first[0], (first[1], game))
        first = None
    if first is not None:
        raise ValueError("half a pair at the end")


def _pair(tags: Mapping[str, str], games: tuple[PlayedGame, PlayedGame]) -> PlayedPair:
    return PlayedPair(
        main=_plain(tags["White"]),
        endpoint=tags["Endpoint"],
        stage=tags["Stage"],
        anchor=_plain(tags["Anchor"]),
        opening=int(tags["Opening"]),
        games=games,
    )


def _plain(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value)
