"""A directory for files that live no longer than one question. May import: anchorhold.errors."""

from __future__ import annotations

import errno
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from anchorhold.errors import BadState

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS})


@contextmanager
def scratch_directory() -> Iterator[Path]:
    """Make a directory that only this user can read, and take it away at the end.

    Raises
    ------
    BadState
        No directory for temporary files can be written to, or what is put there does not fit.
    """
    made: str | None = None
    try:
        with tempfile.TemporaryDirectory(prefix="anchorhold-") as made:
            yield Path(made)
    except OSError as error:
        if made is not None and error.errno not in _NO_ROOM:
            raise
        raise BadState(
            f"temporary files cannot be written: {error.strerror or error}",
            next_step="Name a directory for them that can be written to, with room, in TMPDIR",
        ) from error
