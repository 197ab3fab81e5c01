"""Two pictures over all checks, as SVG without inline style: R with its zones, and claims beside what arrived.

Colours are the report's, by class; each picture comes in two widths, of which a page shows one. Everything in them
stands in the table of checks as well. May import: anchorhold.report, anchorhold.web.overview.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate, pairwise

from anchorhold.report.texts import Texts
from anchorhold.web.overview import CheckLine, Overview
from anchorhold.web.texts import day

WIDE, NARROW = 760, 328
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 14, 30, 34
_LOWEST, _HIGHEST = -0.5, 1.75
"""R beyond these is drawn at the edge, as an arrow."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture in both widths, with its description in words."""

    wide: str
    narrow: str
    description: str


def r_over_checks(overview: Overview, texts: Texts) -> Chart | None:
    """Draw R of every closed check over its zones, with its band; editions and releases are marked. None: no check."""
    checks = overview.closed
    if not checks:
        return None
    _ = texts.gettext
    said = [f"{check.id}: {_r(check, texts)}" for check in checks[-12:]]
    first = _("R of the last {count} checks", count=len(said)) if len(said) < len(checks) else _("R of every check")
    return _chart(lambda width: _draw_r(checks, texts, width), f"{first}: {'; '.join(said)}.")


def claims_over_time(overview: Overview, texts: Texts) -> Chart | None:
    """Draw the sum of what was claimed and of what arrived, from check to check. None: no check has both."""
    checks = [check for check in overview.closed if check.s is not None and check.delta_a is not None]
    if not checks:
        return None
    _ = texts.gettext
    claimed = list(accumulate(check.s or 0.0 for check in checks))
    arrived = list(accumulate(check.delta_a or 0.0 for check in checks))
    pending = overview.claims.s.value if overview.claims is not None else None
    description = _(
        "Over {count} checks {claimed} Elo were claimed and {arrived} Elo arrived.",
        count=texts.whole(len(checks)),
        claimed=texts.number(claimed[-1], 1),
        arrived=texts.number(arrived[-1], 1),
    )
    return _chart(lambda width: _draw_claims(checks, claimed, arrived, pending, texts, width), description)


def _chart(draw: Callable[[int], tuple[int, list[str]]], description: str) -> Chart:
    def svg(width: int) -> str:
        height, shapes = draw(width)
        return (
            f'<svg class="chart" viewBox="0 0 {width} {height}" role="group" aria-label="{escape(description)}">'
            f"{''.join(shapes)}</svg>"
        )

    return Chart(svg(WIDE), svg(NARROW), description)


def _r(check: CheckLine, texts: Texts) -> str:
    verdict = texts.gettext(check.verdict) if check.verdict else ""
    if check.r is None:
        return verdict
    limits = tuple(limit for limit in (check.halt_below, check.continue_from) if limit is not None)
    return f"{verdict}, R = {texts.ratio(check.r, limits)}"


def _draw_r(checks: Sequence[CheckLine], texts: Texts, width: int) -> tuple[int, list[str]]:
    height = 300 if width == WIDE else 250
    rs = [check.r for check in checks if check.r is not None]
    low = max(_LOWEST, min([0.0, *rs])) - 0.08
    high = min(_HIGHEST, max([1.0, *rs])) + 0.08
    x = _places(len(checks), width)
    bottom = height - _BOTTOM

    def y(value: float) -> float:
        return bottom - (bottom - _TOP) * (min(max(value, low), high) - low) / (high - low)

    shapes = [*_zones(checks, x, y, low=low, high=high, width=width)]
    for tick in (-0.5, 0.0, 0.5, 1.0, 1.5):
        if low <= tick <= high:
            shapes.append(_text(_LEFT - 6, y(tick) + 4, texts.number(tick, 1), "muted", anchor="end"))
            shapes.append(_line(_LEFT - 3, y(tick), _LEFT, y(tick), "axis"))
    for number, check in enumerate(checks):
        if number and check.edition != checks[number - 1].edition:
            middle = (x[number] + x[number - 1]) / 2
            shapes.append(_line(middle, _TOP - 8, middle, bottom, "edition"))
            name = texts.gettext("edition {edition}", edition=check.edition)
            anchor = "end" if middle > width / 2 else "start"
            shapes.append(_text(middle + (-4 if anchor == "end" else 4), _TOP - 10, name, "muted", anchor=anchor))
    size = 6.0 if len(checks) <= 40 else 3.5 if len(checks) <= 120 else 2.5
    shapes += [_point(check, place, y, bottom, size, texts) for check, place in zip(checks, x, strict=True)]
    return height, shapes + _under(checks, width, height, texts)


def _zones(
    checks: Sequence[CheckLine],
    x: Sequence[float],
    y: Callable[[float], float],
    *,
    low: float,
    high: float,
    width: int,
) -> list[str]:
    """The zones as each check had them: an edition of its own may draw the lines elsewhere."""
    shapes: list[str] = []
    edges_of_zones: list[str] = []
    edges = [_LEFT, *((a + b) / 2 for a, b in pairwise(x)), width - _RIGHT]
    start = 0
    for number, check in enumerate(checks):
        last = number == len(checks) - 1
        same = not last and (check.halt_below, check.continue_from) == (
            checks[number + 1].halt_below,
            checks[number + 1].continue_from,
        )
        if same:
            continue
        if check.halt_below is not None and check.continue_from is not None:
            left, right = edges[start], edges[number + 1]
            lines = (low, check.halt_below, check.continue_from, high)
            for limit in lines[1:-1]:
                edges_of_zones.append(_line(left, y(limit), right, y(limit), "limit"))
            for name, one, other in zip(("halt", "warn", "continue"), lines, lines[1:], strict=False):
                top, under = y(other), y(one)
                shapes.append(
                    f'<rect class="zone-{name}" x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}"'
                    f' height="{max(under - top, 0):.1f}"/>'
                )
        start = number + 1
    return shapes + edges_of_zones


def _point(check: CheckLine, x: float, y: Callable[[float], float], bottom: float, size: float, texts: Texts) -> str:
    """A check as a link to its report: a point on its band, a square when released, a cross when there is no R."""
    title = f"<title>{escape(f'{check.id}: {check.old} → {check.new}, {_r(check, texts)}')}</title>"
    if check.r is None:
        at, reach = bottom - 8, max(size - 1, 2.5)
        mark = (
            f'<path class="no-r" d="M{x - reach:.1f} {at - reach:.1f}l{2 * reach:.1f} {2 * reach:.1f}'
            f'm0 {-2 * reach:.1f}l{-2 * reach:.1f} {2 * reach:.1f}"/>'
        )
    else:
        at = y(check.r)
        band = "" if check.band is None else _line(x, y(check.band[0]), x, y(check.band[1]), "band")
        if check.released:
            reach = size + 1
            shape = (
                f'<path class="point released" d="M{x:.1f} {at - reach:.1f}l{reach:.1f} {reach:.1f}'
                f'l{-reach:.1f} {reach:.1f}l{-reach:.1f} {-reach:.1f}z"/>'
            )
        elif not _LOWEST <= check.r <= _HIGHEST:
            turn = size if check.r > 0 else -size
            at += turn
            shape = (
                f'<path class="point" d="M{x - size:.1f} {at + turn:.1f}h{2 * size:.1f}l{-size:.1f} {-2 * turn:.1f}z"/>'
            )
        else:
            shape = f'<circle class="point" cx="{x:.1f}" cy="{at:.1f}" r="{size}"/>'
        mark = band + shape
    return f'<a href="{escape(check.page)}" aria-label="{escape(check.id)}" tabindex="-1">{title}{mark}</a>'


def _draw_claims(
    checks: Sequence[CheckLine],
    claimed: Sequence[float],
    arrived: Sequence[float],
    pending: float | None,
    texts: Texts,
    width: int,
) -> tuple[int, list[str]]:
    _ = texts.gettext
    height = 250 if width == WIDE else 220
    x = _places(len(checks) + (pending is not None), width)
    most = claimed[-1] + pending if pending is not None else claimed[-1]
    low, high = min(0.0, *claimed, *arrived), max(1.0, *claimed, *arrived, most)
    bottom = height - _BOTTOM

    def y(value: float) -> float:
        return bottom - (bottom - _TOP) * (value - low) / (high - low)

    shapes = [_line(_LEFT, y(0.0), width - _RIGHT, y(0.0), "axis")]
    step = _round_step((high - low) / 4)
    tick = step * -(-low // step)
    while tick <= high:
        shapes.append(_line(_LEFT, y(tick), width - _RIGHT, y(tick), "gridline"))
        shapes.append(_text(_LEFT - 6, y(tick) + 4, texts.number(tick, 0 if step >= 1 else 1), "muted", anchor="end"))
        tick += step
    for name, values in (("claimed", claimed), ("arrived", arrived)):
        points = [(_LEFT, y(0.0)), *((place, y(value)) for place, value in zip(x, values, strict=False))]
        path = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in points)
        shapes.append(f'<path class="run {name}" d="{path}"/>')
        if len(checks) <= 60:
            shapes += [f'<circle class="dot {name}" cx="{a:.1f}" cy="{b:.1f}" r="3.5"/>' for a, b in points[1:]]
    if pending is not None:
        last = x[len(checks) - 1]
        shapes.append(_line(last, y(claimed[-1]), x[-1], y(most), "pending"))
        shapes.append(f'<circle class="dot open" cx="{x[-1]:.1f}" cy="{y(most):.1f}" r="4"/>')
    shapes.append(_text(_LEFT, 14, "Elo", "muted"))
    names = (("claimed", _("claimed, ΣS")), ("arrived", _("arrived, ΣΔA")))
    # One text, so that the browser spaces it by its own font.
    said = "\N{EM SPACE}".join(f'<tspan class="key {name}">●</tspan> {escape(words)}' for name, words in names)
    shapes.append(f'<text class="ink" x="{width - _RIGHT}" y="14" text-anchor="end">{said}</text>')
    return height, shapes + _under(checks, width, height, texts)


def _round_step(rough: float) -> float:
    """1, 2 or 5 times a power of ten, not below ``rough``."""
    size = 10.0 ** len(str(int(rough))) / 10 if rough >= 1 else 0.1
    return next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough or factor == 10)


def _places(count: int, width: int) -> list[float]:
    room = width - _LEFT - _RIGHT
    return [_LEFT + room * (number + 0.5) / count for number in range(count)]


def _under(checks: Sequence[CheckLine], width: int, height: int, texts: Texts) -> list[str]:
    """The days of the first check, of the last, and between them where there is room."""
    last = len(checks) - 1
    shown = [(0, float(_LEFT), "start")]
    if last > 0:
        shown.append((last, float(width - _RIGHT), "end"))
    if width == WIDE and last > 3:
        shown.append((last // 2, _places(len(checks), width)[last // 2], "middle"))
    return [
        _text(place, height - 12, day(checks[number].closed_at, texts), "muted", anchor=anchor)
        for number, place, anchor in shown
    ]


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x: float, y: float, words: str, kind: str, *, anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'
