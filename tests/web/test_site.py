"""The static site: whole, relative, the same bytes again, and never over somebody else's files."""

import json
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from anchorhold.cli.app import app
from anchorhold.domain.entries import Entry
from anchorhold.gate.asking import answer
from anchorhold.register.chain import chain_of
from anchorhold.register.exporting import read_export
from anchorhold.register.store import Register
from anchorhold.web.feed import atom
from anchorhold.web.overview import overview_of
from anchorhold.web.site import MARKER
from anchorhold.web.texts import texts_in
from web.samples import EVIL, exported, register_at

ATOM = "{http://www.w3.org/2005/Atom}"


def write(directory: Path, register: Path, *words: str) -> Result:
    return CliRunner().invoke(
        app, ["site", "-o", str(directory), "--register", str(register), *words], catch_exceptions=False
    )


@pytest.fixture(scope="module")
def register(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return register_at(tmp_path_factory.mktemp("register") / "r.sqlite", halts=True)


@pytest.fixture(scope="module")
def site(register: Path) -> Path:
    directory = register.parent / "site"
    assert write(directory, register).exit_code == 0
    return directory


def files(directory: Path) -> dict[str, bytes]:
    return {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


class Links(HTMLParser):
    """What a page leads to, and the places in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            if name == "id" and value:
                self.places.add(value)


def test_every_link_is_relative_and_leads_to_a_file_and_a_place_that_are_there(site: Path) -> None:
    pages = {name: Links(data.decode()) for name, data in files(site).items() if name.endswith(".html")}
    assert len(pages) == 2 * (1 + 2 + 3)
    for name, page in pages.items():
        for link in page.links:
            path, _, place = link.partition("#")
            assert not re.match(r"[a-z]+:|/", path), f"{name}: {link}"
            target = PurePosixPath(name)
            if path:
                parts: list[str] = list(target.parent.parts)
                for part in PurePosixPath(path).parts:
                    if part == "..":
                        parts.pop()  # no link leaves the site
                    else:
                        parts.append(part)
                target = PurePosixPath(*parts)
            assert (site / target).is_file(), f"{name}: {link}"
            if place:
                assert place in pages[str(target)].places, f"{name}: {link}"


def test_the_same_register_gives_the_same_bytes_and_nothing_is_drawn_again(
    site: Path, register: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = tmp_path / "again"
    write(again, register)
    assert files(again) == files(site)
    times = {path: path.stat().st_mtime_ns for path in again.rglob("*.html")}
    monkeypatch.setattr("anchorhold.web.site.render_check_report", lambda *_, **__: pytest.fail("drawn again"))
    assert "0 of them new or changed" in write(again, register).stdout
    assert {path: path.stat().st_mtime_ns for path in again.rglob("*.html")} == times
    assert files(again) == files(site)


def test_a_report_that_somebody_changed_is_mended_and_a_page_that_is_no_more_goes(site: Path, register: Path) -> None:
    before = files(site)
    report = next(site.glob("checks/*.html"))
    report.write_text("changed")
    marker = json.loads((site / MARKER).read_text())
    marker["files"]["old.html"] = {}
    (site / MARKER).write_text(json.dumps(marker))
    (site / "old.html").write_text("of a register that was")
    (site / "CNAME").write_text("theirs")
    written = json.loads(write(site, register, "--json").stdout)
    assert (written["changed"], written["removed"]) == (1, 1)
    assert (site / "CNAME").read_text() == "theirs"
    (site / "CNAME").unlink()
    assert files(site) == before


@pytest.mark.parametrize("what", ["directory", "file", "page", "marker", "outside"])
def test_what_is_not_a_site_is_not_written_over(register: Path, tmp_path: Path, what: str) -> None:
    target = tmp_path / "there"
    if what == "file":
        target.write_text("mine")
    else:
        target.mkdir()
        mine = target / ("index.html" if what != "marker" else MARKER)
        mine.write_text("mine")
        if what in ("page", "outside"):
            named: dict[str, object] = {"../mine": {}} if what == "outside" else {}
            (target / MARKER).write_text(json.dumps({"schema": "anchorhold/site/1", "files": named}))
    before = target.read_text() if target.is_file() else files(target)
    result = write(target, register)
    assert result.exit_code == 2
    assert "there" in result.stderr
    assert (target.read_text() if target.is_file() else files(target)) == before


def test_pages_have_no_script_no_network_and_say_so_in_their_policy(site: Path) -> None:
    for name, data in files(site).items():
        if name.endswith(".html"):
            text = data.decode()
            assert "script" not in Links(text).tags
            assert "default-src 'none'" in unescape(text.partition("Content-Security-Policy")[2][:60])
            if "/checks/" not in f"/{name}":
                assert "unsafe" not in text
                assert " style=" not in text


def test_texts_of_strangers_are_shown_as_they_are(site: Path) -> None:
    page = (site / "register" / "2.html").read_text()
    assert "<script" not in page
    assert "note &lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; more" in page


def test_every_entry_stands_once_with_its_hash(site: Path) -> None:
    entries = read_export(exported(halts=True), where="x")
    text = "".join((site / "register" / f"{number}.html").read_text() for number in (1, 2))
    for entry in entries:
        assert text.count(f'id="e{entry.seq}"') == 1
        assert entry.hash in text
    assert (site / "register.jsonl").read_bytes() == exported(halts=True)


def test_figures_of_the_first_page_are_the_results(site: Path) -> None:
    entries = read_export(exported(halts=True), where="x")
    closed: list[Entry] = [entry for entry in entries if entry.kind == "check_closed"]
    for language in ("en", "de"):
        page = (site / ("" if language == "en" else "de") / "index.html").read_text()
        texts = texts_in(language)
        for entry in closed:
            result = entry.payload["result"]
            assert isinstance(result, dict)
            row = page[page.index(f'checks/{entry.payload["check"]}.html">') :].partition("</tr>")[0]
            assert f">{texts.ratio(result['r'], (0.4, 0.75))}<" in row
            assert texts.with_error(result["s"], result["s_error"], 1, signed=True) in row
            assert texts.with_error(result["delta_a"], result["delta_a_error"], 1, signed=True) in row
            assert texts.gettext(str(entry.payload["verdict"])) in row


def test_the_feed_has_ids_that_stay_and_links_that_can_be_whole(site: Path, tmp_path: Path) -> None:
    feed = ElementTree.fromstring((site / "feed.xml").read_bytes())  # noqa: S314
    ids = [entry.findtext(f"{ATOM}id") for entry in feed.iter(f"{ATOM}entry")]
    assert len(ids) == len(set(ids)) == 3 + 3 + 1 + 1  # closed, abandoned, the release, the contract
    grown = register_at(tmp_path / "grown.sqlite", halts=True)
    with Register.open(str(grown)) as opened:
        opened.append("contract", dict(next(e for e in opened.entries() if e.kind == "contract").payload), author="Ada")
    with Register.open(str(grown), read_only=True) as opened:
        entries = opened.entries()
    overview = overview_of(entries, answer(chain_of(entries), signers=None))
    whole = ElementTree.fromstring(atom(entries, overview, texts_in("de"), base="https://sparrow.example/checks/de/"))  # noqa: S314
    assert set(ids) < {entry.findtext(f"{ATOM}id") for entry in whole.iter(f"{ATOM}entry")}
    links = [link.get("href", "") for link in whole.iter(f"{ATOM}link")]
    assert all(link.startswith("https://sparrow.example/checks/de/") for link in links)


def test_the_badge_says_what_the_gate_says(site: Path, register: Path) -> None:
    said = CliRunner().invoke(app, ["badge", "--register", str(register), "--format", "json"])
    assert (site / "badge.json").read_text() == said.stdout
    assert "held" in (site / "badge.svg").read_text()
    assert "gate holds" in (site / "index.html").read_text()
    assert "Tor geschlossen" in (site / "de" / "index.html").read_text()


def test_a_register_that_does_not_hold_makes_a_site_that_says_so(tmp_path: Path) -> None:
    broken = tmp_path / "r.jsonl"
    lines = exported().split(b"\n")
    lines[49] = lines[49].replace(b'"ada"', b'"eve"').replace(b"Ada", b"Eve")
    broken.write_bytes(b"\n".join(lines))
    result = write(tmp_path / "site", broken)
    assert result.exit_code == 4
    page = (tmp_path / "site" / "index.html").read_text()
    assert "register broken" in page
    assert "entry 50" in page
    assert not list((tmp_path / "site").glob("checks/*"))
    assert 'id="e49"' in (tmp_path / "site" / "register" / "1.html").read_text()


def test_a_register_without_a_check_makes_a_site(tmp_path: Path) -> None:
    Register.create(str(tmp_path / "r.sqlite"), author="Ada", project=EVIL).close()
    assert write(tmp_path / "site", tmp_path / "r.sqlite").exit_code == 0
    page = (tmp_path / "site" / "index.html").read_text()
    assert "The register holds no check." in page
    assert EVIL not in page


def test_an_address_of_another_kind_is_refused(register: Path, tmp_path: Path) -> None:
    result = write(tmp_path / "site", register, "--base-url", "javascript:alert(1)")
    assert result.exit_code == 2
    assert "--base-url" in result.stderr
