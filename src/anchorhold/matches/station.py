"""The far side of a run that is spread over machines: checks engines, and plays one pair per call.

A pair is played by the same worker process as on one machine (``worker``); each slot keeps one with its engines. Calls
come from several threads at once. It knows nothing of what carries jobs and answers.
May import: anchorhold.errors, domain.engines, anchorhold.matches.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from anchorhold.domain.engines import EngineSpec
from anchorhold.errors import AnchorholdError, MatchStopped
from anchorhold.matches import family
from anchorhold.matches.crew import GRACE_OF_KILL, MOST_WORKER_ENDS
from anchorhold.matches.engine_files import at_other_paths, difference, engine_files, other_path
from anchorhold.matches.failures import FailureCount, Starts
from anchorhold.matches.jobs import Mark, PairJob, TablebaseRule
from anchorhold.matches.journal import describe
from anchorhold.matches.tablebases import open_tablebases
from anchorhold.matches.wire import Broken, Marked, Played, Stopped, waits_for_answer
from anchorhold.matches.worker_process import WorkerProcess

GRACE_AT_STOP = 1.5
"""Seconds that a worker process has to end its engines when a pair is broken off."""


@dataclass(frozen=True, slots=True)
class Order:
    """A pair to play elsewhere, with what the files of its engines must be."""

    job: PairJob
    """With absolute paths, those of the machine that sends it."""
    first: Mapping[str, str]
    """SHA-256 by role, see ``engine_files``."""
    second: Mapping[str, str]
    tables: str | None
    """Digest of the tablebases, where the rules ask for some."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The machine cannot play: an engine is not there, is another one, or does not start."""

    reason: str


@dataclass(frozen=True, slots=True)
class BrokenOff:
    """The pair was given up because nobody wants it any more."""


Answer = Played | Refused | Stopped | Broken | BrokenOff


class Station:
    """What one machine has for one run: idle worker processes, and engines that were looked at.

    Parameters
    ----------
    paths : Mapping
        What stands here for which folder of the machine that sends orders.
    """

    def __init__(self, *, paths: Mapping[str, str]) -> None:
        self._paths = paths
        self._lock = threading.Lock()
        self._idle: list[_Slot] = []
        self._busy: dict[str, _Slot] = {}
        self._checked: dict[EngineSpec, tuple[tuple[object, ...], str]] = {}
        self._closed = False
        self._used_at = time.monotonic()

    def play(self, order: Order, *, ticket: str) -> Answer:
        """Play one pair; ``ticket`` names it for ``break_off``."""
        try:
            job, reason = self._here(order)
        except AnchorholdError as error:
            reason = str(error)
        if reason:
            return Refused(reason)
        with self._lock:
            if self._closed:
                return BrokenOff()
            slot = self._busy[ticket] = self._idle.pop() if self._idle else _Slot()
        keep = False
        try:
            answer = slot.play(job)
            # After anything else its process is in no known state.
            keep = isinstance(answer, Played)
        except AnchorholdError as error:
            answer = Stopped(what=error.what, where=error.where, next_step=error.next_step)
        finally:
            with self._lock:
                del self._busy[ticket]
                self._used_at = time.monotonic()
                keep = keep and not slot.broken_off.is_set() and not self._closed
                if keep:
                    self._idle.append(slot)
            if not keep:
                slot.end()
        return answer

    def break_off(self, ticket: str) -> None:
        """Give up a pair; from another thread, without waiting. What is not played here is no error."""
        with self._lock:
            slot = self._busy.get(ticket)
        if slot is not None:
            slot.break_off()

    def end_idle(self, *, after: float) -> None:
        """End what nobody has used for so many seconds: whoever sent orders may be gone."""
        with self._lock:
            if self._busy or time.monotonic() - self._used_at < after:
                return
            idle, self._idle = self._idle, []
        for slot in idle:
            slot.end()

    def close(self) -> None:
        """Give up what is played, end all processes and refuse what still comes."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
            busy = list(self._busy.values())
        for slot in busy:
            slot.break_off()
        for slot in idle:
            slot.end()
        deadline = time.monotonic() + GRACE_AT_STOP + 2 * GRACE_OF_KILL
        while time.monotonic() < deadline:
            with self._lock:
                if not self._busy:
                    return
            time.sleep(0.01)

    def _here(self, order: Order) -> tuple[PairJob, str]:
        """Return the job with the paths of this machine, and what speaks against playing it."""
        job = order.job
        first, second = (at_other_paths(spec, self._paths) for spec in (job.first, job.second))
        rules, reason = job.rules, ""
        if rules.tablebases is not None:
            folders = tuple(Path(other_path(str(path), self._paths)) for path in rules.tablebases.directories)
            rules = replace(rules, tablebases=replace(rules.tablebases, directories=folders))
            reason = _other_tables(rules.tablebases, order.tables)
        for spec, expected in ((first, order.first), (second, order.second)):
            reason = reason or self._difference(spec, expected)
        return replace(job, first=first, second=second, rules=rules), reason

    def _difference(self, spec: EngineSpec, expected: Mapping[str, str]) -> str:
        """Compare an engine's files, and again when one of them has changed since."""
        seen = tuple(_look(path) for path in engine_files(spec).values())
        known = self._checked.get(spec)
        if known is None or known[0] != seen:
            if spec.directory is not None and not spec.directory.is_dir():
                return f"the directory of {spec.name}, {spec.directory}, is not there"
            known = seen, difference(spec, expected)
            self._checked[spec] = known
        return known[1]


def _other_tables(rule: TablebaseRule | None, expected: str | None) -> str:
    if rule is None or open_tablebases(rule).digest == expected:
        return ""
    return f"the tablebases in {':'.join(map(str, rule.directories))} are not those of the machine that began the run"


def _look(path: Path) -> object:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


class _Slot:
    """One worker process, started when it is needed and again when it was lost."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: WorkerProcess | None = None
        self._mark = ""
        self.broken_off = threading.Event()
        """Nobody wants its pair any more; it plays none after that."""
        self._starts = Starts()

    def play(self, job: PairJob) -> Answer:
        """Play a pair, with another process when one is lost.

        Raises
        ------
        MatchStopped
            The process cannot be started, was lost too often, or an engine failed too often in this pair.
        """
        for _ in range(MOST_WORKER_ENDS):
            with self._lock:
                if self.broken_off.is_set():
                    return BrokenOff()
                if self._process is None:
                    self._mark = f"{os.urandom(16).hex()}."
                    self._process = WorkerProcess()
                    self._process.enlist(mark=self._mark)
                    self._process.begin()
                process = self._process
                process.give(job)
            answer = self._listen(process, job)
            if isinstance(answer, Played):
                process.jobs.popleft()
                return answer
            self.end()
            if self.broken_off.is_set():
                return BrokenOff()
            if answer is not None:
                return answer
        raise MatchStopped(
            f"{MOST_WORKER_ENDS} worker processes ended while they played {describe(job.key)}",
            next_step="See whether that machine runs out of memory",
        )

    def _listen(self, process: WorkerProcess, job: PairJob) -> Answer | None:
        """Hear what a process says of its pair; None when it ended instead."""
        told: list[Mark] = []
        # Failures in a row are counted over all machines, by whoever gets the answers; here only those of one pair, so
        # that an engine that never gets as far as a game cannot hold it for ever.
        count = FailureCount()
        count.take(job, [Mark("first", "started"), Mark("second", "started")])
        while (messages := process.read()) is not None:
            for message in messages:
                if isinstance(message, Played):
                    if waits_for_answer(message.outcome.marks):
                        process.go_on()  # it has no other job: who counts the failures gives the next one, or none
                    marks = (*told, *message.outcome.marks)
                    return replace(message, outcome=replace(message.outcome, marks=marks))
                if isinstance(message, Stopped | Broken):
                    return message
                assert isinstance(message, Marked), "a worker says nothing else"
                told += message.marks
                for mark in message.marks:
                    if never_started := self._starts.take(job, mark):
                        return Refused(never_started)
                count.take(job, message.marks)
                if message.waits:
                    process.go_on()
        return None

    def break_off(self) -> None:
        """Let the process give up its pair and end."""
        with self._lock:
            self.broken_off.set()
            if self._process is not None:
                with contextlib.suppress(ProcessLookupError):
                    self._process.leave()

    def end(self) -> None:
        """End the process with its engines."""
        with self._lock:
            process, self._process = self._process, None
        if process is None:
            return
        process.no_more_jobs()
        process.leave()
        _wait(process, GRACE_AT_STOP)
        process.leave_at_once()
        _wait(process, GRACE_OF_KILL)
        process.bury()
        family.end_marked(self._mark)


def _wait(process: WorkerProcess, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while process.process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
