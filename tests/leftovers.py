"""No process, thread or listening port outlives a test session: what does is named, and the session has failed.

Every process that a session starts carries its mark, a limit on message queues, which nobody uses: a limit is passed
on to all descendants, also to those in a session or an environment of their own, and to orphans. Where several
processes run the tests, each looks for its own. Linux only, as the tests are.
"""

import multiprocessing.resource_tracker
import os
import resource
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

PATIENCE = 10.0
"""Seconds that what is just ending is given, unless told otherwise."""
_LIMIT = "Max msgqueue size"
_NOT_OURS = ("execnet", "pytest_timeout")
"""Beginnings of the names of threads that run the tests."""


class Leftovers:
    """Looks before the first test and after the last fixture; a plugin of pytest."""

    def __init__(self, *, patience: float = PATIENCE) -> None:
        self.found: list[str] = []
        """Of this process, or, where others run the tests, of all of them."""
        self._patience = patience
        self._mark = 0
        self._threads: set[int] = set()
        self._ports: set[str] = set()

    def pytest_sessionstart(self) -> None:
        _, hard = resource.getrlimit(resource.RLIMIT_MSGQUEUE)
        highest = 1 << 22 if hard == resource.RLIM_INFINITY else hard
        self._mark = 1 + os.getpid() % highest
        resource.setrlimit(resource.RLIMIT_MSGQUEUE, (self._mark, hard))
        self._threads = {thread.ident for thread in threading.enumerate() if thread.ident is not None}
        self._ports = set(_listening())

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        name = node.gateway.id
        self.found += [f"{one} ({name})" for one in getattr(node, "workeroutput", {}).get("leftovers", ())]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        config = session.config
        if hasattr(config, "workeroutput"):
            config.workeroutput["leftovers"] = self._left()
            return
        if not config.pluginmanager.has_plugin("dsession"):
            self.found = self._left()
        reporter = config.pluginmanager.get_plugin("terminalreporter")
        if not self.found or reporter is None:
            return
        reporter.write_line("")
        for one in self.found:
            reporter.write_line(f"failed: outlives the tests: {one}", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _left(self) -> list[str]:
        deadline = time.monotonic() + self._patience
        while (found := [*self._processes(), *self._new_threads(), *self._new_ports()]) and time.monotonic() < deadline:
            time.sleep(0.1)
        return found

    def _processes(self) -> Iterator[str]:
        tracker = getattr(multiprocessing.resource_tracker._resource_tracker, "_pid", None)
        began = psutil.Process().create_time()
        for process in psutil.process_iter():
            try:
                marked = process.pid not in (os.getpid(), tracker) and _limit_of(process.pid) == self._mark
                if marked and process.create_time() >= began and process.status() != psutil.STATUS_ZOMBIE:
                    yield f"process {process.pid}: {' '.join(process.cmdline())[:200] or process.name()}"
            except (psutil.NoSuchProcess, psutil.AccessDenied, OSError):
                continue  # it has ended, or is somebody else's

    def _new_threads(self) -> Iterator[str]:
        for thread in threading.enumerate():
            if thread.ident not in self._threads and not thread.name.startswith(_NOT_OURS):
                yield f"thread {thread.name}"

    def _new_ports(self) -> Iterator[str]:
        return (f"listening port {port}" for port in _listening() if port not in self._ports)


def _limit_of(pid: int) -> int | None:
    for line in Path(f"/proc/{pid}/limits").read_text(encoding="ascii").splitlines():
        if line.startswith(_LIMIT):
            soft = line.removeprefix(_LIMIT).split()[0]
            return int(soft) if soft.isdecimal() else None
    return None


def _listening() -> list[str]:
    """Addresses at which this process listens."""
    found = psutil.Process().net_connections(kind="inet")
    return [f"{one.laddr.ip}:{one.laddr.port}" for one in found if one.status == psutil.CONN_LISTEN]
