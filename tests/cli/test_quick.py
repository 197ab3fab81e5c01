"""A plain command line, read without the library, says what the library reads in it."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from anchorhold.cli.app import app
from anchorhold.cli.quick import QUICK, plain_words, quick_call
from anchorhold.register.exporting import export_line
from anchorhold.register.store import Register
from importers.commits.messages import GAIN, SIMPLER
from importers.commits.repositories import repository
from register.long_register import long_register

COMMITS = QUICK["import", "commits"]
LEFT = {"help", "message", "max_unaudited_elo", "max_unaudited_tests", "max_age_days"}
"""Options whose lines the library reads: one message has no repository, and a number may be none."""


@pytest.mark.parametrize("words", list(QUICK))
def test_it_knows_the_options_that_the_library_knows(words: tuple[str, ...]) -> None:
    command = get_command(app)
    for word in words:
        command = command.commands[word]  # type: ignore[attr-defined]
    quick = QUICK[words]
    known = {**quick.options, **quick.flags}
    for one in command.params:
        if one.param_type_name == "argument":
            assert one.name == quick.argument
        elif one.name not in LEFT:
            assert [known.pop(option) for option in one.opts] == [one.name]
            assert bool(getattr(one, "is_flag", False)) == (one.opts[0] in quick.flags)
    assert known == {}


def test_a_plain_line_is_read() -> None:
    words = ["r", "--since", "v1", "--until=v2", "--register", "a=b.db", "--dry-run", "--json"]
    assert plain_words(words, COMMITS) == {
        "repository": "r", "since": "v1", "until": "v2", "register": "a=b.db", "dry_run": True, "as_json": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    "line",
    ["--help", "r --help", "r s", "--dry-run", "r --since", "r --since --until", "r --sinc v1", "r --since= --json",
     "r --dry-run --dry-run", "r --dry-run=1", "-- r", "--message m", "r --odd"],
)  # fmt: skip
def test_any_other_line_is_left_to_the_library(line: str) -> None:
    assert plain_words(line.split(), COMMITS) is None
    assert quick_call(["import", "commits", *line.split()]) is None


@pytest.mark.parametrize("words", [[], ["import"], ["import", "commits"], ["import", "pgn", "x"], ["gates"]])
def test_other_commands_are_left_to_the_library(words: list[str]) -> None:
    assert quick_call(words) is None


@pytest.mark.parametrize("line", ["x", "--help", "--max-age-days 3", "--register", "--json --json", "--odd", "--"])
def test_any_other_question_to_the_gate_is_left_to_the_library(line: str) -> None:
    assert quick_call(["gate", *line.split()]) is None


def test_the_gate_says_the_same_on_both_ways(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom anchorhold.cli import start\nsys.argv = ['anchorhold', 'gate', *sys.argv[1:]]\n"
        "try:\n    start.main()\nfinally:\n    print('typer' in sys.modules, file=sys.stderr)\n"
    )
    path, old = str(tmp_path / "register.db"), tmp_path / "old.jsonl"
    old.write_bytes(b"".join(map(export_line, long_register(60, checks=2, halts=True))))
    Register.restore(path, old.read_bytes(), where=path).close()
    for options in ([], ["--json"], ["--lang", "de"], [f"--extends={old}"], ["--self-test"]):
        quick, slow = (
            subprocess.run(
                [sys.executable, "-c", program, *options, *more], capture_output=True, text=True, check=False
            )
            for more in (["--register", path], ["--register", path, "--"])
        )
        assert (quick.returncode, quick.stdout) == (slow.returncode, slow.stdout)
        assert quick.stdout
        assert slow.stderr.endswith("True\n")
    plain = subprocess.run(
        [sys.executable, "-c", program, "--register", path], capture_output=True, text=True, check=False
    )
    assert (plain.returncode, plain.stderr) == (1, "False\n")


def test_both_ways_say_the_same_and_the_quick_one_loads_nothing_slow(tmp_path: Path) -> None:
    place = repository(tmp_path / "r.git", [GAIN, SIMPLER, 'Revert "x"', "A\n\n" + GAIN])
    program = (
        "import sys\nfrom anchorhold.cli import start\n"
        f"sys.argv = ['anchorhold', 'import', 'commits', '--json', '--dry-run', *sys.argv[1:], {str(place)!r}]\n"
        "try:\n    start.main()\nfinally:\n"
        "    print(*(name for name in ('typer', 'numpy', 'pydantic', 'sqlalchemy') if name in sys.modules), "
        "file=sys.stderr)\n"
    )
    quick, slow = (
        subprocess.run([sys.executable, "-c", program, *more], capture_output=True, text=True, check=True)
        for more in ([], ["--"])
    )
    assert quick.stdout == slow.stdout
    assert '"tests": 5' in quick.stdout
    assert quick.stderr.split() == []
    assert "typer" in slow.stderr


def test_a_mistake_is_one_line_on_both_ways(tmp_path: Path) -> None:
    said = [
        subprocess.run(
            [sys.executable, "-m", "anchorhold", "import", "commits", *more, str(tmp_path)],
            capture_output=True,
            text=True,
            check=False,
        )
        for more in ([], ["--"])
    ]
    assert (said[0].returncode, said[0].stderr) == (said[1].returncode, said[1].stderr)
    assert said[0].stderr.startswith("anchorhold: ")
