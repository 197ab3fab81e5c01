"""What a document holds of claims and counts, as it can be shown; what is none the result names, not we.

May import: anchorhold.stats, law, report.view.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from anchorhold.law.document import Counted, Document, StageReport
from anchorhold.law.result import Result
from anchorhold.report.view import Claim, ClaimStage, Endpoint, Sample, Stage
from anchorhold.stats.elo import EstimateRule, NoEstimate, elo_from_pentanomial, elo_from_trinomial
from anchorhold.stats.outcomes import Pentanomial, Trinomial


@dataclass(frozen=True, slots=True)
class Listed:
    """An entry of the window, whatever its kind."""

    seq: int
    kind: str
    id: str | None


def claims_of(
    result: Result,
    entries: Iterable[Listed],
    stages: Mapping[int, tuple[ClaimStage | None, ClaimStage | None]],
) -> tuple[Claim, ...]:
    """Return the window's entries as claims, in order; ``stages`` has short and long stage by entry."""
    why = {entry.seq: entry.why for entry in result.uncounted}
    claims = []
    for entry in entries:
        short, long = stages.get(entry.seq, (None, None))
        claims.append(
            Claim(
                seq=entry.seq,
                kind=entry.kind,
                id=entry.id,
                counted=entry.seq in result.counted,
                why=why.get(entry.seq, ""),
                short=short,
                long=long,
            )
        )
    return tuple(sorted(claims, key=lambda claim: claim.seq))


def reported(stage: StageReport | None, rule: EstimateRule) -> ClaimStage | None:
    """Return what a stage reports in logistic Elo; what it leaves out comes from its counts."""
    if stage is None:
        return None
    elo, error, from_counts = stage.elo, stage.elo_error, False
    if elo is None or error is None:
        estimate = _estimate(stage, rule)
        if estimate is not None:
            from_counts = elo is None
            elo = estimate[0] if elo is None else elo
            error = estimate[1] if error is None else error
    return ClaimStage(passed=stage.passed, elo=elo, error=error, from_counts=from_counts)


def _estimate(counted: Counted, rule: EstimateRule) -> tuple[float, float] | None:
    pairs, games = _counts(counted)
    # As the law has it: counts that carry no estimate are as if absent, pairs come before games.
    try:
        if pairs is not None:
            found = elo_from_pentanomial(pairs, rule=rule)
            return (found.elo, found.error)
    except NoEstimate:
        pass
    try:
        if games is not None:
            found = elo_from_trinomial(games, rule=rule)
            return (found.elo, found.error)
    except NoEstimate:
        pass
    return None


def sample_of(endpoint: Endpoint, stage: Stage, anchor: str, counted: Counted) -> Sample | None:
    """Return one measurement's counts; None where it has none that can be shown."""
    pairs, games = _counts(counted)
    if pairs is None and games is None:
        return None
    return Sample(endpoint=endpoint, stage=stage, anchor=anchor, pentanomial=pairs, trinomial=games)


def _counts(counted: Counted) -> tuple[Pentanomial | None, Trinomial | None]:
    """Counts as they can be shown; such that are none (negative, fractional) are the result's to name, not ours."""
    pairs = games = None
    five = counted.pentanomial
    if five is not None and all(count >= 0 and count == int(count) for count in five):
        pairs = Pentanomial(*(int(count) for count in five))
    three = (counted.wins, counted.draws, counted.losses)
    wins, draws, losses = (
        int(count) if count is not None and count >= 0 and count == int(count) else None for count in three
    )
    if wins is not None and draws is not None and losses is not None:
        games = Trinomial(wins=wins, draws=draws, losses=losses)
    return pairs, games


def joint_tables(document: Document) -> dict[str, tuple[tuple[int, ...], ...]]:
    """The joint tables that are ones; the others are the result's to name."""
    return {
        name: tuple(tuple(int(count) for count in row) for row in rows)
        for name, rows in (document.joint or {}).items()
        if rows is not None and all(count >= 0 and count == int(count) for row in rows for count in row)
    }
