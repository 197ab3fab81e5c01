"""The register as the dashboard has it: read once, verified, and then only what was added is looked at.

A request never waits for a verification: it gets the last state that was verified, while a thread looks at what is new.
The whole chain is verified at the start, every ten minutes while somebody looks, and when the register changed
otherwise than by growing. May import: anchorhold.checks, anchorhold.domain, anchorhold.errors,
anchorhold.gate, anchorhold.register, anchorhold.report, anchorhold.web.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from anchorhold.checks.state import CheckState
from anchorhold.domain.entries import Entry
from anchorhold.errors import AnchorholdError, BadInput, BadState
from anchorhold.gate import asking
from anchorhold.gate.decision import GateAnswer, broken
from anchorhold.gate.limits import Limits
from anchorhold.register import chain, exporting
from anchorhold.register.reading import ReadableRegister, open_for_reading
from anchorhold.web.overview import Overview, overview_of

FULL_EVERY = 600.0
"""Seconds after which the whole chain is verified again."""
LOOK_EVERY = 1.0
"""Seconds between two looks whether the register changed."""


@dataclass(frozen=True)
class Seen:
    """A register as it was verified."""

    serial: int
    """Grows with every change of what is shown."""
    entries: tuple[Entry, ...]
    overview: Overview
    verified_at: str
    """When the whole chain was verified, UTC."""
    verified_entries: int
    """Entries that there were then; later ones were verified one by one as they came."""
    unreachable: str = ""
    """Why the register cannot be read now; what is shown is what was read before."""
    texts: tuple[str, ...] = field(default=(), repr=False)
    """Of every entry, what a search looks through."""

    @cached_property
    def checks(self) -> Mapping[str, CheckState]:
        """All checks, by id; the same object as long as nothing changed."""
        return {state.id: state for state in self.overview.states}

    @property
    def mark(self) -> str:
        """What is another when the register is shown otherwise, also after the dashboard was started anew."""
        return f"{self.verified_at}/{self.serial}"

    def found(self, words: str, kind: str) -> list[Entry]:
        """Return the entries that hold all the words, newest first."""
        wanted = words.lower().split()
        return [
            entry
            for entry, text in zip(reversed(self.entries), reversed(self.texts), strict=True)
            if (not kind or entry.kind == kind) and all(word in text for word in wanted)
        ]


class Watch:
    """Keeps the newest verified state of a register; ``close`` ends its thread.

    Parameters
    ----------
    url : str
        Path or address of the register, or an export.
    project : str, optional
        Name to show.
    signers, limits
        As for ``gate.asking.ask``.
    clock : callable
        Now, in UTC.
    """

    def __init__(
        self,
        url: str,
        *,
        project: str | None = None,
        signers: Path | None = None,
        limits: Limits | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._url = url
        self._project = project
        self._signers = signers
        self._limits = limits
        self._clock = clock
        self._file = _file_of(url)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._looked = time.monotonic()
        self._full = time.monotonic()
        self._mark = self._signature()
        self._seen = self._verified(None)

    def seen(self) -> Seen:
        """Return the newest state that is verified; starts a look at what is new when there is something."""
        with self._lock:
            if time.monotonic() - self._looked < LOOK_EVERY or self._is_looking():
                return self._seen
            self._looked = time.monotonic()
            full = time.monotonic() - self._full >= FULL_EVERY
            mark = self._signature()
            if full or mark is None or mark != self._mark:
                self._thread = threading.Thread(target=self._refresh, args=(mark, full), name="anchorhold-watch")
                self._thread.start()
            return self._seen

    def settle(self) -> Seen:
        """Wait until what is new was looked at."""
        with self._lock:
            self._looked = float("-inf")
        self.seen()
        self.close()
        return self._seen

    def close(self) -> None:
        """Wait for the thread to end."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def _is_looking(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _signature(self) -> object:
        """What changes when the register changes; None when only reading it can tell."""
        if self._file is None:
            return None
        marks = []
        for file in (self._file, self._file.with_name(self._file.name + "-wal"), self._signers):
            try:
                found = file.stat() if file is not None else None
                marks.append(None if found is None else (found.st_ino, found.st_size, found.st_mtime_ns))
            except OSError:
                marks.append(None)
        return tuple(marks)

    def _refresh(self, mark: object, full: bool) -> None:
        before = self._seen
        now = self._verified(None if full else before)
        with self._lock:
            self._seen = now
            self._mark = mark
            if now.verified_at != before.verified_at:
                self._full = time.monotonic()

    def _verified(self, before: Seen | None) -> Seen:
        """Read what is new after ``before``, or all; what does not go on from it is read and verified whole."""
        last = getattr(self, "_seen", None)
        serial = 1 if last is None else last.serial + 1
        try:
            with open_for_reading(self._url) as register:
                grown = None if before is None else _grown(register, before)
                if before is not None and grown is not None:
                    if not grown and not before.unreachable and self._limits is None:
                        return before
                    entries = before.entries + tuple(grown)
                    moment, count = before.verified_at, before.verified_entries
                    found = chain.Chain(entries, None)
                    answer = self._answer(found)
                else:
                    found, answer = self._read_whole(register)
                    moment = self._clock().strftime("%Y-%m-%dT%H:%M:%SZ")
                    count = len(found.entries)
        except AnchorholdError as error:
            if last is None or last.unreachable == str(error):
                return last or self._empty(str(error))
            if isinstance(error, BadInput | BadState):
                return Seen(
                    serial, last.entries, last.overview, last.verified_at, last.verified_entries, str(error), last.texts
                )
            return self._empty(str(error), serial)
        known = len(before.texts) if before is not None and grown is not None else 0
        texts = (before.texts if before is not None and known else ()) + tuple(map(_text, found.entries[known:]))
        overview = overview_of(found.entries, answer, project=self._project)
        return Seen(serial, found.entries, overview, moment, count, "", texts)

    def _read_whole(self, register: ReadableRegister) -> tuple[chain.Chain, GateAnswer]:
        try:
            found = register.verify()
        except AnchorholdError as error:
            if isinstance(error, BadInput | BadState):
                raise
            return chain.Chain((), None), broken(error.what)
        return found, self._answer(found)

    def _answer(self, found: chain.Chain) -> GateAnswer:
        return asking.answer(found, signers=self._signers, limits=self._limits, now=self._clock())

    def _empty(self, problem: str, serial: int = 1) -> Seen:
        answer = broken(problem)
        moment = self._clock().strftime("%Y-%m-%dT%H:%M:%SZ")
        return Seen(serial, (), overview_of((), answer, project=self._project), moment, 0, problem)


def _grown(register: ReadableRegister, before: Seen) -> list[Entry] | None:
    """Return the verified new entries; None when the register does not go on from what was seen."""
    if not before.entries or before.overview.answer.state == "broken":
        return None
    last = before.entries[-1]
    found = register.entries(after=last.seq - 1)
    if not found or found[0] != last:
        return None
    prev = last.hash
    for seq, entry in enumerate(found[1:], start=last.seq + 1):
        stored = exporting.stored_of_line(exporting.export_line(entry).rstrip(b"\n"), where="")
        checked = chain.check_entry(stored, seq=seq, prev=prev)
        if isinstance(checked, chain.Problem):
            return None
        prev = checked.hash
    return found[1:]


def _text(entry: Entry) -> str:
    payload = json.dumps(dict(entry.payload), ensure_ascii=False)
    return f"{entry.seq} {entry.kind} {entry.recorded_at} {entry.author} {entry.hash} {payload}".lower()


def _file_of(url: str) -> Path | None:
    scheme, separator, rest = url.partition("://")
    if not separator:
        return Path(url)
    return Path(rest[1:]) if scheme == "sqlite" else None
