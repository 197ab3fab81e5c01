"""One figure beside R: how it is written, and how the reason is found where it is missing.

May import: anchorhold.law, report.*.
"""

from __future__ import annotations

from dataclasses import dataclass

from anchorhold.law.result import Range, Result
from anchorhold.report.formulas import Formula
from anchorhold.report.reasons import reason_of
from anchorhold.report.texts import NOTHING, Texts


@dataclass(frozen=True, slots=True)
class SideFigure:
    """One figure that is recorded beside R and decides nothing."""

    key: str
    name: str
    value: str
    meaning: str
    """One plain sentence."""
    missing: str = ""
    """Why there is no value; empty when there is one."""
    formula: Formula | None = None


def elo(value: float | None, error: float | None, texts: Texts) -> str | None:
    """Write an Elo with its half-width; None stays None."""
    return None if value is None else texts.with_error(value, error, signed=True) + " Elo"


def with_interval(value: float | None, interval: tuple[float, float] | None, texts: Texts) -> str | None:
    """Write an Elo with its interval, where it is known; None stays None."""
    shown = elo(value, None, texts)
    return shown if shown is None or interval is None else f"{shown} ({texts.span(*interval)})"


def in_brackets(interval: Range | None, texts: Texts) -> str:
    """Write an interval to stand behind its figure; nothing where there is none."""
    return "" if interval is None else f" ({texts.span(interval.low, interval.high)})"


def figure(
    key: str, name: str, value: str | None, says: str, reasons: tuple[str, ...], result: Result, texts: Texts
) -> SideFigure:
    """Return the figure; where it is missing, the first note that gives the reason takes the place of its meaning."""
    if value is not None:
        return SideFigure(key, name, value, says)
    messages = {note.code: note.message for note in result.notes}
    found = next((code for code in reasons if code in messages), None)
    if found is None:
        return SideFigure(key, name, NOTHING, says, missing=texts.gettext("defects, gaps and notes say why."))
    return SideFigure(key, name, NOTHING, says, missing=reason_of(found, messages[found], texts))


def suspicion(suspected: bool, difference: float, band: float, texts: Texts) -> str:
    """Say whether overfitting is suspected, with S − ΔA and the band that it is held against."""
    _ = texts.gettext
    numbers = {"difference": texts.signed(difference), "band": texts.number(band)}
    if suspected:
        return _("suspected: S − ΔA = {difference} Elo, band {band}", **numbers)
    return _("not suspected: S − ΔA = {difference} Elo, band {band}", **numbers)
