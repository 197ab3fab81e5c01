"""What the games ended with: for every anchor the share of pairs (or games) in each class, old beside new.

Heights are shares of the endpoint's own pairs, so that two endpoints compare; the counts stand below, all of them
readable. May import: anchorhold.report.*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anchorhold.report.pictures.drawing import WIDE, Canvas, Picture, Shape, box, line, picture, text
from anchorhold.report.texts import Texts
from anchorhold.report.view import CheckView, Sample

PAIR_CLASSES = ("LL", "LD", "DD+WL", "WD", "WW")


@dataclass(frozen=True, slots=True)
class Bars:
    """The counts of one endpoint against one anchor."""

    endpoint: str
    counts: tuple[int, ...]
    colour: str


@dataclass(frozen=True, slots=True)
class Opponent:
    """One anchor, or the old version, with what was counted against it."""

    name: str
    classes: tuple[str, ...]
    bars: tuple[Bars, ...]


def opponents(view: CheckView, texts: Texts) -> list[Opponent]:
    """Gather the long stage's counts by opponent; such as have none are left out."""
    _ = texts.gettext
    found = []
    for anchor in view.result.anchors:
        samples = [
            (_("old"), view.sample("old", anchor.name), "claim"),
            (_("new"), view.sample("new", anchor.name), "arrived"),
        ]
        found += _opponents(anchor.name, samples, texts)
    return found + _opponents(_("new against old"), [(_("new"), view.sample("direct", "old"), "direct")], texts)


def _opponents(name: str, samples: Sequence[tuple[str, Sample | None, str]], texts: Texts) -> list[Opponent]:
    pairs = tuple(
        Bars(endpoint, sample.pentanomial.as_tuple(), colour)
        for endpoint, sample, colour in samples
        if sample is not None and sample.pentanomial is not None
    )
    games = tuple(
        Bars(endpoint, (sample.trinomial.losses, sample.trinomial.draws, sample.trinomial.wins), colour)
        for endpoint, sample, colour in samples
        if sample is not None and sample.pentanomial is None and sample.trinomial is not None
    )
    found = []
    if pairs:
        found.append(Opponent(name, PAIR_CLASSES, pairs))
    if games:
        _ = texts.gettext
        found.append(Opponent(name, (_("losses"), _("draws"), _("wins")), games))
    return found


def pair_bars(every: Sequence[Opponent], *, texts: Texts) -> Picture | None:
    """Draw the counts of all opponents; None when there are none."""
    if not every:
        return None
    described = [
        f"{one.name}, {bars.endpoint}: "
        + ", ".join(f"{name} {texts.whole(count)}" for name, count in zip(one.classes, bars.counts, strict=True))
        for one in every
        for bars in one.bars
    ]
    return picture(lambda width: _draw(every, texts, width), "; ".join(described) + ".")


_HIGH = 64.0
"""Height of a bar that holds everything there is."""


def _draw(every: Sequence[Opponent], texts: Texts, width: int) -> Canvas:
    columns = 2 if width == WIDE else 1
    room = (width - 24 * (columns - 1)) / columns
    tallest = max(
        (count / sum(bars.counts) for one in every for bars in one.bars if sum(bars.counts) for count in bars.counts),
        default=1.0,
    )
    shapes: list[Shape] = []
    top = 4.0
    for first in range(0, len(every), columns):
        row = every[first : first + columns]
        for number, one in enumerate(row):
            shapes += _opponent(one, number * (room + 24), top, room, tallest, texts)
        top += _HIGH + 58 + 16 * max(len(one.bars) for one in row)
    return Canvas(shapes, top)


def _opponent(one: Opponent, left: float, top: float, room: float, tallest: float, texts: Texts) -> list[Shape]:
    shapes = [text(left, top + 9, one.name, "ink", size=13, bold=True, align="left", limit=room)]
    base = top + 24 + _HIGH
    names = 44.0
    slot = (room - names) / len(one.classes)
    bar = min(24.0, (slot - 8) / len(one.bars))
    shapes.append(line(left + names, base, left + room, base, "muted"))
    for place, name in enumerate(one.classes):
        middle = left + names + slot * (place + 0.5)
        shapes.append(text(middle, base + 11, name, "muted", size=11))
        for number, bars in enumerate(one.bars):
            count, whole = bars.counts[place], sum(bars.counts)
            high = _HIGH * count / whole / tallest if whole else 0.0
            x = middle + (number - len(one.bars) / 2) * bar
            title = f"{one.name}, {bars.endpoint}, {name}: {texts.whole(count)}"
            title += f" ({texts.percent(count / whole)})" if whole else ""
            shapes.append(box(x + 0.5, base - high, x + bar - 0.5, base, bars.colour, plane=1, title=title))
            shapes.append(text(middle, base + 27 + 16 * number, texts.whole(count), "ink", size=11))
    for number, bars in enumerate(one.bars):
        y = base + 27 + 16 * number
        shapes.append(box(left, y - 4.5, left + 9, y + 4.5, bars.colour))
        shapes.append(text(left + 14, y, bars.endpoint, "ink", size=11, align="left"))
    return shapes
