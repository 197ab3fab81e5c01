"""The games of closed checks as site and dashboard show them: found in data directories, hashed and read once.

May import: anchorhold.canonical, anchorhold.checks, anchorhold.errors, anchorhold.report.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from anchorhold.canonical import file_sha256
from anchorhold.checks.played import PlayedPair, played_pairs
from anchorhold.report.games_page import links_to, render_games
from anchorhold.report.languages import Language
from anchorhold.report.meetings import Meeting, meetings_of, opponents_of, recorded_files
from anchorhold.report.view import CheckView, GamesDigest

_NAME = re.compile(r"([1-9][0-9]{0,3})(?:-([1-9][0-9]{0,5}))?\.(html|pgn)")

_Mark = tuple[Path, int, int]
"""A file as it is now: its place, size and time."""


class GamesOnDisk:
    """Finds the games of checks under data directories.

    Parameters
    ----------
    data : sequence of Path
        Data directories of projects.
    """

    MOST = 8
    """Files whose pairs are kept: a file of 40,000 games takes a second to read."""

    def __init__(self, data: Sequence[Path] = ()) -> None:
        self._data = tuple(data)
        self._digests: dict[_Mark, str] = {}
        self._pairs: dict[_Mark, list[PlayedPair]] = {}
        self._lock = threading.Lock()

    def files(self, view: CheckView) -> dict[GamesDigest, Path]:
        """Return the files of a check's games that are there and still the recorded ones."""
        found: dict[GamesDigest, Path] = {}
        with self._lock:
            for data in self._data:
                for games, path in recorded_files(view, data, digest=self._digest).items():
                    found.setdefault(games, path)
        return found

    def meetings(self, view: CheckView) -> tuple[Meeting, ...]:
        """Return the games of a check by opponent.

        Raises
        ------
        BadInput
            A file cannot be read, or holds games of no check.
        """
        files = self.files(view)
        with self._lock:
            return meetings_of(view, files, read=self._read)

    def _digest(self, path: Path) -> str:
        mark = _mark(path)
        if mark not in self._digests:
            self._digests[mark] = file_sha256(path)
        return self._digests[mark]

    def _read(self, path: Path) -> list[PlayedPair]:
        mark = _mark(path)
        if mark not in self._pairs:
            if len(self._pairs) >= self.MOST:
                del self._pairs[next(iter(self._pairs))]
            self._pairs[mark] = played_pairs(path)
        return self._pairs[mark]


def with_links(view: CheckView, files: Mapping[GamesDigest, Path], folder: str) -> CheckView:
    """Return a check whose report leads to the pages of its games in a folder beside it."""
    return replace(view, games_pages=links_to(opponents_of(view, files), folder))


def file_of_games(
    view: CheckView, meetings: Sequence[Meeting], name: str, *, language: Language, home: str
) -> tuple[str, str] | None:
    """Return a page of games, or their PGN, with its type; None when there is none of that name."""
    asked = _NAME.fullmatch(name)
    meeting = next((one for one in meetings if asked and one.number == int(asked[1])), None)
    if asked is None or meeting is None:
        return None
    page = int(asked[2] or 1)
    if asked[3] == "pgn":
        return None if asked[2] else ("application/x-chess-pgn", "".join(meeting.pgn()))
    if page > len(meeting.pages) or asked[2] == "1":
        return None
    return "text/html", render_games(view, meeting, page, language=language, home=home)


def _mark(path: Path) -> _Mark:
    found = path.stat()
    return path, found.st_size, found.st_mtime_ns
