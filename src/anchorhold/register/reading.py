"""A register as it is read: a database, or an export that is kept in its stead, such as a register.jsonl in git.

Every command that only reads goes through ``open_for_reading``, so that each of them takes an export, too, known by its
name's ending. A damaged export answers as a damaged database does: ``verify`` gives the chain up to the first entry
that does not hold. The gate asks it so: ``with open_for_reading(url) as register: answer(register.verify())``.
Source: SPEC section 7. May import: anchorhold.errors, anchorhold.domain, anchorhold.register.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from anchorhold.domain.entries import Entry
from anchorhold.errors import BadInput, RegisterBroken
from anchorhold.register import chain, exporting
from anchorhold.register.addresses import is_postgres
from anchorhold.register.sqlite_file import path_of
from anchorhold.register.sqlite_reading import SqliteReader
from anchorhold.register.whole import Meanwhile, check_all

EXPORT_ENDING = ".jsonl"


class ReadableRegister(AbstractContextManager["ReadableRegister"], Protocol):
    """What a register gives to those who only read it; see ``store.Register``."""

    @property
    def location(self) -> str:
        """Where it is, for messages: never with a password."""
        ...

    def entries(self, *, after: int = 0, until: int | None = None) -> list[Entry]:
        """Return entries; links and hashes are not looked at."""
        ...

    def head(self) -> Entry | None:
        """Return the last entry."""
        ...

    def verify(self, *, meanwhile: Meanwhile | None = None) -> chain.Chain:
        """Check every entry; ``meanwhile`` is done while a second process checks, and not without one."""
        ...

    def export(self) -> Iterator[bytes]:
        """Give the lines of an export, of a register that holds."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...


def open_for_reading(url: str) -> ReadableRegister:
    """Open a register that nothing is written to.

    Parameters
    ----------
    url : str
        Where the register is; a path that ends with ``.jsonl`` is an export, see ``database.existing`` for others.

    Raises
    ------
    BadInput
        Nothing is there, or it is not a register.
    """
    if url.endswith(EXPORT_ENDING) and "://" not in url:
        path = Path(url)
        try:
            return ExportedRegister(path.read_bytes(), where=url)
        except OSError as error:
            raise BadInput(
                f"cannot be read: {error.strerror}",
                where=url,
                next_step="Name an export that 'anchorhold register export' wrote",
            ) from error
    if not is_postgres(url):
        return SqliteReader(path_of(url))
    from anchorhold.register.store import Register  # slow to load

    return Register.open(url, read_only=True)


class ExportedRegister:
    """The bytes of an export as a register that is only read. A context manager.

    Parameters
    ----------
    exported : bytes
        The whole export; nothing about it is believed.
    where : str
        Its name, for messages.
    """

    def __init__(self, exported: bytes, *, where: str) -> None:
        self._where = where
        self._lines = exported.split(b"\n")
        self._is_cut_off = bool(self._lines.pop())
        if self._is_cut_off:
            self._lines.append(exported.rpartition(b"\n")[2])

    @property
    def location(self) -> str:
        """Its name."""
        return self._where

    def entries(self, *, after: int = 0, until: int | None = None) -> list[Entry]:
        """Return the entries on the lines ``after`` + 1 … ``until`` (all by default).

        Raises
        ------
        RegisterBroken
            A line that is no entry. Links and hashes are not looked at.
        """
        found: list[Entry] = []
        for place, line in enumerate(self._lines[after:until], start=after + 1):
            try:
                found.append(chain.unverified(exporting.stored_of_line(line, where="")))
            except BadInput as error:
                raise RegisterBroken(error.what, where=f"{self._where}, line {place}") from error
        return found

    def head(self) -> Entry | None:
        """Return the last entry."""
        last = self.entries(after=max(0, len(self._lines) - 1))
        return last[0] if last else None

    def verify(self, *, meanwhile: Meanwhile | None = None) -> chain.Chain:
        """Check every line: an entry in its place, linked, and byte for byte what an export writes."""
        return check_all(self._lines, check=self._checked, apart=self._apart, meanwhile=meanwhile)

    def export(self) -> Iterator[bytes]:
        """Give the lines again, of an export that holds.

        Raises
        ------
        RegisterBroken
            An entry does not hold; no line is given.
        """
        return exporting.export_lines(self.verify(), where=self._where)

    def close(self) -> None:
        """Nothing is held open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _apart(self, lines: Sequence[bytes]) -> list[chain.Row]:
        # The line that is cut off is left to the check; it can only be the last, and stands in the last stretch.
        is_last = self._is_cut_off and bool(lines) and lines[-1] is self._lines[-1]
        return exporting.taken_apart(lines[:-1] if is_last else lines)

    def _checked(self, line: bytes, place: int, prev: str) -> Entry | chain.Problem:
        if self._is_cut_off and place == len(self._lines):
            return chain.Problem(place, "form", "the line does not end with a line feed: it is cut off")
        try:
            stored = exporting.stored_of_line(line, where="")
        except BadInput as error:
            return chain.Problem(place, "form", str(error))
        checked = chain.check_entry(stored, seq=place, prev=prev)
        if isinstance(checked, Entry) and exporting.line_of(checked, str(stored.payload)) != line + b"\n":
            return chain.Problem(place, "form", "the line is not canonical JSON (RFC 8785)")
        return checked
