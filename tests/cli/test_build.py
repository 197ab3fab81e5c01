"""Main from source as its users see it: ``anchorhold build``, and checks and oracle runs that name git revisions."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from anchorhold.cli.app import app
from builds.repository import EngineRepository, make_repository, runs
from checks.project import Project, gain, make_project
from cli.test_oracle import ORACLE

SETTINGS = """build = { command = "make EXE={output}", repository = "../engine", bench = "{program} bench" }
"""


@pytest.fixture
def repository(tmp_path: Path) -> EngineRepository:
    return make_repository(tmp_path / "engine")


@pytest.fixture
def project(tmp_path: Path, repository: EngineRepository, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project whose main is built from the repository; a claim, and the anchors pinned."""
    assert repository.directory.name == "engine"
    for name in list(os.environ):
        if name.startswith("ANCHORHOLD_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("LC_ALL", "C")
    # Not TMPDIR: what the machine's temporary folder is was looked up once, and for good.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    made = make_project(tmp_path / "project", pairs=2)
    made.edit('command = "./{version}"\n', SETTINGS)
    made.append("gain_test", gain(30.0))
    made.pin()
    monkeypatch.chdir(made.directory)
    return made


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def refused(*arguments: str) -> str:
    """Run a command that is refused with one clear line, and return it."""
    result = call(*arguments)
    assert result.exit_code == 2, result.output
    lines = [line for line in result.stderr.splitlines() if not line.startswith("anchorhold: building ")]
    assert len(lines) == 1, result.stderr
    return lines[0]


def close_with_a_verdict(project: Project, old: str, new: str) -> None:
    """Open a check between two revisions, and close it with made-up counts."""
    opened = call("check", "open", "--old", old, "--new", new, "--pairs-long", "50")
    assert opened.exit_code == 0, opened.output
    assert project.close().check.closes_window


def builds(project: Project) -> Path:
    return project.directory / "anchorhold-data" / "builds"


@pytest.mark.usefixtures("project")
def test_build_shows_what_was_built_and_then_what_is_kept(repository: EngineRepository) -> None:
    first = call("build", "v2")
    assert first.exit_code == 0, first.output
    assert first.stdout.startswith("v2: Prune more\n")
    assert "bench      1281" in first.stdout
    assert "id         Sparrow 1" in first.stdout
    assert "building v2 (Prune more): make EXE={output}; log: " in first.stderr
    second = call("build", "v2", "--json")
    assert second.stderr == ""
    document = json.loads(second.stdout)
    assert (document["version"], document["made_now"]) == ("v2", False)
    assert document["build"]["commit"] == repository.git("rev-parse", "v2")
    assert document["build"]["compilers"]
    assert Path(document["program"]).is_file()
    assert Path(document["log"]).is_file()


def test_building_again_answers_by_its_exit_status(project: Project) -> None:
    same = call("build", "v2", "--again", "--json")
    assert same.exit_code == 0, same.output
    assert json.loads(same.stdout)["again"]["same"] is True
    project.edit("make EXE={output}", "make EXE={output} && date +%N >>{output}")
    other = call("build", "v2", "--again")
    assert other.exit_code == 1
    assert "Built again: other bytes" in other.stdout


def test_a_project_without_a_build_command_says_how_to_name_one(project: Project) -> None:
    project.edit(SETTINGS, 'command = "./{version}"\n')
    assert "main: names no build command. Add it, such as build = " in refused("build", "v1")


def test_a_check_goes_from_two_revisions_to_a_result_that_verifies(
    project: Project, repository: EngineRepository
) -> None:
    ran = call("check", "run", "--old", "v1", "--new", "v2", "--json")
    assert json.loads(ran.stdout)["verdict"] in {"CONTINUE", "WARN", "HALT", "GAP"}, ran.output
    (check,) = project.checks()
    for name, version, bench in (("v1", check.plan.old, 1209), ("v2", check.plan.new, 1281)):
        assert version.version == name
        assert version.build is not None
        assert version.build.commit == repository.git("rev-parse", name)
        assert (version.build.bench, version.build.name) == (bench, "Sparrow 1")
        assert version.build.sha256 == version.sha256
        assert next(iter(version.build.compilers)) == "cc"
    assert all(measured.main is not None and measured.main.build for measured in check.recorded.values())
    assert call("register", "verify").exit_code == 0
    shown = call("check", "show")
    assert f"built: v2 from {repository.git('rev-parse', 'v2')}; make EXE={{output}}; cc" in shown.stdout
    again = call("check", "run", "--old", "v1", "--new", "v2", "--json")
    assert json.loads(again.stdout) == json.loads(ran.stdout)
    assert call("report", "--output", "report.html").exit_code == 0
    page = (project.directory / "report.html").read_text(encoding="utf-8")
    for words in (repository.git("rev-parse", "v1"), "make EXE={output}; cc", "new version, bench", ">1281<"):
        assert words in page


def test_the_next_check_begins_with_the_commit_that_the_register_names(
    project: Project, repository: EngineRepository
) -> None:
    close_with_a_verdict(project, "v1", repository.git("rev-parse", "v2"))
    repository.git("tag", "--delete", "v1", "v2")
    opened = call("check", "open", "--new", "HEAD")
    assert opened.exit_code == 0, opened.output
    second = project.checks()[1]
    assert second.plan.old.build is not None
    assert second.plan.new.build is not None
    assert second.plan.old.version == second.plan.old.build.commit[:12] == project.checks()[0].plan.new.version
    assert second.plan.new.version == repository.git("rev-parse", "HEAD")[:12]
    assert [note for note in second.plan.notes if "planned pairs" not in note] == []


def test_a_commit_keeps_the_name_that_the_register_gave_it(project: Project, repository: EngineRepository) -> None:
    close_with_a_verdict(project, "v1", "v2")
    opened = call("check", "open", "--old", repository.git("rev-parse", "v2"), "--new", "master")
    assert opened.exit_code == 0, opened.output
    assert project.checks()[1].plan.old.version == "v2"


def test_a_tag_that_was_moved_is_refused(project: Project, repository: EngineRepository) -> None:
    close_with_a_verdict(project, "v1", "v2")
    was, now = (repository.git("rev-parse", "--short=12", name) for name in ("v2", "master"))
    repository.git("tag", "--force", "v2", "master")
    assert f"v2 is the commit {now}, and was {was} when a check was opened for it" in refused(
        "check", "open", "--new", "master"
    )
    assert len(project.checks()) == 1


def test_builds_that_are_gone_are_made_again_for_the_measuring(project: Project) -> None:
    assert call("check", "open", "--old", "v1", "--new", "v2").exit_code == 0
    shutil.rmtree(builds(project))
    measured = call("check", "measure")
    assert measured.exit_code == 0, measured.output
    assert measured.stderr.count("building ") == 2


def test_a_build_that_gives_other_bytes_does_not_stand_for_the_one_that_was_pinned(project: Project) -> None:
    project.edit("make EXE={output}", "make EXE={output} && date +%N >>{output}")
    assert call("check", "open", "--old", "v1", "--new", "v2").exit_code == 0
    shutil.rmtree(builds(project))
    result = call("check", "measure")
    assert result.exit_code == 2
    assert "v1 is not what check-1 was opened with: build.sha256 is " in result.stderr


@pytest.mark.parametrize(
    ("new", "message"),
    [
        ("v3", "there is no revision 'v3'. did you mean"),
        ("-v", "there is no revision '-v'"),
        ("--all", "there is no revision '--all'"),
        ("v1..v2", "there is no revision 'v1..v2'"),
    ],
)
def test_what_is_no_revision_opens_no_check(project: Project, new: str, message: str) -> None:
    assert message in refused("check", "open", "--old", "v1", f"--new={new}")
    assert project.checks() == ()


def test_a_wrong_bench_opens_no_check(project: Project, repository: EngineRepository) -> None:
    repository.seed(5, "Forgot to update\n\nBench: 1281", tag="v3")
    assert ", expected 1281 (in the commit message)" in refused("check", "open", "--old", "v1", "--new", "v3")
    assert project.checks() == ()


def test_a_failing_build_opens_no_check(project: Project, repository: EngineRepository) -> None:
    repository.write("engine.c", "broken\n")
    repository.commit("Broken", tag="v3")
    line = refused("check", "open", "--old", "v1", "--new", "v3")
    assert "the build of v3 failed with 2; its last lines: " in line
    assert str(builds(project)) in line
    assert project.checks() == ()


def test_a_change_that_changes_no_byte_of_the_program_is_no_new_version(
    project: Project, repository: EngineRepository
) -> None:
    repository.git("checkout", "--quiet", "v2")
    repository.write("README", "About this engine\n")
    repository.commit("Document it", tag="v2-docs")
    line = refused("check", "open", "--old", "v2", "--new", "v2-docs")
    assert "are the same program" in line
    assert "What lies between both changes nothing in the program" in line
    assert project.checks() == ()


def test_an_open_check_is_told_before_anything_is_built(project: Project) -> None:
    assert call("check", "open", "--old", "v1", "--new", "v2").exit_code == 0
    shutil.rmtree(builds(project))
    assert "the check check-1 is open" in refused("check", "open", "--old", "v1", "--new", "v2")
    assert not builds(project).exists()


def test_a_version_that_is_listed_is_ready_made_beside_those_that_are_built(project: Project) -> None:
    project.edit("[stages.long]", '[main.versions.released]\ncommand = "./v3"\n\n[stages.long]')
    opened = call("check", "open", "--old", "released", "--new", "v2")
    assert opened.exit_code == 0, opened.output
    (check,) = project.checks()
    assert check.plan.old.build is None
    assert check.plan.new.build is not None


def test_the_oracle_builds_both_and_records_their_commits(project: Project, repository: EngineRepository) -> None:
    path = project.config_path
    path.write_text(path.read_text(encoding="utf-8") + ORACLE.format(max_pairs=4), encoding="utf-8")
    ran = call("oracle", "run", "--candidate", "master", "--base", "v2", "--json")
    answer = json.loads(ran.stdout)
    short = repository.git("rev-parse", "master")[:12]
    assert answer["payload"]["id"] == f"v2..{short}"
    assert {role: build["commit"] for role, build in answer["payload"]["builds"].items()} == {
        "candidate": repository.git("rev-parse", "master"),
        "base": repository.git("rev-parse", "v2"),
    }
    assert call("register", "verify").exit_code == 0


@pytest.mark.usefixtures("project")
def test_the_rating_of_anchors_builds_the_versions_that_play_along(repository: EngineRepository) -> None:
    rated = call("anchors", "rate", "--pairs", "2", "--main", "HEAD", "--json")
    assert "building " in rated.stderr
    assert repository.git("rev-parse", "HEAD")[:12] in rated.output


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_build_that_is_interrupted_leaves_nothing(
    project: Project, repository: EngineRepository, tmp_path: Path, number: signal.Signals, status: int
) -> None:
    begun = project.directory / "begun"
    project.edit("make EXE={output}", f"echo $$ >{begun}; sleep 1000; make EXE={{output}}")
    process = subprocess.Popen(
        [sys.executable, "-c", "from anchorhold.cli.app import main; main()", "build", "v1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    deadline = time.monotonic() + 60
    while not (begun.exists() and begun.read_text(encoding="ascii").strip()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == status
    assert "Traceback" not in errors
    assert not runs(int(begun.read_text(encoding="ascii")))
    assert repository.worktrees() == []
    assert [path.name for path in builds(project).iterdir() if path.is_dir()] == []
    assert list((tmp_path / f"anchorhold-{os.getuid()}").iterdir()) == []
