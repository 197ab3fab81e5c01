"""How the commands of a page are read and held to it: the reader that the other tests of this folder stand on."""

import re
from pathlib import Path

import pytest

from docs import pages

TEXT = """\
# A page

```console
$ echo one; \\
  echo two
one
t…
$ seq 5
1
…
5
$ cd sub
$ ls f*
file
```

```sh
# not a command
false
touch new
```
"""


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    (tmp_path / "work" / "sub").mkdir(parents=True)
    (tmp_path / "work" / "sub" / "file").touch()
    path = tmp_path / "page.md"
    path.write_text(TEXT, encoding="utf-8")
    return path


def run(page: Path, *, record: bool = False, statuses: dict[str, int] | None = None) -> dict[str, str]:
    home = page.parent / "home"
    return pages.run(page, page.parent / "work", home=home, statuses=statuses or {"false": 1}, record=record)


def test_commands_run_in_their_order_and_folder(page: Path) -> None:
    assert [command.line for command in pages.commands(page)] == [4, 8, 12, 13, 19, 20]
    printed = run(page)
    assert printed["seq 5"] == "1\n2\n3\n4\n5\n"
    assert (page.parent / "work" / "sub" / "new").is_file()


@pytest.mark.parametrize(
    ("old", "new"), [("t…", "tw"), ("…\n5", "5"), ("file\n", "file\nmore\n"), ("\nfile\n", "\nfil\n")]
)
def test_another_output_is_found_and_recorded(page: Path, old: str, new: str) -> None:
    page.write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(AssertionError, match=r"page.md:\d+: "):
        run(page)
    run(page, record=True)
    run(page)


def test_another_status_is_found(page: Path) -> None:
    with pytest.raises(AssertionError, match=r"page.md:19: false"):
        run(page, statuses={"true": 0})


RUN_BY = {
    "docs/explanation/derivations.md": "tests/docs/test_derivations.py",
    "docs/howto/build.md": "tests/cli/test_build_docs.py",
    "docs/howto/gate.md": "tests/cli/test_gate_docs.py",
    "docs/howto/match.md": "tests/cli/test_match_docs.py",
    "docs/reference/contract.md": "tests/docs/test_reference.py",
    "docs/tutorial/first-check.md": "tests/docs/test_tutorial.py",
    "docs/de/first-check.md": "tests/docs/test_languages.py",  # the same commands as the English page
    **{
        f"docs/howto/{name}.md": "tests/docs/test_howto.py"
        for name in (
            "anchors",
            "ci",
            "dashboard",
            "fastchess",
            "fishtest",
            "halt",
            "how-many-games",
            "import",
            "openbench",
        )
    },
    "docs/explanation/case-study.md": "tests/docs/test_howto.py",
}
NOT_RUN = {
    "CONTRIBUTING.md": "installs into a new environment, and runs the tests that this one is of",
    "docs/howto/cluster.md": "starts what stays; tests/cli/test_dask.py and test_merge.py play on loopback",
}


PROGRAMS = r"(?:\$ )?(?:anchorhold|pip|make|git|python3?|dask|fastchess|cutechess-cli)"


def test_commands_of_the_documentation_stand_in_blocks_that_are_run() -> None:
    for path in pages.DOCS.rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        code = re.findall(r"^```(.*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        outside = re.sub(r"^```.*\n.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
        found = re.findall(rf"^(?: {{4,}}|\t){PROGRAMS} .*$", outside, re.MULTILINE)
        found += [line for kind, block in code if not kind for line in re.findall(rf"^{PROGRAMS} .*$", block, re.M)]
        assert found == [], f"{path}: no test would run these"


def test_the_commands_of_every_page_are_run_or_it_is_said_why_not() -> None:
    root = Path(__file__).parents[2]
    with_blocks = {
        str(path.relative_to(root))
        for path in (*root.glob("*.md"), *(root / "docs").rglob("*.md"))
        if pages.commands(path)
    }
    assert with_blocks == set(RUN_BY) | set(NOT_RUN)
    for page, test in RUN_BY.items():
        assert Path(page).name in (root / test).read_text(encoding="utf-8"), f"{test} does not name {page}"
