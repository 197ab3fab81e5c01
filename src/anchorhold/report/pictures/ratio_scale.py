"""The scale of R: its three zones, the point, the Monte-Carlo band and the Fieller interval.

May import: anchorhold.law, report.*.
"""

from __future__ import annotations

from collections.abc import Callable

from anchorhold.law.result import Result
from anchorhold.report.pictures.drawing import (
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
    width_of,
)
from anchorhold.report.scale import Scale, Thresholds, scale_for
from anchorhold.report.texts import Texts
from anchorhold.report.words import VERDICT_NAMES, zones_in_words


def r_scale(result: Result, *, thresholds: Thresholds, texts: Texts) -> Picture:
    """Draw the scale of R; one without R says so."""
    band, fieller, _ = result.band, result.fieller, texts.gettext
    scale = scale_for(
        result.r, band_low=band.low if band else None, band_high=band.high if band else None, thresholds=thresholds
    )
    zones = zones_in_words(thresholds.as_tuple(), texts)
    if result.r is None:
        point = _("There is no R.")
    else:
        point = _("R is {r}.", r=texts.ratio(result.r, thresholds.as_tuple()))
        if band is not None and band.low is not None:
            point += " " + _("The band reaches from {span}.", span=texts.span(band.low, band.high))
        if fieller is not None:
            point += " " + _("The Fieller interval reaches from {span}.", span=texts.span(fieller.low, fieller.high))
    return picture(lambda width: _draw(scale, result, thresholds, texts, width), f"{zones} {point}")


def zone_boxes(scale: Scale, left: float, right: float, top: float, bottom: float, texts: Texts) -> list[Shape]:
    """Return the three zones with their names, where these fit."""
    shapes: list[Shape] = []
    for zone in scale.zones:
        colour = ZONE_COLOUR[zone.verdict]
        low, high = (left + (right - left) * scale.place(end) for end in (zone.low, zone.high))
        shapes.append(box(low, top, high, bottom, colour))
        name = texts.gettext(VERDICT_NAMES[zone.verdict])
        room = high - low
        # Widths of bold capitals at 12 and 11 pixels, with air; a name that fits neither way is left to the caption.
        size = 12 if room > 9.3 * len(name) + 10 else 11 if room > 8.5 * len(name) + 8 else None
        if size is not None:
            middle = low + room / 2
            shapes.append(text(middle, (top + bottom) / 2, name, f"{colour}-ink", size=size, bold=True))
    return shapes


def _draw(scale: Scale, result: Result, thresholds: Thresholds, texts: Texts, width: int) -> Canvas:
    left, right = 14, width - 14

    def x(value: float) -> float:
        return left + (right - left) * scale.place(value)

    row, top, bottom = 36.0, 52.0, 78.0
    shapes = zone_boxes(scale, left, right, top, bottom, texts)
    halt, go = x(thresholds.halt_below), x(thresholds.continue_from)
    together = go - halt < 44
    for place, value, align in (
        (halt, thresholds.halt_below, "right" if together else "center"),
        (go, thresholds.continue_from, "left" if together else "center"),
    ):
        shapes.append(line(place, top - 4, place, bottom + 5, "ink", thickness=1.5))
        shapes.append(text(place, 95, texts.number(value), "ink", size=12, bold=True, align=align))
    taken = [halt - 30 * together, go + 30 * together, halt, go]
    for tick in scale.ticks:
        place = x(tick)
        if all(abs(place - other) > 34 for other in taken) and 10 < place < width - 10:
            whole = tick == round(tick)
            shapes.append(line(place, bottom, place, bottom + 5, "muted"))
            shapes.append(text(place, 95, texts.number(tick, 0 if whole else 1), "muted", size=11))
            taken.append(place)
    shapes += _band(scale, result, x, row, texts)
    height = 108.0
    if result.fieller is not None:
        shapes += _fieller(scale, result, x, height + 2, texts)
        height += 30
    if result.r is None:
        shapes.append(text(width / 2, row - 4, texts.gettext("no R: nothing to place on the scale"), "muted", size=13))
        return Canvas(shapes, height)
    place = x(result.r)
    label = "R = " + texts.ratio(result.r, thresholds.as_tuple())
    shapes.append(line(place, row, place, top + 7, "ink", thickness=1.5))
    shapes.append(dot(place, row, "ink", radius=7, title=label))
    # The label is set over its point, and pushed inwards where it would leave the picture.
    half = 4.9 * len(label)
    middle = min(max(place, left + half), right - half)
    shapes += _name_of_band(scale, x, row, beside=(middle - half - 8, middle + half + 8), texts=texts)
    shapes.append(text(middle, 15, label, "ink", size=16, bold=True))
    return Canvas(shapes, height)


def _band(scale: Scale, result: Result, x: Callable[[float], float], row: float, texts: Texts) -> list[Shape]:
    if scale.band is None or result.band is None:
        return []
    low, high = x(scale.band.low), x(scale.band.high)
    title = texts.gettext("The band reaches from {span}.", span=texts.span(result.band.low, result.band.high))
    shapes = [line(low, row, high, row, "arrived", thickness=3, title=title)]
    for place, beyond, side in ((low, scale.band.beyond_low, -1), (high, scale.band.beyond_high, 1)):
        if beyond:
            shapes.append(_arrow(place, row, side, "arrived"))
        else:
            shapes.append(line(place, row - 6, place, row + 6, "arrived", thickness=3))
    return shapes


def _name_of_band(
    scale: Scale, x: Callable[[float], float], row: float, *, beside: tuple[float, float], texts: Texts
) -> list[Shape]:
    """Name the band above one of its ends, where R's own label leaves room."""
    if scale.band is None:
        return []
    name = texts.gettext("band of R")
    wide = width_of(name, size=11)
    low, high = x(scale.band.low), x(scale.band.high)
    if low + wide < beside[0]:
        return [text(low, row - 13, name, "arrived", size=11, align="left")]
    if high - wide > beside[1]:
        return [text(high, row - 13, name, "arrived", size=11, align="right")]
    return []


def _fieller(scale: Scale, result: Result, x: Callable[[float], float], row: float, texts: Texts) -> list[Shape]:
    """The Fieller interval below the scale, cut where the scale ends."""
    assert result.fieller is not None
    low, high = max(result.fieller.low, scale.low), min(result.fieller.high, scale.high)
    if low >= high:
        return []
    name = texts.gettext("Fieller interval: {span}", span=texts.span(result.fieller.low, result.fieller.high))
    shapes = [line(x(low), row, x(high), row, "muted", thickness=2, title=name)]
    for end, shown, side in ((result.fieller.low, low, -1), (result.fieller.high, high, 1)):
        if end != shown:
            shapes.append(_arrow(x(shown), row, side, "muted"))
        else:
            shapes.append(line(x(shown), row - 5, x(shown), row + 5, "muted", thickness=2))
    middle = min(max((x(low) + x(high)) / 2, x(scale.low) + 95), x(scale.high) - 95)
    return [*shapes, text(middle, row + 15, name, "muted", size=11)]


def _arrow(tip: float, y: float, side: int, colour: str) -> Shape:
    return area([(tip, y), (tip - 9 * side, y - 6), (tip - 9 * side, y + 6)], colour, plane=2)
