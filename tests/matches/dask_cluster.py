"""A real Dask cluster for tests: scheduler and workers as processes on loopback, found through a scheduler file."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil

SOURCE = Path(__file__).parent.parent.parent / "src"


class DaskCluster:
    """Use as a context; no process that it started, or that those started, outlives it.

    Parameters
    ----------
    folder : Path
        For the scheduler file, the workers' spill directories and the logs.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self._file = folder / "scheduler.json"
        self._processes: list[subprocess.Popen[bytes]] = []
        self._begun = 0
        self.scheduler: subprocess.Popen[bytes]
        self.two: tuple[subprocess.Popen[bytes], ...] = ()
        """Workers that a test keeps an eye on."""

    def __enter__(self) -> Self:
        self.start_scheduler()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Workers first: without a scheduler they take long to leave.
        workers = [process for process in self._processes if process is not self.scheduler]
        for process in workers:
            process.send_signal(signal.SIGTERM)
        for process in workers:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
        for process in self._processes:
            process.kill()
            process.wait()

    def start_scheduler(self) -> None:
        """Start the scheduler, or another one after it."""
        self._file.unlink(missing_ok=True)
        self.scheduler = self._start("scheduler", "--port", "0", "--scheduler-file", str(self._file))

    @property
    def address(self) -> str:
        """Of the scheduler; waits until it is known."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError, ValueError):
                return str(json.loads(self._file.read_text(encoding="utf-8"))["address"])
            time.sleep(0.02)
        raise AssertionError("the scheduler did not start")

    def start_worker(
        self, *, threads: int = 1, environment: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """Start a worker; it may still be on its way to the scheduler when this returns."""
        spill = self.folder / "spill"
        words = ["--nthreads", str(threads), "--no-nanny", "--local-directory", str(spill)]
        return self._start("worker", self.address, *words, environment=environment)

    def _start(self, what: str, *words: str, environment: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        self._begun += 1
        with (self.folder / f"{what}-{self._begun}.log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "dask", what, *words, "--host", "127.0.0.1", "--no-dashboard"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env={**os.environ, "PYTHONPATH": str(SOURCE), **(environment or {})},
            )
        self._processes.append(process)
        return process


def engines_below(process: subprocess.Popen[bytes]) -> list[int]:
    """Process numbers of what a Dask worker has started."""
    return [child.pid for child in psutil.Process(process.pid).children(recursive=True)]
