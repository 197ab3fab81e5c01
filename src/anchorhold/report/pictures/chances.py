"""The plan's curve: how likely HALT, WARN and CONTINUE are for a true R, with the pairs played and with more.

Read it upwards at one true R: the three grounds share out the chances there. May import: anchorhold.report.*.
"""

from __future__ import annotations

from collections.abc import Sequence

from anchorhold.report.pictures.axis import Axis
from anchorhold.report.pictures.drawing import WIDE, Canvas, Picture, Shape, area, line, path, picture, text, width_of
from anchorhold.report.sureness import HIGH, LOW, Curve, Sureness
from anchorhold.report.texts import Texts
from anchorhold.report.words import VERDICT_NAMES

_HIGH = 150.0


def chances(found: Sureness, *, r: float | None, texts: Texts) -> Picture:
    """Draw both designs beside each other; ``r`` is marked where it is measured."""
    described = []
    for curve in (found.played, found.more):
        rows = "; ".join(
            texts.gettext(
                "true R {ratio}: HALT {halt}, WARN {warn}, CONTINUE {go}",
                ratio=texts.number(row.ratio),
                halt=texts.percent(row.halt, 0),
                warn=texts.percent(row.warn, 0),
                go=texts.percent(row.proceed, 0),
            )
            for row in curve.rows
        )
        described.append(f"{_name(curve, texts)}: {rows}.")
    return picture(lambda width: _draw(found, r, texts, width), " ".join(described))


def _name(curve: Curve, texts: Texts) -> str:
    return texts.ngettext("{count} pair against each anchor", "{count} pairs against each anchor", curve.pairs)


def _draw(found: Sureness, r: float | None, texts: Texts, width: int) -> Canvas:
    columns = 2 if width == WIDE else 1
    room = (width - 28 * (columns - 1)) / columns
    shapes: list[Shape] = []
    top = 4.0
    for number, curve in enumerate((found.played, found.more)):
        left = (room + 28) * (number % columns)
        shapes += _panel(found, curve, r, left, top, room, texts)
        if number % columns == columns - 1:
            top += _HIGH + 82
    return Canvas(shapes, top)


def _panel(
    found: Sureness, curve: Curve, r: float | None, left: float, top: float, room: float, texts: Texts
) -> list[Shape]:
    _ = texts.gettext
    x = Axis(LOW, HIGH, left + 42, left + room - 6)
    base = top + 24 + _HIGH
    y = Axis(0.0, 1.0, base, base - _HIGH)
    shapes = [text(left, top + 9, _name(curve, texts), "ink", size=13, bold=True, align="left")]
    halt = [(x.place(p.ratio), y.place(p.halt)) for p in curve.points]
    warn = [(x.place(p.ratio), y.place(p.halt + p.warn)) for p in curve.points]
    floor = [(x.place(LOW), base), (x.place(HIGH), base)]
    ceiling = [(x.place(HIGH), base - _HIGH), (x.place(LOW), base - _HIGH)]
    shapes.append(area([*halt, floor[1], floor[0]], "halt", plane=0, title=_(VERDICT_NAMES["HALT"])))
    shapes.append(area([*halt, *reversed(warn)], "warn", plane=0, title=_(VERDICT_NAMES["WARN"])))
    shapes.append(area([*warn, *ceiling], "continue", plane=0, title=_(VERDICT_NAMES["CONTINUE"])))
    # The name keeps clear of the line that marks the measured R.
    marked = x.place(r) if r is not None and LOW <= r <= HIGH else None
    start = x.left + 8 if marked is None or not x.left - 4 < marked < x.left + 56 else marked + 6
    shapes.append(text(start, base - 12, _("HALT"), "halt-ink", size=12, bold=True, align="left"))
    shapes.append(
        text(x.right - 8, base - _HIGH + 14, _("CONTINUE"), "continue-ink", size=12, bold=True, align="right")
    )
    shapes += [path(edge, "ink", thickness=1, plane=1) for edge in (halt, warn)]
    shapes += _name_within(_(VERDICT_NAMES["WARN"]), halt, warn, clear_of=marked)
    for share in (0.0, 0.5, 1.0):
        shapes.append(text(x.left - 6, y.place(share), texts.percent(share, 0), "muted", size=11, align="right"))
    ticks = [(limit, 2) for limit in found.thresholds.as_tuple()]
    ticks += [(end, 0) for end in (0.0, 1.0) if all(abs(x.place(end) - x.place(limit)) > 32 for limit, _ in ticks)]
    for tick, decimals in ticks:
        shapes.append(line(x.place(tick), base, x.place(tick), base + 4, "muted"))
        shapes.append(text(x.place(tick), base + 13, texts.number(tick, decimals), "muted", size=11))
    shapes.append(text((x.left + x.right) / 2, base + 31, _("true R"), "muted", size=11))
    if marked is not None:
        shapes.append(line(marked, base, marked, base - _HIGH, "ink", thickness=1.5, dash="4 3", title="R"))
    return shapes


def _name_within(
    words: str,
    lower: Sequence[tuple[float, float]],
    upper: Sequence[tuple[float, float]],
    *,
    clear_of: float | None,
) -> list[Shape]:
    """Write a name into the ground between two lines, level or upwards, where it has most room, if any.

    Both lines have their points at the same places and go downwards or stay level, as shares of a chance do.
    """
    wide, high = width_of(words, size=12, bold=True) + 6, 15.0
    best: tuple[float, Shape] | None = None
    for upwards in (False, True):
        across, along = (high, wide) if upwards else (wide, high)
        for x, _share in lower:
            left, right = x - across / 2, x + across / 2
            if left < lower[0][0] or right > lower[-1][0]:
                continue
            if clear_of is not None and left - 3 < clear_of < right + 3:
                continue
            # Pixels grow downwards: room lies below the upper line's lowest and above the lower one's highest.
            top = max(y for place, y in upper if left - 1 <= place <= right + 1)
            bottom = min(y for place, y in lower if left - 1 <= place <= right + 1)
            room = bottom - top - along
            if room >= 0 and (best is None or room > best[0]):
                middle = (top + bottom) / 2
                best = room, text(x, middle, words, "warn-ink", size=12, bold=True, upwards=upwards)
        if best is not None:
            break
    return [] if best is None else [best[1]]
