"""The bytes of an opening book: unpacked where the file is packed, and not held in memory where they are many.

May import: anchorhold.errors, anchorhold.unpacking.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import weakref
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from anchorhold.errors import BadInput, BadState
from anchorhold.unpacking import DAMAGED, HEAD, Readable, is_zip, unpacking

LARGEST_BOOK = 4 * 1024**3
"""Bytes after unpacking: more is no opening book, or an archive made to fill the disk."""
IN_MEMORY = 32 * 1024**2
"""Bytes up to which a book is held in memory; a larger one is read from the disk piece by piece."""
BLOCK = 1 << 24

_PACKED_SUFFIXES = {".gz", ".bz2", ".xz", ".lzma", ".zst", ".zip"}
_BOOK_SUFFIXES = {".epd", ".fen", ".pgn", ".bin"}


class Content:
    """The bytes of a book, in memory or in a file that stays open while somebody needs it."""

    def __init__(self, held: bytes | int, *, where: str) -> None:
        self._held = held
        self._where = where
        if isinstance(held, bytes):
            self.size = len(held)
        else:
            weakref.finalize(self, os.close, held)
            status = os.fstat(held)
            self.size = status.st_size
            self._state = (status.st_size, status.st_mtime_ns)

    def part(self, start: int, end: int) -> bytes:
        """Return the bytes from ``start`` up to ``end``.

        Raises
        ------
        BadState
            The file was changed since it was opened.
        """
        if isinstance(self._held, bytes):
            return self._held[start:end]
        status = os.fstat(self._held)
        if (status.st_size, status.st_mtime_ns) != self._state:
            raise BadState(
                "the opening book was changed while it was in use",
                where=self._where,
                next_step="Put it back as it was, or begin a new match",
            )
        parts: list[bytes] = []
        while start < end and (piece := os.pread(self._held, min(end - start, BLOCK), start)):
            parts.append(piece)
            start += len(piece)
        return b"".join(parts)

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield the whole content in blocks of whole lines, each with the place where it begins."""
        begin = position = 0
        rest = b""
        while position < self.size:
            piece = self.part(position, min(position + BLOCK, self.size))
            position += len(piece)
            cut = piece.rfind(b"\n") + 1
            if not cut and position < self.size:
                rest += piece
                continue
            if position >= self.size:
                cut = len(piece)
            block = rest + piece[:cut]
            yield begin, block
            begin += len(block)
            rest = piece[cut:]


@dataclass(frozen=True, slots=True)
class BookFile:
    """An opened book file."""

    content: Content
    name: str
    """Of the book inside, which says its kind."""
    sha256: str
    """Of the file as it lies on the disk."""


def open_book_file(path: Path) -> BookFile:
    """Open a book file, hash it, and unpack it by its first bytes where it is packed.

    Raises
    ------
    BadInput
        It cannot be read or unpacked, or is too large unpacked.
    """
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
            file.seek(0)
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            file.seek(0)
            content, name = _open(file, head, path)
    except OSError as error:
        raise BadInput(f"the opening book cannot be read: {error.strerror}", where=str(path)) from error
    return BookFile(content=content, name=name, sha256=sha256)


def _open(file: BinaryIO, head: bytes, path: Path) -> tuple[Content, str]:
    name = path.name
    if Path(name).suffix.lower() in _PACKED_SUFFIXES:
        name = Path(name).stem
    try:
        if is_zip(head):
            return _unzip(file, path)
        if (stream := unpacking(head, file)) is not None:
            return _unpacked(stream, path), name
    except (OSError, *DAMAGED) as error:
        raise BadInput(f"cannot be unpacked: {error}", where=str(path)) from error
    if os.fstat(file.fileno()).st_size <= IN_MEMORY:
        return Content(file.read(), where=str(path)), name
    return Content(os.dup(file.fileno()), where=str(path)), name


def _unpacked(stream: Readable, path: Path) -> Content:
    """Unpack into memory, or into a file without a name where that gets too large."""
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as spool:
        total = 0
        while part := stream.read(1 << 20):
            total += len(part)
            if total > LARGEST_BOOK:
                raise BadInput(f"unpacks to more than {LARGEST_BOOK} bytes", where=str(path))
            spool.write(part)
        spool.flush()
        if total <= IN_MEMORY:
            spool.seek(0)
            return Content(spool.read(), where=str(path))
        return Content(os.dup(spool.fileno()), where=str(path))


def _unzip(file: BinaryIO, path: Path) -> tuple[Content, str]:
    with zipfile.ZipFile(file) as archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
        if len(members) > 1:
            members = [m for m in members if Path(m.filename).suffix.lower() in _BOOK_SUFFIXES]
        if len(members) != 1:
            raise BadInput(
                f"the archive holds {len(members)} books, expected one",
                where=str(path),
                next_step="Unpack it and give the file itself",
            )
        try:
            with archive.open(members[0]) as stream:
                return _unpacked(stream, path), members[0].filename
        except (RuntimeError, NotImplementedError) as error:  # a password, or a method that this Python lacks
            raise BadInput(f"cannot be unpacked: {error}", where=str(path)) from error
