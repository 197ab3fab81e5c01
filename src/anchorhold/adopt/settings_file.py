"""Changes in ``anchorhold.toml`` that keep everything else in it, comments and order too.

May import: tomlkit, anchorhold.errors.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from anchorhold.errors import BadInput

if TYPE_CHECKING:
    from tomlkit import TOMLDocument


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
    document = _parsed(path)
    tables = {str(table["name"]): table for table in document.get("anchors", [])}
    for name, members in ratings.items():
        if name not in tables:
            raise BadInput(f"there is no anchor {name!r}", where=str(path))
        for member, value in members.items():
            tables[name][member] = value
    _replace(path, document.as_string().encode())


def add_anchor(path: Path, text: str) -> None:
    """Add an anchor, given as a table [[anchors]], after those that are there.

    Raises
    ------
    BadInput
        The file cannot be read or written.
    """
    import tomlkit

    document = _parsed(path)
    (table,) = tomlkit.parse(text)["anchors"]
    anchors = document.get("anchors")
    if anchors is None:
        _replace(path, f"{document.as_string().rstrip()}\n\n{text}".encode())
        return
    if len(anchors):
        # An empty line before it, as a hand would leave one.
        anchors[-1].add(tomlkit.nl())
    anchors.append(table)
    _replace(path, document.as_string().encode())


def add_named_engine(path: Path, text: str) -> None:
    """Add a named engine, given as a table [engines.NAME], at the end of the file.

    Raises
    ------
    BadInput
        The file cannot be read or written.
    """
    _replace(path, f"{_parsed(path).as_string().rstrip()}\n\n{text}".encode())


def _parsed(path: Path) -> TOMLDocument:
    import tomlkit
    from tomlkit.exceptions import ParseError

    try:
        # Bytes, so that the line ends stay as they are.
        return tomlkit.parse(path.read_bytes())
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", where=str(path)) from error
    except (ParseError, UnicodeDecodeError) as error:
        raise BadInput(f"not TOML: {error}", where=str(path)) from error


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
