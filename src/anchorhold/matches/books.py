"""Opening books: openings by number, in the book's order or shuffled by a seed.

Entries are checked when they are first needed, in playing order: the first thousands at loading, the rest of a book of
millions as the match gets there. What cannot be played is skipped and kept in ``problems`` with file and line or game.
May import: anchorhold.errors, anchorhold.canonical, anchorhold.domain, anchorhold.matches.book_entries and the
formats beside it.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from anchorhold.canonical import sha256_hex
from anchorhold.domain.games import Opening, Variant
from anchorhold.errors import BadInput
from anchorhold.matches.book_entries import Entries, Unplayable
from anchorhold.matches.book_epd import Positions
from anchorhold.matches.book_files import Content, open_book_file
from anchorhold.matches.book_numbers import Numbered
from anchorhold.matches.book_pgn import Games
from anchorhold.matches.book_polyglot import DEFAULT_PLIES, ENTRY, Polyglot

Order = Literal["sequential", "random"]
Format = Literal["epd", "pgn", "bin"]

CHECKED_AT_LOADING = 5_000
"""Entries that are checked before ``load_book`` returns; a smaller book is checked whole."""


@dataclass(frozen=True, slots=True)
class BookProblem:
    """An entry of a book that looked like an opening and cannot be played."""

    place: str
    """File with line or game, such as ``book.epd:12`` or ``book.pgn game 3 (line 40)``."""
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


class Book:
    """Openings by number, from 1, in playing order; after the last the first comes again.

    Made by ``load_book`` or ``numbered_book``. ``sha256`` is the digest of the file as it lies on disk.
    """

    def __init__(
        self,
        entries: Entries,
        *,
        path: Path,
        sha256: str,
        order: Order,
        seed: int,
        plies: int | None,
        variant: Variant,
        start: int = 1,
    ) -> None:
        self.path = path
        self.sha256 = sha256
        self.order: Order = order
        self.seed = seed
        self.plies = plies
        self.variant: Variant = variant
        self.start = start
        if start < 1 or (len(entries) and start > len(entries)):
            raise BadInput(f"start is {start}, expected 1 to {len(entries)}, the entries of the book", where=str(path))
        self._entries = entries
        self._sequence = entries.shuffled(seed=seed) if order == "random" else range(len(entries))
        self._reached = 0
        # Places of entries only: a match of a million pairs needs as many openings, but each of them once.
        self._playable = array("q")
        self._positions: set[int] = set()
        self._problems: list[BookProblem] = []
        self._check(until_playable=None, at_most=CHECKED_AT_LOADING)
        if not self._playable:
            self._check(until_playable=1, at_most=None)
        if not self._playable:
            first = f" (the first problem: {self._problems[0]})" if self._problems else ""
            raise BadInput(
                f"no opening in it can be played{first}",
                where=str(path),
                next_step="Give a book with at least one legal position or line that is not finished",
            )

    @property
    def problems(self) -> tuple[BookProblem, ...]:
        """What was skipped so far; complete once ``complete`` holds."""
        return tuple(self._problems)

    @property
    def repeated(self) -> int:
        """Openings, of those checked so far, that lead to a position which an earlier one leads to, too."""
        return len(self._playable) - len(self._positions)

    @property
    def checked(self) -> int:
        """Openings found playable so far."""
        return len(self._playable)

    @property
    def complete(self) -> bool:
        """Whether every entry has been checked."""
        return self._reached == len(self._entries)

    @property
    def candidates(self) -> int:
        """Entries that stand in the book, playable or not."""
        return len(self._entries)

    @property
    def size(self) -> int:
        """How many openings can be played; checks the whole book."""
        self._check(until_playable=None, at_most=None)
        return len(self._playable)

    def opening(self, number: int) -> Opening:
        """Return the opening of a number from 1 on; numbers beyond the book start over from its first opening.

        Raises
        ------
        BadInput
            A number below 1.
        """
        if number < 1:
            raise BadInput(f"opening number {number}: openings are numbered from 1", where=str(self.path))
        if number > len(self._playable):
            self._check(until_playable=number, at_most=None)
        return self._entries.read(self._playable[(number - 1) % len(self._playable)]).opening

    def _check(self, *, until_playable: int | None, at_most: int | None) -> None:
        stop = len(self._entries) if at_most is None else min(len(self._entries), self._reached + at_most)
        while self._reached < stop and (until_playable is None or len(self._playable) < until_playable):
            index = int(self._sequence[(self._reached + self.start - 1) % len(self._entries)])
            self._reached += 1
            try:
                self._positions.add(self._entries.read(index).position)
                self._playable.append(index)
            except Unplayable as reason:
                self._problems.append(BookProblem(self._entries.place(index), str(reason)))


def load_book(
    path: Path,
    *,
    order: Order = "sequential",
    seed: int = 0,
    plies: int | None = None,
    variant: Variant = "standard",
    format: Format | None = None,
    start: int = 1,
) -> Book:
    """Read an opening book; the kind of file is recognised by its content and, where that is silent, by its name.

    Parameters
    ----------
    path : Path
        An EPD or FEN list, a PGN file or a Polyglot book; plain or as .gz, .bz2, .xz, .zst or .zip.
    order : {"sequential", "random"}
        ``random``: a permutation that depends on ``seed`` and the number of entries alone (see ``shuffled``); of a
        Polyglot book also on the weights.
    seed : int
        Used by ``random`` only.
    plies : int, optional
        Half-moves taken from each line of a PGN (None: all) or Polyglot book (None: DEFAULT_PLIES).
    variant : {"standard", "chess960"}
        How castling is written and which starting positions are legal.
    format : {"epd", "pgn", "bin"}, optional
        Take the file as this, whatever it looks like.
    start : int
        Place in the order of play at which opening 1 stands.

    Raises
    ------
    BadInput
        The file cannot be read or unpacked, or nothing in it can be played.
    """
    if plies is not None and plies < 1:
        raise BadInput(f"plies is {plies}, expected at least 1", where=str(path))
    file = open_book_file(path)
    kind = format or _kind(file.content, file.name, path)
    entries: Entries
    if kind == "bin":
        entries = Polyglot(file.content, path=path, plies=plies or DEFAULT_PLIES, variant=variant)
    elif kind == "pgn":
        entries = Games(file.content, name=path.name, plies=plies, variant=variant)
    else:
        entries = Positions(file.content, name=path.name, variant=variant)
    return Book(
        entries, path=path, sha256=file.sha256, order=order, seed=seed, plies=plies, variant=variant, start=start
    )


def numbered_book(positions: str, *, order: Order = "sequential", seed: int = 0, start: int = 1) -> Book:
    """Return starting positions of Chess960 by their numbers as a book (see ``Numbered``).

    Raises
    ------
    BadInput
        ``positions`` of another form.
    """
    entries = Numbered(positions)
    name = f"positions {positions}"
    return Book(
        entries,
        path=Path(name),
        sha256=sha256_hex(name.encode()),
        order=order,
        seed=seed,
        plies=None,
        variant="chess960",
        start=start,
    )


def _kind(content: Content, name: str, path: Path) -> Format:
    head = content.part(0, 4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    suffix = Path(name).suffix.lower()
    if suffix == ".bin" or (b"\x00" in head and content.size % ENTRY.size == 0):
        return "bin"
    if b"\x00" in head:
        raise BadInput("neither text nor a Polyglot book (entries of 16 bytes)", where=str(path))
    return "pgn" if suffix == ".pgn" or head.startswith(b"[") else "epd"
