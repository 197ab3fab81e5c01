"""The pages of docs/howto do what they say: every command runs, in the page's order, in a project made for it.

Engines are the small programs of the tests, and games are few: the pages show what a reader's own engines would do.
"""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from anchorhold.stats.outcomes import Pentanomial
from anchorhold.stats.sprt import Sprt
from checks.project import EVEN, gain, make_project, write_engine
from docs import pages
from gate.today import make_project_of_today
from importers import server_texts
from importers.commits.repositories import git, repository

HOWTO = pages.DOCS / "howto"
EXPLANATION = pages.DOCS / "explanation"
ANCHORS = {
    "Ethereal": "ethereal",
    "Toga II": "toga2",
    "GNU Chess": "gnuchess",
    "Phalanx": "phalanx",
    "HoiChess": "hoichess",
    "Fairy-Max": "fairymax",
}
LEFT_OUT = {
    # Page and beginning of the command: why it cannot run here.
    ("fastchess.md", "fastchess "): "needs fastchess, which Debian does not have",
    (
        "openbench.md",
        "anchorhold import openbench https:",
    ): "needs a public instance; test_import_servers has one on loopback",
    (
        "fishtest.md",
        "anchorhold import fishtest https:",
    ): "needs a public instance; test_import_servers has one on loopback",
    ("dashboard.md", "pip install "): "tests/packaging installs into environments of their own",
    ("dashboard.md", "anchorhold serve"): "stays until it is ended; tests/web/test_serve.py asks one",
}
Stage = Callable[[Path], None]


def report(stage: str, counts: tuple[int, ...]) -> str:
    """A passed test as fishtest prints it, its LLR from the counts."""
    ll, ld, even, wd, ww = counts
    games = 2 * sum(counts)
    wins, losses = 2 * ww + wd + even // 2, 2 * ll + ld + even // 2
    llr = Sprt(0.0, 10.0).llr(Pentanomial(*counts))
    return (
        f"Passed {stage}:\nLLR: {llr:.2f} (-2.94,2.94) <0.00,10.00>\n"
        f"Total: {games} W: {wins} L: {losses} D: {games - wins - losses}\n"
        f"Ptnml(0-2): {', '.join(map(str, counts))}\n"
    )


REDUCTIONS = f"{report('STC', (60, 620, 1500, 780, 95))}\n{report('LTC', (22, 400, 1180, 560, 40))}"
EXTENSIONS = f"{report('STC', (50, 660, 1610, 850, 80))}\n{report('LTC', (31, 520, 1490, 690, 52))}"
HISTORY = ("First", f"Reduce late moves more\n\n{REDUCTIONS}", "Tidy", f"Extend checks\n\n{EXTENSIONS}")


def play(folder: Path, *words: str) -> None:
    command = ["anchorhold", "match", *words, "--each", "depth=1", "--maxmoves", "15"]
    command += ["--resign", "movecount=1,score=200", "--openings", "file=book.epd"]
    variables = pages.environment(folder.parent / "home")
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two gauntlets, a rating list, a repository with two tags, the engines, the files of a sequential test."""
    folder = tmp_path_factory.mktemp("games") / "project"
    folder.mkdir()
    make_project(folder)
    (folder / "anchorhold.toml").unlink()
    (folder / "engines").mkdir()
    opponents = []
    for number, (name, file) in enumerate(ANCHORS.items()):
        write_engine(folder / "engines" / file, strength=10 * number)
        opponents += ["--engine", f"cmd=engines/{file} name='{name}'"]
    for version, file in (("v1", "old.pgn"), ("v4", "new.pgn")):
        first = ("--engine", f"cmd=./{version} name=Sparrow")
        play(folder, *first, *opponents, "--tournament", "gauntlet", "--rounds", "12", "--pgn", file)
    for seed, file in (("1", "short.pgn"), ("2", "long.pgn")):
        both = ("--engine", "cmd=./v4 name=new", "--engine", "cmd=./v1 name=old")
        play(folder, *both, "--rounds", "12", "--srand", seed, "--pgn", file)
    lines = ["name,rating,error", *(f"{name},{3010 - 15 * number},9.5" for number, name in enumerate(ANCHORS))]
    (folder / "ratings.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    place = repository(folder / "sparrow", HISTORY, bare=False)
    commits = git(place, "rev-list", "--reverse", "main").split()
    git(place, "tag", "v1.4", commits[0])
    git(place, "tag", "v1.5", commits[-1])
    sprt = {"enabled": True, "alpha": 0.05, "beta": 0.05, "elo0": 0.0, "elo1": 5.0, "model": "normalized"}
    state = json.loads(server_texts.text({**server_texts.STATE, "sprt": sprt}))
    state["stats"] = {"Pawnstar-new vs Anchor-A": server_texts.STATE["stats"]["Pawnstar-new vs Anchor-A"]}
    (folder / "config.json").write_text(json.dumps(state), encoding="utf-8")
    return folder


def with_openbench_files(folder: Path) -> None:
    short = {**server_texts.TEST, "id": 730, "dev_time_control": "10.0+0.10"}
    (folder / "test-730.json").write_text(server_texts.text(short), encoding="utf-8")
    (folder / "test-731.json").write_text(server_texts.text(server_texts.TEST), encoding="utf-8")
    block = server_texts.BLOCK
    message = f"Prune more\n\n{block.replace('40.0+0.40s', '8.0+0.08s')}\n{block}\nBench: 4711002\n"
    (folder / "message.txt").write_text(message, encoding="utf-8")


def with_fishtest_files(folder: Path) -> None:
    runs = [
        server_texts.run(1, **server_texts.SHORT),
        server_texts.run(2),
        server_texts.run(3, resolved_new="5" * 40, **{**server_texts.FAILED, "llr": -4.15}),
    ]
    (folder / "runs.json").write_text(server_texts.text(*runs), encoding="utf-8")
    repository(folder / "engine", HISTORY, bare=False)


def with_settings(folder: Path) -> None:
    project = make_project(folder)
    lines = ["name,rating,error", *(f"Anchor {number},{3010 + 10 * number},9.5" for number in range(1, 7))]
    (folder / "list.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert project.register_path.is_file()


def with_a_halt(folder: Path) -> None:
    project = make_project_of_today(folder)
    project.pin()
    for number in range(1, 10):
        project.append("gain_test", gain(2.0 + number / 4, name=f"dev-{number}"))
    project.open("v1", "v2")
    project.close(old=EVEN, new=EVEN)
    project.edit("[book]", '[gate]\nallowed_signers = "allowed_signers"\n\n[book]')
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "ada", "-f", "ada-release"], cwd=folder, check=True
    )
    key = " ".join((folder / "ada-release.pub").read_text(encoding="utf-8").split()[:2])
    (folder / "allowed_signers").write_text(f'ada namespaces="anchorhold" {key}\n', encoding="utf-8")


def with_a_server(folder: Path) -> None:
    """A working tree with a branch to merge, its server's repository, and a register that lets merges through."""
    project = make_project_of_today(folder)
    project.register_path.rename(folder / "register.db")
    shutil.copy(folder / "register.db", folder / "srv-register.db")
    git(folder, "init", "-q", "-b", "main")
    git(
        folder,
        "-c",
        "user.name=Ada",
        "-c",
        "user.email=ada@example.org",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "First",
    )
    git(folder, "branch", "candidate")
    served = folder / "srv"
    served.mkdir()
    (folder / "srv-register.db").rename(served / "register.db")
    (served / "allowed_signers").write_text("", encoding="utf-8")
    subprocess.run(["git", "clone", "-q", "--bare", str(folder), str(served / "sparrow.git")], check=True)


def with_imports(folder: Path) -> None:
    """A history, a message, games of two gauntlets and of both stages of a test, in a project."""
    project = make_project(folder)
    place = folder / "path" / "to" / "engine"
    place.parent.mkdir(parents=True)
    repository(place, HISTORY, bare=False)
    commits = git(place, "rev-list", "--reverse", "main").split()
    git(place, "tag", "v1.0", commits[0])
    git(place, "tag", "v1.1", commits[-1])
    (folder / "message.txt").write_text(HISTORY[1], encoding="utf-8")
    anchors = [word for name in ("anchor1", "anchor2") for word in ("--engine", f"cmd=./{name}")]
    for version, file in (("v1", "old-gauntlet.pgn"), ("v2", "new-gauntlet.pgn")):
        main = ("--engine", f"cmd=./{version} name=Main")
        play(folder, *main, *anchors, "--tournament", "gauntlet", "--rounds", "4", "--pgn", file)
    for seed, file in (("1", "short.pgn"), ("2", "long.pgn")):
        both = ("--engine", "cmd=./v2 name=new", "--engine", "cmd=./v1 name=old")
        play(folder, *both, "--rounds", "4", "--srand", seed, "--pgn", file)
    assert project.register_path.is_file()


def with_the_case_study(folder: Path) -> None:
    (folder / "docs").mkdir()
    shutil.copy(pages.DOCS / "case-study.jsonl", folder / "docs")


def with_games(_: Path) -> None:
    """What the fixture ``games`` has played once for all."""


def with_nothing(_: Path) -> None:
    """The page needs no file."""


STAGES: dict[str, tuple[Stage, dict[str, int]]] = {
    "case-study.md": (with_the_case_study, {}),
    "ci.md": (with_a_server, {}),
    "dashboard.md": (with_a_halt, {}),
    "import.md": (with_imports, {}),
    "anchors.md": (with_settings, {"echo >> anchor3; anchorhold anchors verify": 1}),
    "fastchess.md": (with_games, {}),
    "fishtest.md": (with_fishtest_files, {}),
    "halt.md": (with_a_halt, {"anchorhold gate; echo $?": 0}),
    "how-many-games.md": (with_nothing, {}),
    "openbench.md": (with_openbench_files, {}),
}


def page_of(name: str) -> Path:
    return (EXPLANATION if name == "case-study.md" else HOWTO) / name


@pytest.mark.parametrize("name", STAGES)
def test_every_command_of_the_page_runs_in_its_order(
    name: str, tmp_path: Path, pytestconfig: pytest.Config, request: pytest.FixtureRequest
) -> None:
    stage, statuses = STAGES[name]
    folder = tmp_path / "project"
    if stage is with_games:
        shutil.copytree(request.getfixturevalue("games"), folder)
    else:
        folder.mkdir()
        stage(folder)
    path = page_of(name)
    left_out = {
        command.text
        for command in pages.commands(path)
        for (page, beginning) in LEFT_OUT
        if page == name and command.text.startswith(beginning)
    }
    pages.run(
        path,
        folder,
        home=tmp_path / "home",
        places={"/srv": folder / "srv"},
        left_out=left_out,
        statuses=statuses,
        record=pytestconfig.getoption("--record"),
    )


def test_what_is_left_out_stands_on_its_page() -> None:
    for page, beginning in LEFT_OUT:
        assert any(command.text.startswith(beginning) for command in pages.commands(HOWTO / page)), (page, beginning)


def test_what_the_readme_says_of_games_that_are_there_runs_as_it_stands(tmp_path: Path, games: Path) -> None:
    """The front page's commands, with its placeholders filled in."""
    folder = tmp_path / "project"
    shutil.copytree(games, folder)
    text = (pages.ROOT / "README.md").read_text(encoding="utf-8")
    start = text.partition("## Start\n")[2].partition("\n## ")[0]
    lines = re.findall(r"^ {4}(anchorhold .*)$", start, re.MULTILINE)
    assert len(lines) == 9
    programs = " ".join(f"--program '{name}=engines/{file}'" for name, file in ANCHORS.items())
    variables = pages.environment(tmp_path / "home")
    for line in lines:
        filled = line.replace("path/to/engine", "sparrow").replace("2024-01-01", "1")
        filled = re.sub(r"--program .*…", programs, filled)
        done = subprocess.run(
            ["/bin/bash", "-c", filled], cwd=folder, env=variables, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{filled}\n{done.stdout}{done.stderr}"
        if filled.startswith("anchorhold evaluate"):
            assert "R = 1.15: of 28.71 Elo" in done.stdout
    assert (folder / "report.html").is_file()
