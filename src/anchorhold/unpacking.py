"""Packed files, known by their first bytes, as streams of what is in them.

A stream that breaks off or is damaged says so with one of ``DAMAGED``. May import: zstandard.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import zipfile
import zlib
from typing import BinaryIO, Protocol

DAMAGED = (EOFError, lzma.LZMAError, zlib.error, zipfile.BadZipFile, gzip.BadGzipFile)
"""What opening or reading a stream raises where the packed bytes are not whole; bz2 and gzip also raise OSError."""
HEAD = 6
"""Bytes by which a packing is known."""


class Readable(Protocol):
    """A stream of bytes."""

    def read(self, size: int, /) -> bytes:
        """Return at most about ``size`` bytes, or nothing at the end."""
        ...


def is_zip(head: bytes) -> bool:
    """Whether a file that begins so is a zip archive, which may hold several files."""
    return head.startswith(b"PK\x03\x04")


def unpacking(start: bytes, handle: BinaryIO) -> Readable | None:
    """Return what a file holds that begins so: .gz, .bz2, .xz and .zst; None for one that is not packed in these."""
    if start.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=handle)
    if start.startswith(b"BZh"):
        return bz2.BZ2File(handle)
    if start.startswith(b"\xfd7zXZ\x00"):
        return lzma.LZMAFile(handle)
    if start.startswith(b"\x28\xb5\x2f\xfd"):
        return _Zstandard(handle)
    return None


class _Zstandard:
    """A zstandard stream that tells when its last frame breaks off, which the library's own reader does not."""

    # A kilobyte may unpack to 32 MB: more at a time would let an archive fill the memory.
    _STEP = 1 << 10

    def __init__(self, handle: BinaryIO) -> None:
        import zstandard

        self._handle = handle
        self._zstandard = zstandard
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._packed = b""
        self._within = False

    def read(self, size: int, /) -> bytes:
        """Return about ``size`` bytes, or nothing at the end."""
        parts: list[bytes] = []
        total = 0
        while total < size:
            packed = self._packed or self._handle.read(self._STEP)
            self._packed = b""
            if not packed:
                if self._within:
                    raise EOFError("it ends within a frame")
                break
            try:
                part = self._frame.decompress(packed)
            except self._zstandard.ZstdError as error:
                raise EOFError(str(error)) from error
            self._within = True
            if self._frame.eof:
                self._packed = self._frame.unused_data
                self._frame = self._zstandard.ZstdDecompressor().decompressobj()
                self._within = False
            parts.append(part)
            total += len(part)
        return b"".join(parts)
