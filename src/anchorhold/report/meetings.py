"""The games behind a check's counts, opponent by opponent and opening by opening, as far as they lie on this disk.

A file counts only while it is byte for byte the one whose digest the register holds. Pairs are seen from main.
May import: anchorhold.canonical, anchorhold.checks, report.view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from anchorhold.canonical import file_sha256
from anchorhold.checks.games import GAMES_FILE, check_directory
from anchorhold.checks.played import PlayedPair, played_pairs, read_games
from anchorhold.report.view import CheckView, GamesDigest

DIRECT = "old"
"""How the games of a direct match name the opponent."""
MOST_OPENINGS = 50
MOST_BYTES = 400_000
"""Of PGN on one page: marked up in HTML it stays below a megabyte."""


@dataclass(frozen=True, slots=True)
class Place:
    """A pair with the file that it stands in."""

    pair: PlayedPair
    path: Path

    @property
    def length(self) -> int:
        """Bytes of its PGN."""
        return sum(game.end - game.start for game in self.pair.games)

    def texts(self) -> list[str]:
        """Read the PGN of both games."""
        return read_games(self.path, self.pair.games)


@dataclass(frozen=True, slots=True)
class Opening:
    """What both versions made of one opening; the direct match has only the new one."""

    stage: str
    number: int
    old: Place | None = None
    new: Place | None = None

    @property
    def change(self) -> int | None:
        """Half points of the new version less those of the old; None when one did not play it."""
        if self.old is None or self.new is None:
            return None
        return self.new.pair.half_points - self.old.pair.half_points

    def places(self) -> list[tuple[str, Place]]:
        """Return the pairs that there are, with the endpoint of each, old first."""
        return [(name, place) for name, place in (("old", self.old), ("new", self.new)) if place is not None]


@dataclass(frozen=True, slots=True)
class Meeting:
    """All games against one opponent."""

    number: int
    """From 1: the anchors in the order of the result, then the direct match."""
    anchor: str | None
    """None: the old version, in the direct match."""
    openings: tuple[Opening, ...]
    """Those of the long stage first."""
    pages: tuple[tuple[Opening, ...], ...] = field(repr=False)
    """The same openings, as many to a page as its weight allows."""

    def counts(self) -> dict[tuple[str, str], list[int]]:
        """Count the pairs by score, 0 to 2 points, for every stage and endpoint."""
        found: dict[tuple[str, str], list[int]] = {}
        for opening in self.openings:
            for endpoint, place in opening.places():
                found.setdefault((opening.stage, endpoint), [0] * 5)[place.pair.half_points] += 1
        return found

    def pgn(self) -> Iterable[str]:
        """Read all games."""
        return (text for opening in self.openings for _, place in opening.places() for text in place.texts())


def recorded_files(
    view: CheckView, data: Path, *, digest: Callable[[Path], str] = file_sha256
) -> dict[GamesDigest, Path]:
    """Return the file of each measurement's games that lies on this disk and is still the recorded one.

    Parameters
    ----------
    data : Path
        The project's data directory.
    digest : callable
        Hashes a file.
    """
    if view.check is None:
        return {}
    found: dict[GamesDigest, Path] = {}
    for games in view.games:
        path = check_directory(data, games.reused_from or view.check) / GAMES_FILE
        if path.is_file() and digest(path) == games.sha256:
            found[games] = path
    return found


def opponents_of(view: CheckView, files: Iterable[GamesDigest]) -> dict[str | None, int]:
    """Number those whose games lie on this disk: the anchors in the result's order, then None, the direct match."""
    endpoints = {games.endpoint for games in files}
    numbers: dict[str | None, int] = {}
    for number, anchor in enumerate(view.result.anchors, start=1):
        if endpoints & {"old", "new"}:
            numbers[anchor.name] = number
    if "direct" in endpoints:
        numbers[None] = len(view.result.anchors) + 1
    return numbers


def meetings_of(
    view: CheckView,
    files: Mapping[GamesDigest, Path],
    *,
    read: Callable[[Path], Sequence[PlayedPair]] = played_pairs,
) -> tuple[Meeting, ...]:
    """Return the games of a check by opponent.

    Parameters
    ----------
    files : Mapping
        Of ``recorded_files``.
    read : callable
        Reads the pairs of a file.

    Raises
    ------
    BadInput
        A file holds games of no check.
    """
    versions = {"old": view.old, "new": view.new, "direct": view.new}
    known = {path: read(path) for path in dict.fromkeys(files.values())}
    rows: dict[str, dict[tuple[str, int], dict[str, Place]]] = {}
    for games, path in files.items():
        version = versions[games.endpoint]
        for pair in known[path]:
            # A measurement that was taken over stands in its file under the endpoint that it had there.
            side = "old" if games.endpoint == "old" else "new"
            if games.reused_from is None:
                mine = pair.endpoint == side
            else:
                mine = version is not None and pair.main == version.version
            if mine and pair.stage == games.stage and (pair.anchor == DIRECT) == (games.endpoint == "direct"):
                row = rows.setdefault(pair.anchor, {}).setdefault((pair.stage, pair.opening), {})
                row[side] = Place(pair, path)
    found = []
    for anchor, number in opponents_of(view, files).items():
        sides = rows.get(DIRECT if anchor is None else anchor, {})
        order = sorted(sides.items(), key=lambda item: (item[0][0] != "long", *item[0]))
        openings = tuple(Opening(stage, opening, **places) for (stage, opening), places in order)
        found.append(Meeting(number, anchor, openings, tuple(_paged(openings))))
    return tuple(found)


def _paged(openings: Sequence[Opening]) -> Iterable[tuple[Opening, ...]]:
    page: list[Opening] = []
    weight = 0
    for opening in openings:
        more = sum(place.length for _, place in opening.places())
        if page and (len(page) == MOST_OPENINGS or weight + more > MOST_BYTES):
            yield tuple(page)
            page, weight = [], 0
        page.append(opening)
        weight += more
    yield tuple(page)
