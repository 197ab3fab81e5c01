"""The fall from S, in all its forms, over the direct match D to what arrived, ΔA: as a waterfall with error bars.

What is not known has no bar: it is said in words. May import: anchorhold.law, report.*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anchorhold.law.result import Result
from anchorhold.report.pictures.axis import Axis, ends, grid, labels, span
from anchorhold.report.pictures.drawing import Canvas, Picture, Shape, box, line, picture, text
from anchorhold.report.scale import Thresholds
from anchorhold.report.texts import NOTHING, Texts
from anchorhold.report.words import met_without_estimate

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Level:
    """One level of the fall."""

    name: str
    under: str
    """What the level is; what is not known is said here."""
    figure: str
    fall: str
    """How far below the level before it lies, with its sign; a dash when either is not known."""
    value: float | None
    low: float | None
    high: float | None
    colour: str
    before: float | None
    """The last known level above it."""


def levels(result: Result, *, texts: Texts, intervals: Mapping[str, Interval] | None = None) -> list[Level]:
    """Return the levels from S to ΔA, the same for the picture and its table.

    Parameters
    ----------
    intervals : mapping, optional
        95 % intervals of ``s_median_unbiased`` and ``s_selection_corrected``, where they are known.
    """
    _ = texts.gettext
    intervals = intervals or {}
    direct_played = met_without_estimate(result)
    counted = texts.ngettext("{count} counted gain test", "{count} counted gain tests", len(result.counted))
    if result.s is None:
        counted = _("no sum: see the defects")
    direct = result.direct
    if direct is None:
        met = (
            _("played, but the games carry no estimate")
            if direct_played
            else _("the two versions did not meet in a direct match")
        )
    elif direct.survival is None:
        met = _("new against old, directly")
    else:
        met = _("new against old, directly: survival D/S = {share}", share=texts.number(direct.survival))
    arrived = _("against the anchors")
    if direct is not None and direct.transfer is not None:
        arrived = _("against the anchors: transfer ΔA/D = {share}", share=texts.number(direct.transfer))
    unbiased, selected = result.s_median_unbiased, result.s_selection_corrected
    no_direct = _("no estimate") if direct_played else _("not measured")
    rows = [
        (_("claimed, S"), counted, "claim", result.s, _around(result.s, result.s_error), _("not known")),
        (
            _("S, median-unbiased"),
            _("freed of the bias of stopping") if unbiased is not None else _("not known: see the figures below"),
            "claim",
            unbiased,
            intervals.get("s_median_unbiased"),
            _("not known"),
        ),
        (
            _("S, selection-corrected"),
            _("freed of keeping only what passed") if selected is not None else _("not known: see the figures below"),
            "claim",
            selected,
            intervals.get("s_selection_corrected"),
            _("not known"),
        ),
        (
            _("there, D"),
            met,
            "direct",
            direct.elo if direct else None,
            _around(direct.elo, direct.error) if direct else None,
            no_direct,
        ),
        (
            _("arrived, ΔA"),
            arrived,
            "arrived",
            result.delta_a,
            _around(result.delta_a, result.delta_a_error),
            _("not known"),
        ),
    ]
    found: list[Level] = []
    before: float | None = None
    for name, under, colour, value, interval, missing in rows:
        low, high = interval if interval is not None else (None, None)
        found.append(
            Level(
                name=name,
                under=under,
                figure=_figure(value, interval, texts) if value is not None else missing,
                fall=texts.signed(value - before) if value is not None and before is not None else NOTHING,
                value=value,
                low=low,
                high=high,
                colour=colour,
                before=before,
            )
        )
        before = value if value is not None else before
    return found


def _around(value: float | None, error: float | None) -> Interval | None:
    return None if value is None or error is None else ends(value, error)


def _figure(value: float, interval: Interval | None, texts: Texts) -> str:
    if interval is None:
        return f"{texts.signed(value)} Elo"
    low, high = interval
    if abs((value - low) - (high - value)) < 0.005:
        return f"{texts.with_error(value, (high - low) / 2, signed=True)} Elo"
    return f"{texts.signed(value)} Elo ({texts.span(low, high)})"


def waterfall(rows: Sequence[Level], *, s: float | None, thresholds: Thresholds, texts: Texts) -> Picture:
    """Draw the levels, and between any two of them the fall."""
    description = "; ".join(f"{row.name}: {row.figure}" for row in rows) + "."
    return picture(lambda width: _draw(rows, s, thresholds, texts, width), description)


def _draw(rows: Sequence[Level], s: float | None, thresholds: Thresholds, texts: Texts, width: int) -> Canvas:
    axis = Axis.over(
        (end for row in rows for end in (row.value, row.low, row.high) if end is not None),
        left=6,
        right=width - 6,
    )
    shapes: list[Shape] = []
    top = 8.0
    for row in rows:
        shapes.append(text(axis.left, top + 10, row.name, "ink", size=14, bold=True, align="left"))
        shapes.append(text(axis.right, top + 10, row.figure, "ink", size=14, bold=True, align="right"))
        under = row.under if width > 400 or len(row.under) < 52 else row.under.split(":")[-1].strip()
        shapes.append(text(axis.left, top + 30, under, "muted", size=12, align="left"))
        if row.value is None:
            top += 48
            continue
        upper, middle, lower = top + 42, top + 55, top + 68
        if row.colour == "arrived" and s is not None and s > 0:
            # The zones of the verdict in Elo of arrival, behind the last bar: what ΔA would have had to reach.
            halt, go = (axis.clamped(limit * s) for limit in thresholds.as_tuple())
            edges = (axis.left, halt, go, axis.right)
            for zone, low, high in zip(("halt", "warn", "continue"), edges[:-1], edges[1:], strict=True):
                shapes.append(box(low, upper, high, lower, zone))
            shapes += [line(edge, upper, edge, lower, "ink", plane=0) for edge in (halt, go)]
        shapes += grid(axis, top=upper, bottom=lower)
        place = axis.place(row.value)
        if row.before is not None:
            # The fall: from the level before it to this one.
            held = axis.place(row.before)
            lost = texts.gettext("less than the level above: {elo} Elo", elo=row.fall)
            if row.value < row.before:
                shapes.append(box(place, middle - 7, held, middle + 7, "card", edge="muted", plane=1, title=lost))
                if held - place > 64:
                    shapes.append(text(held - 6, middle + 18, row.fall, "muted", size=11, align="right"))
        title = f"{row.name}: {row.figure}"
        shapes.append(box(axis.place(0), middle - 7, place, middle + 7, row.colour, plane=1, title=title))
        if row.low is not None and row.high is not None:
            shapes += span(axis, row.low, row.high, middle)
        top += 84
    return Canvas([*shapes, *labels(axis, top=top - 4, texts=texts)], top + 32)
