"""Colour: on a terminal, not in a pipe, not against ``NO_COLOR``; the words are the same."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from checks.project import gain, make_project

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture(scope="module")
def register(tmp_path_factory: pytest.TempPathFactory) -> str:
    project = make_project(tmp_path_factory.mktemp("project"))
    project.append("gain_test", {**gain(3.0), "date": "2026-01-02"})
    project.append("gain_test", {**gain(4.0), "id": "dev-2", "date": "2026-02-02"})
    return str(project.register_path)


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "anchorhold", *words]


def environment(**members: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    return {**kept, "TERM": "xterm-256color", **members}


def in_terminal(folder: Path, *words: str, **members: str) -> str:
    """What a terminal shows of a command."""
    ours, theirs = os.openpty()
    with os.fdopen(ours, "rb", buffering=0) as screen:
        done = subprocess.Popen(
            command(*words),
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=theirs,
            env=environment(**members),
            cwd=folder,
        )
        os.close(theirs)
        shown = b""
        try:
            while block := screen.read(4096):
                shown += block
        except OSError:
            pass  # the other end has closed the terminal
        done.wait(timeout=60)
    return shown.decode("utf-8").replace("\r\n", "\n")


@pytest.mark.parametrize("words", [("gate",), ("claims",)])
def test_a_terminal_shows_the_same_words_with_colour(register: str, tmp_path: Path, words: tuple[str, ...]) -> None:
    asked = (*words, "--register", register)
    shown = in_terminal(tmp_path, *asked)
    piped = subprocess.run(command(*asked), capture_output=True, env=environment(), cwd=tmp_path, check=False)
    plain = piped.stdout.decode("utf-8")
    assert "\x1b" not in plain
    assert ESCAPE.search(shown)
    assert ESCAPE.sub("", shown) == plain
    assert "\x1b" not in in_terminal(tmp_path, *asked, NO_COLOR="1")
