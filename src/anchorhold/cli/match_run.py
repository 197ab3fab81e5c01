"""A plain match while it is played: counts, display, games file, the sequential test that may end it.

May import: anchorhold.cli.match_figures, match_live, match_plan, playing, anchorhold.errors, anchorhold.matches,
anchorhold.oracle.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from anchorhold.cli.match_figures import Meeting, SprtState, Tallies
from anchorhold.cli.match_live import Display
from anchorhold.cli.match_plan import RUN, STAGE, MatchPlan
from anchorhold.cli.playing import player
from anchorhold.errors import BadState
from anchorhold.matches.books import Book
from anchorhold.matches.host import fill_plan, pin_plan, read_host, warnings
from anchorhold.matches.jobs import PairOutcome, RunReport
from anchorhold.matches.journal import Journal
from anchorhold.matches.pgn import PgnNames
from anchorhold.matches.pgn_stream import PgnStream
from anchorhold.matches.plans import plan_differences
from anchorhold.matches.shards import require_new, write_shard
from anchorhold.matches.worker_process import Recruits

if TYPE_CHECKING:
    from anchorhold.oracle.tally import StageTally

PROBLEMS_SHOWN = 20


class BookNews:
    """Says once what was found in a book: entries that cannot be played, positions that come again."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._problems = self._repeated = 0
        self.what_is_new()

    def what_is_new(self) -> None:
        """Say what was found since; a large book is read as far as the match gets."""
        book = self._book
        new = book.problems[self._problems :]
        self._problems += len(new)
        for problem in new[:PROBLEMS_SHOWN]:
            print(f"anchorhold: skipped {problem}", file=sys.stderr)
        if len(new) > PROBLEMS_SHOWN:
            print(f"anchorhold: skipped {len(new) - PROBLEMS_SHOWN} more entries of the book", file=sys.stderr)
        if book.repeated > self._repeated:
            self._repeated = book.repeated
            print(
                f"anchorhold: {book.repeated} of {book.checked} openings of {book.path.name} lead to a position that"
                " another one leads to, too: deterministic engines play them alike",
                file=sys.stderr,
            )


class MatchShard:
    """The part of a match that this machine plays, on its way into a file.

    Parameters
    ----------
    name : str
        Of the match, for the file's name.

    Raises
    ------
    BadState
        The part has been played already.
    """

    def __init__(self, plan: MatchPlan, name: str) -> None:
        self._plan = plan
        self._manifest = plan.manifest()
        self.suffix = plan.shard.suffix
        self._path = Path(f"match-{name}{self.suffix}.shard")
        require_new(self._path)

    @property
    def journal_plan(self) -> dict[str, object]:
        """What its journal is begun with."""
        return self._manifest.to_json()

    def write(self, journal: Journal) -> None:
        """Write the complete part.

        Raises
        ------
        BadState
            An engine is not the one that the part was begun with.
        """
        changes = plan_differences(self._manifest.to_json(), self._plan.manifest().to_json())
        if changes:
            raise BadState(
                f"an engine was exchanged while shard {self._plan.shard} was played: {'; '.join(changes[:3])}",
                next_step=f"Remove {journal.path} and play this shard again: nobody knows which games are whose",
            )
        write_shard(self._path, journal=journal, manifest=self._manifest)
        print(
            f"anchorhold: shard {self._plan.shard} is complete, in {self._path}; the figures are its own. When all are"
            " there: anchorhold merge --into FILE, and this command with --journal FILE and no --shard",
            file=sys.stderr,
        )


class RunningMatch:
    """A match while it is played: its journal, its counts, the sequential test that may end it."""

    def __init__(self, plan: MatchPlan, journal: Journal, *, interval: int) -> None:
        self._plan = plan
        self._journal = journal
        self._interval = interval
        self._tallies = self._counted(plan.pairs)
        self._done = self._tallies.pairs
        self._stream: PgnStream | None = None
        # The oracle's own counting: the decision must not depend on which game happens to end first.
        self._tally: StageTally | None = None
        if plan.test is not None:
            # Slow to load, and most matches test nothing.
            from anchorhold.oracle.plan import StagePlan
            from anchorhold.oracle.tally import StageTally

            first, second = plan.engines
            self._tally = StageTally(StagePlan(first, second, plan.test, plan.pairs))
            for score in journal.scores(run=RUN, endpoint=first.name, anchor=second.name, stage=STAGE):
                if score.opening <= plan.pairs:
                    self._tally.take(score.opening, score.half_points)

    def play(
        self,
        *,
        workers: int,
        pinned: bool,
        dask: str | None,
        recruits: Recruits | None,
        pgn: Path | None,
        event: str,
        site: str,
    ) -> RunReport:
        """Play what is left, and write the games."""
        plan = self._plan
        self._journal.intend(plan.total)
        done = f"going on after {self._done} of " if self._done else ""
        print(f"anchorhold: {done}{plan.in_words()}", file=sys.stderr)
        workers = min(workers, plan.total)
        cores: tuple[tuple[int, ...], ...] = ()
        if dask is None:
            host = read_host()
            if pinned:
                cores = pin_plan(host, workers=workers, threads=plan.threads)
            elif not plan.on_clock:
                cores = fill_plan(host, workers=workers, threads=plan.threads)
            for warning in warnings(host, workers=workers, threads=plan.threads):
                print(f"anchorhold: {warning}", file=sys.stderr)
        played_by = player(dask, workers=workers, cores=cores, recruits=recruits)
        names = PgnNames(event=event, site=site, limits={(e.name, STAGE): e.limit for e in plan.engines})
        with ExitStack() as stack:
            if pgn is not None:
                self._stream = stack.enter_context(PgnStream(pgn, journal=self._journal, names=names, most=plan.pairs))
            display = Display(
                self._tallies,
                done=self._done,
                total=plan.total,
                state=lambda: self.state,
                interval=self._interval,
                conditions=plan.conditions(),
            )

            def saw(outcome: PairOutcome) -> None:
                self._take(outcome)
                display.saw(outcome)

            with display:
                report = played_by(plan.jobs(), journal=self._journal, on_outcome=saw, until=self._decided)
            if self._stream is not None:
                self._stream.finish(journal=self._journal, until=self._counted_until)
        return report

    def meetings(self) -> list[Meeting]:
        """Return the figures of all meetings; after a decision of the pairs that it rests on."""
        tallies = self._counted(self._counted_until) if self._decided() else self._tallies
        return tallies.meetings()

    @property
    def state(self) -> SprtState | None:
        """Where the test stands."""
        if self._plan.test is None or self._tally is None:
            return None
        return SprtState(test=self._plan.test, llr=self._tally.llr, decision=self._tally.decision)

    def _take(self, outcome: PairOutcome) -> None:
        record = outcome.record
        self._tallies.add(record)
        if self._tally is not None:
            self._tally.take(record.key.opening, record.half_points)
        if self._stream is not None:
            self._stream.add(record, sans=outcome.sans)

    def _counted(self, until: int) -> Tallies:
        names = [(first.name, second.name) for first, second in self._plan.meetings]
        return Tallies(names, until=until).add_all(self._journal.pairs(run=RUN))

    def _decided(self) -> bool:
        return self._tally is not None and self._tally.decision != "undecided"

    @property
    def _counted_until(self) -> int:
        """Openings that the answer rests on."""
        return self._tally.sample.pairs if self._tally is not None and self._decided() else self._plan.pairs
