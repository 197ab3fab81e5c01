"""Each test has a repository of its own."""

from pathlib import Path

import pytest

from builds.repository import EngineRepository, make_repository


@pytest.fixture
def repository(tmp_path: Path) -> EngineRepository:
    """Two tagged versions and a later one."""
    return make_repository(tmp_path / "engine")
