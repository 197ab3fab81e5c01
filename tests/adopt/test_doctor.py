"""Every look of ``anchorhold doctor``, on a project that is well and on one that is not."""

import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from anchorhold.adopt.anchor_text import UNRATED
from anchorhold.adopt.doctor import machine, parts
from anchorhold.adopt.doctor.anchors import look_at_distance, look_at_ratings
from anchorhold.adopt.doctor.engines import broken
from anchorhold.adopt.lineup import read_lineup
from anchorhold.adopt.searching import Search
from anchorhold.cli.app import app
from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.limits import Limit, TimeControl
from anchorhold.matches.host import Host
from anchorhold.stats.outcomes import Pentanomial
from checks.project import Project, make_project, record_measurements


@pytest.fixture(scope="module")
def well(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = make_project(tmp_path_factory.mktemp("well"), pairs=5)
    project.edit("[stages.long]\ndepth = 1", "[stages.long]\nmovetime = 5.0")
    project.edit("options = { Hash = 4 }", '[main.versions.v1]\ncommand = "./v1"\n[main.versions.v2]\ncommand = "./v2"')
    project.edit('command = "./{version}"\n', "")
    # These engines say that they have reached depth 1, whatever they are told.
    text = project.config_path.read_text()
    project.config_path.write_text(re.sub(r"limit = \{ depth = (\d) \}", r"limit = { movetime = \1.5 }", text))
    project.pin()
    return project.directory


@pytest.fixture
def project(well: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A copy that may be spoilt."""
    copy = tmp_path / "project"
    shutil.copytree(well, copy)
    monkeypatch.chdir(copy)
    return Project(copy)


def look(*words: str) -> Result:
    return CliRunner().invoke(app, ["doctor", *words], catch_exceptions=False)


def levels(result: Result) -> Iterator[tuple[str, str, str, str]]:
    for finding in json.loads(result.stdout)["findings"]:
        yield finding["check"], finding["level"], finding["message"], finding["remedy"] or ""


def failures(result: Result) -> list[tuple[str, str]]:
    assert result.exit_code == 1, result.stdout
    found = list(levels(result))
    # What fails says what mends it.
    assert all(remedy for _, level, _, remedy in found if level != "ok")
    return [(check, message) for check, level, message, _ in found if level == "failure"]


def test_a_project_that_is_well_has_no_failure(project: Project) -> None:
    result = look("--json")
    assert result.exit_code == 0, result.stdout
    assert json.loads(result.stdout)["well"] is True
    found = list(levels(result))
    checks = {check for check, level, _, _ in found if level == "ok"}
    assert checks >= {
        "settings",
        "contract",
        "register",
        "anchors",
        "pinned",
        "main",
        "anchor",
        "book",
        "disk",
        "clock",
    }
    assert [(check, level) for check, level, _, _ in found].count(("main", "ok")) == 2
    assert project.entries()[-1].kind == "anchor_set"


def test_the_table_is_plain_text_when_it_is_piped() -> None:
    shown = look().stdout
    assert "\x1b" not in shown
    assert shown.startswith("FAIL settings")
    assert "→ 'anchorhold init' writes it" in shown
    assert shown.rstrip().endswith("1 failure, 0 warnings.")


def test_settings_that_cannot_be_read_leave_the_machine_to_look_at(project: Project) -> None:
    project.edit("[book]", "[bok]")
    result = look("--json")
    assert [check for check, _ in failures(result)] == ["settings"]
    assert "temporary" in {check for check, _, _, _ in levels(result)}


def test_a_missing_register_is_named_with_the_command_that_makes_it(project: Project) -> None:
    project.register_path.unlink()
    assert {check for check, _ in failures(look("--json"))} == {"register", "pinned"}


def test_an_exchanged_engine_is_not_what_was_pinned(project: Project) -> None:
    engine = project.directory / "anchor3"
    engine.write_text(engine.read_text() + "# changed\n")
    ((check, message),) = failures(look("--json"))
    assert check == "pinned"
    assert message.startswith("Anchor 3: sha256 is")


def test_an_engine_that_does_not_start_is_named_with_what_it_says(project: Project) -> None:
    (project.directory / "v2").write_text("#!/bin/sh\necho broken >&2\nexit 3\n")
    ((check, message),) = failures(look("--json", "--play", "1"))
    assert check == "main"
    assert "v2 at movetime 5.0: ended with exit status 3" in message
    assert "broken" in message


def test_fewer_anchors_than_the_contract_needs_are_a_failure(project: Project) -> None:
    text = project.config_path.read_text()
    project.config_path.write_text(text[: text.rindex("[[anchors]]")])
    assert ("anchors", "5 configured, contract edition 7 needs 6") in failures(look("--json"))


def test_openings_that_come_again_fail_at_a_fixed_depth_and_warn_on_a_clock(project: Project) -> None:
    project.edit("pairs = 5", "pairs = 50")
    assert any(
        level == "warning" and "12 openings for 50 pairs" in text for _, level, text, _ in levels(look("--json"))
    )
    project.edit("movetime = 5.0", "depth = 1")
    assert any("12 openings for 50 pairs of the long stage" in message for _, message in failures(look("--json")))


def test_a_book_that_is_not_there_is_a_failure(project: Project) -> None:
    (project.directory / "book.epd").unlink()
    assert [check for check, _ in failures(look("--json"))] == ["book"]


def test_a_signers_file_that_names_nobody_is_a_failure(project: Project) -> None:
    project.config_path.write_text(project.config_path.read_text() + '\n[gate]\nallowed_signers = "signers"\n')
    (project.directory / "signers").write_text("# nobody\n")
    ((check, message),) = failures(look("--json"))
    assert (check, "names nobody" in message) == ("signers", True)


def test_the_distance_is_that_of_the_last_check_or_of_games_played_now(project: Project) -> None:
    result = look("--json", "--play", "2")
    assert any(check == "distance" and level != "skipped" for check, level, _, _ in levels(result))
    project.open(old="v1", new="v2")
    with project.register() as register:
        record_measurements(register, new=(0, 0, 0, 0, 5), old=(0, 0, 0, 0, 5))
    found = failures(look("--json"))
    assert len(found) == 6
    assert all(check == "distance" and "would be missing" in message for check, message in found)


@pytest.mark.parametrize(
    ("pairs", "level"),
    [
        (Pentanomial(1, 2, 5, 2, 1), "ok"),
        (Pentanomial(0, 0, 10, 20, 270), "warning"),
        (Pentanomial(9, 0, 0, 0, 0), "failure"),
    ],
)
def test_main_must_be_within_reach_of_an_anchor(pairs: Pentanomial, level: str) -> None:
    assert [finding.level for finding in look_at_distance({"A": pairs}, "in check-1")] == [level]


def test_ratings_are_looked_at_one_by_one(project: Project) -> None:
    settings = project.settings()
    one, two, three, four, *others = settings.anchors
    lineup = read_lineup()
    toga = lineup.anchors["Toga II"]
    anchors = (
        replace(one, source=UNRATED),
        replace(two, rating_error=0.0),
        replace(three, name="Toga II", source=lineup.source, limit=Limit(depth=9)),
        replace(four, rating=9000.0),
        *others,
    )
    messages = [finding.message for finding in look_at_ratings(replace(settings, anchors=anchors), lineup)]
    assert len(messages) == 4
    assert "only a place for a rating" in messages[0]
    assert "no rating is known exactly" in messages[1]
    assert f"measured at depth {toga.limit.depth}" in messages[2]
    assert "Elo between the strongest and the weakest" in messages[3]
    assert [f.level for f in look_at_ratings(settings, lineup)] == ["ok"]


def test_a_limit_is_broken_by_more_not_by_less() -> None:
    def seen(seconds: float, depth: int | None, nodes: int | None) -> Search:
        return Search("e2e4", seconds, depth, nodes, 0, None)

    spec = EngineSpec("e", ("e",), Limit(depth=3))
    assert broken(spec, seen(9.0, 3, None)) == broken(spec, seen(9.0, None, None)) == ""
    assert broken(spec, seen(0.1, 5, None)) == "depth 5 reached"
    nodes = replace(spec, limit=Limit(nodes=1000))
    assert broken(nodes, seen(0.1, 3, 1200)) == ""
    assert broken(nodes, seen(0.1, 3, 4)) == "4 nodes searched"
    assert broken(replace(spec, limit=Limit(nodes=1000, depth=2)), seen(0.1, 2, 40)) == ""
    assert broken(replace(spec, limit=Limit(movetime=0.5)), seen(0.7, None, None)) == "0.70 s used"
    assert broken(replace(spec, limit=Limit(time_control=TimeControl(2.0))), seen(2.1, None, None)) == ""


def test_more_workers_than_cores_are_a_warning(project: Project) -> None:
    settings = project.settings(workers=4)
    busy = Host(cores=2, usable=(0, 1), quota=None, load=0.0)
    assert [finding.level for finding in machine.cores(busy, settings)] == ["warning"]
    assert [finding.level for finding in machine.cores(replace(busy, cores=8, usable=()), settings)] == ["ok"]


def test_a_full_disk_is_a_failure(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = type(shutil.disk_usage("/"))(10**9, 10**9, 10**6)
    monkeypatch.setattr(shutil, "disk_usage", lambda _place: usage)
    (finding,) = machine.disk(project.settings())
    assert finding.level == "failure"
    assert "1 MB free" in finding.message


def test_a_place_that_cannot_be_written_is_a_failure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    (finding,) = machine.writable(None)
    assert finding.level == "failure"
    assert "TMPDIR" in finding.remedy


def test_clocks_that_step_are_named() -> None:
    ticks = iter(range(20_000))
    assert next(machine.clock(monotonic=lambda: next(ticks), wall=lambda: 1e9)).level == "ok"
    back = iter([*range(9_000), *range(9_000)])
    assert next(machine.clock(monotonic=lambda: next(back))).level == "failure"
    (stepped,) = machine.clock(monotonic=lambda: 5.0, wall=lambda: 1e9 + 60.0, since=(5.0, 1e9))
    assert "was set by +60.0 s" in stepped.message
    (behind,) = machine.clock(monotonic=lambda: 5.0, wall=lambda: 1e9, last_entry="2030-01-01T00:00:00Z")
    assert "last entry is of 2030" in behind.message


def test_a_part_that_is_missing_matters_only_where_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "find_spec", lambda _name: None)
    found = list(parts.look_at_parts(register="postgresql://h/d", path="/nowhere"))
    assert [finding.level for finding in found if finding.check == "parts"] == ["failure", "skipped", "skipped"]
    assert [finding.level for finding in found if finding.check == "programs"] == ["skipped", "skipped"]
    assert found[0].remedy == "In a clone of anchorhold: pip install -c constraints.txt '.[postgres]'"
