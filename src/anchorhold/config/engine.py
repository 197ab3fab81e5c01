"""How an engine is started: command line, protocol, options.

May import: anchorhold.domain, anchorhold.errors, anchorhold.config parts.
"""

from __future__ import annotations

import math
import shlex
from pathlib import Path

from anchorhold.config.table import Table
from anchorhold.domain.engines import OptionValue
from anchorhold.domain.project import EngineTemplate
from anchorhold.errors import BadInput

ENGINE_KEYS = {
    "command", "protocol", "options", "setup", "depth_command", "restart", "directory", "files", "margin",
}  # fmt: skip


def read_engine(table: Table, directory: Path, *, base: EngineTemplate | None = None) -> EngineTemplate:
    """Read how an engine is started; what does not stand here is taken from ``base``."""
    base_directory = directory if base is None or base.directory is None else base.directory
    if table.has("restart"):
        restart = table.choice("restart", ("never", "pair"), "never")
    else:
        restart = base.restart if base else "never"
        table.asked.add("restart")
    protocol = table.choice("protocol", ("uci", "xboard"), base.protocol if base else "uci")
    options = _options(table)
    for line in table.texts("setup"):
        if any(ord(letter) < 32 for letter in line):
            raise BadInput(f"is {line!r}: one line each", where=table.where("setup"))
    own = {name for name, _ in options}
    return EngineTemplate(
        command=base.command if base and not table.has("command") else read_command(table, "command", directory),
        protocol="xboard" if protocol == "xboard" else "uci",
        options=tuple(pair for pair in (base.options if base else ()) if pair[0] not in own) + options,
        setup=base.setup if base and not table.has("setup") else table.texts("setup"),
        depth_command=table.text("depth_command", base.depth_command if base else "sd"),
        restart="pair" if restart == "pair" else "never",
        directory=directory / table.text("directory") if table.has("directory") else base_directory,
        files=(
            base.files if base and not table.has("files") else tuple(directory / name for name in table.texts("files"))
        ),
        margin=table.number("margin", base.margin if base else 0.15, least=0.0),
    )


def read_command(table: Table, name: str, directory: Path) -> tuple[str, ...]:
    """Read a command line, a text or a list of words; a program given with a slash becomes absolute."""
    value = table.raw(name)
    if isinstance(value, str):
        try:
            words = shlex.split(value)
        except ValueError as error:
            raise BadInput(f"is {value!r}, not a command line: {error}", where=table.where(name)) from error
    elif isinstance(value, list) and all(isinstance(word, str) for word in value):
        words = list(value)
    else:
        raise table.wrong(name, "a command line, as a text or as a list of words")
    if not words or not words[0]:
        raise table.wrong(name, "a command line, as a text or as a list of words")
    # A word with a slash is a path, as in a shell; made absolute, because the process may run elsewhere.
    if "/" in words[0] and not Path(words[0]).is_absolute():
        words[0] = str(directory / words[0])
    return tuple(words)


def _options(table: Table) -> tuple[tuple[str, OptionValue], ...]:
    options = table.table("options")
    found: list[tuple[str, OptionValue]] = []
    for name, value in options.members.items():
        if not isinstance(value, str | int | float | bool) or (isinstance(value, float) and not math.isfinite(value)):
            raise BadInput(f"is {value!r}, expected a text, number or boolean", where=options.where(name))
        if not name.strip() or any(ord(letter) < 32 for letter in f"{name}{value}"):
            raise BadInput("an option is one line with a name", where=options.where(name))
        found.append((name, value))
    return tuple(found)
