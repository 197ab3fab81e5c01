"""Benches as the field prints and writes them; compilers as logs name them."""

import os
from pathlib import Path

import pytest

from anchorhold.builds.compilers import compilers_of
from anchorhold.builds.examining import bench_in_message, bench_in_output

ENVIRONMENT = {"PATH": os.environ["PATH"]}


@pytest.mark.parametrize(
    ("message", "bench"),
    [
        ("Simplify\n\nPassed STC\n\nbench: 4711002", 4711002),
        ("Simplify\n\nBench: 1\n\nA later line\nBench: 4,711,002", 4711002),
        ("Simplify\n\nBENCH 4711002\n", 4711002),
        ("Simplify\n\nBench = 1234567 (was 7)", 1234567),
        ("Simplify\n\nNo functional change", None),
        ("Fix bench 12 crash in the middle of a line", None),
        ("bench: none", None),
    ],
)
def test_a_bench_is_found_in_a_message(message: str, bench: int | None) -> None:
    assert bench_in_message(message) == bench


@pytest.mark.parametrize(
    ("output", "bench"),
    [
        ("Total time (ms) : 2\nNodes searched  : 4711002\nNodes/second    : 9", 4711002),
        ("info depth 1 nodes 20\n4711002 nodes 1200000 nps\n", 4711002),
        ("Bench: 12\n", 12),
        ("1 nodes 1 nps\n2 nodes 1 nps\n", 2),
        ("no nodes at all", None),
    ],
)
def test_a_bench_is_found_in_an_output(output: str, bench: int | None) -> None:
    assert bench_in_output(output) == bench


def test_a_pattern_of_ones_own_finds_a_bench() -> None:
    assert bench_in_output("Signature [4'711]: 5_000\nNodes searched: 3", r"Signature .*: ([\d_]+)") == 5000
    assert bench_in_output("Signature: ff", r"Signature: (\w+)") is None


@pytest.mark.parametrize(
    ("command", "log", "flags", "found"),
    [
        ("make", "gcc -O3 a.c -o a\n", {}, {"gcc"}),
        ("make", "cd src && cc -c a.c\nld a.o\n", {}, {"cc"}),
        ("cc -o {output} a.c", "", {}, {"cc"}),
        ("make", "", {"CC": "gcc -m64"}, {"gcc"}),
        ("make", "make: Nothing said\n", {}, {"cc", "c++"}),
        ("make", "prints that cc is a compiler\n", {}, {"cc", "c++"}),
        ("make", "no-such-arch-gcc -c a.c\n", {}, {"cc", "c++"}),
    ],
)
def test_compilers_are_those_that_flags_command_or_log_name(
    tmp_path: Path, command: str, log: str, flags: dict[str, str], found: set[str]
) -> None:
    file = tmp_path / "log"
    file.write_text(log, encoding="utf-8")
    seen = compilers_of(command=command, log=file, flags=flags, environment=ENVIRONMENT, directory=tmp_path)
    assert set(seen) | {"c++"} == found | {"c++"}
    assert all(line and "\n" not in line for line in seen.values())


def test_a_compiler_that_is_named_with_its_path_is_that_one(tmp_path: Path) -> None:
    own = tmp_path / "gcc"
    own.write_text("#!/bin/sh\necho own gcc 99\n", encoding="utf-8")
    own.chmod(0o755)
    log = tmp_path / "log"
    log.touch()
    seen = compilers_of(command="make", log=log, flags={"CC": str(own)}, environment=ENVIRONMENT, directory=tmp_path)
    assert seen == {"gcc": "own gcc 99"}
