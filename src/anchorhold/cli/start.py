"""The command ``anchorhold``: which command lives where, and its entry point, which loads only what is asked for.

A gate is asked before every merge: it need not wait for the commands that nobody called. With an unknown
one the whole tree is loaded; for the list of commands nothing is. May import: the standard library,
anchorhold.cli.output, quick; what a command line asks for when it is known.
"""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Callable, Mapping, Sequence

from anchorhold.cli.output import watched
from anchorhold.cli.quick import quick_call

COMMANDS = {
    "badge": ("badge", "a badge of what the gate says"),
    "build": ("build", "build a revision of main in a clean worktree, or show the kept build"),
    "calibrate": ("calibrate", "how often intervals cover, and how often verdicts are wrong"),
    "claims": ("claims", "what was claimed in a window, and what is known of it"),
    "demo": ("demo", "all of it on real engines, to a verdict and a report"),
    "doctor": ("doctor", "what a check stands on, and what mends it"),
    "evaluate": ("evaluate", "judge one self-contained document"),
    "gate": ("gate", "may a merge go on?"),
    "init": ("init", "the first settings of a project, from what is here"),
    "match": ("match", "play engines against each other in game pairs"),
    "merge": ("merge", "put shards of a match or check into one journal"),
    "plan": ("plan", "each verdict's chance, pairs needed, hours, next check"),
    "release": ("release", "record a human review of a HALT"),
    "report": ("report", "the page of a check: verdict, pictures, formulas"),
    "serve": ("serve", "live dashboard: matches, gate, checks, register"),
    "site": ("site", "a static site of all checks and the register"),
}
"""Single commands, each with its module in ``cli``, where a function has the command's name, and its line of help."""
GROUPS = {
    "anchors": ("anchors", "the pinned foreign engines"),
    "check": ("check", "measure two versions against the anchors, and judge"),
    "engines": ("engines", "the engines here: which there are, what they obey"),
    "hook": ("hook", "the gate in front of a git repository"),
    "import": ("imports.group", "claims, matches, ratings that other tools recorded"),
    "oracle": ("oracle", "sequential tests against the predecessor"),
    "register": ("register", "the append-only record of claims, checks, releases"),
}
"""Groups of commands, each with its module, where ``app`` is the group, and its line of help."""
LIST = "--help"
"""The word after which only the list of commands is shown."""


def program() -> None:
    """Entry point of the console script: ``main``, and the end of the process.

    A quick command, and a match on this machine, end without Python's taking apart of all that was loaded. They have
    closed what they opened, and their output is written out.
    """
    # Nothing else that is installed here may have a say in what the forms of entries are; to look for it takes long.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    status: object = None
    try:
        main()
    except SystemExit as end:
        status = end.code
        if isinstance(status, str):
            raise
    words = sys.argv[1:]
    if quick_call(words) is not None or (_is_match(words) and "distributed" not in sys.modules):
        os._exit(status if isinstance(status, int) else 0)
    sys.exit(status if isinstance(status, int) else None)


def main() -> None:
    """Call what the command line asks for."""
    try:
        os.getcwd()
    except OSError as error:
        reason = os.strerror(error.errno or errno.ENOENT)
        print(f"anchorhold: there is no working directory ({reason}). Change to one that is there", file=sys.stderr)
        sys.exit(2)
    # What loading makes stays: to look through it for cycles every 700 objects takes a tenth of a short command.
    gc.set_threshold(50_000)
    words = sys.argv[1:]
    if not _is_match(words):
        watched(_called(words, os.environ))
        return
    from anchorhold.cli import recruiting

    # Its workers load while the library for command lines does, which takes as long.
    recruiting.recruit(words)
    try:
        watched(_called(words, os.environ))
    finally:
        recruiting.dismiss()


def _is_match(words: Sequence[str]) -> bool:
    return words[:1] == ["match"]


def _called(words: Sequence[str], environment: Mapping[str, str]) -> Callable[[], None]:
    """Return what a command line calls."""
    if call := quick_call(words):
        return call
    from anchorhold.cli.tree import tree  # slow to load

    return tree(_needed(words, environment))


def _needed(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return what ``tree`` has to load for a command line, or for one that a shell asks to have completed."""
    typed = environment.get("COMP_WORDS") or environment.get("_TYPER_COMPLETE_ARGS")
    completing = typed is not None and "_ANCHORHOLD_COMPLETE" in environment
    if completing and typed is not None:
        words = typed.split()[1:]
    first = words[0] if words else LIST
    if first in COMMANDS or first in GROUPS:
        return first
    return LIST if completing or first.startswith("-") else ""
