"""Reading what a command needs: all settings, or only the register, the gate, the author.

What a project's settings are made of, matches and engines, is loaded by who reads all of them: the gate need not wait
for it. May import: anchorhold.config parts.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from anchorhold.config.gate import GateSettings, read_gate
from anchorhold.config.sources import (
    PREFIX,
    absolute_register,
    default_file,
    existing_file,
    login_name,
    overrides,
    read_toml,
)
from anchorhold.config.table import Table

if TYPE_CHECKING:
    from anchorhold.config.record import Config


def load(
    path: Path | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
) -> Config:
    """Read the settings of a project.

    Parameters
    ----------
    path : Path, optional
        The file; by default what ANCHORHOLD_CONFIG names, else ``anchorhold.toml`` in the current directory.
    environment : Mapping, optional
        Variables; by default those of the process.
    flags : Mapping, optional
        Settings given on the command line, by their names in ``SETTINGS``; None counts as not given.

    Raises
    ------
    BadInput
        No such file, not TOML, an unknown key or variable, a missing or unreadable value.
    """
    from anchorhold.config.project import read_project  # slow to load

    environment = os.environ if environment is None else environment
    given = overrides(environment, flags or {})
    path = existing_file(path, environment)
    return read_project(
        Table(read_toml(path), file=path, key="", given=given), path.absolute(), login=login_name(environment)
    )


def register_url(
    flag: str | None,
    path: Path | None = None,
    *,
    environment: Mapping[str, str] | None = None,
) -> str:
    """Find the register for commands that need nothing else: flag, ANCHORHOLD_REGISTER, file.

    The file is not read when flag or variable say it, so that a register can be read without a project.

    Raises
    ------
    BadInput
        None of the three says where the register is, or the file cannot be read.
    """
    environment = os.environ if environment is None else environment
    if url := flag or environment.get(PREFIX + "REGISTER"):
        return absolute_register(url, Path.cwd())
    return load(path, environment=environment).register


def gate_settings(
    path: Path | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
) -> GateSettings:
    """Read what the gate needs, from a file that need not say how anything is played; there may be no file at all.

    Raises
    ------
    BadInput
        A file that was named is not there or not TOML, an unknown key of [gate] or variable, an unreadable value.
    """
    environment = os.environ if environment is None else environment
    given = overrides(environment, flags or {})
    named = path is not None or bool(environment.get(PREFIX + "CONFIG"))
    path = path or default_file(environment)
    members = read_toml(existing_file(path, environment)) if named or path.is_file() else {}
    return read_gate(Table(members, file=path, key="", given=given).table("gate"), path.absolute().parent)


def author_name(flag: str | None, path: Path | None = None, *, environment: Mapping[str, str] | None = None) -> str:
    """Find who is named in new entries: flag, ANCHORHOLD_AUTHOR, file, login name."""
    environment = os.environ if environment is None else environment
    if name := flag or environment.get(PREFIX + "AUTHOR"):
        return name
    if (path or default_file(environment)).is_file():
        return load(path, environment=environment).author
    return login_name(environment)
