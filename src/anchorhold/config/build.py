"""[main.build]: how a revision of main is built. May import: anchorhold.domain, anchorhold.errors, config parts."""

from __future__ import annotations

import re
from pathlib import Path, PurePath

from anchorhold.config.engine import read_command
from anchorhold.config.table import Table
from anchorhold.domain.builds import OUTPUT, PROGRAM, TIMEOUT, BuildRecipe
from anchorhold.errors import BadInput

KEYS = ("command", "program", "repository", "environment", "timeout", "bench", "bench_pattern", "id")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def read_build(main: Table, directory: Path) -> BuildRecipe | None:
    """Read [main.build], or the command alone where ``build`` is a text; None where there is neither."""
    if not main.has("build"):
        return None
    value = main.raw("build")
    if not isinstance(value, str | dict):
        raise main.wrong("build", "a build command, or a table [main.build]")
    members = {"command": value} if isinstance(value, str) else value
    table = Table(members, file=main.file, key=main.path("build"), given=main.given)
    command = table.text("command")
    program = table.text("program") if table.has("program") else None
    if program is not None and (PurePath(program).is_absolute() or ".." in PurePath(program).parts):
        raise table.wrong("program", "a path inside the worktree, such as src/engine")
    if (program is None) != (OUTPUT in command):
        raise BadInput(
            f"uses {OUTPUT}, and program names a place too" if program else f"does not use {OUTPUT}",
            where=table.where("command"),
            next_step=f"Either {OUTPUT} in the command says where the program goes, or program where it leaves it",
        )
    recipe = BuildRecipe(
        repository=directory / table.text("repository") if table.has("repository") else directory,
        command=command,
        program=program,
        environment=_environment(table),
        timeout=table.number("timeout", TIMEOUT, least=1.0),
        bench=_bench(table, directory) if table.has("bench") else (),
        bench_pattern=_pattern(table, "bench_pattern", groups=1) if table.has("bench_pattern") else None,
        id=_pattern(table, "id") if table.has("id") else None,
    )
    table.asked.update(KEYS)
    table.close()
    return recipe


def _environment(table: Table) -> tuple[tuple[str, str], ...]:
    own = table.table("environment")
    for name, value in own.members.items():
        if not _VARIABLE.fullmatch(name) or not isinstance(value, str) or not (value.isprintable() or not value):
            raise BadInput(f"is {value!r}, expected a variable with a text", where=own.where(name))
    return tuple((name, str(value)) for name, value in sorted(own.members.items()))


def _bench(table: Table, directory: Path) -> tuple[str, ...]:
    words = read_command(table, "bench", directory)
    if not any(PROGRAM in word for word in words):
        raise table.wrong("bench", f'a command with {PROGRAM} in it, such as "{PROGRAM} bench"')
    return words


def _pattern(table: Table, name: str, *, groups: int | None = None) -> str:
    text = table.text(name)
    try:
        found = re.compile(text)
    except re.error as error:
        raise BadInput(f"is {text!r}, not a regular expression: {error}", where=table.where(name)) from error
    if groups is not None and found.groups != groups:
        raise table.wrong(name, "a regular expression with one group, which holds the number")
    return text
