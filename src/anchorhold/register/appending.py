"""A register to which many entries are added at once, as an import does; each of them is on the disk when that returns.

May import: anchorhold.domain, anchorhold.register.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Protocol

from anchorhold.register.addresses import is_postgres
from anchorhold.register.proposals import Appended, Clock, Proposed, utc_now
from anchorhold.register.revisions import HEAD_REVISION
from anchorhold.register.sqlite_appending import SqliteAppender
from anchorhold.register.sqlite_file import path_of


class AppendableRegister(AbstractContextManager["AppendableRegister"], Protocol):
    """What a register gives to those who add to it; see ``store.Register``."""

    @property
    def location(self) -> str:
        """Where it is, for messages: never with a password."""
        ...

    def append_new(self, proposed: Iterable[Proposed], *, author: str) -> Appended:
        """Append every proposed entry whose id no entry has, all of them or none."""
        ...


def open_for_appending(url: str, *, clock: Clock = utc_now) -> AppendableRegister:
    """Open a register that exists; raises as ``store.Register.open`` does."""
    if not is_postgres(url):
        appender = SqliteAppender(path_of(url), clock=clock)
        if appender.revision == HEAD_REVISION:
            return appender
        appender.close()  # of an older program: to be brought up to date first
    from anchorhold.register.store import Register  # slow to load

    return Register.open(url, clock=clock)
