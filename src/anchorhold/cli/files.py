"""Files that a command writes: whole or not at all, since a page that is cut off would still open.

May import: anchorhold.errors.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from anchorhold.errors import BadInput


def write_whole(path: Path, text: str) -> None:
    """Write a text file in one step.

    Raises
    ------
    BadInput
        It cannot be written there.
    """
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=path.absolute().parent, prefix=".report-", delete=False
        ) as handle:
            made = Path(handle.name)
            try:
                handle.write(text)
                handle.close()
                made.chmod(0o666 & ~_umask())
                made.replace(path)
            except BaseException:
                made.unlink(missing_ok=True)
                raise
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", where=str(path)) from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
