"""A reader that went away or a full disk never looks like an answer of the gate."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from anchorhold.register.store import Register

COMMANDS = (("gate",), ("gate", "--json"), ("register", "log"), ("register", "export"), ("gate", "--help"))


@pytest.fixture
def register(tmp_path: Path) -> Path:
    path = tmp_path / "r.db"
    with Register.create(str(path), author="somebody") as made:
        for number in range(20):
            made.append("note", {"text": f"{number} " + "long text " * 500}, author="somebody")
    return path


def run(register: Path, words: tuple[str, ...], *, stdout: int) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "anchorhold", *words, *(() if "--help" in words else ("--register", str(register)))],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_reader_that_went_away_gives_the_status_of_a_broken_pipe(register: Path, words: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        assert run(register, words, stdout=writing) == (141, "")
    finally:
        os.close(writing)


@pytest.mark.parametrize("words", [("gate",), ("register", "export")], ids=" ".join)
def test_a_full_disk_is_said_and_has_a_status_of_its_own(register: Path, words: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as full:
        status, said = run(register, words, stdout=full.fileno())
    assert (status, said) == (74, "anchorhold: the output could not be written: No space left on device\n")
