"""Shapes at places in pixels, and the SVG that they become: small, without a script, a font or a link.

Colours are CSS variables with a fallback, so that a page can darken them; text takes the page's font. Every shape may
carry a title, which a browser shows under the pointer. Written directly, since a page has twenty pictures and a site
hundreds of pages: a charting library takes a quarter of a second for each. May import: anchorhold.report.texts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

WIDE, NARROW = 760, 328
"""Widths of the two forms in CSS pixels."""

COLOURS = {
    "ink": "#1b2330",
    "muted": "#5a6473",
    "grid": "#dfe3e9",
    "card": "#ffffff",
    "page": "#f3f5f8",
    "halt": "#f5c6bf",
    "halt-ink": "#9a1c13",
    "warn": "#f8dfa4",
    "warn-ink": "#6f4c00",
    "continue": "#c3e6cb",
    "continue-ink": "#145c2b",
    "claim": "#7787a0",
    "direct": "#3f8f8b",
    "arrived": "#2357a8",
}
ZONE_COLOUR = {"HALT": "halt", "WARN": "warn", "CONTINUE": "continue"}


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture in both widths, as SVG source, with its description in words."""

    wide: str
    narrow: str
    description: str


@dataclass(frozen=True, slots=True)
class Shape:
    """Something drawn."""

    element: str
    plane: int
    """0 behind, 1 in the middle, 2 in front."""


@dataclass(frozen=True, slots=True)
class Canvas:
    """What one width of a picture shows, and how high it is."""

    shapes: Sequence[Shape]
    height: float


def picture(draw: Callable[[int], Canvas], description: str) -> Picture:
    """Draw a picture in both widths."""
    wide, narrow = (_svg(draw(width), width=width, description=description) for width in (WIDE, NARROW))
    return Picture(wide=wide, narrow=narrow, description=description)


def _svg(canvas: Canvas, *, width: int, description: str) -> str:
    height = round(canvas.height)
    body = "".join(shape.element for shape in sorted(canvas.shapes, key=lambda shape: shape.plane))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(description)}" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="system-ui, sans-serif">'
        f"{body}</svg>"
    )


def standalone(drawn: Picture) -> str:
    """Return the wide form as a file of its own: on a light card, as a page that does not know our colours needs it."""
    source = drawn.wide
    for name, colour in COLOURS.items():
        source = source.replace(f"var(--{name}, {colour})", colour)
    head, _, body = source.partition(">")
    return f'{head}><rect width="100%" height="100%" fill="{COLOURS["card"]}"/>{body}'


def box(
    x: float, y: float, x2: float, y2: float, colour: str, *, edge: str = "", plane: int = 0, title: str = ""
) -> Shape:
    """Return a filled rectangle; with an edge, a hollow dashed one over a faint filling."""
    look = f'fill="{_paint(colour)}"'
    if edge:
        look += f' stroke="{_paint(edge)}" stroke-dasharray="4 3"'
    place = f'x="{_n(min(x, x2))}" y="{_n(min(y, y2))}" width="{_n(abs(x2 - x))}" height="{_n(abs(y2 - y))}"'
    return _shape("rect", f"{place} {look}", plane, title)


def card(x: float, y: float, x2: float, y2: float, colour: str, *, plane: int = 0) -> Shape:
    """Return a rectangle with round corners and a quiet edge."""
    place = f'x="{_n(x)}" y="{_n(y)}" width="{_n(x2 - x)}" height="{_n(y2 - y)}" rx="8"'
    return _shape("rect", f'{place} fill="{_paint(colour)}" stroke="{_paint("muted")}"', plane, "")


def line(
    x: float,
    y: float,
    x2: float,
    y2: float,
    colour: str,
    *,
    thickness: float = 1,
    dash: str = "",
    plane: int = 1,
    title: str = "",
) -> Shape:
    """Return a straight line."""
    look = f'stroke="{_paint(colour)}" stroke-width="{_n(thickness)}"' + (f' stroke-dasharray="{dash}"' if dash else "")
    return _shape("line", f'x1="{_n(x)}" y1="{_n(y)}" x2="{_n(x2)}" y2="{_n(y2)}" {look}', plane, title)


def path(points: Sequence[tuple[float, float]], colour: str, *, thickness: float = 2, plane: int = 1) -> Shape:
    """Return a line through points."""
    look = f'fill="none" stroke="{_paint(colour)}" stroke-width="{_n(thickness)}" stroke-linejoin="round"'
    return _shape("polyline", f'points="{_points(points)}" {look}', plane, "")


def area(
    points: Sequence[tuple[float, float]], colour: str, *, edge: str = "", plane: int = 1, title: str = ""
) -> Shape:
    """Return a filled polygon."""
    look = f'fill="{_paint(colour)}"' + (f' stroke="{_paint(edge)}" stroke-width="2"' if edge else "")
    return _shape("polygon", f'points="{_points(points)}" {look}', plane, title)


def dot(
    x: float, y: float, colour: str, *, radius: float, edge: str = "card", plane: int = 2, title: str = ""
) -> Shape:
    """Return a filled circle with an edge that sets it off."""
    look = f'fill="{_paint(colour)}" stroke="{_paint(edge)}" stroke-width="2"'
    return _shape("circle", f'cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" {look}', plane, title)


def text(
    x: float,
    y: float,
    words: str,
    colour: str,
    *,
    size: float,
    bold: bool = False,
    align: str = "center",
    limit: float = 0,
    upwards: bool = False,
    plane: int = 2,
) -> Shape:
    """Return a line of text, its middle at ``y``; cut with an ellipsis when it is wider than ``limit``.

    With ``upwards`` it is read from below, turned about its place.
    """
    anchor = {"left": "start", "center": "middle", "right": "end"}[align]
    shown = words if not limit else cut(words, limit, size=size, bold=bold)
    look = f'font-size="{_n(size)}px" text-anchor="{anchor}" fill="{_paint(colour)}"'
    look += ' font-weight="bold"' if bold else ""
    look += f' transform="rotate(-90 {_n(x)} {_n(y)})"' if upwards else ""
    # The middle of capitals lies 0.36 em above the line that they stand on.
    element = f'<text x="{_n(x)}" y="{_n(y + 0.36 * size)}" {look}>'
    title = f"<title>{escape(words)}</title>" if shown != words else ""
    return Shape(f"{element}{title}{escape(shown, quote=False)}</text>", plane)


def width_of(words: str, *, size: float, bold: bool = False) -> float:
    """Return the width of a text in pixels, by the widest of the usual fonts: nothing measures fonts here."""
    ems = sum(0.33 if sign in "fijlrtI1.,:;!|'()[] " else 0.95 if sign in "mwMWΔ%@→" else 0.63 for sign in words)
    return ems * size * (1.1 if bold else 1.0)


def cut(words: str, limit: float, *, size: float, bold: bool = False) -> str:
    """Shorten a text to a width."""
    if width_of(words, size=size, bold=bold) <= limit:
        return words
    while words and width_of(words + "…", size=size, bold=bold) > limit:
        words = words[:-1]
    return words.rstrip() + "…"


def wrapped(words: str, limit: float, *, size: float, bold: bool = False) -> list[str]:
    """Break a text into lines of a width; a word that is longer stands alone."""
    lines: list[str] = []
    for word in words.split():
        if lines and width_of(f"{lines[-1]} {word}", size=size, bold=bold) <= limit:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def paragraph(
    x: float, y: float, words: str, colour: str, *, size: float, limit: float, bold: bool = False, align: str = "left"
) -> tuple[list[Shape], float]:
    """Return the lines of a text from ``y`` downwards, and where the next line would stand."""
    step = 1.4 * size
    shapes = []
    for row in wrapped(words, limit, size=size, bold=bold):
        shapes.append(text(x, y, row, colour, size=size, bold=bold, align=align))
        y += step
    return shapes, y


def _shape(name: str, attributes: str, plane: int, title: str) -> Shape:
    if title:
        return Shape(f"<{name} {attributes}><title>{escape(title)}</title></{name}>", plane)
    return Shape(f"<{name} {attributes}/>", plane)


def _paint(colour: str) -> str:
    return "none" if colour == "none" else f"var(--{colour}, {COLOURS[colour]})"


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _n(value: float) -> str:
    """Write a place with two decimals at most."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
