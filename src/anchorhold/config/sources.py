"""Where a setting may stand: flags above environment (``ANCHORHOLD_…``), environment above file.

With ``cli`` the only reader of the environment. May import: anchorhold.canonical, anchorhold.errors.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from anchorhold.canonical import nearest
from anchorhold.errors import BadInput

FILE_NAME = "anchorhold.toml"
PREFIX = "ANCHORHOLD_"

# Setting (the flag's name, and with the prefix and in capitals the variable's) → key in the file, type.
SETTINGS: dict[str, tuple[str, type]] = {
    "project": ("project.name", str),
    "register": ("project.register", str),
    "data": ("project.data", str),
    "author": ("project.author", str),
    "lang": ("project.language", str),
    "contract": ("project.contract", int),
    "contract_file": ("project.contract_file", str),
    "workers": ("match.workers", int),
    "book": ("book.file", str),
    "book_order": ("book.order", str),
    "book_seed": ("book.seed", int),
    "pairs_long": ("stages.long.pairs", int),
    "pairs_short": ("stages.short.pairs", int),
    "pairs_direct": ("check.direct_pairs", int),
    "allowed_signers": ("gate.allowed_signers", str),
    "max_unaudited_elo": ("gate.max_unaudited_elo", float),
    "max_unaudited_tests": ("gate.max_unaudited_tests", int),
    "max_age_days": ("gate.max_age_days", float),
}


def default_file(environment: Mapping[str, str] | None = None) -> Path:
    """Return the file that is read when none is named: ANCHORHOLD_CONFIG, else ``anchorhold.toml``."""
    environment = os.environ if environment is None else environment
    return Path(environment.get(PREFIX + "CONFIG") or FILE_NAME)


def existing_file(path: Path | None, environment: Mapping[str, str]) -> Path:
    """Return the settings' file, named or found; a file that is not there is an error."""
    if path is None:
        path = default_file(environment)
    if not path.is_file():
        raise BadInput(
            "there is no such file",
            where=str(path),
            next_step=f"Go to the project's directory, or name its {FILE_NAME} with --config or {PREFIX}CONFIG",
        )
    return path


def read_toml(path: Path) -> dict[str, object]:
    """Read a file as TOML; a file that is none is an error with its place."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"not TOML: {error}", where=str(path)) from error
    except UnicodeDecodeError as error:
        raise BadInput(f"not UTF-8: {error.reason} at byte {error.start}", where=str(path)) from error
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", where=str(path)) from error


def login_name(environment: Mapping[str, str]) -> str:
    """Return the name under which the process's user is logged in."""
    return environment.get("LOGNAME") or environment.get("USER") or "unknown"


def absolute_register(url: str, directory: Path) -> str:
    """Return the register's URL or path, a relative one taken from the directory."""
    if url.startswith("sqlite:///"):
        return f"sqlite:///{directory / url.removeprefix('sqlite:///')}"
    return url if "://" in url else str(directory / url)


@dataclass(frozen=True, slots=True)
class Given:
    """A value that stands above the file, with the place it came from."""

    value: object
    where: str


def overrides(environment: Mapping[str, str], flags: Mapping[str, object]) -> dict[str, Given]:
    """Collect what stands above the file, by the keys of the file; flags win over variables."""
    given: dict[str, Given] = {}
    known = {PREFIX + name.upper(): name for name in SETTINGS}
    for variable, text in environment.items():
        if not variable.startswith(PREFIX) or variable == PREFIX + "CONFIG":
            continue
        if variable not in known:
            raise BadInput(
                "there is no such variable", where=variable, next_step=nearest(variable, [*known, PREFIX + "CONFIG"])
            )
        key, kind = SETTINGS[known[variable]]
        given[key] = Given(_READ_VARIABLE[kind](text, variable), variable)
    for name, value in flags.items():
        if value is not None:
            key, _ = SETTINGS[name]
            given[key] = Given(value, "--" + name.replace("_", "-"))
    # A given edition and a given file exclude each other only within one source; the stronger source wins.
    for one, other in (("project.contract", "project.contract_file"), ("project.contract_file", "project.contract")):
        if one in given and other in given and given[one].where.startswith("--") != given[other].where.startswith("--"):
            weaker = other if given[one].where.startswith("--") else one
            del given[weaker]
    return given


def _as_whole(text: str, variable: str) -> int:
    try:
        return int(text)
    except ValueError as error:
        raise BadInput(f"{text!r} is not a whole number", where=variable) from error


def _as_number(text: str, variable: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise BadInput(f"{text!r} is not a number", where=variable) from error


_READ_VARIABLE: dict[type, Callable[[str, str], object]] = {
    int: _as_whole,
    float: _as_number,
    str: lambda text, _variable: text,
}
