"""A PGN file that grows while a match is played.

The journal is the truth. What a killed run leaves in the file, perhaps half a game, is written anew from the journal
when the match goes on; at the end the games are put into the journal's order, so that the file is the same whatever
happened on the way. A file that holds other games is never touched. May import: anchorhold.errors, anchorhold.domain,
anchorhold.matches.journal, pgn.
"""

from __future__ import annotations

import os
import re
import tempfile
from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from anchorhold.domain.games import PairKey, PairRecord
from anchorhold.errors import BadInput, BadState
from anchorhold.matches.journal import Journal
from anchorhold.matches.pgn import PgnNames, game_text

_TAG = re.compile(r'^\[(Check|Endpoint|Anchor|Stage|Opening) "((?:[^"\\]|\\.)*)"\]$', re.MULTILINE)
_HEAD = 1 << 16
_OPENING_BITS = 40


class PgnStream:
    """The games of a match on their way into a file; use as a context.

    Parameters
    ----------
    path : Path
        Written anew from ``journal`` at once, then one pair after the other.
    journal : Journal
        Holds what was played before.
    most : int
        Pairs per meeting: openings beyond it are not part of the match.

    Raises
    ------
    BadInput
        The file cannot be written.
    BadState
        It is there and holds games that are not in the journal.
    """

    def __init__(self, path: Path, *, journal: Journal, names: PgnNames, most: int) -> None:
        self._path = path
        self._names = names
        self._most = most
        self._places = _Places()
        try:
            _require_ours(path, journal, names)
            self._file = path.open("wb")
        except OSError as error:
            raise BadInput(f"cannot be written: {error.strerror}", where=str(path)) from error
        try:
            self._add_all(journal.pairs())
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, record: PairRecord, *, sans: Sequence[Sequence[str]] = ()) -> None:
        """Write both games of a pair; on return the system has them.

        Parameters
        ----------
        sans : Sequence, optional
            The moves of each game in SAN, where they are written already (``PairOutcome.sans``).

        Raises
        ------
        BadState
            The disk is full, or the file has gone.
        """
        if record.key.opening > self._most:
            return
        data = "".join(
            game_text(record, game, number=number, names=self._names, sans=moves)
            for number, (game, moves) in enumerate(zip(record.games, sans or (None, None), strict=True), start=1)
        ).encode()
        start = self._file.tell()
        try:
            self._file.write(data)
            self._file.flush()
        except OSError as error:
            raise BadState(
                f"the games cannot be written: {error.strerror}",
                where=str(self._path),
                next_step="Make room and give the same command: no pair is lost, the games come from the journal",
            ) from error
        self._places.add(record.key, start, len(data))

    def finish(self, *, journal: Journal, until: int) -> None:
        """Put the games into the journal's order, without those of openings beyond ``until``.

        Raises
        ------
        BadInput
            The file cannot be written.
        """
        # Pairs that ended while the run was broken off are in the journal only.
        there = self._places.keys()
        keys = journal.keys()
        missing = [key for key in keys if self._places.number(key) not in there]
        self._add_all(record for key in missing if (record := journal.get(key)) is not None)
        try:
            descriptor, temporary = tempfile.mkstemp(prefix=self._path.name + ".", dir=self._path.parent)
            try:
                with os.fdopen(descriptor, "wb") as ordered, self._path.open("rb") as played:
                    for start, length in self._places.in_order(until=until):
                        played.seek(start)
                        ordered.write(played.read(length))
                    ordered.flush()
                    os.fsync(ordered.fileno())
                Path(temporary).chmod(0o644)
                Path(temporary).replace(self._path)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise BadInput(f"cannot be written: {error.strerror}", where=str(self._path)) from error

    def _add_all(self, records: Iterable[PairRecord]) -> None:
        for record in records:
            self.add(record)


class _Places:
    """Where each pair stands in the file, in few bytes: a match may have a million."""

    def __init__(self) -> None:
        self._meetings: dict[tuple[str, str, str, str], int] = {}
        self._numbers, self._starts, self._lengths = array("q"), array("q"), array("q")

    def number(self, key: PairKey) -> int:
        """A number of the key's own."""
        meeting = (key.run, key.endpoint, key.anchor, key.stage)
        return self._meetings.setdefault(meeting, len(self._meetings)) << _OPENING_BITS | key.opening

    def add(self, key: PairKey, start: int, length: int) -> None:
        self._numbers.append(self.number(key))
        self._starts.append(start)
        self._lengths.append(length)

    def keys(self) -> set[int]:
        return set(self._numbers)

    def in_order(self, *, until: int) -> Iterator[tuple[int, int]]:
        """Yield start and length in the journal's order, openings up to ``until``."""
        meetings = sorted(self._meetings)
        rank = [meetings.index(meeting) for meeting in self._meetings]

        def place(index: int) -> tuple[int, int]:
            return rank[self._numbers[index] >> _OPENING_BITS], self._numbers[index]

        for index in sorted(range(len(self._numbers)), key=place):
            if self._numbers[index] & ((1 << _OPENING_BITS) - 1) <= until:
                yield self._starts[index], self._lengths[index]


def _require_ours(path: Path, journal: Journal, names: PgnNames) -> None:
    """Refuse a file whose first game is not one of the journal's, as this program writes it."""
    if not path.exists():
        return
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if not head.strip() or _is_first_of(head, journal, names):
        return
    raise BadState(
        "is there already and holds games that are not this match's",
        where=str(path),
        next_step="Give another file, or move this one away",
    )


def _is_first_of(head: bytes, journal: Journal, names: PgnNames) -> bool:
    tags: dict[str, str] = {}
    for name, value in _TAG.findall(head.decode("utf-8", "replace")):
        tags.setdefault(name, re.sub(r"\\(.)", r"\1", value))
    if len(tags) < 5:
        # Cut off within the tags of the first game: as far as it goes it must be what is written for some pair.
        return any(_text(record, names).startswith(head) for record in journal.pairs())
    records = journal.pairs(run=tags["Check"], endpoint=tags["Endpoint"], anchor=tags["Anchor"], stage=tags["Stage"])
    for record in records:
        if str(record.key.opening) == tags["Opening"]:
            text = _text(record, names)
            return head.startswith(text) or text.startswith(head)
    return False


def _text(record: PairRecord, names: PgnNames) -> bytes:
    return game_text(record, record.games[0], number=1, names=names).encode()
