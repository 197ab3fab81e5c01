"""Numbers and brackets as reports print them.

May import: anchorhold.importers.commits.fields.
"""

from __future__ import annotations

import re

from anchorhold.importers.commits.fields import Bounds
from anchorhold.importers.patterns import Pattern

NUMBER = r"(?>[-+]?(?:\d+(?:\.\d+)?|\.\d+))"
"""Taken whole or not at all: "2.97x" is no 2."""
COUNT = r"(?:\d{1,3}(?:[,'_]\d{3})+(?!\d)|\d+)"
MARGIN = r"(?:\+\s?/?\s?-|\+\\-|\+/\u2212)"

GROUP = Pattern(
    rf"\s*,?\s*(?:(?:with\s+|in\s+)?bounds?\s*:?\s*(?=[\[({{<]))?(?:(?P<pct>\(\s*{NUMBER}\s*%\s*\))"
    rf"|(?P<open>[\[({{<])\s*(?P<a>{NUMBER})\s*(?:,|;|\.\.+|\s|/|:|to)\s*(?P<b>{NUMBER})\s*(?P<close>[\])}}>]?))"
)
LONGEST_COUNT = 16
"""Digits; more are no count of games."""


def count(text: str) -> int | None:
    """Return a count of games or pairs; None when it has more digits than any count has."""
    digits = re.sub(r"[,'_]", "", text)
    return int(digits) if len(digits) <= LONGEST_COUNT else None


def number(text: str) -> float:
    """Return a printed number. Beyond any Elo or LLR is beyond this program: it is cut to a large finite one."""
    return max(-1e9, min(1e9, float(text)))


def groups_after(text: str, at: int) -> tuple[list[tuple[str, Bounds]], int]:
    """Read the bracketed pairs of numbers from ``at`` on; percentages are skipped. Returns where they end."""
    found = []
    while match := GROUP.match(text, at):
        if not match.group("pct"):
            found.append((match.group("open"), (number(match.group("a")), number(match.group("b")))))
        at = match.end()
    return found, at


def tell_apart(groups: list[tuple[str, Bounds]]) -> tuple[Bounds | None, Bounds | None, str]:
    """Say which pair bounds the LLR and which is in Elo, with the bracket of the latter.

    Round brackets hold the LLR's bounds, in whatever order; where all brackets are alike, the pair that Wald's bounds
    can be is the LLR's, the first of two such.
    """
    llr: Bounds | None = None
    elo: Bounds | None = None
    bracket = ""
    for opened, pair in groups:
        if opened == "(" and llr is None:
            llr = pair
        elif opened != "(" and elo is None:
            elo, bracket = pair, opened
        elif llr is None and elo is not None and looks_like_wald(elo) and not looks_like_wald(pair):
            llr, elo, bracket = elo, pair, opened
        elif llr is None and looks_like_wald(pair):
            llr = pair
        elif elo is None:
            elo, bracket = pair, opened
    if llr is None and elo is not None and len(groups) == 1 and looks_like_wald(elo):
        llr, elo, bracket = elo, None, ""
    return llr, elo, bracket


WALD = (
    1.39,
    1.73,
    1.85,
    1.89,
    2.20,
    2.25,
    2.83,
    2.89,
    2.94,
    2.95,
    3.18,
    3.89,
    4.44,
    4.55,
    4.6,
    4.61,
    6.91,
    9.21,
    11.51,
)


def looks_like_wald(pair: Bounds) -> bool:
    """Whether a pair is one of the field's bounds of the LLR, such as (-2.94, 2.94)."""
    return pair[0] < 0 < pair[1] and all(any(abs(abs(value) - known) < 0.006 for known in WALD) for value in pair)
