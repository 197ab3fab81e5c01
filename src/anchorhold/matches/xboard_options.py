"""Features and options as XBoard engines announce them, and the lines that set them.

May import: anchorhold.canonical, domain.engines, anchorhold.matches.uci_options.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from anchorhold.canonical import nearest
from anchorhold.domain.engines import OptionValue
from anchorhold.matches.uci_options import OptionRefused

_FEATURE = re.compile(r"([\w-]+)\s*=\s*(\"[^\"]*\"|'[^']*'|\S+)")
_OPTION = re.compile(
    r"(?P<name>.+?)\s+-(?P<type>check|spin|combo|button|save|reset|string|file|path|slider)\b\s*(?P<rest>.*)"
)


@dataclass(frozen=True, slots=True)
class XboardOption:
    """One ``feature option="NAME -type …"`` as the engine announces it."""

    name: str
    type: str
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()


def read_features(line: str) -> list[tuple[str, str]]:
    """Name and value of every feature in a ``feature …`` line, without the quotes."""
    return [
        (name, value[1:-1] if value[0] in "\"'" and value[-1] == value[0] and len(value) > 1 else value)
        for name, value in _FEATURE.findall(line.removeprefix("feature"))
    ]


def read_option(text: str) -> XboardOption | None:
    """Read the text of an ``option`` feature; None when it has no known type."""
    found = _OPTION.fullmatch(text.strip())
    if not found:
        return None
    low = high = None
    choices: tuple[str, ...] = ()
    if found["type"] in {"spin", "slider"}:
        numbers = found["rest"].split()
        if len(numbers) >= 3 and all(re.fullmatch(r"-?\d+", number) for number in numbers[:3]):
            low, high = int(numbers[1]), int(numbers[2])
    elif found["type"] == "combo":
        choices = tuple(choice.strip().lstrip("*") for choice in found["rest"].split("///"))
    return XboardOption(found["name"], found["type"], low=low, high=high, choices=choices)


def option_command(
    wanted: str, value: OptionValue, *, features: Mapping[str, str], known: Mapping[str, XboardOption]
) -> str | None:
    """The line that sets one option: ``memory``, ``cores``, or an announced one; None when there is nothing to send.

    Raises
    ------
    OptionRefused
        Unknown name, or a value that the announced type does not take.
    """
    if wanted in {"memory", "cores"}:
        feature = "memory" if wanted == "memory" else "smp"
        if features.get(feature) != "1":
            raise OptionRefused(f"does not announce the feature {feature}, so that {wanted!r} cannot be set")
        if isinstance(value, bool) or not re.fullmatch(r"[1-9]\d*", str(value)):
            raise OptionRefused(f"takes a whole number of at least 1 for {wanted!r}, not {value!r}")
        return f"{wanted} {value}"
    option = known.get(wanted)
    if option is None:
        raise OptionRefused(f"has no option {wanted!r}", next_step=nearest(wanted, [*known, "memory", "cores"]))
    text = str(int(value)) if isinstance(value, bool) else str(value)
    if option.type in {"button", "save", "reset"}:
        return None if text == "0" else f"option {option.name}"
    if option.type == "check":
        text = {"true": "1", "false": "0"}.get(text.lower(), text)
        if text not in {"0", "1"}:
            raise OptionRefused(f"takes true or false for option {option.name!r}, not {value!r}")
    elif option.type in {"spin", "slider"}:
        if not re.fullmatch(r"-?\d+", text):
            raise OptionRefused(f"takes a whole number for option {option.name!r}, not {value!r}")
        low = -math.inf if option.low is None else option.low
        high = math.inf if option.high is None else option.high
        if not low <= int(text) <= high:
            raise OptionRefused(f"takes {option.low} to {option.high} for option {option.name!r}, not {text}")
    elif option.type == "combo" and option.choices and text not in option.choices:
        raise OptionRefused(f"takes {', '.join(option.choices)} for option {option.name!r}, not {value!r}")
    if "\n" in text or "\r" in text:
        raise OptionRefused(f"cannot be sent a line break in option {option.name!r}")
    return f"option {option.name}={text}"
