"""``key=value`` words in one option, as users of match runners write them: ``name=Alpha cmd=./alpha args='-x -y'``.

Words are split as a shell splits them; in options that hold no commands a comma separates, too. What is misspelt is
refused with the nearest known name. May import: anchorhold.canonical, anchorhold.errors.
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field

from anchorhold.canonical import nearest
from anchorhold.errors import BadInput

_WHOLE = re.compile(r"[+-]?\d{1,15}")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one option by their keys."""

    where: str
    members: dict[str, str] = field(default_factory=dict)

    def whole(self, name: str, default: int | None = None, *, least: int = 1) -> int | None:
        """Return a whole number of at least ``least``; ``default`` when it is not given."""
        text = self.members.get(name)
        if text is None:
            return default
        if not _WHOLE.fullmatch(text) or int(text) < least:
            raise BadInput(f"{name} is {text!r}, expected a whole number of at least {least}", where=self.where)
        return int(text)

    def number(self, name: str, *, above: float = -math.inf) -> float | None:
        """Return a number above a bound; None when it is not given."""
        text = self.members.get(name)
        if text is None:
            return None
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value) or value <= above:
            more = "" if above == -math.inf else f" above {above:g}"
            raise BadInput(f"{name} is {text!r}, expected a number{more}", where=self.where)
        return value

    def choice(self, name: str, known: Sequence[str], default: str) -> str:
        """Return one of the known values, whatever its capitals."""
        text = self.members.get(name, default).lower()
        if text not in known:
            raise BadInput(
                f"{name} is {self.members[name]!r}; known are {', '.join(known)}",
                where=self.where,
                next_step=nearest(text, known),
            )
        return text

    def required(self, *names: str) -> None:
        """Refuse words among which one of these is missing."""
        for name in names:
            if name not in self.members:
                raise BadInput(f"{name}= is missing", where=self.where, next_step=f"Expected {' '.join(names)}")


def split(text: str, where: str, *, keys: Sequence[str], commas: bool = True) -> Words:
    """Read the words of an option.

    Parameters
    ----------
    keys : Sequence of str
        Known keys; ``option.NAME`` among them stands for any NAME.
    commas : bool
        Whether commas separate words, too.

    Raises
    ------
    BadInput
        An unknown key, one that is given twice, a word of another form.
    """
    if commas:
        # A comma separates only where a known key follows: file names may hold commas.
        text = re.sub(rf",\s*(?=(?:{'|'.join(keys)})=)", " ", text)
    members: dict[str, str] = {}
    for word in shell_words(text, where):
        key, sign, value = word.partition("=")
        if not sign:
            raise BadInput(f"{word!r} is not of the form key=value", where=where)
        if key not in keys and not (key.startswith("option.") and len(key) > 7 and "option.NAME" in keys):
            raise BadInput(
                f"unknown key {key!r}", where=where, next_step=nearest(key, keys) or f"Known are: {', '.join(keys)}"
            )
        if key in members:
            raise BadInput(f"{key}= is given twice", where=where)
        members[key] = value
    return Words(where, members)


def shell_words(text: str, where: str) -> list[str]:
    """Split a text as a shell does.

    Raises
    ------
    BadInput
        A quote is not closed.
    """
    try:
        return shlex.split(text)
    except ValueError as error:
        raise BadInput(f"{text!r} cannot be split into words: {error}", where=where) from error
