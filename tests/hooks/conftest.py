"""A fresh server and client for every test that asks for them."""

from pathlib import Path

import pytest

from hooks.repositories import ENVIRONMENT, Place, Registers, make_place


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"):
        monkeypatch.setenv(name, ENVIRONMENT[name])
    for name in ("ANCHORHOLD_REGISTER", "ANCHORHOLD_CONFIG", "GIT_DIR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def registers(tmp_path_factory: pytest.TempPathFactory) -> Registers:
    return Registers(tmp_path_factory.mktemp("registers"))


@pytest.fixture
def place(tmp_path: Path, registers: Registers) -> Place:
    return make_place(tmp_path, registers)
