"""[main.build] is read, or refused with the key that is wrong."""

from pathlib import Path

import pytest

from anchorhold.config import load
from anchorhold.domain.project import MainEngine
from anchorhold.errors import BadInput

REST = """
[book]
file = "book.epd"
[stages.long]
nodes = 10
pairs = 1
"""


def main_of(directory: Path, text: str) -> MainEngine:
    file = directory / "anchorhold.toml"
    file.write_text(f"[main]\n{text}\n{REST}", encoding="utf-8")
    return load(file, environment={}).main


def test_a_command_alone_is_a_build(tmp_path: Path) -> None:
    main = main_of(tmp_path, 'build = "make -j2 EXE={output}"')
    assert main.recipe is not None
    assert (main.recipe.command, main.recipe.repository, main.recipe.bench) == ("make -j2 EXE={output}", tmp_path, ())
    assert main.template is not None
    assert main.template.command == ("{program}",)


def test_a_table_says_everything_else(tmp_path: Path) -> None:
    main = main_of(
        tmp_path,
        """
command = "wrapper {program} --quiet"
[main.build]
command = "cargo build --release"
program = "target/release/sparrow"
repository = "../engine"
environment = { RUSTFLAGS = "-C target-cpu=native" }
timeout = 60
bench = "{program} bench"
bench_pattern = 'Signature: (\\d+)'
id = 'Sparrow \\d.*'
""",
    )
    recipe = main.recipe
    assert recipe is not None
    assert recipe.program == "target/release/sparrow"
    assert recipe.repository == tmp_path / "../engine"
    assert recipe.environment == (("RUSTFLAGS", "-C target-cpu=native"),)
    assert (recipe.timeout, recipe.bench) == (60.0, ("{program}", "bench"))
    assert (recipe.bench_pattern, recipe.id) == (r"Signature: (\d+)", r"Sparrow \d.*")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('build = "make"', r"main\.build\.command: does not use \{output\}"),
        ("build = 5", r"main\.build: is 5, expected a build command, or a table"),
        ("[main.build]", r"main\.build\.command: is missing"),
        ('build = { comand = "make" }', "did you mean 'command'"),
        ('build = { command = "make {output}", program = "x" }', "and program names a place too"),
        (
            'build = { command = "make", program = "../x" }',
            r"build\.program: is '\.\./x', expected a path inside",
        ),
        ('build = { command = "make", program = "/x" }', r"main\.build\.program: is '/x', expected a path inside"),
        ('build = { command = "make {output}", bench = "bench" }', r"expected a command with \{program\} in it"),
        ('build = { command = "make {output}", bench_pattern = "(" }', "not a regular expression"),
        ('build = { command = "make {output}", bench_pattern = "x" }', "with one group"),
        ('build = { command = "make {output}", id = "[" }', "not a regular expression"),
        ('build = { command = "make {output}", timeout = 0 }', "a number of at least 1"),
        ('build = { command = "make {output}", environment = { "A=B" = "1" } }', "expected a variable with a text"),
        (
            'build = { command = "make {output}", environment = { CC = 1 } }',
            "CC: is 1, expected a variable",
        ),
        ('command = "./{version}"\nbuild = "make {output}"', r"main\.command: does not use \{program\}"),
        ('command = "{program}"', r"main\.command: has \{program\} in it, and nothing builds one"),
        ('build = "make {output}"\n[main.versions.v1]\nmargin = 1', r"main\.versions\.v1\.command: is missing"),
    ],
)
def test_what_is_wrong_is_named_by_its_key(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        main_of(tmp_path, text)


def test_a_version_that_was_not_built_cannot_be_played(tmp_path: Path) -> None:
    main = main_of(tmp_path, 'build = "make EXE={output}"')
    limit = load(tmp_path / "anchorhold.toml", environment={}).long.limit
    with pytest.raises(BadInput, match="version 'v1' was not built"):
        main.spec("v1", limit)
