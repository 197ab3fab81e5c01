"""A few pairs of main against every anchor, to see whether they are within reach of each other. Nothing is kept.

May import: anchorhold.domain, matches, stats.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from anchorhold.domain.engines import EngineSpec
from anchorhold.matches.books import Book
from anchorhold.matches.jobs import MatchRules
from anchorhold.matches.journal import Journal
from anchorhold.matches.runner import run
from anchorhold.matches.schedule import check_jobs
from anchorhold.stats.outcomes import PAIR_SCORES, Pentanomial

RUN, STAGE, ROLE = "trial", "long", "new"


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of it, seen from main."""

    by_anchor: Mapping[str, Pentanomial]

    @property
    def score(self) -> float:
        """Mean over all pairs, 0 to 1."""
        total = [0] * len(PAIR_SCORES)
        for pairs in self.by_anchor.values():
            total = [one + other for one, other in zip(total, pairs.counts(), strict=True)]
        return sum(count * value for count, value in zip(total, PAIR_SCORES, strict=True)) / sum(total)


def play_trial(
    main: EngineSpec, anchors: Sequence[EngineSpec], *, book: Book, pairs: int, workers: int, rules: MatchRules
) -> Trial:
    """Play the first openings of a book.

    Raises
    ------
    MatchStopped
        An engine cannot be started, or fails too often in a row.
    """
    jobs = check_jobs(
        run=RUN, stage=STAGE, endpoints={ROLE: main}, anchors=anchors, book=book, pairs=pairs, rules=rules
    )
    with (
        tempfile.TemporaryDirectory(prefix="anchorhold-") as folder,
        Journal.open(Path(folder) / "trial.journal", plan={}) as journal,
    ):
        run(jobs, journal=journal, workers=workers)
        return Trial(
            by_anchor={
                anchor.name: journal.pentanomial(run=RUN, endpoint=ROLE, anchor=anchor.name, stage=STAGE, until=pairs)
                for anchor in anchors
            }
        )
