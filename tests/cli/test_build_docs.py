"""The page on builds says what is so: its settings and commands run, its table is what is read."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from anchorhold.cli.app import app
from builds.repository import EngineRepository
from checks.project import Project
from cli.test_build import SETTINGS
from cli.test_build import project as project
from cli.test_build import repository as repository
from cli.test_oracle import ORACLE

PAGE = (Path(__file__).parent.parent.parent / "docs" / "howto" / "build.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_pages_settings_and_commands_run(project: Project, repository: EngineRepository) -> None:
    project.edit(SETTINGS, "")
    path = project.config_path
    text = path.read_text(encoding="utf-8") + block("toml") + ORACLE.format(max_pairs=2)
    path.write_text(text, encoding="utf-8")
    # The page's project lies within its repository.
    repository.directory.rename(project.directory / "engine")
    for path in (project.directory / "engine").iterdir():
        path.rename(project.directory / path.name)
    for line in block("sh").splitlines():
        words = shlex.split(line)
        assert words[0] == "anchorhold"
        result = CliRunner().invoke(app, words[1:])
        assert result.exit_code in ((0, 1) if words[1] == "oracle" else (0,)), (line, result.output)


def test_the_table_of_settings_is_what_is_read() -> None:
    from anchorhold.config.build import KEYS

    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == set(KEYS)


@pytest.mark.parametrize("said", ["1800", "16 MiB", "twelve digits"])
def test_numbers_of_the_page_are_the_codes(said: str) -> None:
    from anchorhold.builds.git import SHORT
    from anchorhold.builds.running import MOST_LOGGED
    from anchorhold.domain.builds import TIMEOUT

    assert said in PAGE
    assert (TIMEOUT, MOST_LOGGED, SHORT) == (1800, 16 * 2**20, 12)
