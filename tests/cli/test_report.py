"""``anchorhold report`` as a user meets it: files, languages, refusals."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from anchorhold.canonical import file_sha256
from anchorhold.checks.games import GAMES_FILE, check_directory
from anchorhold.cli.app import app
from anchorhold.cli.report_games import links_to_files
from anchorhold.config import load
from anchorhold.register.exporting import export_line
from anchorhold.report.page import render_check_report
from anchorhold.report.view import GamesDigest
from anchorhold.report.viewing import view_of_check
from checks.project import AHEAD, EVEN, gain, make_project
from register.long_register import long_register
from report.samples import case, raw


def report(*words: str | Path) -> Result:
    return CliRunner().invoke(app, ("report", *map(str, words)), catch_exceptions=False)


@pytest.fixture
def result_file(tmp_path: Path) -> Path:
    path = tmp_path / "result.json"
    path.write_text(json.dumps(case("case-28").result.to_json()), encoding="utf-8")
    return path


def test_a_result_alone_becomes_a_page_and_a_picture(result_file: Path, tmp_path: Path) -> None:
    page, picture = tmp_path / "out.html", tmp_path / "scale.svg"
    done = report("--result", result_file, "-o", page, "--picture", picture, "--lang", "de")
    assert done.exit_code == 0
    assert '<html lang="de">' in page.read_text(encoding="utf-8")
    assert picture.read_text(encoding="utf-8").startswith("<svg ")
    assert f"{page} ist geschrieben." in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.html", "result.json", "scale.svg"]


def test_a_document_is_evaluated_when_no_result_is_given(tmp_path: Path) -> None:
    path = tmp_path / "document.json"
    path.write_text(json.dumps(raw("case-28")), encoding="utf-8")
    done = report("--document", path, "-o", "-", "--lang", "en")
    assert done.exit_code == 0
    assert "4.52 / 28.97 = 0.155879532" in done.stdout
    assert raw("case-28")["anchors"][0]["sha256"] in done.stdout


def test_a_register_shows_its_last_closed_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = make_project(tmp_path / "project")
    project.pin()
    project.append("gain_test", gain(12.0))
    check = project.open("v1", "v2").id
    project.close(old=EVEN, new=AHEAD)
    monkeypatch.chdir(tmp_path)
    done = report("--config", project.config_path, "--lang", "en")
    assert done.exit_code == 0
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert f"check {check}" in text
    assert "<strong>Example</strong>" in text
    assert "v1 → v2" in text


def test_an_export_shows_the_same_check_and_a_damaged_one_says_so(tmp_path: Path) -> None:
    lines = list(map(export_line, long_register(60, checks=2)))
    exported, page, damaged = tmp_path / "register.jsonl", tmp_path / "a.html", tmp_path / "b.html"
    exported.write_bytes(b"".join(lines))
    assert report("--register", exported, "-o", page).exit_code == 0
    assert "CONTINUE" in page.read_text(encoding="utf-8")
    exported.write_bytes(b"".join([*lines[:-1], lines[-1].replace(b"2026", b"2027", 1)]))
    done = report("--register", exported, "-o", damaged)
    assert done.exit_code == 4
    assert "the register does not hold: entry 60" in done.stderr
    assert damaged.read_bytes() == page.read_bytes()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("{}", "Field required"),
        ('{"schema": "anchorhold/result/2"}', "schema"),
        ("[1]", "the whole"),
    ],
)
def test_what_is_no_result_is_refused_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text, encoding="utf-8")
    done = report("--result", path, "--lang", "en")
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert str(path) in done.stderr


def test_files_and_places_that_are_not_there_are_named(result_file: Path, tmp_path: Path) -> None:
    missing = report("--result", tmp_path / "none.json", "--lang", "en")
    assert (missing.exit_code, "none.json: cannot be read" in missing.stderr) == (2, True)
    nowhere = report("--result", result_file, "-o", tmp_path / "no" / "where.html", "--lang", "en")
    assert (nowhere.exit_code, "where.html: cannot be written" in nowhere.stderr) == (2, True)


def test_a_check_and_a_file_exclude_each_other(result_file: Path) -> None:
    done = report("check-1", "--result", result_file, "--lang", "en")
    assert (done.exit_code, "exclude each other" in done.stderr) == (2, True)


def test_an_unknown_language_is_refused(result_file: Path) -> None:
    done = report("--result", result_file, "--lang", "fr")
    assert (done.exit_code, "no language 'fr'" in done.stderr) == (2, True)


def test_a_page_is_printed_as_pdf_by_the_browser_of_this_machine(result_file: Path, tmp_path: Path) -> None:
    page, pdf = tmp_path / "out.html", tmp_path / "out.pdf"
    done = report("--result", result_file, "-o", page, "--pdf", pdf)
    assert done.exit_code == 0, done.stderr
    assert pdf.read_bytes().startswith(b"%PDF")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.html", "out.pdf", "result.json"]


def test_without_a_browser_one_line_says_what_to_install(
    result_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    done = report("--result", result_file, "-o", tmp_path / "out.html", "--pdf", tmp_path / "out.pdf")
    assert done.exit_code == 2
    assert "no Chromium is installed" in done.stderr
    assert "apt-get install chromium" in done.stderr


def test_a_browser_that_does_not_print_is_named_with_what_it_said(
    result_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\necho no display >&2\nexit 3\n", encoding="utf-8")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    done = report("--result", result_file, "-o", tmp_path / "out.html", "--pdf", tmp_path / "out.pdf")
    assert done.exit_code == 2
    assert "status 3" in done.stderr
    assert "no display" in done.stderr
    assert not (tmp_path / "out.pdf").exists()


def test_the_games_of_a_check_are_linked_where_they_lie_and_only_while_they_are_the_recorded_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_project(tmp_path / "a project")
    project.pin()
    project.append("gain_test", gain(12.0))
    check = project.open("v1", "v2").id
    project.close(old=EVEN, new=AHEAD)
    games = check_directory(load(project.config_path).data, check) / GAMES_FILE
    games.parent.mkdir(parents=True, exist_ok=True)
    games.write_text("not what was recorded", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert report("--config", project.config_path, "--lang", "en").exit_code == 0
    assert "games.pgn" not in (tmp_path / "report.html").read_text(encoding="utf-8")
    view = view_of_check(project.entries(), check)
    recorded = replace(view, games=(GamesDigest("new", "long", file_sha256(games)),))
    links = links_to_files(recorded, project.config_path, tmp_path)
    place = "a%20project/" + games.relative_to(tmp_path / "a project").as_posix()
    assert links == {file_sha256(games): place}
    page = render_check_report(replace(recorded, games_files=links), language="en")
    assert page.count(f'<a href="{place}">') == 2, "beside the counts, and at its digest"
