"""Opening books: EPD and FEN lists, PGN and Polyglot, packed or not, in the book's order or shuffled by a seed.

Entries are checked when they are first needed, in playing order: the first thousands at loading, the rest of a book of
millions as the match gets there. What cannot be played is skipped and kept in ``problems`` with file and line or game.
May import: chess, numpy, zstandard, anchorhold.errors, anchorhold.domain.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import re
import struct
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

import chess
import chess.polyglot
import numpy as np
import numpy.typing as npt
import zstandard

from anchorhold.domain.games import Opening, Variant
from anchorhold.errors import BadInput

Order = Literal["sequential", "random"]

POLYGLOT_PLIES = 8
"""Depth to which a Polyglot book is walked when no number of plies is given."""
CHECKED_AT_LOADING = 5_000
"""Entries that are checked before ``load_book`` returns; a smaller book is checked whole."""
MOST_POLYGLOT_LINES = 1_000_000
LARGEST_BOOK = 4 * 1024**3
"""Bytes after unpacking: more is no opening book, or an archive made to fill memory."""

_PACKED_SUFFIXES = {".gz", ".bz2", ".xz", ".lzma", ".zst", ".zip"}
_TAG_LINE = re.compile(rb'^\[\s*[A-Za-z0-9][\w+#=:-]*\s+".*"\s*\]\s*$')
_TAG = re.compile(r'^\[\s*([A-Za-z0-9][\w+#=:-]*)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*$')
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_CLOCK_OPERATION = re.compile(r"(?:^|[;\s])(hmvc|fmvn)\s+(\d{1,4})\s*(?:;|$)")
_WHOLE_NUMBER = re.compile(r"\d{1,4}")
_MOVE_NUMBER = re.compile(r"^\d+\.*(?:\u2026)?")
_RESULTS = {"1-0", "0-1", "1/2-1/2", "1/2", "*"}
_ENTRY = struct.Struct(">QHHI")


@dataclass(frozen=True, slots=True)
class BookProblem:
    """An entry of a book that looked like an opening and cannot be played."""

    place: str
    """File with line or game, such as ``book.epd:12`` or ``book.pgn game 3 (line 40)``."""
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


class _Unplayable(ValueError):
    """Why one entry cannot be played; becomes a BookProblem."""


class _Entries(ABC):
    """The candidate entries of one book, in the book's own order, not yet checked."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def place(self, index: int) -> str: ...

    @abstractmethod
    def read(self, index: int) -> Opening:
        """Return the opening, or raise _Unplayable."""


class Book:
    """Openings by number, from 1, in playing order; after the last the first comes again.

    Made by ``load_book``. ``sha256`` is the digest of the file as it lies on disk.
    """

    def __init__(
        self,
        entries: _Entries,
        *,
        path: Path,
        sha256: str,
        order: Order,
        seed: int,
        plies: int | None,
        variant: Variant,
    ) -> None:
        self.path = path
        self.sha256 = sha256
        self.order: Order = order
        self.seed = seed
        self.plies = plies
        self.variant: Variant = variant
        self._entries = entries
        self._sequence = shuffled(len(entries), seed=seed) if order == "random" else np.arange(len(entries))
        self._reached = 0
        self._playable: list[Opening] = []
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
        return self._playable[(number - 1) % len(self._playable)]

    def _check(self, *, until_playable: int | None, at_most: int | None) -> None:
        stop = len(self._entries) if at_most is None else min(len(self._entries), self._reached + at_most)
        while self._reached < stop and (until_playable is None or len(self._playable) < until_playable):
            index = int(self._sequence[self._reached])
            self._reached += 1
            try:
                self._playable.append(self._entries.read(index))
            except _Unplayable as reason:
                self._problems.append(BookProblem(self._entries.place(index), str(reason)))


def load_book(
    path: Path, *, order: Order = "sequential", seed: int = 0, plies: int | None = None, variant: Variant = "standard"
) -> Book:
    """Read an opening book; the kind of file is recognised by its content and, where that is silent, by its name.

    Parameters
    ----------
    path : Path
        An EPD or FEN list, a PGN file or a Polyglot book; plain or as .gz, .bz2, .xz, .zst or .zip.
    order : {"sequential", "random"}
        ``random``: a permutation that depends on ``seed`` and the number of entries alone (see ``shuffled``).
    seed : int
        Used by ``random`` only.
    plies : int, optional
        Half-moves taken from each line of a PGN (None: all) or Polyglot book (None: POLYGLOT_PLIES).
    variant : {"standard", "chess960"}
        How castling is written and which starting positions are legal.

    Raises
    ------
    BadInput
        The file cannot be read or unpacked, or nothing in it can be played.
    """
    if plies is not None and plies < 1:
        raise BadInput(f"plies is {plies}, expected at least 1", where=str(path))
    try:
        packed = path.read_bytes()
    except OSError as error:
        raise BadInput(f"the opening book cannot be read: {error.strerror}", where=str(path)) from error
    data, name = _unpack(packed, path)
    sha256 = hashlib.sha256(packed).hexdigest()
    del packed
    entries = _entries(data, name, path=path, plies=plies, variant=variant)
    return Book(entries, path=path, sha256=sha256, order=order, seed=seed, plies=plies, variant=variant)


def shuffled(count: int, *, seed: int) -> npt.NDArray[np.int64]:
    """Return 0 … count − 1 sorted by the first 8 bytes of SHA-256 of ``seed:index`` in decimal.

    Depends on no random generator, so that every version and every program can make the same order.
    """
    sha256 = hashlib.sha256
    head = f"{seed}:".encode()
    keys = b"".join([sha256(head + b"%d" % index).digest()[:8] for index in range(count)])
    return np.argsort(np.frombuffer(keys, dtype=">u8"), kind="stable")


def _entries(data: bytes, name: str, *, path: Path, plies: int | None, variant: Variant) -> _Entries:
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    suffix = Path(name).suffix.lower()
    if suffix == ".bin" or (b"\x00" in start and len(data) % _ENTRY.size == 0):
        return _Polyglot(data, path=path, plies=plies or POLYGLOT_PLIES, variant=variant)
    if b"\x00" in start:
        raise BadInput("neither text nor a Polyglot book (entries of 16 bytes)", where=str(path))
    if suffix == ".pgn" or start.startswith(b"["):
        return _Games(data, path=path, plies=plies, variant=variant)
    return _Positions(data, path=path, variant=variant)


def _unpack(data: bytes, path: Path) -> tuple[bytes, str]:
    """Unpack by the first bytes, once; return the content with the name that says its kind."""
    name = path.name
    if Path(name).suffix.lower() in _PACKED_SUFFIXES:
        name = Path(name).stem
    try:
        if data.startswith(b"PK\x03\x04"):
            return _unzip(data, path)
        if data.startswith(b"\x1f\x8b"):
            return _limited(gzip.GzipFile(fileobj=io.BytesIO(data)), path), name
        if data.startswith(b"BZh"):
            return _limited(bz2.BZ2File(io.BytesIO(data)), path), name
        if data.startswith(b"\xfd7zXZ\x00"):
            return _limited(lzma.LZMAFile(io.BytesIO(data)), path), name
        if data.startswith(b"\x28\xb5\x2f\xfd"):
            with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data), read_across_frames=True) as stream:
                return _limited(stream, path), name
    except (OSError, EOFError, lzma.LZMAError, zlib.error, zstandard.ZstdError, zipfile.BadZipFile) as error:
        raise BadInput(f"cannot be unpacked: {error}", where=str(path)) from error
    return data, name


class _Stream(Protocol):
    def read(self, size: int, /) -> bytes: ...


def _limited(stream: _Stream, path: Path) -> bytes:
    parts: list[bytes] = []
    total = 0
    while part := stream.read(1 << 20):
        total += len(part)
        if total > LARGEST_BOOK:
            raise BadInput(f"unpacks to more than {LARGEST_BOOK} bytes", where=str(path))
        parts.append(part)
    return b"".join(parts)


def _unzip(data: bytes, path: Path) -> tuple[bytes, str]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
        if len(members) > 1:
            members = [m for m in members if Path(m.filename).suffix.lower() in {".epd", ".fen", ".pgn", ".bin"}]
        if len(members) != 1:
            raise BadInput(
                f"the archive holds {len(members)} books, expected one",
                where=str(path),
                next_step="Unpack it and give the file itself",
            )
        try:
            with archive.open(members[0]) as stream:
                return _limited(stream, path), members[0].filename
        except (RuntimeError, NotImplementedError) as error:  # a password, or a method that this Python lacks
            raise BadInput(f"cannot be unpacked: {error}", where=str(path)) from error


def _finished(board: chess.Board) -> str:
    """Why no game can be played from here; empty when one can."""
    if not any(board.generate_legal_moves()):
        return "the game is over: mate" if board.is_check() else "the game is over: stalemate"
    if board.is_insufficient_material():
        return "the game is over: insufficient material"
    if board.halfmove_clock >= 100:
        return f"the game is over: {board.halfmove_clock} half-moves without capture or pawn move"
    return ""


def _board(fen: str, variant: Variant) -> chess.Board:
    try:
        board = chess.Board(fen, chess960=variant == "chess960")
    except ValueError as error:
        raise _Unplayable(f"not a position: {error}") from error
    status = board.status()
    if status != chess.STATUS_VALID:
        words = ", ".join(flag.name.lower().replace("_", " ") for flag in chess.Status if flag & status and flag.name)
        raise _Unplayable(f"not a legal position: {words}")
    return board


def _fen(board: chess.Board) -> str | None:
    """Return the position in the form that engines get; None for the usual start."""
    if board.fen() == chess.STARTING_FEN:
        return None
    # Shredder-FEN names the rooks' files, which X-FEN leaves open for inner rooks.
    return board.fen(shredder=board.chess960)


class _Positions(_Entries):
    """Lines of an EPD or FEN list."""

    def __init__(self, data: bytes, *, path: Path, variant: Variant) -> None:
        self._data = data.removeprefix(b"\xef\xbb\xbf")
        self._name = path.name
        self._variant = variant
        characters = np.frombuffer(self._data, dtype=np.uint8)
        ends = np.append(np.flatnonzero(characters == ord("\n")), len(characters))
        starts = np.append(0, ends[:-1] + 1)
        # Empty lines are no entries: they need no warning and take no number.
        inked = np.logical_or.reduceat(np.append(characters > ord(" "), False), starts)
        self._numbers = np.flatnonzero(inked)
        self._starts, self._ends = starts[self._numbers], ends[self._numbers]

    def __len__(self) -> int:
        return len(self._numbers)

    def place(self, index: int) -> str:
        return f"{self._name}:{self._numbers[index] + 1}"

    def read(self, index: int) -> Opening:
        line = self._data[self._starts[index] : self._ends[index]].decode("utf-8", "replace")
        board = _board(epd_to_fen(line), self._variant)
        if why := _finished(board):
            raise _Unplayable(why)
        return Opening(fen=_fen(board), moves=(), source=self.place(index))


def epd_to_fen(line: str) -> str:
    """Turn an EPD or FEN line into a FEN of six fields; of the operations hmvc and fmvn count, the clocks.

    Raises
    ------
    ValueError
        Fewer than four fields.
    """
    fields = line.split(None, 4)
    if len(fields) < 4:
        raise _Unplayable(f"not a position: {len(fields)} fields, expected at least 4")
    clocks = {"hmvc": "0", "fmvn": "1"}
    rest = fields[4] if len(fields) > 4 else ""
    numbers = rest.replace(";", " ").split()
    if len(numbers) >= 2 and _WHOLE_NUMBER.fullmatch(numbers[0]) and _WHOLE_NUMBER.fullmatch(numbers[1]):
        clocks = {"hmvc": numbers[0], "fmvn": numbers[1]}
    else:
        operations = _QUOTED.sub("", rest)
        # One search per operation: a pattern that eats the semicolon would hide the operation after it.
        for name in clocks:
            for found in _CLOCK_OPERATION.finditer(operations.replace(";", " ; ")):
                if found[1] == name:
                    clocks[name] = found[2]
    return f"{fields[0]} {fields[1]} {fields[2]} {fields[3].rstrip(';')} {clocks['hmvc']} {clocks['fmvn']}"


class _Games(_Entries):
    """Games of a PGN file: their starting positions with the first moves."""

    def __init__(self, data: bytes, *, path: Path, plies: int | None, variant: Variant) -> None:
        self._name = path.name
        self._plies = plies
        self._variant = variant
        self._games = list(_split_games(data.removeprefix(b"\xef\xbb\xbf")))

    def __len__(self) -> int:
        return len(self._games)

    def place(self, index: int) -> str:
        return f"{self._name} game {index + 1} (line {self._games[index].line})"

    def read(self, index: int) -> Opening:
        game = self._games[index]
        board = self._start(game.tags)
        fen = _fen(board)
        moves: list[str] = []
        for token in _main_line(game.movetext):
            try:
                move = board.parse_san(token)
            except ValueError as error:
                raise _Unplayable(f"{token!r} after {len(moves)} half-moves is no legal move: {error}") from error
            if not move:
                raise _Unplayable(f"{token!r} after {len(moves)} half-moves is no move")
            if self._plies is None or len(moves) < self._plies:
                if why := _finished(board):
                    raise _Unplayable(f"{why} before {token!r}")
                moves.append(board.uci(move))
            board.push(move)
        while len(board.move_stack) > len(moves):
            board.pop()
        if why := _finished(board):
            raise _Unplayable(why)
        if not moves and fen is None:
            raise _Unplayable("has neither moves nor a position")
        return Opening(fen=fen, moves=tuple(moves), source=self.place(index))

    def _start(self, tags: dict[str, str]) -> chess.Board:
        named = tags.get("Variant", "standard").lower().replace(" ", "").replace("-", "")
        is_960 = named in {"chess960", "fischerandom", "fischerrandom", "freestyle", "frc", "dfrc"}
        if not is_960 and named not in {"standard", "normal", "chess", "fromposition", "?", ""}:
            raise _Unplayable(f"the variant {tags['Variant']!r} is not played here")
        if is_960 and self._variant == "standard":
            raise _Unplayable("is a game of Chess960, but the match plays standard chess")
        fen = tags.get("FEN")
        if fen is None:
            return chess.Board(chess960=self._variant == "chess960")
        return _board(epd_to_fen(fen), self._variant)


@dataclass(frozen=True, slots=True)
class _RawGame:
    line: int
    """Line of the file on which the game starts, from 1."""
    tags: dict[str, str]
    movetext: str


def _split_games(data: bytes) -> Iterator[_RawGame]:
    """Cut a PGN file where a tag line follows moves; moves without any tags are cut at empty lines."""
    first_line = 0
    tags: dict[str, str] = {}
    movetext: list[bytes] = []

    def game() -> _RawGame:
        text = b"\n".join(movetext)
        try:
            return _RawGame(first_line, tags, text.decode("utf-8"))
        except UnicodeDecodeError:
            return _RawGame(first_line, tags, text.decode("latin-1"))

    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.startswith(b"%"):
            continue
        if _TAG_LINE.match(line):
            if movetext:
                yield game()
                tags, movetext = {}, []
            if not tags:
                first_line = number
            found = _TAG.match(line.decode("utf-8", "replace"))
            if found:
                tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
        elif not line.isspace() and line:
            if not tags and not movetext:
                first_line = number
            movetext.append(line)
        elif movetext and not tags:
            yield game()
            tags, movetext = {}, []
    if movetext or tags:
        yield game()


def _main_line(movetext: str) -> Iterator[str]:
    """Yield the moves of the main line as they stand there; comments, variations, numbers and NAGs are left out."""
    plain: list[str] = []
    depth = 0
    position = 0
    while position < len(movetext):
        sign = movetext[position]
        if sign == "{":
            end = movetext.find("}", position)
            if end < 0:
                raise _Unplayable("a comment is not closed")
            position = end
            plain.append(" ")
        elif sign == ";":
            end = movetext.find("\n", position)
            position = len(movetext) if end < 0 else end
            plain.append(" ")
        elif sign == "(":
            depth += 1
        elif sign == ")":
            if depth == 0:
                raise _Unplayable("a variation is closed that was not opened")
            depth -= 1
            plain.append(" ")
        elif depth == 0:
            plain.append(sign)
        position += 1
    if depth:
        raise _Unplayable("a variation is not closed")
    tokens = "".join(plain).split()
    for position, token in enumerate(tokens):
        if token in _RESULTS:
            if position + 1 < len(tokens):
                raise _Unplayable(f"{tokens[position + 1]!r} stands after the result {token!r}")
            return
        move = _MOVE_NUMBER.sub("", token) if not token.startswith("0-0") else token
        move = move.lstrip(".").rstrip("!?")
        if move and not move.startswith("$"):
            yield move.split("$", 1)[0]


class _Polyglot(_Entries):
    """Lines of a Polyglot book from the usual start, all of one length, one for each position they lead to."""

    def __init__(self, data: bytes, *, path: Path, plies: int, variant: Variant) -> None:
        if len(data) % _ENTRY.size or not data:
            raise BadInput(
                f"{len(data)} bytes are not a whole number of Polyglot entries of {_ENTRY.size} bytes", where=str(path)
            )
        self._name = path.name
        self._variant = variant
        moves: dict[int, list[tuple[int, int]]] = {}
        for key, raw, weight, _ in _ENTRY.iter_unpack(data):
            if weight:
                moves.setdefault(key, []).append((-weight, raw))
        self._moves = {key: [raw for _, raw in sorted(found)] for key, found in moves.items()}
        self._illegal: list[str] = []
        self._lines = self._walk(plies, path)

    def __len__(self) -> int:
        return len(self._lines) + len(self._illegal)

    def place(self, index: int) -> str:
        return f"{self._name} line {index + 1}"

    def read(self, index: int) -> Opening:
        if index >= len(self._lines):
            raise _Unplayable(self._illegal[index - len(self._lines)])
        board = chess.Board(chess960=self._variant == "chess960")
        for uci in self._lines[index]:
            board.push_uci(uci)
        if why := _finished(board):
            raise _Unplayable(why)
        return Opening(fen=None, moves=self._lines[index], source=self.place(index))

    def _walk(self, plies: int, path: Path) -> list[tuple[str, ...]]:
        board = chess.Board(chess960=self._variant == "chess960")
        level: dict[int, tuple[str, ...]] = {chess.polyglot.zobrist_hash(board): ()}
        for ply in range(plies):
            following: dict[int, tuple[str, ...]] = {}
            for key, line in level.items():
                if key not in self._moves:
                    continue
                board.reset()
                for uci in line:
                    board.push_uci(uci)
                for raw in self._moves[key]:
                    uci = _polyglot_uci(raw)
                    try:
                        move = board.parse_uci(uci)
                    except ValueError:
                        self._illegal.append(f"{uci} is not legal after {' '.join(line) or 'the start'}")
                        continue
                    written = board.uci(move)
                    board.push(move)
                    # Transpositions: the line found first, by weight, stands for the position.
                    following.setdefault(chess.polyglot.zobrist_hash(board), (*line, written))
                    board.pop()
                if len(following) > MOST_POLYGLOT_LINES:
                    raise BadInput(
                        f"more than {MOST_POLYGLOT_LINES} lines of {ply + 1} plies",
                        where=str(path),
                        next_step="Give fewer plies",
                    )
            if not following:
                raise BadInput(
                    f"no line from the usual start has {plies} plies; the longest has {ply}",
                    where=str(path),
                    next_step=f"Give plies={ply} or fewer" if ply else "Give a book that knows the usual start",
                )
            level = following
        return list(level.values())


def _polyglot_uci(raw: int) -> str:
    promotion = ["", "n", "b", "r", "q", "", "", ""][raw >> 12 & 7]
    return chess.square_name(raw >> 6 & 63) + chess.square_name(raw & 63) + promotion
