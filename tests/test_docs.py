"""README and docs say what is so: commands exist, links lead somewhere, lists are the code's, examples run."""

import doctest
import importlib
import importlib.util
import pkgutil
import re
import shlex
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import anchorhold
from anchorhold import config
from anchorhold.cli.app import app

ROOT = Path(__file__).parent.parent
FRONT = [ROOT / name for name in ("README.md", "README.de.md", "CONTRIBUTING.md", "CHANGELOG.md")]
PAGES = [*FRONT, *sorted((ROOT / "docs").rglob("*.md"))]


def make_docs() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_docs", ROOT / "scripts" / "make_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKE_DOCS = make_docs()
COMMANDS: dict[str, Any] = dict(MAKE_DOCS.walk(typer.main.get_command(app), "anchorhold"))


@pytest.mark.parametrize("name", [*MAKE_DOCS.WHOLE, *MAKE_DOCS.PARTS])
def test_what_is_generated_is_up_to_date(name: str) -> None:
    written = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert written == MAKE_DOCS.as_it_should_be(name), "run: python scripts/make_docs.py"


def named_commands(text: str) -> set[str]:
    """Every ``anchorhold …`` in code, as far as it is a command; a list such as `a`, `b` names one each."""
    found = set()
    for match in re.finditer(r"`anchorhold ((?:[a-z]+ ?)+)[^`]*`((?:, `[a-z]+`)*)", text):
        words = match[1].split()
        found.add(" ".join(words))
        for other in re.findall(r"`([a-z]+)`", match[2]):
            found.add(" ".join([*words[:-1], other]))
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_that_a_page_names_exists(page: Path) -> None:
    for words in named_commands(page.read_text(encoding="utf-8")):
        assert any(f"anchorhold {words}".startswith(name) for name in COMMANDS), f"{page.name}: anchorhold {words}"


def test_the_readme_names_every_command() -> None:
    named = named_commands((ROOT / "README.md").read_text(encoding="utf-8"))
    assert {f"anchorhold {words}" for words in named} >= set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example_of_itself(name: str) -> None:
    shown = CliRunner().invoke(app, [*name.split()[1:], "--help"])
    assert shown.exit_code == 0
    text = COMMANDS[name].help or ""
    assert f"Example: {name}" in text


@pytest.mark.parametrize("name", COMMANDS)
def test_the_options_of_an_example_exist(name: str) -> None:
    example = " ".join((COMMANDS[name].help or "").partition("Example: ")[2].partition("\n\n")[0].split())
    known = {option for parameter in COMMANDS[name].params for option in (*parameter.opts, *parameter.secondary_opts)}
    given = shlex.split(re.split(r" (?:&&|\||>) ", example)[0])
    assert {word.split("=")[0] for word in given if word.startswith("-") and word != "-"} <= known


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    for target in targets:
        if not target.startswith(("http://", "https://", "#")):
            assert (page.parent / target.partition("#")[0]).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_that_a_page_names_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for name in re.findall(r"`((?:[a-z_]+/)*[a-z_]+\.(?:py|sh))`", text):
        places = (ROOT / name, ROOT / "src" / "anchorhold" / name)
        assert any(place.is_file() for place in places), f"{page.name}: {name}"


def test_the_settings_in_the_readme_are_read(tmp_path: Path) -> None:
    found = re.search(r"```toml\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    tomllib.loads(found[1])
    file = tmp_path / "anchorhold.toml"
    file.write_text(found[1], encoding="utf-8")
    settings = config.load(file, environment={})
    assert settings.main.spec("1.5", settings.long.limit).command == (str(tmp_path / "builds/1.5/sparrow"),)
    assert settings.oracle()[0].bounds == (0.0, 2.0)


def test_the_targets_that_a_page_names_stand_in_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for page in PAGES:
        assert set(re.findall(r"(?:^    |`)make ([a-z-]+)", page.read_text(encoding="utf-8"), re.MULTILINE)) <= targets


def modules() -> list[str]:
    # Importing __main__ would run the program; migrations are loaded by their runner.
    return [
        name
        for _, name, _ in pkgutil.walk_packages(anchorhold.__path__, "anchorhold.")
        if not name.endswith("__main__") and ".migrations." not in name
    ]


@pytest.mark.parametrize("name", modules())
def test_the_examples_in_docstrings_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_nothing_in_the_repository_names_this_machine() -> None:
    # Written in pieces, so that this file does not name them either.
    hosts = ("pypi" + ".org", "registry" + ".npmjs", "deb." + "debian.org")
    suspects = (f"{ROOT}/", f"{Path.home()}/", *hosts)
    texts = [
        path
        for folder in ("src", "scripts", "docs", "tests", ".ci")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".md", ".toml", ".json", ".sh", ".po", ".j2", ".cjs", ""} and path.is_file()
    ]
    for path in [*texts, *FRONT, ROOT / "Makefile", ROOT / "constraints.txt", ROOT / "pyproject.toml"]:
        text = path.read_text(encoding="utf-8")
        assert [suspect for suspect in suspects if suspect in text] == [], path
