"""A large PGN file read in two halves at a time, the second by another process.

The halves meet at a header; where reading the first shows that this was no header (a comment held it), the rest is read
again from where it ended, so that the result is always that of one reading. May import: anchorhold,
anchorhold.importers.pgn.*.
"""

from __future__ import annotations

import gc
import marshal
import subprocess
import sys
from pathlib import Path
from typing import BinaryIO

import anchorhold
from anchorhold.importers.pgn.columns import Columns
from anchorhold.importers.pgn.plain import NEXT_HEADER
from anchorhold.importers.pgn.scan import scan_part

WORTH_HALVING = 32 * 1024**2
"""Bytes; below, starting a process costs more than it saves."""
_OWN_SHARE = 0.53
_CODE = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from anchorhold.importers.pgn.parts import second_half; second_half(sys.argv[2], int(sys.argv[3]))"
)


def scan_file(path: Path, *, processes: int = 2) -> Columns:
    """Read a whole file."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        border = _border(stream, int(size * _OWN_SHARE)) if processes > 1 and size >= WORTH_HALVING else None
        if border is None:
            return scan_part(stream, start=0, stop=None)
        return _halves(path, stream, border)


def _halves(path: Path, stream: BinaryIO, border: int) -> Columns:
    root = str(Path(anchorhold.__file__).parent.parent)
    command = [sys.executable, "-c", _CODE, root, str(path), str(border)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        output = b""
        try:
            columns = scan_part(stream, start=0, stop=border)
            if columns.stopped == border:
                output = other.stdout.read()
        finally:
            if not output:
                other.kill()
    if other.returncode == 0 and output:
        columns.extend(Columns.from_plain(marshal.loads(output)))  # noqa: S302 (our own process wrote it)
    else:
        columns.extend(scan_part(stream, start=columns.stopped, stop=None))
    return columns


def second_half(path: str, start: int) -> None:
    """Read from a header to the end of the file and write the columns to standard output."""
    gc.disable()
    with Path(path).open("rb") as stream:
        plain = scan_part(stream, start=start, stop=None).to_plain()
    sys.stdout.buffer.write(marshal.dumps(plain))  # type: ignore[arg-type]


def _border(stream: BinaryIO, position: int) -> int | None:
    """Return where a header line begins at or behind ``position``; None when there is none nearby."""
    stream.seek(position)
    found = stream.read(1 << 20).find(NEXT_HEADER)
    return None if found < 0 else position + found + 1
