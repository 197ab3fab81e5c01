"""``anchorhold register``: makes a register, writes and reads exports; which of its commands lives where.

May import: typer, anchorhold.config, anchorhold.errors, anchorhold.register, anchorhold.cli.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import AuthorOption, ConfigOption, RegisterOption
from anchorhold.cli.register_add import epoch, note, retract
from anchorhold.cli.register_log import log, show
from anchorhold.cli.register_verify import head, verify

app = typer.Typer(
    name="register",
    help="The append-only record of claims, checks and releases.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command()
@fail_cleanly
def create(
    register: RegisterOption = None,
    config: ConfigOption = None,
    project: Annotated[str | None, typer.Option("--project", help="Whose register it is.")] = None,
    author: AuthorOption = None,
) -> None:
    """Make a new register with its first entry.

    Example: anchorhold register create --register register.db --project Sparrow
    """
    from anchorhold import config as settings
    from anchorhold.register.store import Register

    url = settings.register_url(register, config)
    with Register.create(url, author=settings.author_name(author, config), project=project) as made:
        typer.echo(f"Made {made.location}.")


app.command()(log)
app.command()(show)
app.command()(verify)
app.command()(head)


@app.command()
@fail_cleanly
def export(
    register: RegisterOption = None,
    config: ConfigOption = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="New file; by default standard output.")
    ] = None,
) -> None:
    """Write all entries as JSON Lines, after checking the chain.

    Example: anchorhold register export -o register.jsonl
    """
    from anchorhold.cli.reading import open_register

    with open_register(register, config) as opened:
        data = b"".join(opened.export())
    if output is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        _write_new(output, data)
        lines = data.count(b"\n")
        typer.echo(f"Wrote {lines} entries to {output}.", err=True)


@app.command("import")
@fail_cleanly
def import_(
    file: Annotated[str, typer.Argument(metavar="FILE", help="An export; - for standard input.")],
    register: RegisterOption = None,
    config: ConfigOption = None,
) -> None:
    """Make a new register from an export; exporting it again gives the same bytes.

    Example: anchorhold register import register.jsonl --register restored.db
    """
    from anchorhold import config as settings
    from anchorhold.cli.reading import read_bytes
    from anchorhold.register.store import Register

    data = read_bytes(file)
    where = "standard input" if file == "-" else file
    with Register.restore(settings.register_url(register, config), data, where=where) as made:
        last = made.head()
    assert last is not None
    typer.echo(f"Took over {last.seq} entries into {made.location}; the last is {last.hash[:12]}….")


app.command()(note)
app.command()(retract)
app.command()(epoch)


def _write_new(path: Path, data: bytes) -> None:
    """Write a new file, never over another one."""
    from anchorhold.errors import BadInput

    try:
        with path.open("xb") as handle:
            handle.write(data)
    except FileExistsError as error:
        raise BadInput("there is a file already", where=str(path), next_step="Choose another name") from error
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", where=str(path)) from error
