"""The example in the help of a command works: each is run as it stands, in a project made for it."""

import json
import shlex
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from anchorhold.cli.app import app
from checks.project import gain, make_project, write_engine
from docs import pages
from gate.today import ProjectOfToday
from importers import server_texts
from importers.commits.repositories import git
from importers.test_ratings import ORDO
from test_docs import COMMANDS

ELSEWHERE = {
    # Why an example is not run here, and what runs the command.
    "anchors rate": "needs games of the six; tests/cli/test_anchors_rate.py",
    "build": "tests/cli/test_build.py",
    "calibrate": "half a minute; tests/cli/test_calibrate.py",
    "demo": "minutes; tests/cli/test_demo.py",
    "doctor": "plays with the engines of the machine; tests/adopt/test_doctor.py",
    "engines add": "tests/adopt/test_engines_command.py",
    "engines probe": "tests/adopt/test_engines_command.py",
    "gate": "docs/howto/ci.md; tests/docs/test_howto.py",
    "hook run": "is called by git; tests/hooks",
    "import commits": "docs/howto/import.md; tests/docs/test_howto.py",
    "init": "tests/adopt/test_init.py",
    "match": "500 rounds; docs/howto/match.md, tests/cli/test_match_docs.py",
    "merge": "needs shards; tests/cli/test_merge.py",
    "oracle run": "docs/tutorial/first-check.md; tests/docs/test_tutorial.py",
    "release": "needs a key; docs/howto/halt.md, tests/docs/test_howto.py",
    "serve": "stays until it is ended; tests/web/test_serve.py",
}
# In this order: what is made by one is there for the next.
HERE = (
    "register create",
    "anchors pin",
    "register head",
    "register verify",
    "anchors list",
    "anchors verify",
    "engines list",
    "oracle plan",
    "plan",
    "check open",
    "check measure",
    "check close",
    "check run",
    "check list",
    "check show",
    "report",
    "site",
    "badge",
    "claims",
    "register note",
    "register epoch",
    "register log",
    "register show",
    "register retract",
    "register export",
    "register import",
    "import cutechess",
    "import fastchess",
    "import fishtest",
    "import openbench",
    "import pgn",
    "import ratings",
    "evaluate",
    "hook install",
    "hook status",
    "hook uninstall",
    "check abandon",
)
VERDICTS = {"check close", "check run", "evaluate"}
"""Their exit status is the verdict."""
GAMES = """\
[Event "?"]
[White "Main"]
[Black "Rival"]
[Round "1"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[Event "?"]
[White "Rival"]
[Black "Main"]
[Round "1"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1
"""


def example(name: str) -> str:
    """The example of a command's help."""
    text = COMMANDS[f"anchorhold {name}"].help or ""
    return " ".join(text.partition("Example: ")[2].partition("\n\n")[0].split())


def test_every_example_is_run_or_it_is_said_where() -> None:
    assert {f"anchorhold {name}" for name in (*HERE, *ELSEWHERE)} == set(COMMANDS)
    assert len(HERE) == len(set(HERE) - set(ELSEWHERE))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a window of claims, and the files that the examples name."""
    place = tmp_path / "project"
    project = ProjectOfToday(make_project(place, pairs=2, direct=1).directory)
    for number, version in enumerate(("v1.4", "v1.5")):
        write_engine(place / version, strength=20 * number)
    project.pin()
    for number in range(1, 13):
        project.append("gain_test", gain(2.0 + number / 4, name=f"dev-{number}"))
    for name, text in {
        "match.log": server_texts.CUTECHESS,
        "config.json": server_texts.text(server_texts.STATE),
        "runs.json": server_texts.text(server_texts.run(1, **server_texts.SHORT), server_texts.run(2)),
        "test-731.json": server_texts.text(server_texts.TEST),
        "games.pgn": GAMES,
        "ordo.txt": ORDO,
    }.items():
        (place / name).write_text(text, encoding="utf-8")
    case = json.loads((pages.ROOT / "tests" / "golden" / "evaluation" / "case-01.json").read_text(encoding="utf-8"))
    (place / "check.json").write_text(json.dumps(case["document"]), encoding="utf-8")
    (place / "srv").mkdir()
    git(place / "srv", "init", "-q", "--bare", "sparrow.git")
    monkeypatch.chdir(place)
    return place


@pytest.mark.timeout(900)  # a check is played; a loaded machine takes longer
def test_the_examples_work_in_their_order(folder: Path) -> None:
    for name in HERE:
        if name == "check abandon":
            assert run("check", "open", "--old", "v1.4", "--new", "v1.5").exit_code == 0
        words = shlex.split(example(name).replace("/srv/", f"{folder}/srv/"))
        done = run(*words[1:])
        expected = (0, 1, 3) if name in VERDICTS else (0,)
        assert done.exit_code in expected, f"{' '.join(words)}\n{done.output}"
        if name == "register create":
            shutil.copy(folder / "register.db", folder / "srv")


def run(*words: str) -> Result:
    return CliRunner().invoke(app, words)
