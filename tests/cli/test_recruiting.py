"""Workers that start before the command line is read: as many as it will want, and none left when it is wrong."""

import os
import subprocess
import sys

import psutil
import pytest

from anchorhold.cli import recruiting


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["match", "--engine", "cmd=a"], 1),
        (["match", "--concurrency", "2"], 2),
        (["match", "-concurrency", "2", "-rounds", "5"], 2),
        (["match", "--workers=2"], 2),
        (["match", "--concurrency", "0"], 0),
        (["match", "--concurrency", "many"], 1),
        (["match", "--concurrency"], 1),
        (["match", "--concurrency", "2", "--help"], 0),
        (["match", "--dask", "tcp://127.0.0.1:1", "--concurrency", "2"], 0),
        (["match", "--concurrency", "99999999999999999999"], 99_999),
    ],
)
def test_the_guess_is_what_the_words_say_within_the_machine(words: list[str], wanted: int) -> None:
    assert recruiting.guess(words) == min(wanted, os.cpu_count() or 1)


def workers() -> set[int]:
    return {child.pid for child in psutil.Process().children() if "anchorhold.matches.worker" in child.cmdline()}


def test_a_match_gets_those_that_were_started_and_as_many_as_it_wants() -> None:
    recruiting.recruit(["match"])
    early = workers()
    assert len(early) == 1
    try:
        with recruiting.recruits(3):
            assert early < workers()
            assert len(workers()) == 3
        assert not workers()
    finally:
        recruiting.dismiss()


def test_those_that_no_match_asked_for_are_ended() -> None:
    recruiting.recruit(["match"])
    assert workers()
    recruiting.dismiss()
    assert not workers()


def test_a_wrong_command_line_is_said_as_ever() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "anchorhold", "match", "--no-such-option"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "no-such-option" in done.stderr
    assert "Traceback" not in done.stderr
