"""A command run with bounds: of time, of output, and of what it leaves behind.

Its process group is killed when it has ended, when its time is over and when this program is interrupted; on Linux so
is every descendant that left the group, by a mark in its environment. Seconds everywhere.
May import: anchorhold.matches.family.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from anchorhold.matches import family

MOST_LOGGED = 1 << 24
"""Bytes of output that are kept from its beginning; of what follows only the end is."""
END_KEPT = 1 << 16
LOOK = 0.05
"""Seconds after which it is looked at even though nothing was said."""
_CHUNK = 1 << 16
_DRAINED_AT_END = 64


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    status: int | None
    """Exit status, negative for a signal; None: its time was over."""
    seconds: float
    output: bytes
    """The end of what it said, on both streams."""


def run_bounded(
    command: Sequence[str],
    *,
    directory: Path,
    environment: Mapping[str, str],
    timeout: float,
    mark: str,
    log: Path,
    said: bytes = b"",
) -> Ended:
    """Run a command to its end, and end whatever it leaves behind.

    Parameters
    ----------
    command : sequence of str
        Program and arguments.
    mark : str
        By which its descendants are found, in this run and, when this program was killed, in the next.
    log : Path
        Gets its output, after what stands there.
    said : bytes
        What it reads on its input, which then ends; less than a pipe takes.

    Raises
    ------
    OSError
        The program cannot be started, or the log cannot be written.
    """
    begun = time.monotonic()
    try:
        with log.open("ab") as file:
            process = subprocess.Popen(
                command,
                cwd=directory,
                env={**environment, family.RUN_MARK: mark},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                bufsize=0,
                start_new_session=True,
            )
            output = _Output(process, file)
            try:
                in_time = _followed(process, output, said, until=begun + timeout)
            finally:
                # The unreaped leader keeps the group's number reserved, so that this cannot hit a stranger.
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                output.close()
    finally:
        # Also what left the group, and what an interruption kept from being known: it may come before Popen returns.
        family.end_marked(mark)
    return Ended(process.returncode if in_time else None, time.monotonic() - begun, output.end())


def _followed(process: subprocess.Popen[bytes], output: _Output, said: bytes, *, until: float) -> bool:
    assert process.stdin is not None
    # It may have ended already, without a look at what it is told.
    with contextlib.suppress(BrokenPipeError), process.stdin:
        process.stdin.write(said)
    return output.follow(until=until)


class _Output:
    """What a process says, into a file as far as that may grow, and its end in memory."""

    def __init__(self, process: subprocess.Popen[bytes], file: IO[bytes]) -> None:
        assert process.stdout is not None
        self._process = process
        self._stream = process.stdout
        self._descriptor = process.stdout.fileno()
        os.set_blocking(self._descriptor, False)
        self._file = file
        self._left = MOST_LOGGED
        self._tail = b""
        self._dropped = 0

    def follow(self, *, until: float) -> bool:
        """Take its output until it has exited; False when that was not in time."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._descriptor, selectors.EVENT_READ)
            while (left := until - time.monotonic()) > 0:
                # The process counts, not its pipe: a child in the background may hold that open.
                if os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
                    for _ in range(_DRAINED_AT_END):
                        if not self._take():
                            break
                    return True
                if not selector.get_map():
                    time.sleep(min(LOOK, left))
                elif selector.select(min(LOOK, left)) and self._take() == b"":
                    selector.unregister(self._descriptor)
        return False

    def _take(self) -> bytes | None:
        """Take what has arrived; b"" at the end of the stream, None when there is nothing now."""
        try:
            chunk = os.read(self._descriptor, _CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            return b""
        logged = chunk[: self._left]
        self._file.write(logged)
        self._file.flush()
        self._left -= len(logged)
        self._dropped += len(chunk) - len(logged)
        self._tail = (self._tail + chunk)[-END_KEPT:]
        return chunk

    def end(self) -> bytes:
        """Return the end of what was said."""
        return self._tail

    def close(self) -> None:
        """Let go of the pipe; when something was dropped, the log says so, and has the end."""
        self._stream.close()
        if self._dropped:
            end = self._tail[-min(self._dropped, END_KEPT) :]
            self._file.write(b"\n[%d bytes of output are left out here]\n" % (self._dropped - len(end)))
            self._file.write(end)
