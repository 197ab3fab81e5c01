"""Optional parts of the program, and programs that some commands start.

May import: anchorhold.adopt.doctor.findings, anchorhold.errors.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib.util import find_spec

from anchorhold.adopt.doctor.findings import Finding
from anchorhold.errors import install_line

PARTS = {
    "postgres": ("psycopg", "registers in PostgreSQL"),
    "dask": ("distributed", "matches on a Dask cluster"),
    "web": ("starlette", "the live dashboard"),
}
PROGRAMS = {
    "ssh-keygen": "signs and checks releases of a HALT",
    "git": "is what hooks, builds and imports of commits ask",
}


def look_at_parts(*, register: str | None, path: str) -> Iterator[Finding]:
    """Say which optional parts are there; one that the project needs must be.

    Parameters
    ----------
    register : str, optional
        URL of the project's register.
    path : str
        Search path of programs.
    """
    for part, (module, what) in PARTS.items():
        if find_spec(module) is not None:
            yield Finding("parts", "ok", f"{part}: {what}")
            continue
        needed = part == "postgres" and register is not None and register.startswith("postgresql")
        yield Finding(
            "parts",
            "failure" if needed else "skipped",
            f"{part} is not installed: {what}" + (", and this register is one" if needed else ""),
            f"In a clone of anchorhold: {install_line(part)}",
        )
    for program, what in PROGRAMS.items():
        if shutil.which(program, path=path) is None:
            yield Finding("programs", "skipped", f"{program} is not here: it {what}", f"Install {program}")
        else:
            yield Finding("programs", "ok", program)
