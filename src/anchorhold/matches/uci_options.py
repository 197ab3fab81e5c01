"""Options as UCI engines announce them, and the lines that set them.

May import: anchorhold.canonical, domain.engines.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from anchorhold.domain.engines import OptionValue

_OPTION = re.compile(r"option\s+name\s+(?P<name>.+?)\s+type\s+(?P<type>check|spin|combo|button|string)\b(?P<rest>.*)")
_OTHER_OPTION = re.compile(r"option\s+name\s+(?P<name>.+?)(?:\s+type\s+(?P<type>\S+)(?P<rest>.*))?")
_BOUND = re.compile(r"\b(min|max)\s+(-?\d+)")


@dataclass(frozen=True, slots=True)
class UciOption:
    """One option as the engine announces it."""

    name: str
    type: str
    """``check``, ``spin``, ``combo``, ``button``, ``string``, or what the engine calls it; empty: not said."""
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()


def read_option(line: str) -> UciOption | None:
    """Read an ``option name … type …`` line; None when it has no name."""
    found = _OPTION.fullmatch(line) or _OTHER_OPTION.fullmatch(line)
    if not found:
        return None
    kind, rest = found["type"] or "", found["rest"] or ""
    bounds = {word: int(number) for word, number in _BOUND.findall(rest)} if kind == "spin" else {}
    choices = tuple(text.strip() for text in re.split(r"(?:^|\s)var\s", rest)[1:]) if kind == "combo" else ()
    return UciOption(found["name"], kind, low=bounds.get("min"), high=bounds.get("max"), choices=choices)


class OptionRefused(Exception):
    """An option that this engine does not have, or a value that it does not take."""

    def __init__(self, what: str, *, next_step: str = "") -> None:
        self.what, self.next_step = what, next_step
        super().__init__(what)


def option_command(wanted: str, value: OptionValue, known: Mapping[str, UciOption]) -> str | None:
    """The ``setoption`` line for one option; None when there is nothing to send (a button that is not to be pressed).

    Raises
    ------
    OptionRefused
        Unknown name, or a value that the announced type does not take.
    """
    option = known.get(wanted)
    if option is None and isinstance(value, str) and "=" in value:
        # A name may hold the sign that ends it on a command line.
        more, _, rest = value.rpartition("=")
        if f"{wanted}={more}" in known:
            option, value = known[f"{wanted}={more}"], rest
    if option is None:
        # Names are meant to be read without regard to case; two that differ in it only must be told apart exactly.
        alike = [known[name] for name in known if name.lower() == wanted.lower()]
        if len(alike) != 1:
            from anchorhold.canonical import nearest  # hardly ever needed

            raise OptionRefused(f"has no option {wanted!r}", next_step=nearest(wanted, known))
        option = alike[0]
    text = {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)
    if option.type == "button":
        return None if text == "false" else f"setoption name {option.name}"
    if option.type == "check":
        if text.lower() not in {"true", "false"}:
            raise OptionRefused(f"takes true or false for option {option.name!r}, not {value!r}")
        text = text.lower()
    elif option.type == "spin":
        try:
            number = int(float(text)) if isinstance(value, float) and value.is_integer() else int(text)
        except ValueError:
            raise OptionRefused(f"takes a whole number for option {option.name!r}, not {value!r}") from None
        low = -math.inf if option.low is None else option.low
        high = math.inf if option.high is None else option.high
        if not low <= number <= high:
            raise OptionRefused(f"takes {option.low} to {option.high} for option {option.name!r}, not {number}")
        text = str(number)
    elif option.type == "combo" and option.choices:
        match = [choice for choice in option.choices if choice.lower() == text.lower()]
        if not match:
            raise OptionRefused(f"takes {', '.join(option.choices)} for option {option.name!r}, not {value!r}")
        text = match[0]
    if "\n" in text or "\r" in text:
        raise OptionRefused(f"cannot be sent a line break in option {option.name!r}")
    return f"setoption name {option.name} value {text or '<empty>'}"
