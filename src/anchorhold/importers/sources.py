"""Where an importer's bytes come from: files, standard input and archives, as seekable plain files.

Packed input is unpacked into a temporary file, so that every reader may go back and memory stays small. May import:
anchorhold.errors, anchorhold.unpacking.
"""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from anchorhold.errors import BadInput
from anchorhold.unpacking import DAMAGED, HEAD, Readable, is_zip, unpacking

LARGEST_UNPACKED = 64 * 1024**3
"""Bytes; more is an archive made to fill a disk."""
STANDARD_INPUT = "standard input"
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class PlainFile:
    """A seekable file on disk with the name that messages give it."""

    name: str
    path: Path


@contextlib.contextmanager
def plain_files(argument: str) -> Iterator[list[PlainFile]]:
    """Give one input as plain files: itself, its unpacked content, or each PGN file of a zip archive.

    Parameters
    ----------
    argument : str
        A path, or ``-`` for standard input; .gz, .bz2, .xz, .zst and .zip are recognised by their first bytes.

    Raises
    ------
    BadInput
        Not readable, not unpackable, or larger than LARGEST_UNPACKED; the message names the input.
    """
    name = STANDARD_INPUT if argument == "-" else argument
    with contextlib.ExitStack() as stack:
        try:
            if argument == "-":
                path = _spooled(sys.stdin.buffer, name, stack)
            else:
                path = Path(argument)
                if path.is_dir():
                    raise BadInput("is a directory, expected a file", where=name)
                if not path.is_file():
                    with path.open("rb") as pipe:
                        path = _spooled(pipe, name, stack)
            with path.open("rb") as handle:
                start = handle.read(HEAD)
                handle.seek(0)
                if is_zip(start):
                    files = _unzipped(handle, name, stack)
                elif (stream := unpacking(start, handle)) is not None:
                    files = [PlainFile(name, _spooled(stream, name, stack))]
                else:
                    files = [PlainFile(name, path)]
        except DAMAGED as error:
            raise BadInput(f"cannot be unpacked: {error}", where=name) from error
        except OSError as error:
            raise BadInput(f"cannot be read: {error.strerror or error}", where=name) from error
        for file in files:
            with file.path.open("rb") as handle:
                if handle.read(2) in (b"\xff\xfe", b"\xfe\xff"):
                    raise BadInput("is UTF-16 text", where=file.name, next_step="Save it as UTF-8.")
        yield files


def _unzipped(handle: BinaryIO, name: str, stack: contextlib.ExitStack) -> list[PlainFile]:
    with zipfile.ZipFile(handle) as archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
        if len(members) > 1:
            members = [member for member in members if member.filename.lower().endswith(".pgn")]
        if not members:
            raise BadInput("the archive holds no PGN file", where=name)
        files = []
        for member in members:
            inside = f"{name}:{member.filename}"
            try:
                with archive.open(member) as stream:
                    files.append(PlainFile(inside, _spooled(stream, inside, stack)))
            except (RuntimeError, NotImplementedError) as error:  # a password, or a method that this Python lacks
                raise BadInput(f"cannot be unpacked: {error}", where=inside) from error
        return files


def _spooled(stream: Readable, name: str, stack: contextlib.ExitStack) -> Path:
    """Copy a stream into a temporary file that lasts as long as ``stack``."""
    temporary = stack.enter_context(tempfile.NamedTemporaryFile(prefix="anchorhold-"))  # noqa: SIM115
    total = 0
    while block := stream.read(_BLOCK):
        total += len(block)
        if total > LARGEST_UNPACKED:
            raise BadInput(f"unpacks to more than {LARGEST_UNPACKED} bytes", where=name)
        if total > _BLOCK and total % (256 * _BLOCK) < _BLOCK and shutil.disk_usage(temporary.name).free < 4 * _BLOCK:
            raise BadInput("no room to unpack it in the temporary directory", where=name)
        temporary.write(block)
    temporary.flush()
    return Path(temporary.name)
