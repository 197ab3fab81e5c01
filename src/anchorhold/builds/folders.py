"""Folders to build in: this user's alone, and gone afterwards whatever was made in them.

May import: anchorhold.errors.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

from anchorhold.errors import BadState


def own_folder(path: Path) -> None:
    """Make a folder that nobody else may write, or find it so: its name is known, and others may have been there first.

    Raises
    ------
    BadState
        Somebody else has it, or may write into it, or it cannot be made.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=0o700, exist_ok=True)
        found = path.lstat()
    except OSError as error:
        raise BadState(f"cannot be made: {error.strerror}", where=str(path)) from error
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o022:
        raise BadState(
            "is not a folder that only this user may write: nothing is built in it",
            where=str(path),
            next_step="Remove it, or name another place with the variable TMPDIR",
        )


def remove_folder(path: Path) -> None:
    """Remove a folder with all that is in it, also what a build made unwritable; none is no error."""

    def let_write(function: Callable[..., object], name: str, _error: object) -> None:
        os.chmod(os.path.dirname(name), stat.S_IRWXU)
        if not os.path.islink(name):
            os.chmod(name, stat.S_IRWXU)
        function(name)

    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, onerror=let_write)
