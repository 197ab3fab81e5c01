"""Claims over time: the running sum of all counted gains, and the window of every check under it.

May import: anchorhold.report.*.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from anchorhold.report.claimed import ClaimedWindow
from anchorhold.report.pictures.axis import Axis
from anchorhold.report.pictures.drawing import Canvas, Picture, Shape, area, box, dot, line, path, picture, text
from anchorhold.report.texts import Texts
from anchorhold.report.words import VERDICT_NAMES

_HIGH = 180.0


def claims_over_time(found: Sequence[ClaimedWindow], *, texts: Texts) -> Picture | None:
    """Draw the running sum; None when nothing was counted."""
    if not any(window.gains for window in found):
        return None
    described = [
        f"{window_name(window, texts)}: {window_figure(window, texts)}, "
        + texts.ngettext("{count} counted gain test", "{count} counted gain tests", len(window.gains))
        for window in found
    ]
    return picture(lambda width: _draw(found, texts, width), "; ".join(described) + ".")


def window_name(window: ClaimedWindow, texts: Texts) -> str:
    """Say which window: the check that closed it, with its verdict, or that it is open."""
    if window.check is None:
        return texts.gettext("entries {first} to {last}", first=window.after + 1, last=window.until)
    return f"{window.check} ({texts.gettext(VERDICT_NAMES[window.verdict or 'GAP'])})"


def window_figure(window: ClaimedWindow, texts: Texts) -> str:
    """Write a window's S."""
    return f"S = {texts.with_error(window.s, window.error)} Elo"


def _draw(found: Sequence[ClaimedWindow], texts: Texts, width: int) -> Canvas:
    gains = [gain for window in found for gain in window.gains]
    days = [gain.day for gain in gains] + [window.closed for window in found if window.closed]
    first, last = min(days), max(days)
    if (last - first).days < 2:
        first, last = first - timedelta(days=1), last + timedelta(days=1)
    left, right, top = 44.0, width - 10.0, 20.0
    base = top + _HIGH
    x = Axis(first.toordinal(), last.toordinal(), left, right)
    totals = [0.0, *(gain.total for gain in gains)]
    room = 0.06 * (max(totals) - min(totals)) or 1.0
    y = Axis(min(totals) - (room if min(totals) < 0 else 0.0), max(totals) + room, base, top)
    shapes: list[Shape] = []
    for tick in y.ticks(apart=36):
        shapes.append(line(left, y.place(tick), right, y.place(tick), "grid", plane=0))
        shapes.append(
            text(
                left - 6,
                y.place(tick),
                texts.number(tick, 0 if tick == round(tick) else 1),
                "muted",
                size=11,
                align="right",
            )
        )
    begin = left
    for number, window in enumerate(found):
        if window.closed is None:
            continue
        end = x.place(window.closed.toordinal())
        if number % 2 == 0 and end > begin:
            shapes.append(
                box(
                    begin,
                    top,
                    end,
                    base,
                    "page",
                    plane=0,
                    title=f"{window_name(window, texts)}: {window_figure(window, texts)}",
                )
            )
        shapes.append(line(end, top, end, base, "muted", dash="4 3", title=window_name(window, texts)))
        begin = end
    points = [(left, y.place(0.0))]
    for gain in gains:
        place = x.place(gain.day.toordinal())
        # A line of time does not run backwards, even when a window holds what is older than the one before.
        place = max(place, points[-1][0])
        points += [(place, points[-1][1]), (place, y.place(gain.total))]
    points.append((right, points[-1][1]))
    shapes.append(
        area([*points, (right, y.place(max(y.low, 0.0))), (left, y.place(max(y.low, 0.0)))], "grid", plane=0, title="")
    )
    shapes.append(path(points, "arrived", thickness=2))
    if len(gains) <= 60:
        for gain in gains:
            title = f"{gain.day.isoformat()}, {gain.id}: {texts.signed(gain.elo)} Elo, {texts.number(gain.total)}"
            shapes.append(dot(x.place(gain.day.toordinal()), y.place(gain.total), "arrived", radius=3.5, title=title))
    ticks = _day_ticks(first, last, 3 if width < 400 else 6)
    for day in ticks:
        place = x.place(day.toordinal())
        shapes.append(line(place, base, place, base + 4, "muted"))
        align = "left" if place < left + 30 else "right" if place > right - 30 else "center"
        shapes.append(text(place, base + 13, texts.day(day), "muted", size=11, align=align))
    labelled = -1000.0
    for window in found:
        if window.closed is not None and window.check:
            end = x.place(window.closed.toordinal())
            if end - labelled > 74:
                words = texts.gettext(VERDICT_NAMES[window.verdict or "GAP"])
                align = "right" if end > left + 70 else "left"
                shapes.append(
                    text(end - 4 if align == "right" else end + 4, top - 8, words, "ink", size=11, align=align)
                )
                labelled = end
    shapes.append(
        text((left + right) / 2, base + 31, texts.gettext("counted gains, summed, logistic Elo"), "muted", size=11)
    )
    return Canvas(shapes, base + 42)


def _day_ticks(first: date, last: date, most: int) -> list[date]:
    """Return days that share the stretch evenly, both ends included."""
    days = (last - first).days
    steps = min(most - 1, days)
    return [first + timedelta(days=round(days * number / steps)) for number in range(steps + 1)]
