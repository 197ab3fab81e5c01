"""The two pictures of the original article, redrawn: how R is computed, in six boxes; the traffic light of R.

The boxes carry the numbers of the check that the page is about. The lights carry the article's invented example.
May import: anchorhold.law, report.*.
"""

from __future__ import annotations

from anchorhold.law.result import AbsoluteValue, Result, Verdict
from anchorhold.report.pictures.drawing import (
    WIDE,
    ZONE_COLOUR,
    Canvas,
    Picture,
    Shape,
    area,
    card,
    dot,
    line,
    paragraph,
    picture,
    text,
)
from anchorhold.report.scale import Thresholds
from anchorhold.report.texts import NOTHING, Texts
from anchorhold.report.words import VERDICT_NAMES, WHAT_FOLLOWS, zones_in_words

EXAMPLES = ((9.0, 20.0), (7.0, 20.0))
"""ΔA and S of the original's invented example."""


def six_boxes(result: Result, *, thresholds: Thresholds, texts: Texts) -> Picture:
    """Draw how R is computed: above what is measured, below what is claimed, at the end the verdict."""
    boxes = boxes_of(result, thresholds, texts)
    description = " ".join(
        f"{number}. {title}: {says} {figure}" for number, (title, says, figure) in enumerate(boxes, 1)
    )
    return picture(lambda width: _draw_boxes(boxes, width), description)


def boxes_of(result: Result, thresholds: Thresholds, texts: Texts) -> list[tuple[str, str, str]]:
    """Return title, meaning and figure of the six boxes."""
    _ = texts.gettext
    measured = sum(anchor.old.delta is not None and anchor.new.delta is not None for anchor in result.anchors)
    return [
        (
            _("Anchor set"),
            _("Fixed foreign engines, the same for the old and the new version."),
            _("{count} of {all} measured at both", count=texts.whole(measured), all=texts.whole(len(result.anchors))),
        ),
        (
            _("Old version"),
            _("Its games against every anchor give its absolute value."),
            _absolute(result.a_old, texts),
        ),
        (
            _("New version"),
            _("The same openings, the same conditions, the same anchors."),
            _absolute(result.a_new, texts),
        ),
        (
            _("What arrived"),
            _("The increase of the absolute value against the anchors."),
            f"ΔA = {texts.signed(result.delta_a)}",
        ),
        (
            _("What was claimed"),
            _("The gains that the oracle confirmed since the last check, summed."),
            f"S = {texts.signed(result.s)}",
        ),
        (
            _("How much of it arrived"),
            _("What arrived over what was claimed: the verdict."),
            f"R = ΔA / S = {texts.ratio(result.r, thresholds.as_tuple())}"
            + (f": {_(VERDICT_NAMES[result.verdict])}" if result.r is not None else ""),
        ),
    ]


def _absolute(value: AbsoluteValue | None, texts: Texts) -> str:
    return f"A = {texts.with_error(value.value, value.error, 1) if value else NOTHING}"


def _draw_boxes(boxes: list[tuple[str, str, str]], width: int) -> Canvas:
    columns = 3 if width == WIDE else 1
    gap = 26.0
    room = (width - gap * (columns - 1)) / columns
    high = 118.0 if columns == 3 else 98.0
    shapes: list[Shape] = []
    for number, (title, says, figure) in enumerate(boxes):
        row, column = divmod(number, columns)
        left, top = column * (room + gap) + 1, row * (high + gap) + 1
        right, bottom = left + room - 2, top + high
        shapes.append(card(left, top, right, bottom, "page"))
        shapes.append(dot(left + 20, top + 20, "arrived", radius=11, edge="page"))
        shapes.append(text(left + 20, top + 20, str(number + 1), "card", size=13, bold=True))
        shapes.append(text(left + 38, top + 20, title, "ink", size=14, bold=True, align="left"))
        lines, _end = paragraph(left + 10, top + 44, says, "muted", size=12, limit=room - 22)
        shapes += lines
        shapes.append(text(left + 10, bottom - 16, figure, "ink", size=13, bold=True, align="left"))
        if number + 1 < len(boxes):
            shapes += _to_next(left, top, right, bottom, gap, last=column == columns - 1, single=columns == 1)
    return Canvas(shapes, (len(boxes) // columns) * (high + gap) - gap + 2)


def _to_next(
    left: float, top: float, right: float, bottom: float, gap: float, *, last: bool, single: bool
) -> list[Shape]:
    """An arrow to the next box: to the right, or down to the row below."""
    if not last:
        y = (top + bottom) / 2
        return [line(right + 3, y, right + gap - 8, y, "muted", thickness=2), _head(right + gap - 1, y, "right")]
    if single:
        x = (left + right) / 2
        return [line(x, bottom + 3, x, bottom + gap - 8, "muted", thickness=2), _head(x, bottom + gap - 1, "down")]
    return []


def _head(x: float, y: float, way: str) -> Shape:
    if way == "right":
        return area([(x, y), (x - 9, y - 5), (x - 9, y + 5)], "muted")
    return area([(x, y), (x - 5, y - 9), (x + 5, y - 9)], "muted")


def traffic_light(*, thresholds: Thresholds, texts: Texts) -> Picture:
    """Draw the three lights with what each means, and the invented example beside the light that it gives."""
    rows = lights_of(thresholds, texts)
    description = (
        zones_in_words(thresholds.as_tuple(), texts)
        + " "
        + " ".join(f"{name}: {says} {example}".rstrip() for _, name, _, says, example in rows)
    )
    return picture(lambda width: _draw_lights(rows, width), description)


def lights_of(thresholds: Thresholds, texts: Texts) -> list[tuple[Verdict, str, str, str, str]]:
    """Return verdict, name, range of R, what follows and the invented example, if one falls there, of each light."""
    _ = texts.gettext
    halt, go = (texts.number(limit) for limit in thresholds.as_tuple())
    examples: dict[Verdict, str] = {}
    for arrived, claimed in EXAMPLES:
        r = round(arrived / claimed, 9)
        verdict: Verdict = (
            "HALT" if r < thresholds.halt_below else "WARN" if r < thresholds.continue_from else "CONTINUE"
        )
        examples[verdict] = _(
            "Invented example: ΔA = {arrived}, S = {claimed} gives R = {r}.",
            arrived=texts.number(arrived, 0),
            claimed=texts.number(claimed, 0),
            r=texts.ratio(r, thresholds.as_tuple()),
        )
    ranges: dict[Verdict, str] = {
        "HALT": f"R < {halt}",
        "WARN": f"{halt} ≤ R < {go}",
        "CONTINUE": f"R ≥ {go}",
    }
    order: tuple[Verdict, ...] = ("HALT", "WARN", "CONTINUE")
    return [
        (verdict, _(VERDICT_NAMES[verdict]), ranges[verdict], _(WHAT_FOLLOWS[verdict]), examples.get(verdict, ""))
        for verdict in order
    ]


def _draw_lights(rows: list[tuple[Verdict, str, str, str, str]], width: int) -> Canvas:
    step = 74.0 if width == WIDE else 118.0
    shapes = [card(8, 4, 76, 4 + step * len(rows), "page")]
    for number, (verdict, name, stretch, says, example) in enumerate(rows):
        middle = 4 + step * (number + 0.5)
        colour = ZONE_COLOUR[verdict]
        shapes.append(dot(42, middle, colour, radius=25, edge=f"{colour}-ink", title=name))
        y = middle - (20 if width == WIDE else 42)
        shapes.append(text(92, y, f"{name}: {stretch}", "ink", size=14, bold=True, align="left"))
        for words in (says, example):
            if words:
                lines, y_next = paragraph(
                    92, y + 20, words, "ink" if words == says else "muted", size=12, limit=width - 98
                )
                shapes += lines
                y = y_next - 20
    return Canvas(shapes, 8 + step * len(rows))
