"""The commands of a page: taken from its fenced blocks, run in their order in a folder, their output held to the page.

Two kinds of blocks are run. In ``console`` each line that begins with ``$ `` is a command (a backslash at its end goes
on), and what follows is what it prints, on both streams; ``…`` stands for any text within a line, and on a line of its
own for any lines. In ``sh`` every line is a command, and what it prints is not looked at. ``cd`` moves the folder for
what follows.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Container, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
ANY = "…"
PLACE = "/home/ada/sparrow"
"""What stands on a page for the folder in which its commands ran."""
_BLOCK = re.compile(r"^```(console|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a page, and what the page says that it prints; None where it says nothing."""

    text: str
    expected: str | None
    line: int


def commands(page: Path) -> list[Command]:
    """Return the commands of a page in their order."""
    text = page.read_text(encoding="utf-8")
    assert re.search(r"^ +```", text, re.MULTILINE) is None, f"{page}: an indented block would be passed over"
    found: list[Command] = []
    for block in _BLOCK.finditer(text):
        first = text.count("\n", 0, block.start()) + 2
        found += _console(block[2], first) if block[1] == "console" else _script(block[2], first)
    return found


def _console(block: str, first: int) -> list[Command]:
    found: list[Command] = []
    lines = iter(enumerate(block.splitlines(), start=first))
    for number, line in lines:
        if line.startswith("$ "):
            command = line[2:]
            while command.endswith("\\"):
                command = f"{command}\n{next(lines)[1]}"
            found.append(Command(command, "", number))
        else:
            assert found, f"line {number}: output without a command"
            last = found.pop()
            found.append(Command(last.text, f"{last.expected}{line}\n", last.line))
    return found


def _script(block: str, first: int) -> list[Command]:
    found: list[Command] = []
    lines = iter(enumerate(block.splitlines(), start=first))
    for number, line in lines:
        while line.endswith("\\"):
            line = f"{line}\n{next(lines)[1]}"
        if line and not line.startswith("#"):
            found.append(Command(line, None, number))
    return found


def is_as_expected(expected: str, printed: str) -> bool:
    """Whether a command printed what the page says."""
    parts = []
    for line in _trimmed(expected):
        if line == ANY:
            parts.append(r"(?:[^\n]*\n)*")
        else:
            parts.append(r"[^\n]*".join(map(re.escape, line.split(ANY))) + r"\n")
    return re.fullmatch("".join(parts), "".join(f"{line}\n" for line in _trimmed(printed))) is not None


def _trimmed(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def environment(home: Path) -> dict[str, str]:
    """Return variables under which ``anchorhold`` is this source, and nothing of the caller's settings counts."""
    program = home / "bin" / "anchorhold"
    if not program.exists():
        program.parent.mkdir(parents=True)
        script = f'#!/bin/sh\nPYTHONPATH={ROOT / "src"} exec {sys.executable} -m anchorhold "$@"\n'
        program.write_text(script, encoding="utf-8")
        program.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ANCHORHOLD_")}
    path = f"{program.parent}:{Path(sys.executable).parent}:{kept['PATH']}:/usr/games"
    return {**kept, "PATH": path, "HOME": str(home), "LC_ALL": "C.UTF-8", "COLUMNS": "100", "NO_COLOR": "1"}


def run(
    page: Path,
    folder: Path,
    *,
    home: Path,
    places: Mapping[str, Path] | None = None,
    left_out: Container[str] = (),
    statuses: Mapping[str, int] | None = None,
    record: bool = False,
) -> dict[str, str]:
    """Run the page's commands; return what each printed.

    Parameters
    ----------
    folder : Path
        Where the first command runs.
    home : Path
        For programs of this run; not the folder.
    places : mapping of str to Path, optional
        What stands here for a folder that a page names by its whole path.
    left_out : container of str
        Commands that are not run here.
    statuses : mapping of str to int, optional
        Exit statuses of the commands that do not end with 0.
    record : bool
        Write what was printed into the page where it is not what the page says.

    Raises
    ------
    AssertionError
        A command ended with another status, or printed something else than the page says.
    """
    variables = environment(home)
    start = str(folder)
    printed: dict[str, str] = {}
    for command in commands(page):
        if command.text in left_out:
            continue
        where = f"{page.relative_to(ROOT)}:{command.line}: {command.text}"
        if command.text.startswith("cd "):
            folder = folder / shlex.split(command.text)[1]
            continue
        text = command.text
        for named, there in (places or {}).items():
            text = text.replace(named, str(there))
        done = subprocess.run(
            ["/bin/bash", "-c", text],
            cwd=folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == (statuses or {}).get(command.text, 0), f"{where}\n{done.stdout}"
        shown = done.stdout.replace(start, PLACE)
        printed[command.text] = shown
        if command.expected is None or is_as_expected(command.expected, shown):
            continue
        if record:
            _write(page, command, shown)
        else:
            assert shown == command.expected, f"{where}\nrecord it: pytest tests/docs --record"
    return printed


def _write(page: Path, command: Command, printed: str) -> None:
    """Put what a command printed behind it. The command is found again: what stands above may have grown."""
    text = page.read_text(encoding="utf-8")
    before = f"$ {command.text}\n{command.expected}"
    assert text.count(before) == 1, f"{command.text} stands twice with the same output"
    shown = "".join(f"{line}\n" for line in _trimmed(printed))
    page.write_text(text.replace(before, f"$ {command.text}\n{shown}"), encoding="utf-8")
