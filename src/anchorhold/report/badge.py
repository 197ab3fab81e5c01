"""A badge of what the gate says: JSON for shields.io's endpoint, and an SVG of our own.

R is cut, not rounded, to two decimals: 0.399999999 halts and must not read 0.40. Source of the JSON's form:
https://shields.io/badges/endpoint-badge. May import: nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

LABEL = "anchorhold"
BadgeState = Literal["continue", "warn", "held", "released", "gap", "broken", "none"]

# What shields.io calls the colours, and the same as they are drawn: white text on each has a contrast of 4.5 or more.
_COLOURS = {
    "green": ("green", "#2d7d1e"),
    "amber": ("orange", "#a15c00"),
    "red": ("red", "#c62828"),
    "grey": ("lightgrey", "#5f6368"),
}
_LOOK: dict[BadgeState, tuple[str, str]] = {
    "continue": ("continue", "green"),
    "warn": ("warn", "amber"),
    "held": ("held", "red"),
    "released": ("halt, released", "amber"),
    "gap": ("nothing confirmed", "grey"),
    "broken": ("register broken", "red"),
    "none": ("no check yet", "grey"),
}

HEIGHT, SIDE, FONT = 20, 6, 11
_NARROW, _WIDE = "fijlrtI1.,:;!|'()[] ", "mwMWΔ%@"
_EM = {"narrow": 0.36, "usual": 0.6, "wide": 0.9}


@dataclass(frozen=True, slots=True)
class Badge:
    """What a badge says."""

    state: BadgeState
    r: float | None = None
    """R of the check that the state is of."""
    label: str = LABEL

    @property
    def message(self) -> str:
        """The right half: R where there is one, and the state."""
        said = _LOOK[self.state][0]
        return said if self.r is None else f"R {_cut(self.r)} · {said}"


def badge_json(badge: Badge) -> dict[str, object]:
    """Return what shields.io's endpoint reads."""
    members: dict[str, object] = {
        "schemaVersion": 1,
        "label": badge.label,
        "message": badge.message,
        "color": _COLOURS[_LOOK[badge.state][1]][0],
    }
    if badge.state == "broken":
        members["isError"] = True
    return members


def badge_svg(badge: Badge) -> str:
    """Draw the badge; its title says in words what it shows."""
    left, right = (round(_width(text) + 2 * SIDE) for text in (badge.label, badge.message))
    colour = _COLOURS[_LOOK[badge.state][1]][1]
    title = f"{badge.label}: {badge.message}"
    # textLength holds the words inside their half whatever font the reader has.
    words = "".join(
        f'<text x="{x + width / 2:g}" y="14" textLength="{width - 2 * SIDE}" lengthAdjust="spacingAndGlyphs">'
        f"{escape(text)}</text>"
        for x, width, text in ((0, left, badge.label), (left, right, badge.message))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{HEIGHT}" role="img" '
        f"aria-label={quoteattr(title)}><title>{escape(title)}</title>"
        f'<rect width="{left + right}" height="{HEIGHT}" rx="3" fill="#3c4043"/>'
        f'<path d="M{left} 0h{right - 3}a3 3 0 0 1 3 3v{HEIGHT - 6}a3 3 0 0 1 -3 3h-{right - 3}z" fill="{colour}"/>'
        f'<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="{FONT}">'
        f"{words}</g></svg>\n"
    )


def _cut(r: float) -> str:
    """Two decimals, towards minus infinity: never into the zone above."""
    cut = math.floor(round(r * 100, 7)) / 100
    return f"{cut:.2f}" if abs(cut) < 1e6 else f"{cut:.3g}"


def _width(text: str) -> float:
    return sum(FONT * _EM["narrow" if letter in _NARROW else "wide" if letter in _WIDE else "usual"] for letter in text)
