"""A played check: its games by anchor and opening, beside report, site and dashboard; the register's counts."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from httpx import Client
from typer.testing import CliRunner

from anchorhold.checks.games import GAMES_FILE, check_directory
from anchorhold.checks.played import played_pairs, read_games
from anchorhold.cli.app import app
from anchorhold.config import load
from anchorhold.errors import BadInput
from anchorhold.report import meetings
from anchorhold.report.games_page import games_files, page_name
from anchorhold.report.meetings import meetings_of, opponents_of, recorded_files
from anchorhold.report.view import CheckView
from anchorhold.report.viewing import view_of_check
from anchorhold.web.app import application
from anchorhold.web.guard import LOOPBACK_NAMES, Access
from anchorhold.web.watch import Watch
from checks.project import Project, gain, make_project
from web.samples import answering

PAIRS, SHORT, DIRECT = 3, 2, 2


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    made = make_project(tmp_path_factory.mktemp("played"), pairs=PAIRS, short=SHORT, direct=DIRECT)
    made.pin()
    made.append("gain_test", gain(12.0))
    made.run("v1", "v2")
    return made


@pytest.fixture(scope="module")
def view(project: Project) -> CheckView:
    return view_of_check(project.entries(), None)


@pytest.fixture(scope="module")
def pgn(project: Project, view: CheckView) -> Path:
    assert view.check
    return check_directory(load(project.config_path).data, view.check) / GAMES_FILE


def data_of(project: Project) -> Path:
    return load(project.config_path).data


def test_the_pairs_of_the_file_are_those_that_the_register_counted(project: Project, view: CheckView) -> None:
    found = meetings_of(view, recorded_files(view, data_of(project)))
    assert [meeting.anchor for meeting in found] == [*(anchor.name for anchor in view.result.anchors), None]
    for meeting in found:
        for (stage, endpoint), counts in meeting.counts().items():
            side = ("direct", "old") if meeting.anchor is None else (endpoint, meeting.anchor)
            sample = view.sample(*side, stage)  # type: ignore[arg-type]
            assert sample is not None
            assert sample.pentanomial is not None
            assert tuple(counts) == sample.pentanomial.counts()


def test_all_texts_together_are_the_file(pgn: Path) -> None:
    games = [game for pair in played_pairs(pgn) for game in pair.games]
    assert len(games) == 2 * (2 * 6 * (PAIRS + SHORT) + DIRECT)
    assert "".join(read_games(pgn, games)).encode() == pgn.read_bytes()


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (b'[Result "1-0"]', b'[Result "*"]', "a result '*'"),
        (b'[Opening "1"]\n', b"", "Opening"),
        (b"[Pair", b"[Other", "Pair"),
    ],
)
def test_a_file_that_is_no_checks_is_refused_by_its_name(
    pgn: Path, tmp_path: Path, before: bytes, after: bytes, message: str
) -> None:
    spoilt = tmp_path / "games.pgn"
    data = (
        pgn.read_bytes().replace(b'[Result "0-1"]', b'[Result "1-0"]').replace(b'[Result "1/2-1/2"]', b'[Result "1-0"]')
    )
    assert before in data
    spoilt.write_bytes(data.replace(before, after, 1))
    with pytest.raises(BadInput, match=re.escape(message)) as refused:
        played_pairs(spoilt)
    assert str(spoilt) in str(refused.value)


def test_half_a_pair_is_refused_and_an_empty_file_has_none(pgn: Path, tmp_path: Path) -> None:
    half = tmp_path / "half.pgn"
    half.write_text(read_games(pgn, played_pairs(pgn)[0].games[:1])[0], encoding="utf-8")
    with pytest.raises(BadInput, match="half a pair"):
        played_pairs(half)
    (tmp_path / "empty.pgn").touch()
    assert played_pairs(tmp_path / "empty.pgn") == []


def test_games_that_are_not_the_recorded_ones_are_not_shown(project: Project, view: CheckView, tmp_path: Path) -> None:
    assert len(recorded_files(view, data_of(project))) == 5
    assert recorded_files(view, data_of(project), digest=lambda _: "0" * 64) == {}
    assert recorded_files(view, tmp_path) == {}
    assert opponents_of(view, ()) == {}


def test_a_measurement_that_was_taken_over_is_found_under_the_endpoint_it_was_played_as(
    project: Project, view: CheckView
) -> None:
    files = recorded_files(view, data_of(project))
    taken = {
        replace(games, endpoint="old", reused_from=view.check): path
        for games, path in files.items()
        if games.endpoint == "new"
    }
    later = replace(view, check="check-9", old=view.new, new=view.old)
    for before, after in zip(meetings_of(view, files), meetings_of(later, taken), strict=False):
        assert after.counts() == {
            (stage, "old"): counts for (stage, endpoint), counts in before.counts().items() if endpoint == "new"
        }


def test_a_long_meeting_takes_several_pages_and_no_opening_is_lost(
    project: Project, view: CheckView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meetings, "MOST_OPENINGS", 2)
    first = meetings_of(view, recorded_files(view, data_of(project)))[0]
    assert [len(page) for page in first.pages] == [2, 2, 1]
    assert [opening for page in first.pages for opening in page] == list(first.openings)
    pages = dict(games_files(view, [first], language="de", home="../r.html"))
    assert sorted(pages) == ["1-2.html", "1-3.html", "1.html", "1.pgn"]
    assert '<a href="1-3.html">3</a>' in pages[page_name(1, 2)]()
    assert '<strong aria-current="page">2</strong>' in pages[page_name(1, 2)]()


def test_a_report_leads_to_the_games_of_each_anchor_and_they_lead_back(project: Project, tmp_path: Path) -> None:
    target = tmp_path / "the report.html"
    words = ["report", "--games", "-o", str(target), "--config", str(project.config_path), "--lang", "en"]
    done = CliRunner().invoke(app, words, catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    folder = tmp_path / "the report-games"
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        [f"{number}.{kind}" for number in range(1, 8) for kind in ("html", "pgn")]
    )
    page = target.read_text(encoding="utf-8")
    assert page.count('<a href="the%20report-games/1.html">Anchor 1</a>') == 4, (
        "two tables, two versions in one of them, list"
    )
    assert '<a href="the%20report-games/7.html">new against old</a>' in page
    games = (folder / "2.html").read_text(encoding="utf-8")
    assert '<a href="../the%20report.html">' in games
    assert '<a href="2.pgn">' in games
    assert games.count('<details class="opening"') == PAIRS + SHORT
    assert games.count("<pre") == 2 * 2 * (PAIRS + SHORT)
    assert (folder / "2.pgn").read_text(encoding="utf-8").count("[Event ") == 2 * 2 * (PAIRS + SHORT)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-o", "-"], "need a folder beside the report"),
        (["--result", "result.json"], "a result or a document has no games"),
        ([], "do not lie under this project's data directory"),
    ],
)
def test_games_that_cannot_be_written_are_refused_in_one_line(
    project: Project, view: CheckView, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], message: str
) -> None:
    (tmp_path / "result.json").write_text(json.dumps(view.result.to_json()), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    given = [] if "--result" in words else ["--register", str(project.register_path)]
    done = CliRunner().invoke(app, ["report", "--games", *given, *words], catch_exceptions=False)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr


def test_the_dashboard_shows_the_games_of_a_check_in_both_languages(project: Project) -> None:
    watch = Watch(str(project.register_path))
    app_ = application(watch, data=[data_of(project)], access=Access(hosts=LOOPBACK_NAMES))
    with answering(app_) as address, Client(base_url=address, timeout=60) as client:
        assert 'href="check-1/3.html"' in client.get("/checks/check-1.html").text
        page = client.get("/de/checks/check-1/3.html")
        assert page.status_code == 200
        assert "Partien gegen Anchor 3" in page.text
        assert 'href="../check-1.html"' in page.text
        assert "unsafe" not in page.headers["content-security-policy"]
        games = client.get("/checks/check-1/3.pgn")
        assert games.text.count('[Anchor "Anchor 3"]') == 2 * 2 * (PAIRS + SHORT)
        for name in ("0.html", "8.html", "1-1.html", "1-9.html", "1-2.pgn", "games.pgn", "01.html", "..%2f..%2fx.html"):
            assert client.get(f"/checks/check-1/{name}").status_code == 404, name
        assert client.get("/checks/check-2/1.html").status_code == 404
    watch.close()


def test_a_dashboard_without_the_games_does_not_lead_to_them(project: Project, tmp_path: Path) -> None:
    watch = Watch(str(project.register_path))
    app_ = application(watch, data=[tmp_path], access=Access(hosts=LOOPBACK_NAMES))
    with answering(app_) as address, Client(base_url=address, timeout=60) as client:
        assert "check-1/3.html" not in client.get("/checks/check-1.html").text
        assert client.get("/checks/check-1/3.html").status_code == 404
    watch.close()


def test_a_site_has_the_games_when_they_are_asked_for(project: Project, tmp_path: Path) -> None:
    words = ["site", "-o", str(tmp_path / "site"), "--config", str(project.config_path), "--json"]

    def write(*more: str) -> dict[str, int]:
        done = CliRunner().invoke(app, [*words, *more], catch_exceptions=False)
        assert done.exit_code == 0
        found = json.loads(done.stdout)
        assert isinstance(found, dict)
        return found

    without, first, again = write(), write("--games"), write("--games")
    assert first["files"] == without["files"] + 7 * 3
    assert (again["changed"], again["removed"]) == (0, 0)
    german = (tmp_path / "site/de/checks/check-1/1.html").read_text(encoding="utf-8")
    assert '<a href="../../../checks/check-1/1.pgn">' in german
    assert (tmp_path / "site/checks/check-1/1.pgn").is_file()
    assert 'href="check-1/1.html"' in (tmp_path / "site/de/checks/check-1.html").read_text(encoding="utf-8")
    assert write()["removed"] == 7 * 3
