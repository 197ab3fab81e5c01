"""The numbers of each picture as a table: for readers who cannot see it, and for whoever wants to compute.

May import: anchorhold.law, report.*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anchorhold.law.result import Result
from anchorhold.report.claimed import ClaimedWindow
from anchorhold.report.history import PastCheck
from anchorhold.report.pictures.checks import verdict_of
from anchorhold.report.pictures.claimed import window_name
from anchorhold.report.pictures.explained import boxes_of, lights_of
from anchorhold.report.pictures.pairs import Opponent
from anchorhold.report.pictures.waterfall import Level
from anchorhold.report.scale import Thresholds
from anchorhold.report.sureness import Sureness
from anchorhold.report.texts import NOTHING, Texts
from anchorhold.report.view import CheckView


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: its first column names the row."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def scale_table(view: CheckView, texts: Texts) -> Grid:
    """Return what the R scale shows."""
    _, result, limits = texts.gettext, view.result, view.thresholds.as_tuple()
    band, fieller = result.band, result.fieller
    return Grid(
        _("The R scale in numbers"),
        (_("what"), _("value")),
        (
            ("R", texts.ratio(result.r, limits)),
            (_("HALT below"), texts.number(limits[0])),
            (_("CONTINUE from"), texts.number(limits[1])),
            (_("Monte-Carlo band of R"), texts.span(band.low, band.high) if band else texts.span(None, None)),
            (
                _("Fieller interval of R"),
                texts.span(fieller.low, fieller.high) if fieller else texts.span(None, None),
            ),
        ),
    )


def fall_table(rows: Sequence[Level], texts: Texts) -> Grid:
    """Return the levels of the waterfall with what was lost before each."""
    _ = texts.gettext
    return Grid(
        _("The fall from the claims to what arrived, logistic Elo"),
        (_("level"), _("value"), _("against the level above"), _("what it is")),
        tuple((row.name, row.figure, row.fall, row.under) for row in rows),
    )


def boxes_table(result: Result, thresholds: Thresholds, texts: Texts) -> Grid:
    """Return the six boxes from games to R."""
    _ = texts.gettext
    return Grid(
        _("From games to R in six boxes"),
        (_("box"), _("what it is"), _("value")),
        tuple(
            (f"{number}. {title}", says, figure)
            for number, (title, says, figure) in enumerate(boxes_of(result, thresholds, texts), 1)
        ),
    )


def lights_table(thresholds: Thresholds, texts: Texts) -> Grid:
    """Return the three lights with what each means."""
    _ = texts.gettext
    return Grid(
        _("The traffic light of R"),
        (_("verdict"), "R", _("what follows"), _("invented example")),
        tuple(
            (name, stretch, says, example or NOTHING)
            for _verdict, name, stretch, says, example in lights_of(thresholds, texts)
        ),
    )


def pairs_table(every: Sequence[Opponent], texts: Texts) -> Grid | None:
    """Return all counts, one row for each bar; None when there are none, or not all of one kind."""
    _ = texts.gettext
    if not every or len({one.classes for one in every}) > 1:
        return None
    return Grid(
        _("Counts of the long stage, seen from main"),
        (_("anchor"), _("version"), *every[0].classes),
        tuple(
            (one.name, bars.endpoint, *(texts.whole(count) for count in bars.counts))
            for one in every
            for bars in one.bars
        ),
    )


def chances_table(found: Sureness, texts: Texts) -> Grid:
    """Return the chances of each verdict at some true R, for both numbers of pairs."""
    _ = texts.gettext
    rows = []
    for now, then in zip(found.played.rows, found.more.rows, strict=True):
        shares = [texts.percent(share) for row in (now, then) for share in (row.halt, row.warn, row.proceed)]
        rows.append((texts.number(now.ratio), *shares))
    heads = [
        f"{name}, {texts.whole(curve.pairs)}"
        for curve in (found.played, found.more)
        for name in (_("HALT"), _("WARN"), _("CONTINUE"))
    ]
    return Grid(
        _("Chance of each verdict, by the true R and the pairs against each anchor"),
        (_("true R"), *heads),
        tuple(rows),
    )


def history_table(past: Sequence[PastCheck], thresholds: Thresholds, texts: Texts) -> Grid:
    """Return all checks."""
    _ = texts.gettext
    return Grid(
        _("All checks of the register up to this one"),
        (
            _("check"),
            _("new version"),
            _("verdict"),
            "R",
            _("band"),
            _("edition"),
            _("attempt"),
            _("released"),
            _("recorded"),
        ),
        tuple(
            (
                check.id,
                check.version,
                verdict_of(check, texts),
                texts.ratio(check.r, thresholds.as_tuple()),
                texts.span(check.low, check.high),
                str(check.edition),
                texts.whole(check.attempt),
                _("yes") if check.released else NOTHING,
                texts.moment(check.recorded_at),
            )
            for check in past
        ),
    )


def claimed_table(found: Sequence[ClaimedWindow], thresholds: Thresholds, texts: Texts) -> Grid:
    """Return the windows with their sums."""
    _ = texts.gettext
    return Grid(
        _("Counted gains by window, logistic Elo"),
        (_("window"), _("entries"), _("counted"), "S", "R"),
        tuple(
            (
                window_name(window, texts),
                texts.gettext("{first} to {last}", first=window.after + 1, last=window.until),
                texts.whole(len(window.gains)),
                texts.with_error(window.s, window.error),
                texts.ratio(window.r, thresholds.as_tuple()),
            )
            for window in found
        ),
    )
