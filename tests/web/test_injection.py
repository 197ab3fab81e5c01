"""Markup in every field that a stranger can fill is text in report, site, games, dashboard, badge and feed."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from httpx import Client
from typer.testing import CliRunner

from anchorhold.cli.app import app
from anchorhold.config import load
from anchorhold.matches.journal import Journal
from anchorhold.web.app import application
from anchorhold.web.guard import LOOPBACK_NAMES, Access
from anchorhold.web.watch import Watch
from checks.project import Project
from web.hostile import VERSION, evil, hostile_project
from web.samples import answering, pair

ALLOWED = {"script": {"src", "defer"}}
"""The dashboard's own script, by its address."""


FIELDS = (
    "project",
    "author",
    "anchor",
    "claim",
    "commit",
    "note",
    "reason",
    "reviewer",
    "review",
    "signer",
    "retracted",
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return hostile_project(tmp_path_factory.mktemp("hostile"))


class Markup(HTMLParser):
    """Notes what a page could run, and gathers what it shows."""

    def __init__(self) -> None:
        super().__init__()
        self.dangers: list[str] = []
        self.shown = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {name for name, _ in attrs}
        if tag in ("iframe", "object", "embed", "base") or (tag == "script" and names != ALLOWED["script"]):
            self.dangers.append(f"<{tag}>")
        for name, value in attrs:
            if name.startswith("on") or re.match(r"\s*(javascript|data|vbscript):", value or "", re.IGNORECASE):
                self.dangers.append(f"{tag} {name}={value}")
            self.shown += f" {value}"

    def handle_data(self, data: str) -> None:
        self.shown += data


def read(page: str) -> str:
    """What a page shows; fails on anything in it that a browser would run."""
    parser = Markup()
    parser.feed(page)
    parser.close()
    assert parser.dangers == []
    return parser.shown


def run(project: Project, *words: str) -> None:
    done = CliRunner().invoke(app, [*words, "--config", str(project.config_path)], catch_exceptions=False)
    assert done.exit_code == 0, done.stderr


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_report_and_its_games_show_it_as_text(project: Project, tmp_path: Path, language: str) -> None:
    run(project, "report", "--games", "-o", str(tmp_path / "r.html"), "--lang", language)
    shown = read((tmp_path / "r.html").read_text(encoding="utf-8"))
    for name in ("project", "anchor", "claim"):
        assert evil(name) in shown, name
    assert VERSION in shown
    games = read((tmp_path / "r-games" / "1.html").read_text(encoding="utf-8"))
    assert evil("anchor") in games
    assert VERSION in games


def test_a_picture_of_its_own_is_an_svg_without_scripts(project: Project, tmp_path: Path) -> None:
    run(project, "report", "-o", str(tmp_path / "r.html"), "--picture", str(tmp_path / "scale.svg"))
    assert _active(tmp_path / "scale.svg") == []


def test_a_site_shows_it_as_text_on_every_page_and_in_the_feed(project: Project, tmp_path: Path) -> None:
    target = tmp_path / "site"
    run(project, "site", "--games", "-o", str(target))
    pages = {path.relative_to(target).as_posix(): read(path.read_text("utf-8")) for path in target.rglob("*.html")}
    assert len(pages) >= 20
    everything = "".join(pages.values())
    for name in FIELDS:
        assert evil(name) in everything, name
    for place in ("feed.xml", "de/feed.xml"):
        feed = ElementTree.parse(target / place).getroot()  # noqa: S314
        assert {element.tag.rpartition("}")[2] for element in feed.iter()} <= {
            "feed", "title", "id", "updated", "author", "name", "link", "entry", "summary"
        }  # fmt: skip
        assert evil("review") in "".join(feed.itertext())
    for place in ("badge.svg", "icon.svg"):
        assert _active(target / place) == []


@pytest.fixture(scope="module")
def client(project: Project) -> Iterator[Client]:
    plan = {"engines": [{"name": evil("white")}, {"name": evil("black")}]}
    with Journal.open(project.directory / "a.journal", plan=plan) as journal:
        journal.add(pair(1, endpoint=evil("white"), anchor=evil("black"), fault="first"))
    (project.directory / f"{evil('file').replace('/', '')}.journal").write_text("no journal")
    watch = Watch(str(project.register_path), signers=None)
    access = Access(hosts=LOOPBACK_NAMES)
    made = application(watch, data=[load(project.config_path).data], places=[project.directory], access=access)
    with answering(made) as address, Client(base_url=address, timeout=60) as opened:
        yield opened
    watch.close()


def test_the_dashboard_shows_it_as_text_on_every_page(client: Client) -> None:
    everything = ""
    for language in ("/", "/de/"):
        pages = [
            "",
            "matches.html",
            "register/1.html",
            "register/search.html",
            "checks/check-1.html",
            "checks/check-1/1.html",
        ]
        for page in pages:
            answer = client.get(language + page)
            assert answer.status_code == 200, page
            everything += read(answer.text)
        answer = client.get(f"{language}register/search.html", params={"q": evil("asked"), "kind": evil("kind")})
        assert evil("asked") in read(answer.text)
    for name in ("white", "black", "claim", "note", "review", "reviewer", "signer", "anchor"):
        assert evil(name) in everything, name
    assert evil("file").replace("/", "") in everything


def test_no_address_is_answered_with_what_it_asked_for_as_markup(client: Client) -> None:
    for path in (f"/{evil('path')}", f"/checks/{evil('path')}.html", f"/de/checks/check-1/{evil('path')}"):
        answer = client.get(path)
        assert answer.status_code == 404
        read(answer.text)
        assert "default-src 'none'" in answer.headers["content-security-policy"]


def _active(path: Path) -> list[str]:
    """Elements and attributes of an SVG that could run or load something."""
    found = []
    for element in ElementTree.parse(path).getroot().iter():  # noqa: S314
        tag = element.tag.rpartition("}")[2]
        found += [tag] if tag in ("script", "foreignObject", "image", "iframe", "a") else []
        found += [name for name in element.attrib if name.startswith("on") or name.endswith("href")]
    return found
