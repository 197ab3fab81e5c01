r"""Standard output and error that know at the end whether something could not be written.

A reader that went away or a full disk must not change what an exit status says: of ``gate``, 1 is an answer. The
command runs to its end, and then its status is 141 (the reader went away, as of a shell's SIGPIPE) or 74 (EX_IOERR).
A letter that the output's encoding lacks is written as JSON writes it, ``\u03b4``: texts stay complete, JSON stays
JSON. May import: nothing.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

ESCAPED = "anchorhold.escaped"
"""The name under which Python knows what writes a letter that an encoding lacks."""
READER_GONE = 141
NOT_WRITTEN = 74


def _escaped(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    units = (letters[place : place + 2].hex() for place in range(0, len(letters), 2))
    return "".join(f"\\u{unit}" for unit in units), error.end


codecs.register_error(ESCAPED, _escaped)


class _Watched(io.FileIO):
    """A file that takes everything, and keeps the first error that it had in writing it."""

    failure: OSError | None = None

    def write(self, data: ReadableBuffer, /) -> int:
        if self.failure is None:
            try:
                return super().write(data)
            except OSError as error:
                self.failure = error
        return memoryview(data).nbytes


def watched(command: Callable[[], None]) -> None:
    """Run a command; when something of its output was lost, leave with a status of its own.

    Raises
    ------
    SystemExit
        With the command's status, or ``READER_GONE`` or ``NOT_WRITTEN``.
    """
    files: list[_Watched] = []
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _watch(before[0], files), _watch(before[1], files)
    try:
        command()
    finally:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # as it is when the caller had closed it
                stream.flush()
        sys.stdout, sys.stderr = before
        failures = [file.failure for file in files if file.failure is not None]
        if failures:
            raise SystemExit(_status(failures[0], files[-1])) from None


def _watch(stream: TextIO, files: list[_Watched]) -> TextIO:
    try:
        number = stream.fileno()
    except (OSError, ValueError, AttributeError):  # a test's stream, or none at all
        return stream
    encoding = codecs.lookup(stream.encoding).name
    file = _Watched(number, "wb", closefd=False)
    files.append(file)
    return io.TextIOWrapper(
        io.BufferedWriter(file),
        encoding=stream.encoding,
        errors=stream.errors if encoding == "utf-8" else ESCAPED,
        line_buffering=stream.isatty() or stream is sys.stderr,
    )


def _status(failure: OSError, error_output: _Watched) -> int:
    if failure.errno == errno.EPIPE:
        return READER_GONE
    reason = os.strerror(failure.errno or errno.EIO)
    error_output.write(f"anchorhold: the output could not be written: {reason}\n".encode())
    return NOT_WRITTEN
