"""The tables of docs/explanation/case-study.md, from the register beside it; ``make_docs.py`` puts them in.

May import: anchorhold.
"""

from __future__ import annotations

from pathlib import Path

from anchorhold.checks.claimed import Claims, Sum, claims_of
from anchorhold.domain.entries import Entry
from anchorhold.law.document import Window
from anchorhold.register.exporting import read_export
from anchorhold.stats.elo import elo_from_pentanomial
from anchorhold.stats.outcomes import Pentanomial

REGISTER = Path(__file__).parent.parent / "docs" / "case-study.jsonl"
DIRECT = (
    # Window, openings, and the project's own match of its newest version against the release, 60,000 games.
    ("sf_13", "sf_14", "balanced", (14, 1443, 22127, 6146, 270)),
    ("sf_14", "sf_15", "balanced", (5, 711, 22489, 6557, 238)),
    ("sf_14", "sf_15", "unbalanced", (17, 1335, 12388, 15750, 510)),
    ("sf_15", "sf_15.1", "balanced", (21, 1389, 25902, 2657, 31)),
    ("sf_15", "sf_15.1", "unbalanced", (73, 4844, 17208, 7820, 55)),
    ("sf_15", "sf_16", "unbalanced", (26, 2938, 16102, 10805, 129)),
    ("sf_16", "sf_16.1", "unbalanced", (65, 4832, 15656, 9272, 175)),
    ("sf_16", "sf_17", "unbalanced", (50, 3562, 15030, 11150, 208)),
    ("sf_17", "sf_17.1", "unbalanced", (30, 4520, 17407, 7996, 47)),
)


def tables() -> str:
    """Return what was claimed, and how much of it direct matches found."""
    entries = read_export(REGISTER.read_bytes(), where=REGISTER.name)
    marks = {str(entry.payload["id"]): entry.seq for entry in entries if entry.kind == "note"}
    return "\n".join(
        [
            "| window | gains | S, long stage | S, short stage | S, normalized | S, median-unbiased | no long test |",
            "| --- | --- | --- | --- | --- | --- | --- |",
            *_claimed(entries, marks),
            "",
            "| window | openings | pairs with 0, ½, 1, 1½, 2 points | D | S | survival D/S, 95 % interval |",
            "| --- | --- | --- | --- | --- | --- |",
            *_found_again(entries, marks),
        ]
    )


def window_claims(first: str, last: str, *, direct: tuple[float, float] | None = None) -> Claims:
    """Return the claims between two marks."""
    entries = read_export(REGISTER.read_bytes(), where=REGISTER.name)
    marks = {str(entry.payload["id"]): entry.seq for entry in entries if entry.kind == "note"}
    return claims_of(entries, Window(after=marks.get(first, 1), until=marks[last]), direct=direct)


def _claimed(entries: tuple[Entry, ...], marks: dict[str, int]) -> list[str]:
    rows = []
    for first, last in zip(["sf_11", *marks], marks, strict=False):
        found = claims_of(entries, Window(after=marks.get(first, 1), until=marks[last]))
        cells = [
            f"{_name(first)} to {_name(last)}",
            str(len(found.counted)),
            _sum(found.s),
            _sum(found.s_short),
            _sum(found.s_normalized, decimals=0),
            "–" if found.s_median_unbiased.value is None else f"{found.s_median_unbiased.value:.1f}",
            f"{100 * found.without_long_test / found.changes:.0f} %",
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return rows


def _found_again(entries: tuple[Entry, ...], marks: dict[str, int]) -> list[str]:
    rows = []
    for first, last, openings, counts in DIRECT:
        met = elo_from_pentanomial(Pentanomial(*counts))
        found = claims_of(entries, Window(after=marks[first], until=marks[last]), direct=(met.elo, met.error))
        assert found.direct is not None
        assert found.direct.survival is not None
        assert found.direct.interval is not None
        low, high = found.direct.interval.low, found.direct.interval.high
        rows.append(
            f"| {_name(first)} to {_name(last)} | {openings} | {','.join(map(str, counts))} | {met.elo:.1f} ± "
            f"{met.error:.1f} | {found.s.value:.1f} | {found.direct.survival:.2f} ({low:.2f} to {high:.2f}) |"
        )
    return rows


def _name(mark: str) -> str:
    return "August 2026" if mark == "HEAD" else mark.removeprefix("sf_")


def _sum(total: Sum, *, decimals: int = 1) -> str:
    if total.value is None or total.low is None or total.high is None:
        return "–"
    return f"{total.value:.{decimals}f} ± {(total.high - total.low) / 2:.{decimals}f}"
