"""The site of docs/: built as ``make docs`` builds it, complete without a network, every page reachable."""

import importlib.util
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md"))


def build(source: Path, target: Path) -> subprocess.CompletedProcess[str]:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    found = re.search(r"python -m (sphinx .*) docs build/docs$", makefile, re.MULTILINE)
    assert found is not None
    return subprocess.run(
        [sys.executable, "-m", *found[1].split(), str(source), str(target)],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("site")
    done = build(DOCS, target)
    assert done.returncode == 0, done.stderr
    return target


class Loaded(HTMLParser):
    """What a browser fetches by itself to show a page, and where the page leads."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.links: list[str] = []
        self.language: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "html":
            self.language = given.get("lang")
        if tag in {"script", "img", "iframe", "source"} and given.get("src"):
            self.fetched.append(given["src"] or "")
        if tag == "link" and given.get("rel") not in {"canonical"}:
            self.fetched.append(given.get("href") or "")
        if tag == "a":
            self.links.append(given.get("href") or "")


def read(page: Path) -> Loaded:
    found = Loaded()
    found.feed(page.read_text(encoding="utf-8"))
    return found


def test_there_is_a_page_for_each_file_and_the_first_leads_to_all(site: Path) -> None:
    linked = set(read(site / "index.html").links)
    for name in PAGES:
        page = name.replace(".md", ".html")
        assert (site / page).is_file()
        assert page == "index.html" or page in linked, name


def test_pages_are_complete_without_a_network(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) >= len(PAGES)
    for page in pages:
        for address in read(page).fetched:
            assert not re.match(r"[a-z]+:|//", address) or address.startswith("data:"), f"{page.name}: {address}"
            if not address.startswith(("data:", "#")):
                assert (page.parent / address.partition("?")[0].partition("#")[0]).exists(), f"{page.name}: {address}"
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        assert re.search(r"@import|url\(\s*['\"]?(https?:)?//", text) is None, style.name


def test_a_page_says_its_language(site: Path) -> None:
    for name in PAGES:
        page = read(site / name.replace(".md", ".html"))
        assert page.language == ("de" if name.startswith("de/") else "en"), name


def test_a_page_that_the_list_lacks_and_a_link_that_leads_nowhere_are_errors(tmp_path: Path) -> None:
    source = tmp_path / "docs"
    source.mkdir()
    shutil.copy(DOCS / "conf.py", source)
    (source / "index.md").write_text("# Pages\n\n## Some\n\n* [A](a.md)\n", encoding="utf-8")
    (source / "a.md").write_text("# A\n\n[nowhere](nowhere.md)\n", encoding="utf-8")
    (source / "b.md").write_text("# B\n", encoding="utf-8")
    done = build(source, tmp_path / "out")
    assert done.returncode != 0
    assert re.search(r"b\.md.*isn't included in any toctree", done.stderr)
    assert re.search(r"a\.md:3.*nowhere", done.stderr)


def test_the_list_of_pages_is_the_navigation() -> None:
    spec = importlib.util.spec_from_file_location("conf", DOCS / "conf.py")
    assert spec is not None
    assert spec.loader is not None
    conf = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(conf)
    made = conf.navigation("# All\n\n## One\n\n* [A](x/a.md): first\n* [B](b-c.md)\n\n## Two\n\n* [D](d.md)\n")
    assert made.endswith(
        "```{toctree}\n:hidden:\n:caption: One\n\nx/a\nb-c\n```\n\n```{toctree}\n:hidden:\n:caption: Two\n\nd\n```\n"
    )
