"""What a register tells about the next check: claims so far and their pace, anchors' distances, how drawish games are.

May import: anchorhold.domain, anchorhold.matches, anchorhold.stats, anchorhold.checks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from pathlib import Path

from anchorhold.checks.claimed import gains_of, windows
from anchorhold.checks.games import JOURNAL_FILE, check_directory
from anchorhold.checks.state import CheckState, checks_of
from anchorhold.checks.unaudited import claims_after
from anchorhold.domain.entries import Entry
from anchorhold.domain.payloads import Anchor, Measurement
from anchorhold.matches.journal import Journal
from anchorhold.stats.elo import NoEstimate, elo_from_pentanomial, elo_of_score
from anchorhold.stats.outcomes import PAIR_SCORES, Pentanomial
from anchorhold.stats.power import correlation_of, draws_of

_SAMPLED = 200
"""Pairs whose times are looked at."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast claims come in."""

    elo_per_day: float
    since: date
    until: date

    def day_of(self, more: float) -> date | None:
        """Day on which so many more Elo will be claimed; None without a positive pace, or beyond all calendars."""
        if self.elo_per_day <= 0.0:
            return None
        try:
            return self.until + timedelta(days=math.ceil(max(more, 0.0) / self.elo_per_day))
        except OverflowError:
            return None


@dataclass(frozen=True, slots=True)
class MeasuredAnchors:
    """How main stood to the anchors when they were measured last, at the long stage, as its new version."""

    check: str
    scores: Mapping[str, float]
    """By anchor, 0 to 1."""
    distances: Mapping[str, float]
    """Main minus anchor, in Elo: by the score with half a point on either side, which also a won match has."""
    draws: float | None
    correlation: float | None


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the last measured check and the open window tell; None where they tell nothing."""

    check: str | None = None
    """The check that the measured figures are of."""
    claims: float | None = None
    """S of the open window; None when a claim has no value."""
    gains: int = 0
    pace: Pace | None = None
    distances: tuple[float, ...] | None = None
    """Measured Elo of new main over each anchor, long stage."""
    rating_errors: tuple[float, ...] | None = None
    draws: float | None = None
    """Effective share of draws between equals, over all anchors."""
    correlation: float | None = None
    """Between old's and new's pair scores on the same openings."""


def outlook_of(entries: Sequence[Entry]) -> Outlook:
    """Read what the next check can be planned with.

    Raises
    ------
    RegisterBroken
        Entries that no command of this program writes.
    """
    measured = [check for check in checks_of(entries) if ("new", "long") in check.measured()]
    last = measured[-1] if measured else None
    found = windows(entries)
    is_open = bool(found) and found[-1].until == entries[-1].seq
    gains = claims_after(entries, after=found[-1].after) if found and is_open else ()
    known = [gain.elo for gain in gains if gain is not None]
    return Outlook(
        check=None if last is None else last.id,
        claims=math.fsum(known) if len(known) == len(gains) else None,
        gains=len(gains),
        pace=_pace(entries),
        distances=None if last is None else _distances(last),
        rating_errors=None if last is None else tuple(one.rating_error for one in last.plan.anchor_set.anchors),
        draws=None if last is None else _draws(last),
        correlation=None if last is None else _correlation(last),
    )


def measured_anchors(checks: Sequence[CheckState], anchors: Sequence[Anchor]) -> MeasuredAnchors | None:
    """Read how main stood to these anchors; those that were other programs then are left out, None: all were."""
    for check in reversed(checks):
        if ("new", "long") not in check.measured():
            continue
        then = {anchor.name: anchor for anchor in check.plan.anchor_set.anchors}
        alike = {anchor.name for anchor in anchors if then.get(anchor.name) == anchor}
        samples = {name: one for name, one in _samples(check, "new").items() if name in alike and one.pairs}
        if not samples:
            continue
        return MeasuredAnchors(
            check=check.id,
            scores={name: _score(one) for name, one in samples.items()},
            distances={name: _distance(one) for name, one in samples.items()},
            draws=_draws(check),
            correlation=_correlation(check),
        )
    return None


def seconds_per_pair(data: Path, check_id: str) -> float | None:
    """Thinking time of both engines in one pair of a check, over its first pairs; None when its journal is not here."""
    path = check_directory(data, check_id) / JOURNAL_FILE
    if not path.is_file():
        return None
    with Journal.read(path) as journal:
        times = [
            math.fsum(move.seconds for game in record.games for move in game.moves)
            for record in islice(journal.pairs(run=check_id, stage="long"), _SAMPLED)
        ]
    return math.fsum(times) / len(times) if times else None


def _pace(entries: Sequence[Entry]) -> Pace | None:
    """Elo per day over all that was ever counted; None when it spans less than a day."""
    gains = [
        (date.fromisoformat(gain.date), gain.long.elo)
        for window in windows(entries)
        for gain in gains_of(entries, window)
        if gain.long is not None
    ]
    if not gains:
        return None
    first, last = min(day for day, _ in gains), max(day for day, _ in gains)
    days = (last - first).days
    if days < 1:
        return None
    return Pace(elo_per_day=math.fsum(elo for _, elo in gains) / days, since=first, until=last)


def _samples(check: CheckState, endpoint: str) -> dict[str, Pentanomial]:
    measurement: Measurement = check.measured()[(endpoint, "long")]
    return {name: Pentanomial(*counts.pentanomial) for name, counts in measurement.counts.items()}


def _distances(check: CheckState) -> tuple[float, ...] | None:
    """Return main minus each anchor; of one too far for an estimate, what its score says at least."""
    found = []
    for sample in _samples(check, "new").values():
        if not sample.pairs:
            return None
        try:
            found.append(elo_from_pentanomial(sample).elo)
        except NoEstimate:
            found.append(_distance(sample))
    return tuple(found) or None


def _score(sample: Pentanomial) -> float:
    return math.fsum(count * score for count, score in zip(sample.counts(), PAIR_SCORES, strict=True)) / sample.pairs


def _distance(sample: Pentanomial) -> float:
    """Return main minus anchor by the score with half a point on either side, which also a match won in full has."""
    return elo_of_score((_score(sample) * sample.pairs + 0.5) / (sample.pairs + 1))


def _draws(check: CheckState) -> float | None:
    shares = [(sample.pairs, draws_of(sample)) for sample in _samples(check, "new").values() if sample.pairs]
    pairs = sum(weight for weight, _ in shares)
    return math.fsum(weight * share for weight, share in shares) / pairs if pairs else None


def _correlation(check: CheckState) -> float | None:
    return correlation_of(check.measured()[("new", "long")].joint.values())
