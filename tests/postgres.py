"""A PostgreSQL server of the tests' own: in a temporary directory, on a unix socket, with no port."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

LOCKED_USER = "locked"
PASSWORD = "right horse"  # noqa: S105 - of a server that lives as long as a test
_ACCESS = f"""
local all {LOCKED_USER} scram-sha-256
local all all trust
"""


def _programs() -> Path:
    """Debian puts the server's programs where nobody's PATH looks."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    if found:
        return found[-1].parent
    if on_path := shutil.which("initdb"):
        return Path(on_path).parent
    pytest.fail("PostgreSQL's initdb is not here: run scripts/setup.sh test")


class Cluster:
    """A running server; its superuser is ``postgres`` and needs no password."""

    def __init__(self, directory: Path, *, durable: bool) -> None:
        self.directory = directory
        self._data = directory / "data"
        self._programs = _programs()
        self._settings = f"-c listen_addresses='' -c unix_socket_directories='{directory}'"
        if not durable:
            self._settings += " -c fsync=off"

    def initialise(self) -> None:
        self._run("initdb", "-D", str(self._data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
        (self._data / "pg_hba.conf").write_text(_ACCESS, encoding="ascii")

    def start(self) -> None:
        log = str(self.directory / "log")
        self._run("pg_ctl", "-w", "-D", str(self._data), "-l", log, "-o", self._settings, "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it; ``immediate`` is as if the power were cut."""
        self._run("pg_ctl", "-w", "-D", str(self._data), "-m", mode, "stop")

    def url(self, *, database: str = "postgres", user: str = "postgres", schema: str | None = None) -> str:
        url = f"postgresql://{user}@/{database}?host={self.directory}"
        return url if schema is None else f"{url}&options=-csearch_path%3D{schema}"

    def _run(self, program: str, *words: str) -> None:
        command = [str(self._programs / program), *words]
        if os.geteuid() == 0:  # the server refuses to run as root
            command = ["runuser", "-u", "postgres", "--", *command]
        done = subprocess.run(
            command,
            check=False,
            cwd=self.directory,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        if done.returncode:
            pytest.fail(f"{program} did not work: {done.stdout.decode(errors='replace')[-2000:]}")


@contextmanager
def running_cluster(*, durable: bool = False) -> Iterator[Cluster]:
    """A server for as long as the block runs."""
    # Not pytest's own directory: that one is closed to the user who runs the server.
    directory = Path(tempfile.mkdtemp(prefix="pg-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(directory, "postgres")
        cluster = Cluster(directory, durable=durable)
        cluster.initialise()
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop("immediate")
    finally:
        shutil.rmtree(directory)
