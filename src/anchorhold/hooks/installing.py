"""Putting a hook into a repository, and taking it away; a hook that stands there already is never touched.

May import: anchorhold.errors, anchorhold.hooks.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from anchorhold.errors import BadInput, BadState
from anchorhold.hooks.git import Repository
from anchorhold.hooks.script import chaining, script, written_by_us
from anchorhold.hooks.settings import SECTION, Settings, write_settings
from anchorhold.hooks.updates import KINDS, Kind


@dataclass(frozen=True, slots=True)
class Installed:
    """What stands at the place of a hook."""

    kind: Kind
    path: Path
    ours: bool
    """An installation wrote it, and nobody changed it."""
    foreign: bool
    """Something else stands there."""
    runs: bool
    """git would start it: a hook that may not be executed is passed over in silence."""

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {"kind": self.kind, "path": str(self.path), "ours": self.ours, "foreign": self.foreign,
                "runs": self.runs}  # fmt: skip


def look(repository: Repository, kind: Kind) -> Installed:
    """Say what stands at the place of a hook."""
    path = repository.hooks_dir() / kind
    there = os.path.lexists(path)
    ours = there and path.is_file() and not path.is_symlink() and written_by_us(_read(path), kind)
    return Installed(
        kind=kind, path=path, ours=ours, foreign=there and not ours, runs=there and os.access(path, os.X_OK)
    )


def install(
    repository: Repository, kind: Kind, settings: Settings, *, python: str, packages: str, with_script: bool = True
) -> Installed:
    """Write a hook's script and its settings; an earlier installation is replaced.

    Parameters
    ----------
    with_script : bool
        False: the settings alone, for a hook that asks the gate itself.

    Raises
    ------
    BadState
        Another hook stands there; hooks are kept in a directory that this repository shares with others.
    """
    found = look(repository, kind)
    if with_script:
        _require_place(repository, found, python=python, packages=packages)
        _write(found.path, script(kind, python=python, packages=packages))
    write_settings(repository, settings)
    return look(repository, kind)


def uninstall(repository: Repository, kind: Kind) -> Installed:
    """Take a hook away, and the settings with it when no other hook needs them.

    Raises
    ------
    BadState
        What stands there was not written by an installation, or was changed since.
    """
    found = look(repository, kind)
    if found.foreign:
        raise BadState(
            "this hook was not written by 'anchorhold hook install', or was changed since",
            where=str(found.path),
            next_step="Take the lines about anchorhold out of it by hand",
        )
    if found.ours:
        found.path.unlink()
    if not any(look(repository, other).ours for other in KINDS):
        repository.remove_settings(SECTION)
    return look(repository, kind)


def _require_place(repository: Repository, found: Installed, *, python: str, packages: str) -> None:
    if found.foreign:
        line = chaining(found.kind, python=python, packages=packages)
        raise BadState(
            "there is a hook already, and it is left as it is",
            where=str(found.path),
            next_step=f"Write its settings with --settings-only, and put this line before all that it does: {line}",
        )
    chosen = repository.setting("core.hooksPath", local=False)
    if chosen is not None and repository.setting("core.hooksPath", local=True) is None:
        raise BadState(
            f"core.hooksPath is {chosen} for all repositories: a hook there would hold each of them",
            where=str(repository.git_dir()),
            next_step="Give this repository its own with 'git config core.hooksPath DIRECTORY'",
        )


def _read(path: Path) -> str:
    return path.read_bytes().decode(errors="replace")


def _write(path: Path, text: str) -> None:
    """Write a program at one stroke: git never sees half of it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).chmod(0o755)
        Path(name).replace(path)
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", where=str(path)) from error
