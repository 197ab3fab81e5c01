"""The forest plot: every anchor's increase with its half-width and weight, the pooled increase, the heterogeneity.

May import: anchorhold.law, report.*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anchorhold.law.result import AnchorResult, Result
from anchorhold.report.pictures.axis import Axis, diamond, ends, grid, labels, whisker
from anchorhold.report.pictures.drawing import NARROW, WIDE, Canvas, Picture, box, line, picture, text
from anchorhold.report.texts import Texts


@dataclass(frozen=True, slots=True)
class _Row:
    name: str
    figure: str
    value: float | None
    error: float | None
    share: float | None
    weight: str


def forest(result: Result, *, texts: Texts) -> Picture | None:
    """Draw the anchors' increases with their half-widths, and the paired pooled increase; None when there is none."""
    if all(anchor.increase is None for anchor in result.anchors):
        return None
    _ = texts.gettext
    rows = [
        _Row(
            anchor.name,
            texts.with_error(anchor.increase, anchor.increase_error, signed=True)
            if anchor.increase is not None
            else _("not known"),
            anchor.increase,
            anchor.increase_error,
            share,
            texts.percent(share, 0),
        )
        for anchor, share in zip(result.anchors, weight_shares(result.anchors), strict=True)
    ]
    pooled = None
    if result.paired is not None:
        pooled = _Row(
            _("paired, pooled"),
            texts.with_error(result.paired.delta_a, result.paired.error, signed=True),
            result.paired.delta_a,
            result.paired.error,
            None,
            "",
        )
    spread = heterogeneity_in_short(result, texts)
    every = [*rows, *([pooled] if pooled else [])]
    description = _("Increase against each anchor in Elo:") + " "
    description += "; ".join(
        f"{row.name} {row.figure}" + ("" if row.share is None else " (" + _("share {share}", share=row.weight) + ")")
        for row in every
    )
    description += f". {spread}" if spread else "."
    return picture(lambda width: _draw(rows, pooled, spread, texts, width), description)


def heterogeneity_in_short(result: Result, texts: Texts) -> str:
    """Return Q, p, I² and τ in a line; empty when they are not known."""
    found = result.heterogeneity
    if found is None:
        return ""
    return texts.gettext(
        "Q = {q}, p = {p}, I² = {i2}, τ = {tau} Elo",
        q=texts.number(found.q),
        p=texts.number(found.p, 3),
        i2=texts.percent(found.i2, 0),
        tau=texts.number(found.tau),
    )


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


def _draw(rows: Sequence[_Row], pooled: _Row | None, spread: str, texts: Texts, width: int) -> Canvas:
    every = [*rows, *([pooled] if pooled else [])]
    wide = width == WIDE
    assert wide or width == NARROW, "there are two widths"
    step = 34 if wide else 44
    axis = Axis.over(
        (end for row in every if row.value is not None for end in ends(row.value, row.error)),
        left=210 if wide else 6,
        right=width - 196 if wide else width - 6,
    )
    head = 26.0 if wide else 10.0
    bottom = head + step * len(every) + 6
    shapes = labels(axis, top=bottom + 6, texts=texts)
    if wide:
        shapes += grid(axis, top=head, bottom=bottom)
        shapes.append(text(6, 12, texts.gettext("anchor"), "muted", size=11, align="left"))
        shapes.append(text(width - 138, 12, texts.gettext("weight"), "muted", size=11, align="right"))
        shapes.append(text(width - 6, 12, texts.gettext("increase"), "muted", size=11, align="right"))
    if pooled is not None and pooled.value is not None:
        place = axis.place(pooled.value)
        # On a narrow picture the names stand above the intervals, and no line may run through them.
        stretches = [(head, bottom)] if wide else [(32.0 + step * n, 52.0 + step * n) for n in range(len(every))]
        shapes += [line(place, upper, place, lower, "arrived", dash="4 4") for upper, lower in stretches]
    for number, row in enumerate(every):
        top = head + step * number
        middle = top + step / 2 if wide else top + 31
        bold = row is pooled
        if wide:
            shapes.append(text(6, middle, row.name, "ink", size=13, bold=bold, align="left", limit=195))
            shapes.append(text(width - 138, middle, row.weight, "muted", size=13, align="right"))
            shapes.append(text(width - 6, middle, row.figure, "ink", size=13, bold=bold, align="right"))
        else:
            name = f"{row.name} ({row.weight})" if row.share is not None else row.name
            shapes.append(text(6, top + 13, name, "ink", size=12.5, bold=bold, align="left", limit=200))
            shapes.append(text(width - 6, top + 13, row.figure, "ink", size=12.5, bold=bold, align="right"))
        if row.value is None:
            continue
        if not wide:
            shapes += grid(axis, top=middle - 9, bottom=middle + 9)
        title = f"{row.name}: {row.figure} Elo"
        if row is pooled:
            shapes.append(diamond(axis, row.value, row.error, middle, title=title))
        else:
            shapes += whisker(axis, row.value, row.error, middle)
            # The area of the square is the anchor's share of the weights, as forest plots have it.
            half = (480 * (row.share or 0.1)) ** 0.5 / 2
            centre = axis.place(row.value)
            shapes.append(
                box(centre - half, middle - half, centre + half, middle + half, "arrived", plane=2, title=title)
            )
    height = bottom + 34
    if spread:
        shapes.append(text(6, height + 12, spread, "ink", size=12, align="left"))
        height += 24
    return Canvas(shapes, height)
