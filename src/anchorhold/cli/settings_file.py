"""Changes in ``anchorhold.toml`` that keep everything else in it, comments and order too.

May import: tomlkit, anchorhold.errors.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from anchorhold.errors import BadInput


def write_ratings(path: Path, ratings: Mapping[str, Mapping[str, float | str]]) -> None:
    """Set members of anchors in the settings, by the anchors' names.

    The file is replaced as a whole: who reads meanwhile sees the old or the new one.

    Parameters
    ----------
    ratings : mapping
        Anchor's name → its members that are to be set, such as ``rating``.

    Raises
    ------
    BadInput
        The file cannot be read or written, or lacks one of the anchors.
    """
    import tomlkit

    try:
        # Bytes, so that the line ends stay as they are.
        document = tomlkit.parse(path.read_bytes())
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", where=str(path)) from error
    tables = {str(table["name"]): table for table in document.get("anchors", [])}
    for name, members in ratings.items():
        if name not in tables:
            raise BadInput(f"there is no anchor {name!r}", where=str(path))
        for member, value in members.items():
            tables[name][member] = value
    _replace(path, tomlkit.dumps(document).encode())


def _replace(path: Path, content: bytes) -> None:
    real = path.resolve()  # a link stays a link
    try:
        with tempfile.NamedTemporaryFile(dir=real.parent, prefix=f".{real.name}.", delete=False) as handle:
            temporary = Path(handle.name)
            handle.write(content)
            handle.flush()
            os.fsync(handle.fileno())
        temporary.chmod(real.stat().st_mode & 0o7777)
        temporary.replace(real)
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", where=str(path)) from error
