"""What a report shows: a result with everything that is known around it.

A result alone is enough; a document or a register adds anchors, counts, claims, conditions and digests. What is not
known is None or empty, and the report leaves it out. Elo is logistic, errors are 95 % half-widths, counts are seen
from main. May import: anchorhold.stats, domain, law, report.*.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from anchorhold.domain.contract import Contract
from anchorhold.domain.payloads import Build
from anchorhold.law.result import Result
from anchorhold.report.claimed import ClaimedWindow
from anchorhold.report.history import PastCheck
from anchorhold.report.scale import Thresholds
from anchorhold.stats.elo import EstimateRule, Moments, moments
from anchorhold.stats.outcomes import GAME_SCORES, PAIR_SCORES, Pentanomial, Trinomial

Stage = Literal["long", "short"]
Endpoint = Literal["old", "new", "direct"]


@dataclass(frozen=True, slots=True)
class Sample:
    """The games of one endpoint against one anchor at one stage; one of the two counts is there."""

    endpoint: Endpoint
    stage: Stage
    anchor: str
    pentanomial: Pentanomial | None = None
    trinomial: Trinomial | None = None

    @property
    def games(self) -> int:
        """Number of games."""
        if self.pentanomial is not None:
            return 2 * self.pentanomial.pairs
        return self.trinomial.games if self.trinomial is not None else 0

    def moments(self, rule: EstimateRule) -> Moments:
        """Number, mean score and variance that δ rests on: of pairs, or of games where there are no pairs."""
        if self.pentanomial is not None:
            return moments(self.pentanomial.counts(), PAIR_SCORES, zero_count=rule.zero_count)
        assert self.trinomial is not None, "a sample has counts"
        return moments(self.trinomial.counts(), GAME_SCORES, zero_count=rule.zero_count)


@dataclass(frozen=True, slots=True)
class AnchorView:
    """An anchor of the pinned set; the rating is None where it is missing."""

    name: str
    sha256: str
    rating: float | None
    rating_error: float | None
    version: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, object] = field(default_factory=dict)
    limit: Mapping[str, object] = field(default_factory=dict)
    protocol: str | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class ClaimStage:
    """What one stage of a test gave: the reported figure, or the one of its counts."""

    passed: bool | None
    elo: float | None
    error: float | None
    from_counts: bool
    """No figure was reported; the counts gave it."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A register entry of the window."""

    seq: int
    kind: str
    id: str | None
    counted: bool
    why: str
    """Why it is not counted, as the result has it; empty when it is."""
    short: ClaimStage | None = None
    long: ClaimStage | None = None


@dataclass(frozen=True, slots=True)
class Version:
    """One version of main."""

    version: str
    sha256: str | None = None
    build: Build | None = None
    """None: the program was ready-made."""


@dataclass(frozen=True, slots=True)
class GamesDigest:
    """Digest of the games of one measurement."""

    endpoint: Endpoint
    stage: Stage
    sha256: str
    reused_from: str | None = None
    """The earlier check that these games were played for."""


@dataclass(frozen=True, slots=True)
class CheckView:
    """Everything that a report may show."""

    result: Result
    contract: Contract
    project: str | None = None
    check: str | None = None
    old: Version | None = None
    new: Version | None = None
    opened_at: str | None = None
    """UTC, RFC 3339."""
    closed_at: str | None = None
    closing_hash: str | None = None
    """Hash of the register entry that holds the result."""
    conditions: Mapping[str, object] = field(default_factory=dict)
    conditions_short: Mapping[str, object] = field(default_factory=dict)
    """What differs at the short stage."""
    anchors: tuple[AnchorView, ...] = ()
    anchor_set_digest: str | None = None
    samples: tuple[Sample, ...] = ()
    planned_pairs: Mapping[str, int] = field(default_factory=dict)
    """Pairs against each anchor by stage; ``direct``: between the versions."""
    claims: tuple[Claim, ...] = ()
    window: tuple[int, int] | None = None
    """The entries after the first up to the second."""
    games: tuple[GamesDigest, ...] = ()
    games_files: Mapping[str, str] = field(default_factory=dict)
    """Links to games that lie near the page, by their digest."""
    games_pages: Mapping[str | None, str] = field(default_factory=dict)
    """Links to the pages of the games, by anchor; None: the direct match."""
    attempts: int | None = None
    """1 for the first check of its window, 2 for the next …"""
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """95 % intervals of the corrected sums, by their names in the result."""
    joint: Mapping[str, tuple[tuple[int, ...], ...]] = field(default_factory=dict)
    """Old's pair scores (rows) by new's, on the same openings, by anchor."""
    history: tuple[PastCheck, ...] = ()
    """All checks of the register up to this one."""
    claimed: tuple[ClaimedWindow, ...] = ()
    """All windows of the register up to this one."""

    @property
    def thresholds(self) -> Thresholds:
        """Where R changes its verdict."""
        return Thresholds.of(self.contract.parameters)

    def anchor(self, name: str) -> AnchorView | None:
        """Return an anchor's identity; None when it is not known."""
        return next((anchor for anchor in self.anchors if anchor.name == name), None)

    def sample(self, endpoint: Endpoint, anchor: str, stage: Stage = "long") -> Sample | None:
        """Return the games of one endpoint against one anchor; None when their counts are not known."""
        wanted = (endpoint, anchor, stage)
        return next((s for s in self.samples if (s.endpoint, s.anchor, s.stage) == wanted), None)
