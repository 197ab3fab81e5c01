"""The register that a reading command is about: a database, an export, or an export on standard input.

May import: anchorhold.config, anchorhold.errors, anchorhold.register, anchorhold.cli.clean.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anchorhold.register.reading import ReadableRegister

STANDARD_INPUT = "-"


def open_register(register: str | None, config: Path | None) -> ReadableRegister:
    """Open the register that ``--register`` or the settings name, for reading.

    ``-`` reads an export from standard input, and a path that ends with ``.jsonl`` is an export.

    Raises
    ------
    BadInput
        Nothing is named or there.
    """
    from anchorhold import config as settings
    from anchorhold.register.reading import ExportedRegister, open_for_reading

    if register == STANDARD_INPUT:
        return ExportedRegister(sys.stdin.buffer.read(), where="standard input")
    return open_for_reading(settings.register_url(register, config))


@contextmanager
def nothing_collected() -> Iterator[None]:
    """Leave garbage alone: up to half the time would go into looking through entries that all stay."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def warn_of_damage(opened: ReadableRegister) -> int:
    """Say in one line on standard error that a register does not hold; the exit status that follows from it.

    What was printed stays useful: whoever looks for the damage needs to see the entries.
    """
    from anchorhold.errors import RegisterBroken

    try:
        problem = opened.verify().problem
        damage = "" if problem is None else f"{problem}"
    except RegisterBroken as error:
        damage = error.what
    if not damage:
        return 0
    print(f"anchorhold: the register does not hold: {damage}. See 'anchorhold register verify'", file=sys.stderr)
    return RegisterBroken.exit_status


def read_bytes(file: str) -> bytes:
    """Read a file whole; ``-`` is standard input.

    Raises
    ------
    BadInput
        The file cannot be read.
    """
    from anchorhold.errors import BadInput

    if file == STANDARD_INPUT:
        return sys.stdin.buffer.read()
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", where=file) from error
