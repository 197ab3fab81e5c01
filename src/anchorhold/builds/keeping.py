"""Where builds are kept and where they are made: folders, logs, and the locks under which both change.

May import: anchorhold.canonical, anchorhold.errors, anchorhold.builds, anchorhold.matches.family.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from anchorhold.builds.folders import own_folder, remove_folder
from anchorhold.builds.git import Commit, Source
from anchorhold.canonical import sha256_hex
from anchorhold.errors import BadInput, BadState
from anchorhold.matches import family


class BuildFolders:
    """The folder of kept builds, and the scratch folder of those that are being made.

    Parameters
    ----------
    folder : Path
        Where builds are kept, each under its key.
    scratch : Path
        Where worktrees lie meanwhile.
    source : Source
        The repository whose worktrees they are.
    on_notice : callable
        Told when another build must be waited for.
    """

    def __init__(self, folder: Path, scratch: Path, *, source: Source, on_notice: Callable[[str], None]) -> None:
        self.folder = folder
        self.scratch = scratch
        self._source = source
        self._say = on_notice

    def mark(self, key: str) -> str:
        """Return the mark of the processes that make the build under a key."""
        return "build-" + sha256_hex(str(self.folder / key).encode())

    def new_log(self, name: str) -> Path:
        """Begin a log, in place of an older one."""
        log = self.folder / name
        log.write_bytes(b"")
        return log

    @contextmanager
    def locked(self, key: str, commit: Commit) -> Iterator[None]:
        """Hold what is kept under a key for this process alone."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self.folder / f"{key}.lock", os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise BadInput(f"cannot be written: {error.strerror}", where=str(self.folder)) from error
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self._say(f"{commit.name} is being built by somebody else: waiting")
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def keep(self, ready: Path, key: str) -> None:
        """Put a build where it is kept, whole or not at all; scratch may lie on another disk."""
        new = self.folder / f"{key}.new"
        remove_folder(new)
        shutil.copytree(ready, new)
        new.rename(self.folder / key)

    @contextmanager
    def work(self, key: str) -> Iterator[Path]:
        """Make a folder to work in; it is gone in the end, as is what a run that was killed has left there."""
        own_folder(self.scratch)
        work = self.scratch / sha256_hex(str(self.folder / key).encode())[:16]

        def clear() -> None:
            self._source.remove_worktree(work / "tree")
            remove_folder(work)

        family.end_marked(self.mark(key))
        clear()
        try:
            work.mkdir()
            yield work
        except OSError as error:
            raise BadState(f"cannot be written: {error.strerror}", where=str(error.filename or work)) from error
        finally:
            clear()
