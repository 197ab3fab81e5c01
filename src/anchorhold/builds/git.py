"""The git repository that main comes from: what a revision is, and a clean worktree of it.

Replacement objects are not looked at and hooks are not run: a commit id must mean the same tree for everybody.
May import: anchorhold.canonical, anchorhold.errors.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from anchorhold.builds.folders import remove_folder
from anchorhold.canonical import nearest
from anchorhold.errors import BadInput, BadState

SHORT = 12
"""Digits of a commit id in a name: a number that grows with the repository would name one commit twice."""
_WORDS = ("git", "--no-replace-objects", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false")
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit, as a revision that somebody named."""

    id: str
    """Full id."""
    name: str
    """The tag by which it was named, else the beginning of its id."""
    message: str
    moment: int
    """Committer's clock, seconds since 1970."""

    @property
    def subject(self) -> str:
        """First line of the message."""
        return self.message.strip().partition("\n")[0]


class Source:
    """A git repository, asked through the program ``git``.

    Parameters
    ----------
    directory : Path
        The repository, bare or not, or a directory inside of its working tree.
    environment : Mapping
        For git, from ``environment.git_environment``.

    Raises
    ------
    BadInput
        There is no repository, or none that this user may use.
    """

    def __init__(self, directory: Path, *, environment: Mapping[str, str]) -> None:
        self.directory = directory
        self._environment = dict(environment)
        if not directory.is_dir():
            raise BadInput("there is no such directory", where=str(directory), next_step=_NAME_IT)
        found = self._call("rev-parse", "--git-dir")
        if found.returncode:
            raise BadInput(f"is no git repository: {_said(found)}", where=str(directory), next_step=_NAME_IT)

    def commit(self, revision: str) -> Commit:
        """Return the commit that a revision names: a tag, branch, id, or what else git reads as one.

        Raises
        ------
        BadInput
            There is no such revision, or it is HEAD while the working tree holds changes that HEAD does not.
        """
        commit = self._id(revision)
        if revision in ("HEAD", "@") and (changed := self._modified(self.directory)):
            raise BadInput(
                f"the working tree has changes that {revision} does not: {', '.join(changed)}",
                where=str(self.directory),
                next_step=f"Commit them, or name the commit that is meant, such as {commit[:SHORT]}",
            )
        moment, _, message = self._ask("log", "-1", "--no-color", "--no-notes", "--format=%ct%n%B", commit).partition(
            "\n"
        )
        return Commit(commit, self._name(revision, commit), message, int(moment))

    def _id(self, revision: str) -> str:
        # A name that git could take for an option or for a range never reaches it.
        if revision and not revision.startswith(("-", "^")) and revision.isprintable() and ".." not in revision:
            found = self._call("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
            commit = found.stdout.decode("ascii", "replace").strip()
            if found.returncode == 0 and _ID.fullmatch(commit):
                return commit
        known = self._ask("for-each-ref", "--format=%(refname:short)", "refs/tags", "refs/heads").split("\n")
        raise BadInput(
            f"there is no revision {revision!r}",
            where=str(self.directory),
            next_step=nearest(revision, known) or "Name a commit, tag or branch; perhaps it must be fetched first",
        )

    def _name(self, revision: str, commit: str) -> str:
        tag = self._call("rev-parse", "--verify", "--quiet", f"refs/tags/{revision}^{{commit}}")
        is_tag = tag.returncode == 0 and tag.stdout.decode().strip() == commit
        return revision if is_tag else commit[:SHORT]

    def add_worktree(self, path: Path, commit: Commit) -> None:
        """Check a commit out into a worktree of its own, which holds that commit and nothing else.

        Raises
        ------
        BadState
            git cannot, or a filter of the repository makes other files than the commit has.
        """
        self._ask("worktree", "add", "--quiet", "--detach", "--force", str(path), commit.id)
        if changed := self._modified(path):
            raise BadState(
                f"git's checkout of {commit.name} is not what the commit holds: {', '.join(changed)}",
                where=str(self.directory),
                next_step="Look at its .gitattributes: a filter or a line end makes other files",
            )

    def has_submodules(self, path: Path) -> bool:
        """Say whether a worktree's commit has submodules."""
        return (path / ".gitmodules").is_file()

    def submodule_command(self) -> tuple[str, ...]:
        """Return what fetches the submodules of a worktree, to be run inside of it."""
        return (*_WORDS, "submodule", "update", "--quiet", "--init", "--recursive")

    def remove_worktree(self, path: Path) -> None:
        """Remove a worktree, whatever was made of it, and what the repository notes about it; none is no error."""
        remove_folder(path)
        self._call("worktree", "remove", "--force", "--force", str(path))

    def _modified(self, directory: Path) -> list[str]:
        """Return tracked files that are not as HEAD has them; in a bare repository none are."""
        found = self._call(
            "status", "--porcelain", "-z", "--untracked-files=no", "--ignore-submodules=all", directory=directory
        )
        names = [record[3:] for record in found.stdout.decode("utf-8", "replace").split("\0") if record[2:3] == " "]
        more = [f"and {len(names) - _SHOWN} more"] if len(names) > _SHOWN else []
        return names[:_SHOWN] + more

    def _ask(self, *words: str) -> str:
        found = self._call(*words)
        if found.returncode:
            raise BadState(f"git {words[0]} failed: {_said(found)}", where=str(self.directory))
        return found.stdout.decode("utf-8", "replace")

    def _call(self, *words: str, directory: Path | None = None) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(
                [*_WORDS, *(word.encode("utf-8", "surrogateescape") for word in words)],
                cwd=directory or self.directory,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
            )
        except OSError as error:
            raise BadState(f"git cannot be started: {error.strerror}", next_step="Install git") from error


_NAME_IT = "Name main's repository: main.build.repository"


def _said(found: subprocess.CompletedProcess[bytes]) -> str:
    lines = found.stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[0].removeprefix("fatal: ") if lines else f"exit status {found.returncode}"
