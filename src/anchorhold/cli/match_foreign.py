"""The way in which users of fastchess and cutechess write options, turned into this program's.

There an option has one dash and takes all words up to the next option: ``-engine cmd=./a name=A -rounds 100``. Here it
has two, and one text: ``--engine 'cmd=./a name=A' --rounds 100``. Both may stand on one command line.
May import: typer, anchorhold.canonical, anchorhold.errors.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from typer.core import TyperCommand

from anchorhold.canonical import nearest
from anchorhold.errors import BadInput

Kind = Literal["words", "value", "flag"]

REFUSED: Mapping[str, str] = {
    "noswap": "a pair has both colours, without which unbalanced openings decide",
    "reverse": "a pair has both colours anyway; leave it out",
    "config": "the same command goes on with an interrupted match; see --journal",
    "epdout": "give --pgn; the final position follows from the moves",
    "log": "faults and warnings of engines go to stderr",
    "debug": "faults and warnings of engines go to stderr",
    "bookmode": "large books are read from the disk anyway; leave it out",
    "resultformat": "figures are printed in one form; for programs there is --json",
    "tscale": "give each engine its tc=",
    "quick": "give --engine twice with a limit, and --openings",
    "crc32": "the journal keeps every game; leave it out",
}
"""Options of the field that have no place here, and why or what to do instead."""

INERT: Mapping[str, int] = {
    "autosaveinterval": 1,
    "scoreinterval": 1,
    "outcomeinterval": 1,
    "report": 1,
    "output": 1,
    "force-concurrency": 0,
    "show-latency": 0,
}
"""Options of the field that change nothing here, and how many words they take."""

_LONG = re.compile(r"-[A-Za-z][A-Za-z0-9-]+")


def translate(arguments: Sequence[str], *, known: Mapping[str, Kind]) -> list[str]:
    """Return the arguments with every option in this program's form.

    Parameters
    ----------
    known : Mapping
        What each option of this program takes, with its two dashes.

    Raises
    ------
    BadInput
        An option with one dash that is not known, is refused, or lacks what it takes.
    """
    found: list[str] = []
    place = 0
    while place < len(arguments):
        word = arguments[place]
        place += 1
        if word == "--":
            return [*found, word, *arguments[place:]]
        name = word.removeprefix("-")
        if not _LONG.fullmatch(word) or f"-{name}" in found[-1:]:
            found.append(word)
            if known.get(word) == "words":
                taken = _words(arguments[place:])
                # One text is this program's form; several words can only be the field's.
                found.append(_join(taken)) if len(taken) > 1 else found.extend(taken)
                place += len(taken)
            continue
        if name in INERT:
            place += INERT[name]
            continue
        option = _known(name, known)
        found.append(option)
        if known[option] == "words":
            taken = _words(arguments[place:])
            if not taken:
                raise BadInput(f"{word} takes words of the form key=value, but none follow")
            found.append(_join(_named(name, taken)))
            place += len(taken)
        elif known[option] == "value":
            if place == len(arguments):
                raise BadInput(f"{word} takes a value, but none follows")
            found.append(arguments[place])
            place += 1
        elif name == "repeat" and place < len(arguments) and arguments[place].isdecimal():
            found += ["--games", arguments[place]]
            place += 1
    return found


def _known(name: str, known: Mapping[str, Kind]) -> str:
    if name in REFUSED:
        raise BadInput(f"-{name} is not known here: {REFUSED[name]}")
    if f"--{name}" not in known:
        hint = nearest(name, [*(option[2:] for option in known), *REFUSED, *INERT])
        raise BadInput(f"unknown option -{name}", next_step=hint or "See anchorhold match --help")
    return f"--{name}"


def _words(arguments: Sequence[str]) -> list[str]:
    taken: list[str] = []
    for word in arguments:
        if word.startswith("-"):
            break
        taken.append(word)
    return taken


def _named(option: str, words: list[str]) -> list[str]:
    """Give the words that stand without a key in cutechess theirs."""
    if option != "pgnout" or "=" in words[0]:
        return words
    # "fi": finished games only; others are never written.
    return [f"file={words[0]}", *("min=true" if word == "min" else word for word in words[1:] if word != "fi")]


def _join(words: Sequence[str]) -> str:
    return " ".join(shlex.quote(word) for word in words)


class FieldCommand(TyperCommand):
    """A command that also takes options as fastchess and cutechess do."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Translate the arguments before they are parsed."""
        kinds: dict[str, Kind] = {}
        for parameter in self.params:
            for option in parameter.opts:
                flag = getattr(parameter, "is_flag", False)
                kinds[option] = "flag" if flag else "words" if parameter.metavar == "WORDS" else "value"
        try:
            translated = translate(args, known=kinds)
        except BadInput as error:
            print(f"anchorhold: {error}", file=sys.stderr)
            raise SystemExit(error.exit_status) from error
        return super().parse_args(ctx, translated)
