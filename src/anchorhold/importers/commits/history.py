"""The commits of a repository in the order of its history: one ``git log``, read as a stream.

Any repository that git can read: bare, shallow, with replaced or grafted commits, messages in any encoding (git turns
them into UTF-8; bytes that are none become U+FFFD). May import: anchorhold.errors.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from anchorhold.errors import BadInput

_CHUNK = 1 << 18
_FORMAT = "tformat:%H%x00%P%x00%ct%x00%B"
"""Hash, parents, seconds of the committer clock, whole message; with ``-z`` each ends with NUL, which none can hold."""
_REVISION = re.compile(r"^[^\x00-\x20\x7f-][^\x00-\x20\x7f]*$")


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit."""

    hash: str
    parents: tuple[str, ...]
    message: str
    day: str | None = None
    """When it was committed, in UTC, such as 2026-11-30; None where no calendar has the committer's clock."""


def commits_of(repository: Path, *, since: str | None = None, until: str | None = None) -> Iterator[Commit]:
    """Yield all commits, merges included, from the oldest to the newest.

    Parameters
    ----------
    repository : Path
        Its work tree or git directory.
    since, until : str, optional
        Revisions: commits that ``until`` has (by default HEAD) and ``since`` does not.

    Raises
    ------
    BadInput
        Not a repository, an unknown revision, or git is missing or ends with an error.
    """
    last = _revision(until or "HEAD", "--until")
    span = [last] if since is None else [f"^{_revision(since, '--since')}", last]
    command = [
        "git", "-C", str(repository), "-c", "log.showSignature=false", "-c", "i18n.logOutputEncoding=UTF-8",
        "log", "-z", "--no-color", "--no-notes", "--no-decorate", "--no-patch", "--topo-order", "--reverse",
        f"--format={_FORMAT}", *span, "--",
    ]  # fmt: skip
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, stdin=subprocess.DEVNULL)
        except OSError as error:
            raise BadInput(f"git cannot be started: {error.strerror}", next_step="Install git.") from error
        assert process.stdout is not None
        finished = False
        try:
            fields: list[str] = []
            rest = b""
            while chunk := process.stdout.read(_CHUNK):
                *whole, rest = (rest + chunk).split(b"\0")
                for field in whole:
                    fields.append(field.decode("utf-8", "replace"))
                    if len(fields) == 4:
                        yield Commit(fields[0], tuple(fields[1].split()), fields[3], _day(fields[2]))
                        fields.clear()
            finished = True
        finally:
            process.stdout.close()
            if not finished:
                process.kill()
            status = process.wait()
        if status != 0:
            errors.seek(0)
            said = errors.read().decode("utf-8", "replace").strip().splitlines()
            raise BadInput(
                f"git cannot read its history: {said[0].removeprefix('fatal: ') if said else f'exit status {status}'}",
                where=str(repository),
            )


def _day(seconds: str) -> str | None:
    try:
        return datetime.fromtimestamp(int(seconds), tz=UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return None


def _revision(name: str, option: str) -> str:
    """Return a revision that git cannot take for an option or a range."""
    if not _REVISION.match(name) or ".." in name:
        raise BadInput(f"{name!r} is no revision", where=option, next_step="Give a commit, tag or branch.")
    return name
