"""The list of commands and a shell's completion load nothing, and say what the whole program says."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from anchorhold.cli import start
from anchorhold.cli.app import app
from anchorhold.cli.tree import tree

SCRIPT = Path(sys.executable).with_name("anchorhold")
"""A shell completes the program by its own name; ``python -m`` has none."""


def said(*words: str, environment: dict[str, str] | None = None) -> str:
    return subprocess.run(
        [str(SCRIPT), *words],
        env=os.environ | (environment or {}),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    ).stdout


def test_the_list_of_commands_is_that_of_the_whole_program() -> None:
    runner = CliRunner()
    assert runner.invoke(tree(start.LIST), ["--help"]).stdout == runner.invoke(app, ["--help"]).stdout
    assert list(start.COMMANDS) == sorted(start.COMMANDS)


@pytest.mark.parametrize("words", [["--help"], ["--version"], []])
def test_the_list_of_commands_loads_nothing_but_its_library(words: list[str]) -> None:
    program = (
        "import sys\n"
        "from anchorhold.cli import start\n"
        f"sys.argv = ['anchorhold', *{words!r}]\n"
        "try:\n    start.main()\nexcept SystemExit:\n    pass\n"
        "print(sorted(name for name in sys.modules if name.split('.')[0] in ('anchorhold', 'numpy', 'rich')))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = ["anchorhold", "anchorhold.cli", "anchorhold.cli.output", "anchorhold.cli.quick"]
    loaded += ["anchorhold.cli.start", "anchorhold.cli.tree"]
    assert done.stdout.splitlines()[-1] == str(loaded)


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("anchorhold ga", ["gate"]),
        ("anchorhold re", ["release", "report", "register"]),
        ("anchorhold check o", ["open"]),
        ("anchorhold import f", ["fastchess", "fishtest"]),
        ("anchorhold gate --self", ["--self-test"]),
    ],
)
def test_a_shell_completes_commands_and_options(line: str, offered: list[str]) -> None:
    bash = {
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split()) - 1),
        "_ANCHORHOLD_COMPLETE": "complete_bash",
    }
    assert said(environment=bash).splitlines() == offered
    fish = {
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        "_ANCHORHOLD_COMPLETE": "complete_fish",
    }
    assert [row.split("\t")[0] for row in said(environment=fish).splitlines()] == offered


def test_bash_itself_completes_after_the_script_that_is_shown() -> None:
    script = said("--show-completion", "bash", environment={"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"})
    assert "complete -o default -F" in script
    ask = (
        f"{script}\nCOMP_WORDS=(anchorhold register v); COMP_CWORD=2\n"
        '"$(complete -p anchorhold | sed "s/.*-F \\([^ ]*\\).*/\\1/")" anchorhold v register\n'
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(
        ["bash", "-c", ask],
        env=os.environ | {"PATH": f"{SCRIPT.parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["verify"]
