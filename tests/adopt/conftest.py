"""What the tests of this folder share: the search path on which the real engines are."""

import os
from pathlib import Path

import pytest

SUNFISH = Path(__file__).parent.parent.parent / ".tools" / "sunfish" / "bin"


@pytest.fixture
def search_path() -> str:
    """Where ``scripts/setup.sh test`` has put engines."""
    return f"{os.environ['PATH']}{os.pathsep}{SUNFISH}"
