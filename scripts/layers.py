"""The floors of the house and who imports whom, read from the code: for the layer test and the pages that show it.

A room is a package or module directly under ``anchorhold``. Imports inside functions and under TYPE_CHECKING count.
May import: nothing but the standard library.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "anchorhold"

# From the lowest to the highest. Rooms on one floor do not know each other.
FLOORS = (
    ("errors", "canonical", "forked", "unpacking"),
    ("stats",),
    ("domain",),
    ("register", "matches", "importers"),
    ("law", "oracle", "calibration", "builds"),
    ("checks",),
    ("gate", "report", "hooks"),
    ("config",),
    ("web", "adopt"),
    ("cli",),
)
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
ALLOWED_ON_ONE_FLOOR = {("canonical", "errors")}


@dataclass(frozen=True, slots=True)
class Import:
    """One import statement's line, from a file of one room, of another room's module."""

    path: Path
    line: int
    room: str
    target: str


def room_of(path: Path) -> str:
    """Return the room that a file of ``src/anchorhold`` belongs to."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imports() -> Iterator[Import]:
    """Yield every import from one room to another; those of ``__init__`` and ``__main__`` themselves are left out."""
    for path in sorted(SOURCE.rglob("*.py")):
        if path.parent == SOURCE and path.name.startswith("__"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}:{node.lineno}: relative import"
                names = [node.module or ""]
                if names == ["anchorhold"]:
                    names = [f"anchorhold.{alias.name}" for alias in node.names]
            else:
                continue
            for name in names:
                if name.startswith("anchorhold.") and (target := name.split(".")[1]) != room_of(path):
                    yield Import(path, node.lineno, room_of(path), target)


def edges() -> set[tuple[str, str]]:
    """Return who imports whom: pairs of a room and one that a file of it imports."""
    return {(found.room, found.target) for found in imports() if found.target in FLOOR_OF}


def purpose(room: str) -> str:
    """Return the first line of a room's docstring."""
    folder = SOURCE / room
    path = folder / "__init__.py" if folder.is_dir() else SOURCE / f"{room}.py"
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert text, f"{path}: the room does not say what it is"
    return text.splitlines()[0].replace("``", "`")
