"""What the runner and its workers say to each other, and how it goes through a pipe.

A message is its length in four bytes, then a pickle; both ends are this program on this machine, nobody else's data
comes this way. May import: anchorhold.matches.
"""

from __future__ import annotations

import os
import pickle
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from anchorhold.matches.jobs import Mark, PairJob, PairOutcome

_LENGTH = struct.Struct(">I")


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message to a worker."""

    watch: int
    """Descriptor that reports a hang-up when the runner is gone or wants an end at once."""
    parent: int
    """The runner's process id."""
    mark: str
    """What engines carry in their environment, so that the runner finds those of a worker that was killed."""
    cores: tuple[int, ...] = ()
    """The only cores that this worker and its engines may run on; empty: any."""


def waits_for_answer(marks: tuple[Mark, ...]) -> bool:
    """After a failure a worker starts nothing before it hears that the match goes on."""
    return any(mark.kind in ("failure", "no start") for mark in marks)


@dataclass(frozen=True, slots=True)
class Played:
    """A worker's answer to a job; it waits for an answer where one of the outcome's marks is a failure."""

    outcome: PairOutcome
    seconds: float
    """How long the pair took."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A worker tells what counts for failures in a row, and waits for the answer where one of them is a failure."""

    marks: tuple[Mark, ...]
    waits: bool


@dataclass(frozen=True, slots=True)
class GoOn:
    """The runner's answer to failures that do not stop the match."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """A worker cannot go on: an engine does not start."""

    what: str
    where: str
    next_step: str


@dataclass(frozen=True, slots=True)
class Broken:
    """A worker met a fault of this program."""

    traceback: str


Message = Hello | PairJob | Played | Marked | GoOn | Stopped | Broken


def encode(message: Message) -> bytes:
    """Return a message as it goes through the pipe."""
    body = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(body)) + body


def send(descriptor: int, message: Message) -> None:
    """Write a message whole, waiting as long as it takes.

    Raises
    ------
    OSError
        The other end is gone.
    """
    view = memoryview(encode(message))
    while view:
        view = view[os.write(descriptor, view) :]


def receive(descriptor: int) -> Message | None:
    """Read one message, waiting for it; None when the other end is gone."""
    head = _read_exactly(descriptor, _LENGTH.size)
    if head is None:
        return None
    body = _read_exactly(descriptor, _LENGTH.unpack(head)[0])
    return None if body is None else _decode(body)


class Inbox:
    """Puts messages together from what arrives in pieces."""

    def __init__(self) -> None:
        self._data = bytearray()

    def take(self, data: bytes) -> Iterator[Message]:
        """Add what has arrived; yield the messages that are whole now."""
        self._data += data
        while len(self._data) >= _LENGTH.size:
            end = _LENGTH.size + _LENGTH.unpack_from(self._data)[0]
            if len(self._data) < end:
                return
            body = bytes(self._data[_LENGTH.size : end])
            del self._data[:end]
            yield _decode(body)


def _read_exactly(descriptor: int, count: int) -> bytes | None:
    parts: list[bytes] = []
    while count:
        part = os.read(descriptor, count)
        if not part:
            return None
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _decode(body: bytes) -> Message:
    message: Message = pickle.loads(body)  # noqa: S301
    return message
