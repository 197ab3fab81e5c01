"""[match.tablebases]: a check freezes which tables end its games, and plays by them."""

import shutil
from pathlib import Path

import pytest

from anchorhold.checks.conditions import frozen_conditions
from anchorhold.checks.identity import FileDigests
from anchorhold.checks.measuring import measure
from anchorhold.errors import BadInput, BadState
from anchorhold.matches.tablebases import open_tablebases
from checks.project import Project, make_project

TABLES = Path(__file__).parent.parent / "golden" / "syzygy"
PAWN_ENDINGS = [f"8/8/8/4k3/8/8/{file}P{7 - file}/K7 w - -" for file in range(3, 7)]
RULE = """
[match.tablebases]
directories = ["tables"]
pieces = 4
decides = "{decides}"

[[anchors]]"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = make_project(tmp_path / "project", pairs=2)
    shutil.copytree(TABLES, made.directory / "tables")
    (made.directory / "book.epd").write_text("\n".join(PAWN_ENDINGS) + "\n", encoding="utf-8")
    made.edit('resign = { count = 1, score = 200, sides = "one" }\n', "")
    made.edit("\n[[anchors]]", RULE.format(decides="both"))
    made.pin()
    return made


def test_the_tables_and_how_they_are_asked_are_conditions_of_the_check(project: Project) -> None:
    conditions = frozen_conditions(project.open())["long"]
    tables = conditions["tablebases"]
    assert isinstance(tables, dict)
    assert {name: tables[name] for name in tables if name != "tables_sha256"} == {
        "pieces": 4,
        "fifty_moves": True,
        "decides": "both",
    }
    assert conditions["adjudication"] == {"max_moves": 15}


def test_where_the_tables_lie_is_no_condition(project: Project) -> None:
    here = project.plan().conditions("v1", project.plan().long, book_sha256="0" * 64)
    (project.directory / "tables").rename(project.directory / "moved")
    project.edit('["tables"]', '["moved"]')
    assert project.plan().conditions("v1", project.plan().long, book_sha256="0" * 64) == here


def test_games_of_a_check_are_ended_by_the_tables(project: Project) -> None:
    project.run("v1", "v2")
    games = "".join(path.read_text(encoding="utf-8") for path in project.directory.rglob("*.pgn"))
    assert "by adjudication: Syzygy tablebases" in games


@pytest.mark.parametrize("change", ["another table", "another rule", "no rule"])
def test_a_check_is_not_played_on_with_other_tables_than_it_was_opened_with(project: Project, change: str) -> None:
    project.open()
    if change == "another table":
        (project.directory / "tables").rename(project.directory / "all")
        (project.directory / "tables").mkdir()
        shutil.copy(project.directory / "all" / "KPvK.rtbw", project.directory / "tables")
        open_tablebases.cache_clear()  # as in a process that begins
    elif change == "another rule":
        project.edit('decides = "both"', 'decides = "wins"')
    else:
        project.edit(RULE.format(decides="both"), "\n[[anchors]]")
    with project.register() as register, pytest.raises(BadState, match=r"settings are not those .*tablebases"):
        measure(register, project.plan(), author="Ada", digest_of=FileDigests)


def test_tables_that_are_not_there_are_named_before_anything_is_opened(project: Project) -> None:
    shutil.rmtree(project.directory / "tables")
    with pytest.raises(BadInput, match=r"no such directory of tablebases.*\[match\.tablebases\]"):
        project.open()
    assert project.checks() == ()
