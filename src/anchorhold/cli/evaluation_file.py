"""An evaluation document as a file that several commands fill in: read, changed at one place, written whole.

Nothing but its form is looked at here: what is still missing is said when it is evaluated.
May import: anchorhold.canonical, anchorhold.errors.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from anchorhold.canonical import strict_json
from anchorhold.errors import BadInput

SCHEMA = "anchorhold/evaluation/1"


def begin(anchors: Sequence[str]) -> dict[str, object]:
    """Return a document of these anchors, with null where somebody has to fill in what games do not tell."""
    ends: dict[str, object] = {end: {"version": end, "conditions": {}, "long": {}} for end in ("old", "new")}
    return {
        "schema": SCHEMA,
        "contract": {"edition": 7},
        "anchors": [{"name": name, "sha256": None, "rating": None, "rating_error": None} for name in anchors],
        "endpoints": ends,
        "register": [],
        "window": {"after": 0, "until": 0},
    }


def load(path: Path) -> dict[str, object]:
    """Read a document that is there.

    Raises
    ------
    BadInput
        It cannot be read, or is no evaluation document.
    """
    try:
        value = strict_json(path.read_text(encoding="utf-8-sig"), where=str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"cannot be read: {error}", where=str(path)) from error
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        raise BadInput(f"is no evaluation document (schema {SCHEMA})", where=str(path))
    return value


def member(holder: dict[str, object], name: str, path: Path) -> dict[str, object]:
    """Return an object's member, which is an object, too; made where it is absent or null.

    Raises
    ------
    BadInput
        It is something else.
    """
    value = holder.get(name)
    if value is None:
        value = holder[name] = dict[str, object]()
    if not isinstance(value, dict):
        raise BadInput(f"{name} is no object", where=str(path))
    return value


def anchors(document: Mapping[str, object], path: Path) -> dict[str, dict[str, object]]:
    """Return the document's anchors by name.

    Raises
    ------
    BadInput
        There is no list of objects with names.
    """
    listed = document.get("anchors")
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise BadInput("anchors is no list of objects", where=str(path))
    return {str(one.get("name")): one for one in listed}


def save(path: Path, document: Mapping[str, object]) -> None:
    """Write the document whole or not at all.

    Raises
    ------
    BadInput
        It cannot be written.
    """
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    try:
        descriptor, name = tempfile.mkstemp(prefix=path.name + ".", dir=path.parent)
        with os.fdopen(descriptor, "w", encoding="utf-8") as handle:
            handle.write(text)
        Path(name).chmod(path.stat().st_mode if path.exists() else 0o644)
        Path(name).replace(path)
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", where=str(path)) from error
