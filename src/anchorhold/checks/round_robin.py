"""Games among the anchors: a round robin that is resumed where it stopped, from which they are rated.

One journal per set of engines, book and rules: games under other conditions are never added to it.
May import: anchorhold.canonical, anchorhold.errors, anchorhold.domain, anchorhold.matches, anchorhold.stats.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from anchorhold.canonical import digest
from anchorhold.domain.engines import EngineSpec
from anchorhold.errors import BadInput
from anchorhold.matches.books import Book
from anchorhold.matches.jobs import MatchRules
from anchorhold.matches.journal import Journal
from anchorhold.matches.pgn import PgnNames, save_pgn
from anchorhold.matches.runner import run
from anchorhold.matches.schedule import match_jobs, meetings
from anchorhold.matches.tablebases import tablebase_conditions
from anchorhold.stats.ratings import PairedResult

RUN, STAGE = "anchors", "match"


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """Who plays whom, under which conditions."""

    engines: tuple[EngineSpec, ...]
    identities: Mapping[str, object]
    """What each engine is, by hashing, under its name."""
    book: Book
    rules: MatchRules
    pairs: int
    """Per two engines: openings 1 to so many of the book."""

    @property
    def total(self) -> int:
        """Pairs in all."""
        return self.pairs * len(meetings(self.engines, tournament="round-robin"))

    def to_json(self) -> dict[str, object]:
        """Return what must be the same when it is resumed; the number of pairs may grow."""
        return {
            "engines": {engine.name: self.identities[engine.name] for engine in self.engines},
            "limits": {engine.name: engine.limit.to_json() for engine in self.engines},
            "book": self.book.sha256,
            "book_order": [self.book.order, self.book.seed],
            "variant": self.book.variant,
            "adjudication": self.rules.to_json(),
            "tablebases": tablebase_conditions(self.rules.tablebases),
        }


@dataclass(frozen=True, slots=True)
class Played:
    """The results, and where the games lie."""

    results: tuple[PairedResult, ...]
    games: Path
    """PGN of all of them."""


def play(
    plan: RoundRobin, *, directory: Path, workers: int, on_pair: Callable[[int, int], None] | None = None
) -> Played:
    """Play the round robin, or what its journal lacks of it.

    Parameters
    ----------
    directory : Path
        Gets ``<digest>.sqlite``, the journal, and ``<digest>.pgn``, named after engines, book and rules.
    on_pair : callable, optional
        Called at the start and after every pair with the pairs that are done and those of all.

    Raises
    ------
    BadInput
        Fewer than two engines, two of one name, or a directory that cannot be made.
    MatchStopped
        An engine cannot be started, or fails too often in a row; what was played is kept.
    """
    met = meetings(plan.engines, tournament="round-robin")
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot be made: {error.strerror}", where=str(directory)) from error
    conditions = plan.to_json()
    name = digest(conditions)[:12]
    with Journal.open(directory / f"{name}.sqlite", plan=conditions) as journal:
        done = itertools.count(sum(key.opening <= plan.pairs for key in journal.keys()))  # noqa: SIM118 (no mapping)

        def report() -> None:
            if on_pair is not None:
                on_pair(next(done), plan.total)

        report()
        jobs = match_jobs(
            run=RUN,
            engines=plan.engines,
            tournament="round-robin",
            book=plan.book,
            pairs=plan.pairs,
            rules=plan.rules,
            stage=STAGE,
        )
        run(jobs, journal=journal, workers=workers, on_outcome=lambda _: report())
        results = tuple(
            PairedResult(
                one.name,
                other.name,
                journal.pentanomial(run=RUN, endpoint=one.name, anchor=other.name, stage=STAGE, until=plan.pairs),
            )
            for one, other in met
        )
        limits = {(engine.name, STAGE): engine.limit for engine in plan.engines}
        games = directory / f"{name}.pgn"
        save_pgn(
            (record for record in journal.pairs(run=RUN) if record.key.opening <= plan.pairs),
            games,
            names=PgnNames(event="anchors, round robin", limits=limits),
        )
    return Played(results=results, games=games)
