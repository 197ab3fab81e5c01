"""A fresh project for every test that asks for one."""

from pathlib import Path

import pytest

from checks.project import Project, make_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return make_project(tmp_path / "project")
