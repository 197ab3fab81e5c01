"""How often in a row each engine has failed by its own fault, over all workers of a run.

Failures are lost games, failed restarts and ends before a game; a game that ended without an engine's fault sets its
count to 0. Source: SPEC section 10. May import: anchorhold.errors, domain.engines, anchorhold.matches.jobs.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from anchorhold.domain.engines import EngineSpec
from anchorhold.errors import MatchStopped
from anchorhold.matches.jobs import Mark, PairJob


def engine_of(job: PairJob, mark: Mark) -> EngineSpec:
    """Return whose mark it is."""
    return job.first if mark.side == "first" else job.second


class Starts:
    """Which engines have started at least once: one that never does is no matter of counting."""

    def __init__(self) -> None:
        self._started: set[EngineSpec] = set()

    def take(self, job: PairJob, mark: Mark) -> str:
        """Take a mark into account; return what to say of an engine that has never started, else an empty text."""
        engine = engine_of(job, mark)
        if mark.kind == "started":
            self._started.add(engine)
        return f"engine {mark.message}" if mark.kind == "no start" and engine not in self._started else ""


class FailureCount:
    """The one count of a run."""

    def __init__(self) -> None:
        self._in_a_row: dict[EngineSpec, int] = {}
        self._last_words: dict[EngineSpec, str] = {}
        self._starts = Starts()

    def take(self, job: PairJob, marks: Iterable[Mark]) -> None:
        """Take marks of one pair into account, in the order in which they were made.

        Raises
        ------
        MatchStopped
            An engine never started, or has reached ``max_failures``.
        """
        for mark in marks:
            engine = engine_of(job, mark)
            if never_started := self._starts.take(job, mark):
                raise MatchStopped(
                    never_started,
                    where=shlex.join(engine.command),
                    next_step="Run this command by hand to see what it says",
                )
            if mark.kind == "clean":
                self._in_a_row[engine] = 0
            elif mark.kind != "started":
                self._in_a_row[engine] = self._in_a_row.get(engine, 0) + 1
                self._last_words[engine] = mark.message
                self._check(engine, job.rules.max_failures)

    def _check(self, engine: EngineSpec, most: int) -> None:
        if self._in_a_row[engine] >= most:
            raise MatchStopped(
                f"{engine.name} failed {self._in_a_row[engine]} times in a row;"
                f" the last time: {self._last_words[engine]}",
                where=f"engine {engine.name} ({shlex.join(engine.command)})",
                next_step="Mend the engine or its settings and run again: the pairs played so far are kept",
            )
