"""A real server repository, real clones of it, and registers in every state."""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from typer.testing import CliRunner, Result

from anchorhold.cli.app import app
from anchorhold.domain.entries import NO_PREVIOUS, Entry
from anchorhold.register import chain
from anchorhold.register.store import Register

NOW = datetime(2026, 11, 30, 4, 5, 6, tzinfo=UTC)
EXPORT = "gate/register.jsonl"
# Nothing of this machine's git settings, and none of our own variables.
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "ANCHORHOLD_", "PYTHON"))},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "LC_ALL": "C",
}


def git(directory: Path, *words: str, check: bool = True, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run git as a person would."""
    found = subprocess.run(
        ("git", *words), cwd=directory, env={**ENVIRONMENT, **environment}, capture_output=True, text=True, check=False
    )
    assert not check or found.returncode == 0, found.stderr
    return found


def closed(verdict: str, r: float | None, *, check: str = "c1") -> dict[str, object]:
    """The payload of a closed check."""
    result = {"schema": "anchorhold/result/1", "verdict": verdict, "r": r}
    return {"check": check, "verdict": verdict, "result": result, "window": {"after": 1, "until": 1}}


def entries_of(*verdicts: str) -> list[Entry]:
    """A register in which checks closed one after the other."""
    contents: list[tuple[str, dict[str, object]]] = [("genesis", {"schema": "anchorhold/register/1"})]
    for number, verdict in enumerate(verdicts, start=1):
        r = {"CONTINUE": 0.9, "WARN": 0.5, "HALT": 0.1}.get(verdict)
        contents.append(("check_closed", closed(verdict, r, check=f"c{number}")))
    made: list[Entry] = []
    for kind, payload in contents:
        prev = made[-1].hash if made else NO_PREVIOUS
        made.append(
            chain.sealed(seq=len(made) + 1, prev=prev, kind=kind, recorded_at=NOW, author="Ada", payload=payload)
        )
    return made


def export_of(*verdicts: str) -> bytes:
    """The export of such a register."""
    return b"".join(map(chain.export_line, entries_of(*verdicts)))


def hook(*words: str, data: str | None = None) -> Result:
    """Call ``anchorhold hook``."""
    return CliRunner().invoke(app, ("hook", *words), input=data, catch_exceptions=False)


@dataclass(frozen=True)
class Push:
    """What a pusher sees."""

    taken: bool
    said: str


@dataclass(frozen=True)
class Place:
    """A server's repository ``server.git``, a clone ``client``, a register ``register.db`` outside of both."""

    root: Path

    @property
    def server(self) -> Path:
        return self.root / "server.git"

    @property
    def client(self) -> Path:
        return self.root / "client"

    @property
    def register(self) -> Path:
        return self.root / "register.db"

    def close_check(self, verdict: str, r: float | None = None) -> Entry:
        with Register.open(str(self.register)) as opened:
            return opened.append("check_closed", closed(verdict, r, check=f"c{len(opened.entries())}"), author="Ada")

    def commit(self, files: Mapping[str, str | bytes], *, branch: str | None = None) -> str:
        """Commit files in the client; on a branch that is made when it is not there."""
        if branch is not None and git(self.client, "switch", branch, check=False).returncode:
            git(self.client, "switch", "-c", branch)
        for name, content in files.items():
            path = self.client / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
            git(self.client, "add", name)
        git(self.client, "commit", "-m", "change")
        return git(self.client, "rev-parse", "HEAD").stdout.strip()

    def push(self, *words: str, **environment: str) -> Push:
        found = git(self.client, "push", *(words or ("origin", "HEAD")), check=False, **environment)
        return Push(found.returncode == 0, found.stderr)

    def at(self, ref: str) -> str:
        """The server's commit of a ref; empty when there is none."""
        return git(self.server, "rev-parse", "--verify", "--quiet", ref, check=False).stdout.strip()

    def install(self, *words: str) -> Result:
        """Install the server's hook."""
        found = hook("install", "--pre-receive", str(self.server), *words)
        assert found.exit_code == 0, found.output
        return found


def make_place(root: Path) -> Place:
    place = Place(root)
    git(root, "init", "--bare", "-b", "main", "server.git")
    git(root, "init", "-b", "main", "client")
    git(place.client, "remote", "add", "origin", "../server.git")
    Register.create(str(place.register), author="Ada").close()
    return place
