"""How the commands of a page are read and held to it: the reader that the other tests of this folder stand on."""

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
