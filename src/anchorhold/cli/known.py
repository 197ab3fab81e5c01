"""The engines that can be named on a command line: the project's and those of this machine that have a recipe.

May import: anchorhold.adopt, anchorhold.config, anchorhold.errors.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anchorhold.adopt.known import KnownEngine
    from anchorhold.config.record import Config


def search_path() -> str:
    """Return the folders in which programs are looked for."""
    return os.environ.get("PATH", os.defpath)


def project_or_none(path: Path | None) -> Config | None:
    """Return the project's settings; None without a project, where the recipes are all that is known."""
    from anchorhold import config as settings

    if path is None and not settings.default_file().is_file():
        return None
    return settings.load(path)


def engine_named(name: str) -> KnownEngine:
    """Return the engine of this name, of the project in the current folder or of the recipes.

    Raises
    ------
    BadInput
        There is none.
    """
    from anchorhold.adopt.known import known_engines, of_name
    from anchorhold.adopt.recipes import find, read_recipes

    known = known_engines(project_or_none(None), find(read_recipes(), path=search_path()))
    return of_name(name, known)
