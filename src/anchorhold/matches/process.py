"""One engine process: its pipes, its process group, its end.

Reading and writing never block and never take more than a bounded amount of memory, whatever the engine does: whole
lines go to a callback as they arrive, an over-long line is cut, of stderr only the end is kept. Every process leads a
session of its own, so that wrapper scripts and children end with it, and carries a mark by which children that left the
session are found; on Linux it also ends with the thread that started it.
Times are seconds of the switchboard's clock. May import: anchorhold.matches.family, switchboard.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from anchorhold.matches import family
from anchorhold.matches.switchboard import READ, WRITE, Switchboard

LONGEST_LINE = 1 << 16
"""Bytes of one line that are kept; the rest of it is dropped."""
STDERR_KEPT = 1 << 13
"""Bytes from the end of stderr that are kept."""
CHUNK = 1 << 16
DRAINED_AT_END = 64
"""Chunks read after the process has ended: a child that holds the pipe and floods it cannot keep us."""
KILL_PATIENCE = 5.0
TERMINATE_PATIENCE = 0.3

_PR_SET_PDEATHSIG = 1


def command_line(command: Sequence[str]) -> str:
    """The command as it would be typed into a shell."""
    return shlex.join(command)


def describe_exit(status: int) -> str:
    """``exit status 1`` or ``signal SIGSEGV (11)``, from a return code that is negative for signals."""
    if status >= 0:
        return f"exit status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = "signal"
    return f"signal {name} ({-status})"


@functools.cache
def _c_library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _end_with_parent() -> Callable[[], None] | None:
    """What the child runs before the engine's program so that a kill -9 of the parent ends it too (Linux only)."""
    if not sys.platform.startswith("linux"):
        return None
    library = _c_library()
    parent = os.getpid()

    def in_child() -> None:
        library.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        # The parent may have died between the fork and the call above: then nobody sends the signal any more.
        if os.getppid() != parent:
            os._exit(127)

    return in_child


class EngineProcess:
    """A running engine program.

    Parameters
    ----------
    command : sequence of str
        Program and arguments; no shell is involved.
    directory : Path, optional
        Working directory; None: the caller's.
    switchboard : Switchboard
        Where its pipes are waited for.
    on_lines : callable
        Called with one or more complete lines of stdout, each with its line end, and the time at which they were read.
        A last line without its line end is not a line.

    Raises
    ------
    OSError
        The program cannot be started.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        directory: Path | None = None,
        switchboard: Switchboard,
        on_lines: Callable[[bytes, float], None],
    ) -> None:
        self.command = tuple(command)
        self._switchboard = switchboard
        self._on_lines = on_lines
        self._mark = os.urandom(16).hex()
        with family.marked(family.ENGINE_MARK, self._mark):
            # Workers have one thread, so that running code between fork and exec is safe.
            self._popen = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=directory,
                start_new_session=True,
                preexec_fn=_end_with_parent(),  # noqa: PLW1509
            )
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        assert self._popen.stderr is not None
        self.pid = self._popen.pid
        self._stdin = self._popen.stdin.fileno()
        self._stdout = self._popen.stdout.fileno()
        self._stderr = self._popen.stderr.fileno()
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        self._outgoing = bytearray()
        self._pending = b""
        self._cutting = False
        self._stderr_tail = b""
        self._output_open = True
        self._input_open = True
        self._closed = False
        self.ended = False
        """It has exited, or one of its pipes is closed so that nobody can talk to it any more."""
        self.exit_status: int | None = None
        """None while it runs; negative: the signal that ended it."""
        switchboard.register(self._stdout, READ, self._read_stdout)
        switchboard.register(self._stderr, READ, self._read_stderr)
        self._pidfd = self._open_pidfd()
        if self._pidfd is None:
            switchboard.add_ticker(self._look)
        else:
            switchboard.register(self._pidfd, READ, self._on_exit)

    # -- state

    def describe_end(self) -> str:
        """How it ended, in words; waits a moment for the exit status when so far only a pipe has closed."""
        deadline = self._switchboard.clock() + TERMINATE_PATIENCE
        while self.ended and self.exit_status is None and self._switchboard.clock() < deadline:
            self._switchboard.turn(deadline)
        if self.exit_status is not None:
            return f"ended with {describe_exit(self.exit_status)}"
        if not self._output_open:
            return "closed its output"
        if not self._input_open:
            return "closed its input"
        return "is running"

    def last_errors(self, count: int = 5) -> tuple[str, ...]:
        """The last lines of stderr that are not empty, at most 200 characters of each."""
        lines = [line.strip() for line in self._stderr_tail.decode("utf-8", "replace").splitlines()]
        kept = ["".join(c if c.isprintable() else "?" for c in line[:200]) for line in lines if line]
        return tuple(kept[-count:])

    # -- talking

    def send(self, text: str) -> None:
        """Write one or more lines, now or as soon as the engine reads; never blocks."""
        if not self._input_open or self._closed:
            return
        data = f"{text}\n".encode("utf-8", "surrogateescape")
        if not self._outgoing:
            written = self._write(data)
            if written == len(data) or not self._input_open:
                return
            data = data[written:]
            self._switchboard.register(self._stdin, WRITE, self._flush)
        self._outgoing += data

    def _write(self, data: bytes | bytearray) -> int:
        """Write what the pipe takes now; return how much that was."""
        try:
            return os.write(self._stdin, data)
        except BlockingIOError:
            return 0
        except OSError:
            # Broken pipe: it has ended, or will never read again.
            self._input_open, self.ended = False, True
            return 0

    def _flush(self, _events: int) -> None:
        del self._outgoing[: self._write(self._outgoing)]
        if not self._input_open:
            self._outgoing.clear()
        if not self._outgoing:
            self._switchboard.unregister(self._stdin)

    def _read(self, descriptor: int) -> bytes | None:
        """What has arrived; b"" at the end of the stream; None: nothing now."""
        try:
            return os.read(descriptor, CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def _read_stdout(self, _events: int) -> None:
        try:
            chunk = os.read(self._stdout, CHUNK)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if chunk[-1:] == b"\n" and not self._pending and not self._cutting:
            # Nearly always it is whole lines.
            self._on_lines(chunk, self._switchboard.now)
        elif chunk:
            self._take(chunk)
        else:
            self._output_open, self.ended = False, True
            self._switchboard.unregister(self._stdout)

    def _take(self, chunk: bytes) -> None:
        end = chunk.rfind(b"\n") + 1
        if end == 0:
            if not self._cutting:
                self._keep(self._pending + chunk)
            return
        start = chunk.find(b"\n") if self._cutting else 0
        lines = self._pending + chunk[start:end]
        self._keep(chunk[end:])
        self._on_lines(lines, self._switchboard.now)

    def _keep(self, beginning: bytes) -> None:
        """Keep the beginning of a line until its end comes; what comes beyond the longest is dropped."""
        self._cutting = len(beginning) > LONGEST_LINE
        self._pending = beginning[:LONGEST_LINE]

    def _read_stderr(self, _events: int) -> None:
        chunk = self._read(self._stderr)
        if chunk:
            self._stderr_tail = (self._stderr_tail + chunk)[-STDERR_KEPT:]
        elif chunk is not None:
            self._switchboard.unregister(self._stderr)

    # -- the end

    def _open_pidfd(self) -> int | None:
        if not hasattr(os, "pidfd_open"):
            return None
        try:
            return os.pidfd_open(self.pid)
        except OSError:
            return None

    def _look(self) -> None:
        """See whether it has exited, without reaping it."""
        if os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
            self._on_exit(0)

    def _on_exit(self, _events: int) -> None:
        # The process counts, not its pipes: a child may hold them open. But what it said before its end counts too.
        for read, descriptor in ((self._take, self._stdout), (self._keep_error, self._stderr)):
            for _ in range(DRAINED_AT_END):
                chunk = self._read(descriptor)
                if not chunk:
                    break
                read(chunk)
        self._reap()

    def _keep_error(self, chunk: bytes) -> None:
        self._stderr_tail = (self._stderr_tail + chunk)[-STDERR_KEPT:]

    def _signal(self, number: int) -> None:
        # The unreaped leader keeps the group's number reserved, so that this cannot hit a stranger.
        if self.exit_status is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)

    def _reap(self) -> None:
        self._signal(signal.SIGKILL)
        try:
            self.exit_status = self._popen.wait(timeout=KILL_PATIENCE)
        except subprocess.TimeoutExpired:
            # It hangs in the kernel; the signal ends it as soon as that lets go of it.
            return
        finally:
            self._let_go()
        family.end_family(mark=self._mark, session=self.pid)

    def _let_go(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._output_open = self._input_open = False
        self.ended = True
        self._switchboard.remove_ticker(self._look)
        if self._pidfd is not None:
            self._switchboard.unregister(self._pidfd)
            os.close(self._pidfd)
        for descriptor in (self._stdin, self._stdout, self._stderr):
            self._switchboard.unregister(descriptor)
        for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def kill(self) -> None:
        """End it and its whole group at once, and reap it; harmless when it has ended."""
        if not self._closed:
            self._reap()

    def terminate(self) -> None:
        """Ask the group to end with SIGTERM; a stopped process is let go on, or it would not hear it."""
        self._signal(signal.SIGTERM)
        self._signal(signal.SIGCONT)


def stop_all(processes: Sequence[EngineProcess], *, switchboard: Switchboard, grace: float) -> None:
    """Let processes that were told to quit end within ``grace`` seconds; then terminate, then kill what is left."""

    def wait(seconds: float) -> None:
        deadline = switchboard.clock() + seconds
        while any(p.exit_status is None for p in processes) and switchboard.clock() < deadline:
            switchboard.turn(deadline)

    wait(grace)
    if any(p.exit_status is None for p in processes):
        for process in processes:
            process.terminate()
        wait(TERMINATE_PATIENCE)
    for process in processes:
        process.kill()
