"""The picture of the layers, from the imports of the code: floors as rows, rooms as boxes, imports as lines.

A line is drawn where no longer way leads from the one room to the other: all eighty would hide each other. All of
them stand in the page's table. May import: layers.
"""

from __future__ import annotations

from html import escape

from layers import FLOORS, edges

WIDTH, ROW, TOP, BOX, HALF = 960, 84, 14, 40, 62
# Where rooms stand across the picture, as shares of its width: so that lines do not pass behind boxes.
ACROSS = {
    "cli": 0.5,
    "web": 0.22,
    "adopt": 0.72,
    "config": 0.8,
    "hooks": 0.13,
    "gate": 0.36,
    "report": 0.6,
    "checks": 0.54,
    "law": 0.36,
    "oracle": 0.5,
    "calibration": 0.88,
    "builds": 0.68,
    "register": 0.28,
    "matches": 0.53,
    "importers": 0.86,
    "domain": 0.46,
    "stats": 0.46,
    "canonical": 0.46,
    "errors": 0.24,
    "forked": 0.68,
    "unpacking": 0.88,
}


def needed(found: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return the edges that no longer way between the same two rooms explains."""
    below: dict[str, set[str]] = {}
    for room, target in found:
        below.setdefault(room, set()).add(target)

    def reached(room: str) -> set[str]:
        return {further for one in below.get(room, ()) for further in {one, *reached(one)}}

    return {
        (room, target)
        for room, target in found
        if not any(target in reached(other) for other in below[room] if other != target)
    }


def places() -> dict[str, tuple[float, float]]:
    """Return each room's middle, in the picture's units."""
    return {
        room: (WIDTH * ACROSS[room], TOP + BOX / 2 + ROW * row)
        for row, rooms in enumerate(reversed(FLOORS))
        for room in rooms
    }


def line(start: tuple[float, float], end: tuple[float, float]) -> str:
    """Return the path of a line from one room's lower edge to another's upper one."""
    (x1, y1), (x2, y2) = start, end
    if y1 == y2:  # neighbours on one floor
        side = HALF if x2 > x1 else -HALF
        return f"M{x1 + side:.0f} {y1:.0f}L{x2 - side:.0f} {y2:.0f}"
    # Lines leave and arrive a little towards where they go, and long ones swing to the side.
    lean = max(-HALF + 14, min(HALF - 14, (x2 - x1) * 0.25))
    y1, y2 = y1 + BOX / 2, y2 - BOX / 2
    bend = (y2 - y1) * 0.45
    x1, x2 = x1 + lean, x2 - lean
    return f"M{x1:.0f} {y1:.0f}C{x1:.0f} {y1 + bend:.0f} {x2:.0f} {y2 - bend:.0f} {x2:.0f} {y2:.0f}"


def picture() -> str:
    """Return the SVG file's text."""
    where = places()
    height = TOP * 2 + BOX + ROW * (len(FLOORS) - 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img"'
        ' font-family="system-ui, sans-serif" font-size="15">',
        "<title>Floors and rooms of anchorhold, and who imports whom</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
    ]
    for row in range(len(FLOORS)):
        band = TOP + ROW * row - 8
        parts.append(f'<rect x="8" y="{band}" width="{WIDTH - 16}" height="{BOX + 16}" rx="6" fill="#f3f5f7"/>')
        parts.append(
            f'<text x="22" y="{band + BOX / 2 + 13:.0f}" fill="#59636e" font-size="13">{len(FLOORS) - row}</text>'
        )
    for room, target in sorted(needed(edges())):
        path = line(where[room], where[target])
        parts.append(
            f'<path d="{path}" fill="none" stroke="#2f4a66" stroke-width="1.6">'
            f"<title>{room} imports {target}</title></path>"
        )
    for room, (x, y) in where.items():
        parts.append(
            f'<rect x="{x - HALF:.0f}" y="{y - BOX / 2:.0f}" width="{2 * HALF}" height="{BOX}" rx="6" fill="#ffffff"'
            ' stroke="#2f4a66"/>'
        )
        parts.append(f'<text x="{x:.0f}" y="{y + 5:.0f}" text-anchor="middle" fill="#14202c">{escape(room)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
