"""``anchorhold import fastchess``: state files and console output of fastchess.

May import: typer, anchorhold.importers, anchorhold.cli.*.
"""

from __future__ import annotations

from typing import Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.imports.options import (
    DocumentOption,
    DryRunOption,
    EndpointOption,
    MainOption,
    SkipProblemsOption,
    StageOption,
)
from anchorhold.cli.options import AuthorOption, ConfigOption, JsonOption, RegisterOption


@fail_cleanly
def fastchess(
    inputs: Annotated[
        list[str], typer.Argument(metavar="FILE…", help="config.json or console output; - for standard input.")
    ],
    time_control: Annotated[
        str | None, typer.Option("--tc", help="Time control of outputs that do not print it, such as 8+0.08.")
    ] = None,
    engine: MainOption = None,
    document: DocumentOption = None,
    endpoint: EndpointOption = "new",
    stage: StageOption = "long",
    dry_run: DryRunOption = False,
    skip_problems: SkipProblemsOption = False,
    as_json: JsonOption = False,
    register: RegisterOption = None,
    config: ConfigOption = None,
    author: AuthorOption = None,
) -> None:
    """Read matches of fastchess: its JSON state (config.json), or what it printed.

    A sequential test becomes an entry; of every other match the counts are shown, or put into an evaluation document.

    Example: anchorhold import fastchess config.json --dry-run
    """
    from anchorhold.cli.imports.inputs import texts_of
    from anchorhold.cli.imports.matches import finish_matches
    from anchorhold.importers.fastchess import read_fastchess

    finish_matches(
        read_fastchess(texts_of(inputs), time_control=time_control),
        inputs=inputs,
        engine=engine,
        document=document,
        endpoint=endpoint,
        stage=stage,
        register=register,
        config=config,
        author=author,
        dry_run=dry_run,
        skip_problems=skip_problems,
        as_json=as_json,
    )
