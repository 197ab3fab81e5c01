"""Where the match runner waits: one poll over the pipes of all its engines.

Nothing else in the runner blocks. Times are seconds of a monotonic clock. May import: nothing.
"""

from __future__ import annotations

import select
import time
from collections.abc import Callable

READ = select.POLLIN
WRITE = select.POLLOUT
HANGUP_ONLY = 0
"""Poll always reports a hang-up; with no event asked for, waiting data wake nobody."""

IDLE_INTERVAL = 0.25
TICK_INTERVAL = 0.02

Handler = Callable[[int], None]


class Switchboard:
    """Calls the handler of every file descriptor that has something to say.

    Parameters
    ----------
    on_idle : callable, optional
        Called about four times a second while nothing happens.
    clock : callable
        A monotonic clock, in seconds.
    """

    def __init__(
        self, *, on_idle: Callable[[], None] | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.clock = clock
        self.now = clock()
        """When the last poll returned: the time stamp of everything that is read in this turn."""
        self._on_idle = on_idle
        self._poll = select.poll()
        self._handlers: dict[int, Handler] = {}
        self._tickers: list[Callable[[], None]] = []

    def register(self, descriptor: int, events: int, handler: Handler) -> None:
        """Call ``handler`` with the poll events of ``descriptor`` from now on; replaces an earlier registration."""
        self._handlers[descriptor] = handler
        self._poll.register(descriptor, events)

    def unregister(self, descriptor: int) -> None:
        """Forget a descriptor; one that is not registered is no error."""
        if self._handlers.pop(descriptor, None) is not None:
            self._poll.unregister(descriptor)

    def add_ticker(self, ticker: Callable[[], None]) -> None:
        """Call ``ticker`` in every turn, at least 50 times a second: for what no descriptor can tell."""
        self._tickers.append(ticker)

    def remove_ticker(self, ticker: Callable[[], None]) -> None:
        """Undo ``add_ticker``; one that is not there is no error."""
        if ticker in self._tickers:
            self._tickers.remove(ticker)

    def turn(self, deadline: float) -> bool:
        """Wait until something happens, at most until ``deadline``, and handle it; False: it was looked for too late.

        A deadline in the past still looks once: what has already arrived is never overlooked.
        """
        seconds = deadline - self.clock()
        if self._on_idle is not None:
            seconds = min(seconds, IDLE_INTERVAL)
        if self._tickers:
            seconds = min(seconds, TICK_INTERVAL)
        ready = self._poll.poll(seconds * 1000 if seconds > 0 else 0)
        now = self.now = self.clock()
        for descriptor, events in ready:
            # A handler may have unregistered another one of this round.
            handler = self._handlers.get(descriptor)
            if handler is not None:
                handler(events)
        if self._tickers:
            for ticker in tuple(self._tickers):
                ticker()
        if not ready and self._on_idle is not None:
            self._on_idle()
        return now < deadline
