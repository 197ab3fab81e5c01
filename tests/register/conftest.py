"""Every test that asks for a place runs on both databases."""

from pathlib import Path

import pytest

from anchorhold.register.store import Register
from register.places import Place, PostgresPlace, SqlitePlace, clock


@pytest.fixture(scope="session")
def three_entries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A register of genesis and two notes, in a file."""
    path = tmp_path_factory.mktemp("template") / "register.db"
    with Register.create(str(path), author="somebody", clock=clock, project="Sparrow") as register:
        register.append("note", {"text": "one"}, author="somebody")
        register.append("note", {"text": "two"}, author="somebody else")
    return path


@pytest.fixture(scope="session")
def exported(three_entries: Path) -> bytes:
    with Register.open(str(three_entries), read_only=True) as register:
        return b"".join(register.export())


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A place with no register, for one test."""
    if request.param == "sqlite":
        return SqlitePlace(tmp_path)
    return PostgresPlace(request.getfixturevalue("cluster"))


@pytest.fixture
def place(empty: Place, three_entries: Path, exported: bytes) -> Place:
    """A place with a register of genesis and two notes, for one test."""
    if isinstance(empty, SqlitePlace):
        empty.copy(three_entries)
    else:
        empty.take_over(exported)
    return empty


@pytest.fixture
def file(tmp_path: Path, three_entries: Path) -> SqlitePlace:
    """A file with a register of genesis and two notes, for one test."""
    place = SqlitePlace(tmp_path)
    place.copy(three_entries)
    return place


@pytest.fixture
def schema(request: pytest.FixtureRequest, exported: bytes) -> PostgresPlace:
    """A PostgreSQL schema with a register of genesis and two notes, for one test."""
    place = PostgresPlace(request.getfixturevalue("cluster"))
    place.take_over(exported)
    return place
