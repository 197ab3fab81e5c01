"""Imports point downwards only: every import is walked, also those inside functions and under TYPE_CHECKING."""

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "anchorhold"

# From the lowest to the highest. Rooms on one floor do not know each other.
FLOORS = [
    {"errors", "canonical"},
    {"stats"},
    {"domain"},
    {"register", "matches", "importers"},
    {"law", "oracle", "calibration"},
    {"checks"},
    {"gate", "report", "hooks"},
    {"config"},
    {"web"},
    {"cli"},
]
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
ALLOWED_ON_ONE_FLOOR = {("canonical", "errors")}


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            names = [node.module or ""]
        else:
            continue
        for name in names:
            if name.startswith("anchorhold."):
                yield node.lineno, name.split(".")[1]


def test_every_import_points_to_a_lower_floor() -> None:
    wrong = [
        f"{path.relative_to(SOURCE)}:{line}: {room_of(path)} imports {target}"
        for path in sorted(SOURCE.rglob("*.py"))
        if path.parent != SOURCE or not path.name.startswith("__")
        for line, target in imports(path)
        if target != room_of(path)
        and FLOOR_OF[target] >= FLOOR_OF[room_of(path)]
        and (room_of(path), target) not in ALLOWED_ON_ONE_FLOOR
    ]
    assert wrong == []


def test_every_room_has_its_floor() -> None:
    rooms = {room_of(path) for path in SOURCE.rglob("*.py")} - {"__init__", "__main__"}
    assert rooms <= set(FLOOR_OF), f"rooms without a floor: {rooms - set(FLOOR_OF)}"


def test_only_the_command_line_and_the_configuration_read_the_environment() -> None:
    readers = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for path in sorted(SOURCE.rglob("*.py"))
        if room_of(path) not in {"cli", "config"}
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv", "argv"}
    ]
    assert readers == []
