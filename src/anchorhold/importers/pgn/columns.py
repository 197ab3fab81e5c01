"""The games of PGN files in columns, with what is to be said of them: a million broken games fit into memory, too.

May import: nothing.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast

NOT_COUNTED = -1
ROW = ("starts", "ends", "whites", "blacks", "rounds", "fens", "groups", "stages", "times", "points")
"""Columns in the order of a row."""
Row = tuple[int, int, bytes, bytes, bytes, bytes, bytes, bytes, bytes, int]
KINDS = ("flaw", "remark", "unfinished", "cut", "contradiction", "no engines", "duplicate")
_Plain = tuple[tuple[list[bytes], ...], tuple[bytes, ...], tuple[bytes, list[str], dict[int, bytes]], int]
MOST_KEPT = 20_000
"""Different messages, and texts, that are kept; a file made to fill memory has a new one for every game."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A game that is not counted, or odd, or bytes that belong to none; offsets are of the file."""

    offset: int
    kind: str
    """A ``WhyNot``, ``flaw`` or ``remark``."""
    message: str
    """Empty for a game that is merely unfinished."""
    text: bytes = b""


def _offsets() -> array[int]:
    return array("q")


@dataclass(slots=True)
class Notes:
    """What is to be said of games and bytes, as columns; iterating gives each as an Unread."""

    offsets: array[int] = field(default_factory=_offsets)
    kinds: bytearray = field(default_factory=bytearray)
    """Indexes in KINDS."""
    messages: list[str] = field(default_factory=list)
    texts: dict[int, bytes] = field(default_factory=dict)
    """By the place in the columns; most have none."""
    known: dict[str, str] = field(default_factory=dict)
    """Messages, so that equal ones are one object."""

    def add(self, offset: int, kind: str, message: str = "", text: bytes = b"") -> None:
        """Append one. Of very many different messages the later ones are cut to their kind."""
        kept = self.known.get(message)
        if kept is None:
            kept = message if len(self.known) < MOST_KEPT else kind
            self.known[kept] = kept
        if text and len(self.texts) < MOST_KEPT:
            self.texts[len(self.offsets)] = text
        self.offsets.append(offset)
        self.kinds.append(KINDS.index(kind))
        self.messages.append(kept)

    def __iter__(self) -> Iterator[Unread]:
        for at, (offset, kind, message) in enumerate(zip(self.offsets, self.kinds, self.messages, strict=True)):
            yield Unread(offset, KINDS[kind], message, self.texts.get(at, b""))

    def __len__(self) -> int:
        return len(self.offsets)

    def extend(self, later: Notes) -> None:
        """Append those of the part behind."""
        for one in later:
            self.add(one.offset, one.kind, one.message, one.text)


@dataclass(slots=True)
class Columns:
    """Games one beside the other: as many in each column, in the order of the file."""

    starts: array[int] = field(default_factory=_offsets)
    ends: array[int] = field(default_factory=_offsets)
    whites: list[bytes] = field(default_factory=list)
    blacks: list[bytes] = field(default_factory=list)
    rounds: list[bytes] = field(default_factory=list)
    fens: list[bytes] = field(default_factory=list)
    groups: list[bytes] = field(default_factory=list)
    """The Pair tag, if any: what our own files say about pairs."""
    stages: list[bytes] = field(default_factory=list)
    times: list[bytes] = field(default_factory=list)
    points: array[int] = field(default_factory=lambda: array("b"))
    """Half points of White, or NOT_COUNTED."""
    unread: Notes = field(default_factory=Notes)
    stopped: int = 0
    """Where the part ended: the first byte of the first game of the next part."""

    def take(self, rows: list[Row]) -> None:
        """Append games: a row of its own takes five times the memory."""
        for name, column in zip(ROW, zip(*rows, strict=True), strict=False):
            getattr(self, name).extend(column)

    def to_plain(self) -> tuple[object, ...]:
        """Return lists, bytes and numbers only, for the way between processes."""
        lists = (self.whites, self.blacks, self.rounds, self.fens, self.groups, self.stages, self.times)
        arrays = tuple(one.tobytes() for one in (self.starts, self.ends, self.points, self.unread.offsets))
        notes = (bytes(self.unread.kinds), self.unread.messages, self.unread.texts)
        return lists, arrays, notes, self.stopped

    @classmethod
    def from_plain(cls, plain: tuple[object, ...]) -> Columns:
        """Undo ``to_plain``."""
        found = cls()
        lists, arrays, notes, stopped = cast(_Plain, plain)
        found.whites, found.blacks, found.rounds, found.fens, found.groups, found.stages, found.times = lists
        for column, data in zip((found.starts, found.ends, found.points, found.unread.offsets), arrays, strict=True):
            column.frombytes(data)
        kinds, found.unread.messages, found.unread.texts = notes
        found.unread.kinds = bytearray(kinds)
        found.stopped = stopped
        return found

    def moved(self, by: int) -> Columns:
        """Move all offsets so that they begin at ``by``; returns the same columns."""
        for offsets in (self.starts, self.ends, self.unread.offsets):
            for at, offset in enumerate(offsets):
                offsets[at] = offset + by
        self.stopped += by
        return self

    def extend(self, later: Columns) -> None:
        """Append the games of the part behind this one."""
        for name in ROW:
            getattr(self, name).extend(getattr(later, name))
        self.unread.extend(later.unread)
        self.stopped = later.stopped
