"""A linear axis between two places in pixels: round ticks, grid, labels, and the marks of an estimate on it.

May import: anchorhold.report.texts, report.pictures.drawing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from anchorhold.report.pictures.drawing import Shape, area, dot, line, text
from anchorhold.report.texts import Texts


@dataclass(frozen=True, slots=True)
class Axis:
    """Values on a stretch of pixels; ``left`` may lie below: then it is read upwards."""

    low: float
    high: float
    left: float
    right: float

    @classmethod
    def over(cls, values: Iterable[float], *, left: float, right: float) -> Axis:
        """Return an axis that holds all values, its zero, and some room."""
        known = [0.0, *values]
        low, high = min(known), max(known)
        room = 0.04 * (high - low) or 1.0
        return cls(low - room if low < 0 else low - room / 4, high + room, left, right)

    def place(self, value: float) -> float:
        """Return the pixel of a value."""
        return self.left + (self.right - self.left) * (value - self.low) / (self.high - self.low)

    def clamped(self, value: float) -> float:
        """Return the pixel of a value, at the end of the axis for one beyond."""
        return self.place(min(max(value, self.low), self.high))

    def ticks(self, *, apart: float = 52) -> list[float]:
        """Return round numbers, so many pixels apart at least."""
        least = (self.high - self.low) * apart / abs(self.right - self.left)
        power = 1e-6
        while True:
            for factor in (1, 2, 5):
                if factor * power >= least:
                    step = factor * power
                    first, last = int(self.low // step), int(self.high // step)
                    return [number * step for number in range(first, last + 1) if number * step >= self.low]
            power *= 10

    def tick_label(self, tick: float, texts: Texts) -> str:
        """Write a tick with as many decimals as the ticks need."""
        ticks = self.ticks()
        step = ticks[1] - ticks[0] if len(ticks) > 1 else 1.0
        return texts.number(tick, 0 if step >= 0.999 else 1 if step >= 0.0999 else 2 if step >= 0.00999 else 3)


def ends(value: float, error: float | None) -> tuple[float, float]:
    """Return both ends of an estimate's interval."""
    return (value - (error or 0.0), value + (error or 0.0))


def grid(axis: Axis, *, top: float, bottom: float) -> list[Shape]:
    """Return upright lines at the ticks, zero stronger."""
    lines = []
    for tick in axis.ticks():
        place, zero = axis.place(tick), abs(tick) < 1e-9
        lines.append(
            line(place, top, place, bottom, "muted" if zero else "grid", thickness=1.5 if zero else 1, plane=0)
        )
    return lines


def labels(axis: Axis, *, top: float, texts: Texts, title: str = "") -> list[Shape]:
    """Return the ticks' numbers and the title of the axis below it."""
    found = [
        text(place, top + 6, axis.tick_label(tick, texts), "muted", size=11)
        for tick in axis.ticks()
        if axis.left + 6 <= (place := axis.place(tick)) <= axis.right - 6
    ]
    title = title or texts.gettext("logistic Elo")
    return [*found, text((axis.left + axis.right) / 2, top + 22, title, "muted", size=11)]


def whisker(axis: Axis, value: float, error: float | None, y: float, colour: str = "ink") -> list[Shape]:
    """Return the interval of an estimate; nothing when its half-width is not known."""
    return [] if error is None else span(axis, value - error, value + error, y, colour)


def span(axis: Axis, low: float, high: float, y: float, colour: str = "ink") -> list[Shape]:
    """Return an interval with its two ends."""
    low, high = axis.place(low), axis.place(high)
    return [
        line(low, y, high, y, colour, thickness=1.8),
        line(low, y - 5, low, y + 5, colour, thickness=1.8),
        line(high, y - 5, high, y + 5, colour, thickness=1.8),
    ]


def diamond(axis: Axis, value: float, error: float | None, y: float, *, title: str = "") -> Shape:
    """Return the mark of a pooled estimate: as wide as its interval."""
    if error is None:
        return dot(axis.place(value), y, "arrived", radius=6, title=title)
    middle = axis.place(value)
    corners = [(axis.place(value - error), y), (middle, y - 9), (axis.place(value + error), y), (middle, y + 9)]
    return area(corners, "arrived", plane=2, title=title)
