"""Commands whose plain command line is read without the library for command lines, which takes longer than they do.

Plain is a line in which each word is known and stands where it belongs; help, mistakes and shortened names are the
library's, which reads the same options: a test compares both. May import: the standard library, anchorhold.errors,
anchorhold.cli.clean; a command when it is called.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple


class Quick(NamedTuple):
    """How a command is called without the library."""

    place: str
    """Its module in ``cli``, without the library, where ``run`` takes everything by its name."""
    argument: str | None
    """What the only word that is no option stands for; None where there is none."""
    options: Mapping[str, str]
    """Options with a value, and what they stand for."""
    flags: Mapping[str, str]
    """Options without one."""


QUICK: Mapping[tuple[str, ...], Quick] = {
    ("gate",): Quick(
        place="gate_answer",
        argument=None,
        options={
            "--register": "register",
            "--config": "config",
            "--allowed-signers": "allowed_signers",
            "--extends": "extends",
            "--kept-head": "kept_head",
            "--lang": "language",
        },
        flags={"--self-test": "self_test", "--json": "as_json"},
    ),
    ("import", "commits"): Quick(
        place="imports.history",
        argument="repository",
        options={
            "--since": "since",
            "--until": "until",
            "--register": "register",
            "--config": "config",
            "--author": "author",
        },
        flags={
            "--smp": "smp",
            "--dry-run": "dry_run",
            "--skip-problems": "skip_problems",
            "--json": "as_json",
        },
    ),
}
"""By the words that name the command."""


def quick_call(words: Sequence[str]) -> Callable[[], None] | None:
    """Return what a plain command line calls; None when the library has to read it."""
    named = next((name for name in QUICK if tuple(words[: len(name)]) == name), None)
    if named is None or (given := plain_words(words[len(named) :], QUICK[named])) is None:
        return None
    quick = QUICK[named]

    def call() -> None:
        from anchorhold.cli.clean import fail_cleanly

        run = importlib.import_module(f"anchorhold.cli.{quick.place}").run
        fail_cleanly(run)(**given)

    return call


def plain_words(words: Sequence[str], quick: Quick) -> dict[str, str | bool] | None:
    """Return what the words say, by name; None when they are not plain."""
    given: dict[str, str | bool] = {}
    rest = iter(words)
    for word in rest:
        option, sign, value = word.partition("=")
        name = quick.argument
        said: str | bool = word
        if option in quick.options:
            name = quick.options[option]
            said = value if sign else next(rest, "-")
            if not said or said.startswith("-"):
                return None
        elif word in quick.flags:
            name, said = quick.flags[word], True
        elif word.startswith("-") or not word:
            return None
        if name is None or name in given:
            return None
        given[name] = said
    return given if quick.argument is None or quick.argument in given else None
