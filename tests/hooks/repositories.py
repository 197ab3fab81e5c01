"""A real server repository, real clones of it, and registers in every state."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner, Result

from anchorhold.cli.app import app
from anchorhold.domain.entries import Entry
from anchorhold.register.store import Register
from checks.project import AHEAD, EVEN, Project, gain, make_project, write_engine

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
        ("git", *words),
        cwd=directory,
        env={**ENVIRONMENT, **environment},
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        check=False,
    )
    assert not check or found.returncode == 0, found.stderr
    return found


COUNTS = {"CONTINUE": (30.0, AHEAD), "WARN": (80.0, AHEAD), "HALT": (12.0, EVEN)}
"""What is claimed in Elo, and the new version's counts against every anchor: they lead to the verdict."""


@dataclass(frozen=True)
class Registers:
    """Registers in which real checks closed with these verdicts, one after the other; each is made once."""

    root: Path

    def of(self, *verdicts: str) -> Path:
        """Return a register's file, to be copied; with one verdict more it continues the one without."""
        made = self.root / ("-".join(("register", *verdicts)) + ".sqlite")
        if made.exists():
            return made
        project = Project(self.root / "project")
        if not verdicts:
            make_project(project.directory)
            for number in (5, 6):
                write_engine(project.directory / f"v{number}", strength=20 * number)
            project.pin()
        else:
            shutil.copy(self.of(*verdicts[:-1]), project.register_path)
            number = len(verdicts)
            elo, counts = COUNTS[verdicts[-1]]
            project.append("gain_test", gain(elo, name=f"dev-{number}"))
            project.open(f"v{number}", f"v{number + 1}")
            assert project.close(old=EVEN, new=counts).result.verdict == verdicts[-1]
        shutil.copy(project.register_path, made)
        return made

    def export(self, *verdicts: str) -> bytes:
        """Return the export of such a register."""
        with Register.open(str(self.of(*verdicts))) as opened:
            return b"".join(opened.export())


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
    registers: Registers

    @property
    def server(self) -> Path:
        return self.root / "server.git"

    @property
    def client(self) -> Path:
        return self.root / "client"

    @property
    def register(self) -> Path:
        return self.root / "register.db"

    def close_checks(self, *verdicts: str) -> Entry:
        """Make the register one in which checks closed so; return the last entry."""
        shutil.copy(self.registers.of(*verdicts), self.register)
        with Register.open(str(self.register)) as opened:
            return opened.entries()[-1]

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


def make_place(root: Path, registers: Registers) -> Place:
    place = Place(root, registers)
    git(root, "init", "--bare", "-b", "main", "server.git")
    git(root, "init", "-b", "main", "client")
    git(place.client, "remote", "add", "origin", "../server.git")
    place.close_checks()
    return place
