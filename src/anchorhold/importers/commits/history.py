"""The commits of a repository in the order of its history: one ``git log``, which writes beside the program.

Any repository that git can read: bare, shallow, with replaced or grafted commits, messages in any encoding (git turns
them into UTF-8; bytes that are none become U+FFFD). May import: anchorhold.errors.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from anchorhold.errors import BadInput

_CHUNK = 1 << 22
_FORMAT = "tformat:%H %ct%n%B"
"""A line with hash and seconds of the committer clock, then the message; with ``-z`` each ends with NUL, which none can
hold."""
_REVISION = re.compile(r"^[^\x00-\x20\x7f-][^\x00-\x20\x7f]*$")


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit."""

    hash: str
    message: str
    seconds: str = ""
    """The committer's clock: seconds since 1970 in digits; empty where it is not known."""

    @property
    def day(self) -> str | None:
        """When it was committed, in UTC, such as 2026-11-30; None where no calendar has the committer's clock."""
        try:
            return datetime.fromtimestamp(int(self.seconds), tz=UTC).date().isoformat()
        except (ValueError, OverflowError, OSError):
            return None


class Log:
    """What ``git log`` says of a history, in a temporary file. A context manager; git begins when it is made.

    Parameters
    ----------
    repository : Path
        Its work tree or git directory.
    since, until : str, optional
        Revisions: commits that ``until`` has (by default HEAD) and ``since`` does not.

    Raises
    ------
    BadInput
        No revision, or git is missing.
    """

    def __init__(self, repository: Path, *, since: str | None = None, until: str | None = None) -> None:
        last = _revision(until or "HEAD", "--until")
        span = [last] if since is None else [f"^{_revision(since, '--since')}", last]
        command = [
            "git", "-C", str(repository), "-c", "log.showSignature=false", "-c", "i18n.logOutputEncoding=UTF-8",
            "log", "-z", "--no-color", "--no-notes", "--no-decorate", "--no-patch", "--topo-order", "--reverse",
            f"--format={_FORMAT}", *span, "--",
        ]  # fmt: skip
        self._repository = repository
        self._file, self._errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115 - until __exit__
        try:
            self._git = subprocess.Popen(
                command, stdout=self._file, stderr=self._errors, stdin=subprocess.DEVNULL, bufsize=0
            )
        except OSError as error:
            raise BadInput(f"git cannot be started: {error.strerror}", next_step="Install git.") from error

    def size(self) -> int:
        """Wait until git has written all of it, and return its number of bytes.

        Raises
        ------
        BadInput
            Not a repository, an unknown revision, or git ends with another error.
        """
        if status := self._git.wait():
            self._errors.seek(0)
            said = self._errors.read().decode("utf-8", "replace").strip().splitlines()
            reason = said[0].removeprefix("fatal: ") if said else f"exit status {status}"
            if reason == "bad revision 'HEAD'":
                raise BadInput("the repository has no commit yet", where=str(self._repository))
            raise BadInput(f"git cannot read its history: {reason}", where=str(self._repository))
        return os.fstat(self._file.fileno()).st_size

    def is_cut(self) -> bool:
        """Say whether the repository is a shallow clone: its first commits are not all there."""
        directory = self._repository / ".git"
        if not directory.is_file():
            return any((place / "shallow").is_file() for place in (directory, self._repository))
        command = ["git", "-C", str(self._repository), "rev-parse", "--is-shallow-repository"]
        return subprocess.run(command, capture_output=True, check=False).stdout.strip() == b"true"

    def commits(self, start: int = 0, end: int | None = None) -> Iterator[Commit]:
        """Yield the commits that begin within these bytes, merges included, from the oldest to the newest.

        Raises
        ------
        BadInput
            As ``size``.
        """
        size = self.size()
        end = size if end is None else end
        at, rest = max(0, start - 1), b""  # a commit begins behind the end of the one before
        skips = start > 0
        while at < min(size, end):
            block = os.pread(self._file.fileno(), _CHUNK, at)
            if not block:
                break
            begun, at = at - len(rest), at + len(block)
            whole, sign, rest = (rest + block).rpartition(b"\0")
            if not sign:
                continue
            if begun + len(whole) >= end - 1:  # here ends the last commit that begins before ``end``
                last = whole.find(b"\0", max(0, end - 1 - begun))
                whole, at = whole if last < 0 else whole[:last], size
            records = whole.decode("utf-8", "replace").split("\0")
            if skips:
                del records[0]
                skips = False
            for record in records:
                head, _, message = record.partition("\n")
                name, _, seconds = head.partition(" ")
                yield Commit(name, message, seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._git.poll() is None:
            self._git.kill()
            self._git.wait()
        self._file.close()
        self._errors.close()


def commits_of(repository: Path, *, since: str | None = None, until: str | None = None) -> Iterator[Commit]:
    """Yield all commits of a history; parameters and errors are those of ``Log``."""
    with Log(repository, since=since, until=until) as log:
        yield from log.commits()


def _revision(name: str, option: str) -> str:
    """Return a revision that git cannot take for an option or a range."""
    if not _REVISION.match(name) or ".." in name:
        raise BadInput(f"{name!r} is no revision", where=option, next_step="Give a commit, tag or branch.")
    return name
