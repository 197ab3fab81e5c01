"""A register is verified with the files that it names, where they are at hand."""

from pathlib import Path

import pytest

from anchorhold.canonical import file_sha256
from anchorhold.checks.verification import Verification, verify
from checks.project import Project, gain, make_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A check that was really played, and a test with its games."""
    made = make_project(tmp_path / "project", pairs=2)
    made.append("gain_test", gain(30.0))
    made.pin()
    made.run("v1", "v2")
    games = made.settings().data / "oracle" / "dev-2"
    games.mkdir(parents=True)
    (games / "short.pgn").write_text("*\n", encoding="utf-8")
    stage = {"passed": False, "games_sha256": file_sha256(games / "short.pgn")}
    made.append("rejected_test", {"id": "dev-2", "short": stage})
    return made


def verified(project: Project, *, require_files: bool = False, data: Path | None = None) -> Verification:
    with project.register() as register:
        return verify(register, where="the register", data=data or project.settings().data, require_files=require_files)


def test_every_file_that_is_named_is_compared(project: Project) -> None:
    found = verified(project, require_files=True)
    assert (found.failure, found.files.compared, found.files.missing) == (None, 3, ())


def test_games_that_were_changed_do_not_hold(project: Project) -> None:
    path = project.settings().data / "checks" / "check-1" / "games.pgn"
    path.write_bytes(path.read_bytes() + b"\n")
    (project.settings().data / "oracle" / "dev-2" / "short.pgn").write_text("1-0\n", encoding="utf-8")
    found = verified(project)
    assert [one.where for one in found.differences] == ["games_sha256", "games_sha256", "short.games_sha256"]
    assert found.failure is not None
    assert str(found.failure).startswith("the register: does not follow from what is stored: entry 6 (check-1)")


def test_games_that_are_not_there_are_counted_and_do_not_hold_when_they_are_required(project: Project) -> None:
    path = project.settings().data / "checks" / "check-1" / "games.pgn"
    path.unlink()
    found = verified(project)
    assert (found.failure, found.files.compared, len(found.files.missing)) == (None, 1, 2)
    assert found.to_json()["files"] == {
        "compared": 1,
        "missing": [{"seq": seq, "file": "checks/check-1/games.pgn"} for seq in (6, 7)],
    }
    required = verified(project, require_files=True)
    assert [one.message for one in required.differences] == ["checks/check-1/games.pgn is not there"] * 2


def test_a_name_that_leads_elsewhere_is_not_followed(project: Project, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x", encoding="utf-8")
    measured = next(entry for entry in project.entries() if entry.kind == "measurement")
    twin = make_project(tmp_path / "twin", pairs=2)
    twin.pin()
    twin.open()
    twin.append("measurement", {**measured.payload, "games_file": "../../../../secret"})
    assert verified(twin).files.compared == 0
