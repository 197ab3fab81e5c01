"""Processes that append to one register at once, each saying every entry as soon as it is acknowledged."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_WRITER = """
import sys
from anchorhold.register.store import Register
with Register.open(sys.argv[1]) as register:
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(int(sys.argv[3])):
        entry = register.append("note", {"id": f"{sys.argv[2]}-{number}", "text": f"{number}"}, author=sys.argv[2])
        print(entry.seq, entry.hash, flush=True)
"""


@dataclass(frozen=True, slots=True)
class Said:
    """An entry that was acknowledged."""

    seq: int
    hash: str


class Writer:
    """A process that waits for ``begin`` and then appends ``count`` notes under its name."""

    def __init__(self, url: str, name: str, count: int) -> None:
        self.name = name
        self.process = subprocess.Popen(
            [sys.executable, "-c", _WRITER, url, name, str(count)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait_until_ready(self) -> None:
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n", self.process.stderr and self.process.stderr.read()

    def begin(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def next(self) -> Said:
        """Wait for the next acknowledged entry."""
        assert self.process.stdout is not None
        seq, sealed = self.process.stdout.readline().split()
        return Said(int(seq), sealed)

    def rest(self) -> list[Said]:
        """Whatever it says until it ends; a line cut in two was not said."""
        assert self.process.stdout is not None
        lines = [line.split() for line in self.process.stdout if line.endswith("\n")]
        return [Said(int(seq), sealed) for seq, sealed in lines]


@contextmanager
def writers(url: str, *, processes: int, count: int, name: str = "writer") -> Iterator[list[Writer]]:
    """Start processes that are ready to append; none outlives the block."""
    started: list[Writer] = []
    try:
        for number in range(processes):
            started.append(Writer(url, f"{name}{number}", count))
        for writer in started:
            writer.wait_until_ready()
        yield started
    finally:
        for writer in started:
            writer.process.kill()
            writer.process.wait()
            for pipe in (writer.process.stdin, writer.process.stdout, writer.process.stderr):
                if pipe is not None:
                    pipe.close()
