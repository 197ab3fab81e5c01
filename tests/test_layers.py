"""Imports point downwards only: every import is walked, also those inside functions and under TYPE_CHECKING."""

import ast

from layers import ALLOWED_ON_ONE_FLOOR, FLOOR_OF, SOURCE, imports, room_of


def test_every_import_points_to_a_lower_floor() -> None:
    wrong = [
        f"{found.path.relative_to(SOURCE)}:{found.line}: {found.room} imports {found.target}"
        for found in imports()
        if found.target in FLOOR_OF
        and FLOOR_OF[found.target] >= FLOOR_OF[found.room]
        and (found.room, found.target) not in ALLOWED_ON_ONE_FLOOR
    ]
    assert wrong == []


def test_every_room_has_its_floor() -> None:
    rooms = {room_of(path) for path in SOURCE.rglob("*.py")} - {"__init__", "__main__"}
    assert rooms == set(FLOOR_OF), f"rooms without a floor, floors without a room: {rooms ^ set(FLOOR_OF)}"


def test_only_the_command_line_and_the_configuration_read_the_environment() -> None:
    readers = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for path in sorted(SOURCE.rglob("*.py"))
        if room_of(path) not in {"cli", "config"}
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv", "argv"}
    ]
    assert readers == []
