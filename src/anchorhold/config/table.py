"""One table of the file, read key by key.

May import: anchorhold.canonical, anchorhold.errors, anchorhold.config parts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from anchorhold.canonical import nearest
from anchorhold.config.sources import Given
from anchorhold.errors import BadInput


class Table:
    """One table of the file, read key by key; what was not asked for in the end is an error."""

    def __init__(self, members: Mapping[str, object], *, file: Path, key: str, given: Mapping[str, Given]) -> None:
        self.members = members
        self.file = file
        self.key = key
        self.given = given
        self.asked: set[str] = set()

    def path(self, name: str) -> str:
        """Name a key with the tables it lies in."""
        return f"{self.key}.{name}" if self.key else name

    def where(self, name: str = "") -> str:
        """Say where a value stands: in the file, or in the flag or variable that stands above it."""
        key = self.path(name) if name else self.key
        if key in self.given:
            return self.given[key].where
        return f"{self.file}: {key}" if key else str(self.file)

    def has(self, name: str) -> bool:
        """Say whether the file, a flag or a variable gives the key."""
        return name in self.members or self.path(name) in self.given

    def raw(self, name: str) -> object:
        """Return the value as it stands, or None, and count the key as known."""
        self.asked.add(name)
        given = self.given.get(self.path(name))
        return self.members.get(name) if given is None else given.value

    def wrong(self, name: str, expected: str) -> BadInput:
        """Make the error of a value that is missing or not what was expected."""
        value = self.raw(name)
        if value is None:
            # The key may be there, misspelt: then that is what has to be mended.
            others = [other for other in self.members if other not in self.asked]
            misspelt = next((other for other in others if nearest(other, [name])), None)
            if misspelt is not None:
                return BadInput("there is no such key", where=self.where(misspelt), next_step=nearest(misspelt, [name]))
            return BadInput("is missing", where=self.where(name), next_step=f"Expected {expected}")
        return BadInput(f"is {value!r}, expected {expected}", where=self.where(name))

    def table(self, name: str) -> Table:
        """Return a table within this one; one that is not there is empty."""
        value = self.raw(name)
        if value is None:
            value = {}
        if not isinstance(value, dict):
            raise self.wrong(name, f"a table [{self.path(name)}]")
        return Table(value, file=self.file, key=self.path(name), given=self.given)

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text of one line."""
        value = self.raw(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            raise self.wrong(name, "a text of one line")
        return value

    def choice(self, name: str, choices: tuple[str, ...], default: str) -> str:
        """Return one of the texts in ``choices``."""
        value = self.text(name, default)
        if value not in choices:
            raise BadInput(
                f"is {value!r}, expected one of {', '.join(choices)}",
                where=self.where(name),
                next_step=nearest(value, choices),
            )
        return value

    def whole(self, name: str, default: int | None = None, *, least: int = 1) -> int:
        """Return a whole number."""
        value = self.raw(name)
        if value is None and default is not None:
            return default
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= 2**53 - 1:
            raise self.wrong(name, f"a whole number of at least {least}")
        return value

    def number(self, name: str, default: float | None = None, *, least: float = -math.inf) -> float:
        """Return a finite number."""
        value = self.raw(name)
        if value is None and default is not None:
            return default
        expected = "a number" if least == -math.inf else f"a number of at least {least:g}"
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.wrong(name, expected)
        try:
            number = float(value)
        except OverflowError as error:
            raise self.wrong(name, expected) from error
        if not math.isfinite(number) or number < least:
            raise self.wrong(name, expected)
        return number

    def flag(self, name: str, default: bool) -> bool:
        """Return true or false."""
        value = self.raw(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.wrong(name, "true or false")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts; one that is not there is empty."""
        value = self.raw(name)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.wrong(name, "a list of texts")
        return tuple(value)

    def base(self, name: str, directory: Path) -> Path:
        """Paths in the file are relative to the file; those of flags and variables to the current directory."""
        return Path.cwd() if self.path(name) in self.given else directory

    def close(self) -> None:
        """Refuse what nobody asked for."""
        for name in self.members:
            if name not in self.asked:
                raise BadInput(
                    "there is no such key",
                    where=self.where(name),
                    next_step=nearest(name, self.asked) or f"Known are: {', '.join(sorted(self.asked))}",
                )
