"""The pictures of a check: the R scale, the path from claims to arrival, the forest plot of the increases.

Drawn by Altair and turned into SVG by vl-convert, each in two widths (a page shows one of them), without a script, a
font or a link. Colours are CSS variables with a fallback, so that a page can darken them; text takes the page's font.
All pictures of one page are drawn from the same numbers as its tables. May import: altair, vl_convert, anchorhold.law,
report.*.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import altair as alt
import vl_convert

from anchorhold.law.result import AnchorResult, Result
from anchorhold.report.scale import Scale, Thresholds, scale_for
from anchorhold.report.texts import Texts
from anchorhold.report.words import VERDICT_NAMES, zones_in_words

WIDE, NARROW = 760, 328
"""Widths of the two forms in CSS pixels."""

# Each colour is drawn as a stand-in that no other part of a picture uses, and becomes a CSS variable afterwards.
_COLOURS = {
    "ink": "#1b2330",
    "muted": "#5a6473",
    "grid": "#dfe3e9",
    "card": "#ffffff",
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
_STAND_IN = {name: f"#0badc{number:x}" for number, name in enumerate(_COLOURS)}
_FONT = "DejaVu Sans"
"""Only to measure texts by; the picture itself names no font."""

_ZONE_COLOUR = {"HALT": "halt", "WARN": "warn", "CONTINUE": "continue"}


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture in both widths, as SVG source, with its description in words."""

    wide: str
    narrow: str
    description: str


def r_scale(result: Result, *, thresholds: Thresholds, texts: Texts) -> Picture:
    """Draw the scale of R with its three zones, the point and the Monte-Carlo band."""
    band = result.band
    scale = scale_for(
        result.r,
        band_low=band.low if band else None,
        band_high=band.high if band else None,
        thresholds=thresholds,
    )
    _ = texts.gettext
    zones = zones_in_words(thresholds.as_tuple(), texts)
    if result.r is None:
        point = _("There is no R.")
    else:
        point = _("R is {r}.", r=texts.ratio(result.r, thresholds.as_tuple()))
        if band is not None and band.low is not None:
            point += " " + _("The band reaches from {span}.", span=texts.span(band.low, band.high))
    return _picture(
        lambda width: (_draw_scale(scale, result.r, thresholds, texts, width), _SCALE_HEIGHT),
        f"{zones} {point}",
    )


_SCALE_HEIGHT = 108


def _draw_scale(scale: Scale, r: float | None, thresholds: Thresholds, texts: Texts, width: int) -> list[Shape]:
    left, right = 14, width - 14

    def x(value: float) -> float:
        return left + (right - left) * scale.place(value)

    row, top, bottom = 36.0, 52.0, 78.0
    shapes: list[Shape] = []
    for zone in scale.zones:
        colour = _ZONE_COLOUR[zone.verdict]
        shapes.append(_box(x(zone.low), top, x(zone.high), bottom, colour))
        name = texts.gettext(VERDICT_NAMES[zone.verdict])
        room = x(zone.high) - x(zone.low)
        # Widths of bold capitals at 12 and 11 pixels, with air; a name that fits neither way is left to the caption.
        size = 12 if room > 9.3 * len(name) + 10 else 11 if room > 8.5 * len(name) + 8 else None
        if size is not None:
            shapes.append(_text(x(zone.low) + room / 2, 65, name, f"{colour}-ink", size=size, bold=True))
    halt, go = x(thresholds.halt_below), x(thresholds.continue_from)
    together = go - halt < 44
    for place, value, align in (
        (halt, thresholds.halt_below, "right" if together else "center"),
        (go, thresholds.continue_from, "left" if together else "center"),
    ):
        shapes.append(_line(place, top - 4, place, bottom + 5, "ink", thickness=1.5))
        shapes.append(_text(place, 95, texts.number(value), "ink", size=12, bold=True, align=align))
    taken = [halt - 30 * together, go + 30 * together, halt, go]
    for tick in scale.ticks:
        place = x(tick)
        if all(abs(place - other) > 34 for other in taken) and 10 < place < width - 10:
            whole = tick == round(tick)
            shapes.append(_line(place, bottom, place, bottom + 5, "muted"))
            shapes.append(_text(place, 95, texts.number(tick, 0 if whole else 1), "muted", size=11))
            taken.append(place)
    if scale.band is not None:
        low, high = x(scale.band.low), x(scale.band.high)
        shapes.append(_line(low, row, high, row, "arrived", thickness=3))
        for place, beyond, angle in ((low, scale.band.beyond_low, 270), (high, scale.band.beyond_high, 90)):
            if beyond:
                inward = 5 if angle == 270 else -5
                shapes.append(_mark(place + inward, row, "triangle-up", "arrived", size=110, angle=angle))
            else:
                shapes.append(_line(place, row - 6, place, row + 6, "arrived", thickness=3))
    if r is None:
        shapes.append(_text(width / 2, row - 4, texts.gettext("no R: nothing to place on the scale"), "muted", size=13))
        return shapes
    place = x(r)
    shapes.append(_line(place, row, place, top + 7, "ink", thickness=1.5))
    shapes.append(_mark(place, row, "circle", "ink", size=150, edge="card"))
    label = "R = " + texts.ratio(r, thresholds.as_tuple())
    # The label is set over its point, and pushed inwards where it would leave the picture.
    half = 4.9 * len(label)
    middle = min(max(place, left + half), right - half)
    shapes.append(_text(middle, 15, label, "ink", size=16, bold=True))
    return shapes


def claims_to_arrival(result: Result, *, thresholds: Thresholds, texts: Texts) -> Picture:
    """Draw what was claimed (S), what is there against the old version (D) and what arrived (ΔA), with error bars."""
    rows = _path_rows(result, texts)
    description = "; ".join(f"{row.name}: {row.figure}" for row in rows) + "."
    return _picture(lambda width: _draw_path(rows, result, thresholds, texts, width), description)


@dataclass(frozen=True, slots=True)
class _PathRow:
    name: str
    under: str
    figure: str
    value: float | None
    error: float | None
    colour: str


def _path_rows(result: Result, texts: Texts) -> list[_PathRow]:
    _ = texts.gettext
    elo, missing = _("Elo"), _("not known")

    def figure(value: float | None, error: float | None) -> str:
        return missing if value is None else f"{texts.with_error(value, error, signed=True)} {elo}"

    counted = texts.ngettext("{count} counted gain test", "{count} counted gain tests", len(result.counted))
    if result.s is None:
        counted = _("no sum: see the defects")
    direct = result.direct
    if direct is None:
        under = _("the two versions did not meet in a direct match")
    elif direct.survival is None:
        under = _("new against old, directly")
    else:
        under = _("new against old, directly: survival D/S = {share}", share=texts.number(direct.survival))
    arrived = _("against the anchors")
    if direct is not None and direct.transfer is not None:
        arrived = _("against the anchors: transfer ΔA/D = {share}", share=texts.number(direct.transfer))
    return [
        _PathRow(_("claimed, S"), counted, figure(result.s, result.s_error), result.s, result.s_error, "claim"),
        _PathRow(
            _("there, D"),
            under,
            _("not measured") if direct is None else figure(direct.elo, direct.error),
            direct.elo if direct else None,
            direct.error if direct else None,
            "direct",
        ),
        _PathRow(
            _("arrived, ΔA"),
            arrived,
            figure(result.delta_a, result.delta_a_error),
            result.delta_a,
            result.delta_a_error,
            "arrived",
        ),
    ]


def _draw_path(
    rows: Sequence[_PathRow], result: Result, thresholds: Thresholds, texts: Texts, width: int
) -> tuple[list[Shape], float]:
    axis = _Axis.over(
        (end for row in rows if row.value is not None for end in _ends(row.value, row.error)),
        left=6,
        right=width - 6,
    )
    shapes: list[Shape] = []
    top = 8.0
    for row in rows:
        shapes.append(_text(axis.left, top + 10, row.name, "ink", size=14, bold=True, align="left"))
        shapes.append(_text(axis.right, top + 10, row.figure, "ink", size=14, bold=True, align="right"))
        shapes.append(_text(axis.left, top + 30, row.under, "muted", size=12, align="left"))
        if row.value is None:
            top += 56
            continue
        upper, middle, lower = top + 42, top + 55, top + 68
        if row.colour == "arrived" and result.s is not None and result.s > 0:
            # The zones of the verdict in Elo of arrival, behind the last bar: what ΔA would have had to reach.
            halt, go = (axis.clamped(limit * result.s) for limit in thresholds.as_tuple())
            edges = (axis.left, halt, go, axis.right)
            for zone, low, high in zip(("halt", "warn", "continue"), edges[:-1], edges[1:], strict=True):
                shapes.append(_box(low, upper, high, lower, zone))
        shapes += _grid(axis, top=upper, bottom=lower)
        shapes.append(_box(axis.place(0), middle - 7, axis.place(row.value), middle + 7, row.colour, plane=1))
        shapes += _whisker(axis, row.value, row.error, middle, "ink")
        top += 84
    return [*shapes, *_axis_labels(axis, top=top - 10, texts=texts)], top + 26


def forest(result: Result, *, texts: Texts) -> Picture | None:
    """Draw the anchors' increases with their half-widths, and the paired pooled increase; None when there is none."""
    if all(anchor.increase is None for anchor in result.anchors):
        return None
    _ = texts.gettext
    rows = [
        _ForestRow(
            anchor.name,
            texts.with_error(anchor.increase, anchor.increase_error, signed=True)
            if anchor.increase is not None
            else _("not known"),
            anchor.increase,
            anchor.increase_error,
            share,
        )
        for anchor, share in zip(result.anchors, weight_shares(result.anchors), strict=True)
    ]
    pooled = None
    if result.paired is not None:
        pooled = _ForestRow(
            _("paired, pooled"),
            texts.with_error(result.paired.delta_a, result.paired.error, signed=True),
            result.paired.delta_a,
            result.paired.error,
            None,
        )
    every = [*rows, *([pooled] if pooled else [])]
    description = _("Increase against each anchor in Elo:") + " "
    description += "; ".join(f"{row.name} {row.figure}" for row in every) + "."
    return _picture(
        lambda width: (_draw_forest(rows, pooled, texts, width), _forest_height(len(every), width)), description
    )


@dataclass(frozen=True, slots=True)
class _ForestRow:
    name: str
    figure: str
    value: float | None
    error: float | None
    share: float | None


def weight_shares(anchors: Sequence[AnchorResult]) -> list[float | None]:
    """Return each anchor's share of the weights, mean of both endpoints, 0 to 1; None where it has no weight."""
    means = [
        (anchor.old.weight + anchor.new.weight) / 2
        if anchor.old.weight is not None and anchor.new.weight is not None
        else None
        for anchor in anchors
    ]
    whole = sum(weight for weight in means if weight is not None)
    return [None if weight is None or whole <= 0 else weight / whole for weight in means]


def _forest_height(rows: int, width: int) -> int:
    return 16 + (34 if width == WIDE else 44) * rows + 36


def _draw_forest(rows: Sequence[_ForestRow], pooled: _ForestRow | None, texts: Texts, width: int) -> list[Shape]:
    every = [*rows, *([pooled] if pooled else [])]
    wide = width == WIDE
    step = 34 if wide else 44
    axis = _Axis.over(
        (end for row in every if row.value is not None for end in _ends(row.value, row.error)),
        left=210 if wide else 6,
        right=width - 140 if wide else width - 6,
    )
    bottom = 16.0 + step * len(every)
    shapes = _axis_labels(axis, top=bottom + 6, texts=texts)
    if wide:
        shapes += _grid(axis, top=10, bottom=bottom)
    if pooled is not None and pooled.value is not None:
        place = axis.place(pooled.value)
        # On a narrow picture the names stand above the intervals, and no line may run through them.
        stretches = [(10.0, bottom)] if wide else [(32.0 + step * n, 52.0 + step * n) for n in range(len(every))]
        shapes += [_line(place, upper, place, lower, "arrived", dash=(4, 4)) for upper, lower in stretches]
    for number, row in enumerate(every):
        top = 10.0 + step * number
        middle = top + step / 2 if wide else top + 31
        bold = row is pooled
        if wide:
            shapes.append(_text(6, middle, row.name, "ink", size=13, bold=bold, align="left", limit=190))
            shapes.append(_text(width - 6, middle, row.figure, "ink", size=13, bold=bold, align="right"))
        else:
            shapes.append(_text(6, top + 13, row.name, "ink", size=12.5, bold=bold, align="left", limit=190))
            shapes.append(_text(width - 6, top + 13, row.figure, "ink", size=12.5, bold=bold, align="right"))
        if row.value is None:
            continue
        if not wide:
            shapes += _grid(axis, top=middle - 9, bottom=middle + 9)
        if row is pooled:
            shapes += _diamond(axis, row.value, row.error, middle)
        else:
            shapes += _whisker(axis, row.value, row.error, middle, "ink")
            # The area of the square is the anchor's share of the weights, as forest plots have it.
            shapes.append(_mark(axis.place(row.value), middle, "square", "arrived", size=480 * (row.share or 0.1)))
    return shapes


@dataclass(frozen=True, slots=True)
class _Axis:
    """A linear axis of Elo between two places in pixels, always with its zero."""

    low: float
    high: float
    left: float
    right: float

    @classmethod
    def over(cls, values: Iterable[float], *, left: float, right: float) -> _Axis:
        known = [0.0, *values]
        low, high = min(known), max(known)
        room = 0.04 * (high - low) or 1.0
        return cls(low - room if low < 0 else low - room / 4, high + room, left, right)

    def place(self, value: float) -> float:
        return self.left + (self.right - self.left) * (value - self.low) / (self.high - self.low)

    def clamped(self, value: float) -> float:
        return min(max(self.place(value), self.left), self.right)

    def ticks(self) -> list[float]:
        """Round numbers, at least 52 pixels apart."""
        least = (self.high - self.low) * 52 / (self.right - self.left)
        power = 1e-6
        while True:
            for factor in (1, 2, 5):
                if factor * power >= least:
                    step = factor * power
                    first, last = int(self.low // step), int(self.high // step)
                    return [number * step for number in range(first, last + 1) if number * step >= self.low]
            power *= 10


def _ends(value: float, error: float | None) -> tuple[float, float]:
    return (value - (error or 0.0), value + (error or 0.0))


def _grid(axis: _Axis, *, top: float, bottom: float) -> list[Shape]:
    lines = []
    for tick in axis.ticks():
        place, zero = axis.place(tick), abs(tick) < 1e-9
        lines.append(
            _line(place, top, place, bottom, "muted" if zero else "grid", thickness=1.5 if zero else 1, plane=0)
        )
    return lines


def _axis_labels(axis: _Axis, *, top: float, texts: Texts) -> list[Shape]:
    ticks = axis.ticks()
    step = ticks[1] - ticks[0] if len(ticks) > 1 else 1.0
    decimals = 0 if step >= 0.999 else 1 if step >= 0.0999 else 3
    labels = [
        _text(place, top + 6, texts.number(tick, decimals), "muted", size=11)
        for tick in ticks
        if axis.left + 6 <= (place := axis.place(tick)) <= axis.right - 6
    ]
    title = texts.gettext("logistic Elo")
    return [*labels, _text((axis.left + axis.right) / 2, top + 22, title, "muted", size=11)]


def _whisker(axis: _Axis, value: float, error: float | None, y: float, colour: str) -> list[Shape]:
    if error is None:
        return []
    low, high = axis.place(value - error), axis.place(value + error)
    return [
        _line(low, y, high, y, colour, thickness=1.8),
        _line(low, y - 5, low, y + 5, colour, thickness=1.8),
        _line(high, y - 5, high, y + 5, colour, thickness=1.8),
    ]


def _diamond(axis: _Axis, value: float, error: float | None, y: float) -> list[Shape]:
    if error is None:
        return [_mark(axis.place(value), y, "diamond", "arrived", size=160)]
    corners = [(axis.place(value - error), 0.0), (axis.place(value), 9.0), (axis.place(value + error), 0.0)]
    look = {"mark": "area", "color": _STAND_IN["arrived"], "opacity": 1}
    return [Shape(tuple(look.items()), {"x": x, "y": y - half, "y2": y + half}, 2) for x, half in corners]


@dataclass(frozen=True, slots=True)
class Shape:
    """Something drawn at places in pixels; shapes of one look share a layer of the chart, so that it stays small."""

    look: tuple[tuple[str, Any], ...]
    """What the mark is, and all of its properties but its place."""
    datum: Mapping[str, Any]
    plane: int
    """0 behind, 1 in the middle, 2 in front."""


def _box(x: float, y: float, x2: float, y2: float, colour: str, *, plane: int = 0) -> Shape:
    look = {"mark": "rect", "color": _STAND_IN[colour], "opacity": 1}
    return Shape(tuple(look.items()), {"x": min(x, x2), "y": y, "x2": max(x, x2), "y2": y2}, plane)


def _line(
    x: float,
    y: float,
    x2: float,
    y2: float,
    colour: str,
    *,
    thickness: float = 1,
    dash: tuple[int, int] = (1, 0),
    plane: int = 1,
) -> Shape:
    look = {"mark": "rule", "color": _STAND_IN[colour], "strokeWidth": thickness, "strokeDash": dash}
    return Shape(tuple(look.items()), {"x": x, "y": y, "x2": x2, "y2": y2}, plane)


def _mark(x: float, y: float, shape: str, colour: str, *, size: float, angle: float = 0, edge: str = "") -> Shape:
    look = {
        "mark": "point",
        "shape": shape,
        "filled": True,
        "fill": _STAND_IN[colour],
        "opacity": 1,
        "angle": angle,
        "stroke": _STAND_IN[edge or colour],
        "strokeWidth": 2 if edge else 0,
    }
    return Shape(tuple(look.items()), {"x": x, "y": y, "size": size}, 2)


def _text(
    x: float,
    y: float,
    text: str,
    colour: str,
    *,
    size: float,
    bold: bool = False,
    align: str = "center",
    limit: float = 0,
) -> Shape:
    look = {
        "mark": "text",
        "color": _STAND_IN[colour],
        "fontSize": size,
        "fontWeight": "bold" if bold else "normal",
        "align": align,
        "baseline": "middle",
        "limit": limit,
    }
    return Shape(tuple(look.items()), {"x": x, "y": y, "text": text}, 2)


def _layer(look: Mapping[str, Any], data: Sequence[Mapping[str, Any]]) -> Any:
    """Return one layer of a chart: x and y are given in pixels, and the scales map them onto themselves."""
    pixels = alt.Scale(domain=[0, 1000], range=[0, 1000], nice=False, zero=False)
    channels: dict[str, Any] = {
        "x": alt.X("x:Q", axis=None, scale=pixels),
        "y": alt.Y("y:Q", axis=None, scale=pixels),
    }
    if "x2" in data[0]:
        channels["x2"] = alt.X2("x2")
    if "y2" in data[0]:
        channels["y2"] = alt.Y2("y2")
    if "size" in data[0]:
        channels["size"] = alt.Size("size:Q", scale=None)
    if "text" in data[0]:
        channels["text"] = alt.Text("text:N")
    properties = {name: list(value) if isinstance(value, tuple) else value for name, value in look.items()}
    kind = properties.pop("mark")
    chart: Any = alt.Chart(alt.InlineData(values=[dict(datum) for datum in data]))
    return getattr(chart, f"mark_{kind}")(**properties).encode(**channels)


def _picture(draw: Callable[[int], tuple[Sequence[Shape], float]], description: str) -> Picture:
    wide, narrow = (
        _svg(shapes, width=width, height=round(height), description=description)
        for width in (WIDE, NARROW)
        for shapes, height in [draw(width)]
    )
    return Picture(wide=wide, narrow=narrow, description=description)


_ROOT = re.compile(r"<svg [^>]*>")
# Roles and labels of single marks, in English and without use: the picture has one description as a whole.
_READER = re.compile(r' (?:role|aria-roledescription|aria-label|aria-hidden|class|pointer-events)="[^"]*"')
_TAG = re.compile(r"<[^<>]*>")
_FONTS = re.compile(r' font-family="[^"]*"')
_EMPTY = re.compile(r'<path d="(?:M0,0h0v0h0Z)?"(?: display="none")?/>')


def chart_of(shapes: Sequence[Shape], *, width: int, height: int) -> Any:
    """Return the chart that holds the shapes, one layer for each look."""
    groups: dict[tuple[int, tuple[tuple[str, Any], ...]], list[Mapping[str, Any]]] = {}
    for shape in shapes:
        groups.setdefault((shape.plane, shape.look), []).append(shape.datum)
    by_plane = sorted(groups.items(), key=lambda item: item[0][0])
    return (
        alt.layer(*(_layer(dict(look), data) for (_, look), data in by_plane))
        .properties(width=width, height=height, padding=0, background="transparent")
        .configure(autosize=alt.AutoSizeParams(type="none"), font=_FONT)
        .configure_view(stroke=None)
    )


def _svg(shapes: Sequence[Shape], *, width: int, height: int, description: str) -> str:
    chart = chart_of(shapes, width=width, height=height)
    source = vl_convert.vegalite_to_svg(
        # Checking a chart against Vega-Lite's schema takes longer than drawing it; the tests check it.
        chart.to_dict(validate=False),
        vl_version=_vega_lite(),
    )
    start = _ROOT.search(source)
    assert start is not None, "vl-convert writes an svg element"
    body = source[start.end() :]
    body = _EMPTY.sub("", _TAG.sub(lambda tag: _for_the_page(tag[0]), body))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(description)}" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="system-ui, sans-serif">{body}'
    )


def _for_the_page(tag: str) -> str:
    """Turn one tag into what the page needs; texts between tags are names from outside and stay as they are."""
    for pattern in (_READER, _FONTS):
        tag = pattern.sub("", tag)
    for name, stand_in in _STAND_IN.items():
        tag = tag.replace(stand_in, f"var(--{name}, {_COLOURS[name]})")
    return tag


def _vega_lite() -> str:
    """Vega-Lite version of the installed Altair, as vl-convert names it."""
    return ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])


def standalone(picture: Picture) -> str:
    """Return the wide form as a file of its own: on a light card, as a page that does not know our colours needs it."""
    source = picture.wide
    for name, colour in _COLOURS.items():
        source = source.replace(f"var(--{name}, {colour})", colour)
    head, _, body = source.partition(">")
    return f'{head}><rect width="100%" height="100%" fill="{_COLOURS["card"]}"/>{body}'
