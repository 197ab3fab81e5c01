"""Questions to git about one repository.

Every question goes to the program ``git`` in the environment that this process was given: inside a pre-receive hook
that environment names the quarantine in which the pushed objects lie. Replacement objects are not looked at, because a
push can bring them. May import: anchorhold.errors.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from anchorhold.errors import BadInput, BadState

_REGULAR_FILE = ("100644", "100755")
_REFS_AT_A_TIME = 500


@dataclass(frozen=True, slots=True)
class Blob:
    """A file as it stands in a commit."""

    oid: str
    data: bytes


class Repository:
    """One git repository.

    Parameters
    ----------
    directory : Path
        Where git is called.
    git_dir : Path, optional
        The repository itself; None where git finds it by itself, as inside a hook.
    """

    def __init__(self, directory: Path, *, git_dir: Path | None = None) -> None:
        self.directory = directory
        self._words = ["git", "--no-replace-objects", *([f"--git-dir={git_dir}"] if git_dir else [])]

    @classmethod
    def at(cls, path: Path) -> Repository:
        """Find the repository at a path that was named: a bare one, or one with a working tree.

        Raises
        ------
        BadInput
            There is none.
        """
        git_dir = path / ".git" if (path / ".git").exists() else path
        if git_dir.is_file():  # a further working tree, or a submodule: the file says where the repository is
            return cls(path)
        found = cls(git_dir.absolute(), git_dir=git_dir.absolute()) if git_dir.is_dir() else None
        if found is None or found._call("rev-parse", "--git-dir").returncode:
            raise BadInput("is no git repository", where=str(path), next_step="Name one, such as project.git")
        return found

    def git_dir(self) -> Path:
        """Return the directory in which the repository keeps its settings, absolute."""
        return (self.directory / self._line("rev-parse", "--git-common-dir")).resolve()

    def hooks_dir(self) -> Path:
        """Return the directory from which git takes hooks: core.hooksPath, or hooks."""
        return (self.directory / self._line("rev-parse", "--git-path", "hooks")).absolute()

    def top(self) -> Path:
        """Return the root of the working tree.

        Raises
        ------
        BadInput
            A bare repository, or none.
        """
        found = self._call("rev-parse", "--show-toplevel")
        if found.returncode:
            raise BadInput(
                "is no working tree of a git repository",
                where=str(self.directory),
                next_step="Go to one, or name the server's repository with --pre-receive",
            )
        return Path(found.stdout.decode().rstrip("\n"))

    def head_branch(self) -> str | None:
        """Return the full name of the branch that HEAD names, even if it has no commit yet."""
        return self.symbolic("HEAD")

    def symbolic(self, name: str) -> str | None:
        """Return the ref that a symbolic ref stands for; None when it is none."""
        found = self._call("symbolic-ref", "--quiet", name)
        return _text(found.stdout).rstrip("\n") if found.returncode == 0 else None

    def refs(self, *patterns: str) -> dict[str, str]:
        """Return the refs that lie under the patterns, with the object that each points to."""
        lines = _lines(self._ask("for-each-ref", "--format=%(objectname) %(refname)", *patterns))
        return {name: oid for oid, _, name in (line.partition(" ") for line in lines)}

    def targets(self, names: Iterable[str]) -> dict[str, str]:
        """Return, of the refs that are symbolic, what they stand for: a push to one of them moves the other."""
        found: dict[str, str] = {}
        wanted = list(names)
        for start in range(0, len(wanted), _REFS_AT_A_TIME):
            some = wanted[start : start + _REFS_AT_A_TIME]
            for line in _lines(self._ask("for-each-ref", "--format=%(refname) %(symref)", *some)):
                name, _, target = line.partition(" ")
                if target:
                    found[name] = target
        # for-each-ref leaves out those that stand for a branch that is not there yet: a push to one makes it.
        dangling = {name: self.symbolic(name) for name in self._perhaps_dangling(wanted) if name not in found}
        return found | {name: target for name, target in dangling.items() if target is not None}

    def _perhaps_dangling(self, names: Sequence[str]) -> list[str]:
        """Leave out names that cannot be symbolic refs, so that git is not asked about each of a thousand new tags."""
        git_dir = self.git_dir() if names else Path()
        in_files = not (git_dir / "reftable").is_dir()
        return [name for name in names if not in_files or os.path.lexists(os.fsencode(git_dir) + b"/" + _bytes(name))]

    def has(self, commit: str) -> bool:
        """Say whether a commit is here."""
        return self._call("cat-file", "-e", f"{commit}^{{commit}}").returncode == 0

    def file(self, commit: str, path: str) -> Blob | None:
        """Return a file as it stands in a commit; None when there is none of that path.

        Raises
        ------
        BadInput
            Something else than a plain file stands there.
        BadState
            git cannot read the commit.
        """
        listed = self._ask("ls-tree", "-z", "--full-tree", commit, "--", path)
        for record in listed.split(b"\0"):
            description, _, name = record.partition(b"\t")
            if name == path.encode():
                mode, _, oid = description.decode().split(" ")
                if mode not in _REGULAR_FILE:
                    raise BadInput("is not a plain file", where=f"{commit[:12]}:{path}")
                return Blob(oid, self._ask("cat-file", "blob", oid))
        return None

    def changed(self, old: str, new: str) -> set[str]:
        """Return the paths in which the trees of two commits differ."""
        listed = self._ask("diff-tree", "-r", "-z", "--name-only", "--no-renames", "--ignore-submodules=none", old, new)
        return {_text(name) for name in listed.split(b"\0") if name}

    def is_ancestor(self, old: str, new: str) -> bool:
        """Say whether ``new`` contains ``old``: whether the branch only went forward."""
        return not self._ask("rev-list", "-n", "1", old, "--not", new)

    def settings(self, section: str) -> list[tuple[str, str]]:
        """Return what the repository's own configuration says in a section: lower-case names and values, in order."""
        found = self._call("config", "--local", "-z", "--get-regexp", rf"^{section}\.")
        if found.returncode == 1 and not found.stderr:
            return []
        if found.returncode:
            raise _failed("config", found)
        pairs = (record.partition("\n") for record in _text(found.stdout).split("\0") if record)
        return [(name.removeprefix(f"{section}."), value) for name, _, value in pairs]

    def setting(self, name: str, *, local: bool) -> str | None:
        """Return one value of the configuration: of the repository's own, or of all."""
        found = self._call("config", *(["--local"] if local else []), "--get", name)
        return found.stdout.decode().rstrip("\n") if found.returncode == 0 else None

    def write_settings(self, section: str, values: Iterable[tuple[str, str]]) -> None:
        """Replace a section of the repository's own configuration."""
        self.remove_settings(section)
        for name, value in values:
            self._ask("config", "--local", "--add", f"{section}.{name}", value)

    def remove_settings(self, section: str) -> None:
        """Remove a section of the repository's own configuration, if it is there."""
        if self.settings(section):
            self._ask("config", "--local", "--remove-section", section)

    def _line(self, *words: str) -> str:
        return self._ask(*words).decode().rstrip("\n")

    def _ask(self, *words: str) -> bytes:
        found = self._call(*words)
        if found.returncode:
            raise _failed(words[0], found)
        return found.stdout

    def _call(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(
                [*map(os.fsencode, self._words), *map(_bytes, words)],
                cwd=self.directory,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
            )
        except OSError as error:
            raise BadState(f"git cannot be started: {error.strerror}", where=str(self.directory)) from error


def _text(data: bytes) -> str:
    """Read what git says. Names of refs and files are bytes, mostly UTF-8, and may hold all but a few of them."""
    return data.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _lines(data: bytes) -> list[str]:
    """Split at line feeds alone: a name may hold what else ends a line in Unicode."""
    return _text(data).split("\n")[:-1]


def _failed(word: str, found: subprocess.CompletedProcess[bytes]) -> BadState:
    said = found.stderr.decode(errors="replace").strip().splitlines()
    return BadState(f"git {word} failed: {said[0] if said else f'exit status {found.returncode}'}")
