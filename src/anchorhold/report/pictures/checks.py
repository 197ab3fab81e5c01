"""R over all checks of a register: points in the zones, with bands, contract editions, attempts and releases marked.

May import: anchorhold.report.*.
"""

from __future__ import annotations

from collections.abc import Sequence

from anchorhold.report.history import PastCheck
from anchorhold.report.pictures.axis import Axis
from anchorhold.report.pictures.drawing import (
    NARROW,
    ZONE_COLOUR,
    Canvas,
    Picture,
    Shape,
    area,
    box,
    dot,
    line,
    picture,
    text,
)
from anchorhold.report.scale import Thresholds
from anchorhold.report.texts import Texts
from anchorhold.report.words import VERDICT_NAMES

_HIGH = 190.0
_LOWEST, _HIGHEST = -1.0, 2.0
"""The stretch of R beyond which a point becomes an arrow at the edge."""
_NAMED = 16.0
"""Height from which on a zone holds its name; points lie over it."""


def r_over_checks(past: Sequence[PastCheck], *, thresholds: Thresholds, texts: Texts) -> Picture | None:
    """Draw all checks, the newest on the right; None without any."""
    if not past:
        return None
    description = "; ".join(f"{check.id}: {in_words(check, thresholds, texts)}" for check in past) + "."
    return picture(lambda width: _draw(past, thresholds, texts, width), description)


def in_words(check: PastCheck, thresholds: Thresholds, texts: Texts) -> str:
    """Say what became of a check: verdict, R, attempt, edition, release."""
    _ = texts.gettext
    said = [verdict_of(check, texts)]
    if check.r is not None:
        said.append(f"R = {texts.ratio(check.r, thresholds.as_tuple())}")
    if check.attempt > 1:
        said.append(_("attempt {number}", number=texts.whole(check.attempt)))
    said.append(_("edition {edition}", edition=check.edition))
    if check.released:
        said.append(_("released"))
    return ", ".join(said)


def verdict_of(check: PastCheck, texts: Texts) -> str:
    """Return the verdict's name, or that there is none yet."""
    if check.verdict is not None:
        return texts.gettext(VERDICT_NAMES[check.verdict])
    return texts.gettext("abandoned") if check.abandoned else texts.gettext("open")


def _draw(past: Sequence[PastCheck], thresholds: Thresholds, texts: Texts, width: int) -> Canvas:
    left, right = 40.0, width - 8.0
    # A narrow picture holds the newest that fit it, 26 pixels each; a wide one presses the older together.
    shown = past[-int((right - left) // 26) :] if width == NARROW else past
    known = [check for check in shown if check.r is not None]
    low = min(
        -0.1,
        *(max(_LOWEST, check.r if check.low is None else check.low) for check in known if check.r is not None),
        0.0,
    )
    high = max(
        1.1,
        *(min(_HIGHEST, check.r if check.high is None else check.high) for check in known if check.r is not None),
        0.0,
    )
    top = 20.0
    y = Axis(low, high, top + _HIGH, top)
    shapes: list[Shape] = []
    edges = (low, *thresholds.as_tuple(), high)
    for verdict, start, end in zip(("HALT", "WARN", "CONTINUE"), edges[:-1], edges[1:], strict=True):
        colour = ZONE_COLOUR[verdict]
        shapes.append(box(left, y.place(start), right, y.place(end), colour))
        if y.place(start) - y.place(end) >= _NAMED:
            name = texts.gettext(VERDICT_NAMES[verdict])
            place = y.place(end) + _NAMED / 2
            shapes.append(text(left + 5, place, name, f"{colour}-ink", size=11, bold=True, align="left", plane=0))
    shapes += [line(left, y.place(edge), right, y.place(edge), "ink", plane=0) for edge in edges[1:-1]]
    for tick in (*thresholds.as_tuple(), 0.0, 1.0):
        if low <= tick <= high:
            bold = tick in thresholds.as_tuple()
            shapes.append(
                text(
                    left - 5,
                    y.place(tick),
                    texts.number(tick),
                    "ink" if bold else "muted",
                    size=11,
                    bold=bold,
                    align="right",
                )
            )
    step = (right - left) / len(shown)
    every = max(1, -(-44 // int(step)) if step < 44 else 1)
    edition: int | None = None
    base = top + _HIGH
    for number, check in enumerate(shown):
        x = left + step * (number + 0.5)
        title = f"{check.id}: {in_words(check, thresholds, texts)}"
        if edition is not None and check.edition != edition:
            place = left + step * number
            shapes.append(line(place, top, place, base, "ink", dash="5 3"))
            shapes.append(
                text(
                    place + 3,
                    top - 8,
                    texts.gettext("edition {edition}", edition=check.edition),
                    "ink",
                    size=11,
                    align="left",
                )
            )
        edition = check.edition
        shapes += _point(check, x, y, title)
        if check.attempt > 1:
            shapes.append(text(x, base + 29, f"{check.attempt}.", "muted", size=11))
        if number % every == 0 or (number == len(shown) - 1 and number % every > every / 2):
            shapes.append(text(x, base + 13, cut_id(check.id), "muted", size=11))
    shapes.append(
        text((left + right) / 2, base + 46, texts.gettext("checks, the newest on the right"), "muted", size=11)
    )
    return Canvas(shapes, base + 56)


def cut_id(name: str) -> str:
    """Return what stands below a point: the number of an id such as check-12."""
    return name.removeprefix("check-")[:8]


def _point(check: PastCheck, x: float, y: Axis, title: str) -> list[Shape]:
    if check.r is None:
        # No R: an open mark on the lower edge, where no value can be read off.
        mark = y.left - 8
        return [
            area(
                [(x, mark - 5), (x + 5, mark), (x, mark + 5), (x - 5, mark)], "card", edge="muted", plane=2, title=title
            )
        ]
    shapes: list[Shape] = []
    if check.low is not None and check.high is not None:
        shapes.append(line(x, y.clamped(check.low), x, y.clamped(check.high), "arrived", thickness=2, title=title))
    place = y.clamped(check.r)
    if check.r > y.high or check.r < y.low:
        side = -1 if check.r > y.high else 1
        shapes.append(
            area([(x, place), (x - 6, place - 9 * side), (x + 6, place - 9 * side)], "ink", plane=2, title=title)
        )
    else:
        shapes.append(dot(x, place, "ink", radius=5.5, title=title))
    if check.released:
        # A ring around the point: a human has looked at this HALT.
        shapes.append(
            area(
                [(x - 10, place - 10), (x + 10, place - 10), (x + 10, place + 10), (x - 10, place + 10)],
                "none",
                edge="ink",
                plane=2,
                title=title,
            )
        )
    return shapes
