"""Where the language comes from: flag over environment over settings over locale."""

from pathlib import Path

import pytest

from anchorhold.cli.language import language_of
from anchorhold.errors import BadInput
from checks.project import make_project


def test_the_flag_wins_over_everything() -> None:
    assert language_of("en", environment={"ANCHORHOLD_LANG": "de", "LANG": "de_DE.UTF-8"}) == "en"


def test_the_variable_wins_over_settings_and_locale(tmp_path: Path) -> None:
    project = make_project(tmp_path / "p")
    project.edit('author = "Ada"', 'author = "Ada"\nlanguage = "en"')
    environment = {"ANCHORHOLD_LANG": "de"}
    assert language_of(None, project.config_path, environment=environment) == "de"
    assert language_of(None, project.config_path, environment={"LANG": "de_DE.UTF-8"}) == "en"


def test_without_settings_the_locale_decides(tmp_path: Path) -> None:
    nowhere = tmp_path / "none.toml"
    assert language_of(None, nowhere, environment={"LANG": "de_DE.UTF-8"}) == "de"
    assert language_of(None, nowhere, environment={"LC_ALL": "C", "LANG": "de_DE.UTF-8"}) == "en"
    assert language_of(None, nowhere, environment={}) == "en"


def test_settings_that_say_nothing_leave_it_to_the_locale(tmp_path: Path) -> None:
    project = make_project(tmp_path / "p")
    assert language_of(None, project.config_path, environment={"LC_MESSAGES": "de"}) == "de"


def test_a_language_that_there_is_not_is_refused() -> None:
    with pytest.raises(BadInput, match="no language 'fr'"):
        language_of(None, environment={"ANCHORHOLD_LANG": "fr"})
