"""Which compilers made a build: those that its environment, its command or its log name, asked for their version.

A build may hide what it calls (``@cc``): where nothing names a compiler, ``cc`` and ``c++`` are asked.
May import: nothing.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

PATIENCE = 20.0
"""Seconds in which a compiler must have said its version."""
READ = 1 << 19
"""Bytes of a log, from its beginning and from its end, in which compilers are looked for."""
_NAME = re.compile(
    r"(?:[\w.]+-)*(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|icx|icpx|rustc|cargo|go|zig|ghc|javac|dotnet|nim|ldc2|dmd|gdc"
    r"|fpc|swiftc|crystal)(?:-\d+(?:\.\d+)*)?"
)
_BESIDE = {"cargo": "rustc"}
"""Drivers that hide the compiler: name → what they call."""
_SUBCOMMAND = {"go": "version", "zig": "version"}
"""Those that do not know ``--version``."""
_FIRST_WORD = re.compile(r"(?:^|[;&|(]|&&)\s*(?:\S+=\S*\s+)*(?:ccache\s+)?([\w./+-]+)\s")
_WHEN_HIDDEN = ("cc", "c++")


def compilers_of(
    *, command: str, log: Path, flags: Mapping[str, str], environment: Mapping[str, str], directory: Path
) -> dict[str, str]:
    """Return the compilers of a build with the first line that each says about its version.

    Parameters
    ----------
    command : str
        The build command.
    log : Path
        What it printed.
    flags : Mapping
        Variables that choose compilers.
    environment, directory : Mapping, Path
        In which the build ran: the worktree may choose a version.
    """
    named = dict.fromkeys(_named(flags.values(), whole=True))
    named |= dict.fromkeys(_named((command,)))
    named |= dict.fromkeys(_named(_read(log).splitlines(keepends=True)))
    found = _asked([*named, *(_BESIDE[name] for name in named if name in _BESIDE)], environment, directory)
    return found or _asked(_WHEN_HIDDEN, environment, directory)


def _read(log: Path) -> str:
    """Return the log, of a very long one beginning and end."""
    with log.open("rb") as file:
        beginning = file.read(READ)
        size = file.seek(0, os.SEEK_END)
        file.seek(max(len(beginning), size - READ))
        return (beginning + file.read()).decode("utf-8", "replace")


def _named(texts: Iterable[str], *, whole: bool = False) -> Iterator[str]:
    for text in texts:
        for word in text.split()[:2] if whole else _FIRST_WORD.findall(text):
            name = word.rpartition("/")[2]
            if _NAME.fullmatch(name):
                yield word if word.startswith("/") else name


def _asked(words: Iterable[str], environment: Mapping[str, str], directory: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in words:
        name = word.rpartition("/")[2]
        program = shutil.which(word, path=environment.get("PATH"))
        if program is None or name in found:
            continue
        try:
            said = subprocess.run(
                [program, _SUBCOMMAND.get(name, "--version")],
                cwd=directory,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                timeout=PATIENCE,
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        lines = (line.strip() for line in said.stdout.decode("utf-8", "replace").splitlines())
        first = next((line for line in lines if line), "")
        if said.returncode == 0 and first:
            found[name] = "".join(letter if letter.isprintable() else "?" for letter in first[:200])
    return found
