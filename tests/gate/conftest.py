"""A project, one that stands in HALT, a reviewer's key and the file that allows it."""

from pathlib import Path

import pytest

from checks.project import EVEN, Project, gain, make_project
from gate.keys import make_key, public, signers_file


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return make_project(tmp_path / "project")


@pytest.fixture
def halted(project: Project) -> Project:
    """check-1 closed with HALT: 12 Elo were claimed, nothing arrived."""
    project.pin()
    project.append("gain_test", gain(12.0))
    project.open("v1", "v2")
    project.close(old=EVEN, new=EVEN)
    return project


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return make_key(tmp_path / "key")


@pytest.fixture
def signers(tmp_path: Path, key: Path) -> Path:
    return signers_file(tmp_path / "signers", f'ada,bea namespaces="anchorhold" {public(key)}')
