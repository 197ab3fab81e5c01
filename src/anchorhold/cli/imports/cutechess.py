"""``anchorhold import cutechess``: console output of cutechess-cli.

May import: typer, anchorhold.importers, anchorhold.cli.*.
"""

from __future__ import annotations

from typing import Annotated, Literal

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
def cutechess(
    inputs: Annotated[list[str], typer.Argument(metavar="FILE…", help="Console output; - for standard input.")],
    bounds: Annotated[
        tuple[float, float] | None,
        typer.Option("--bounds", help="Elo bounds of the sequential tests, which are not printed, such as 0 5."),
    ] = None,
    model: Annotated[
        Literal["bayeselo", "logistic", "normalized"], typer.Option("--bounds-model", help="Unit of the bounds.")
    ] = "bayeselo",
    time_control: Annotated[
        str | None, typer.Option("--tc", help="Time control of the matches, such as 8+0.08; it decides the stage.")
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
    """Read what cutechess-cli printed: the last score of every match, checked against its finished games.

    A sequential test becomes an entry; of every other match the counts are shown, or put into an evaluation document.

    Example: anchorhold import cutechess match.log --bounds 0 5 --tc 8+0.08 --dry-run
    """
    from anchorhold.cli.imports.inputs import texts_of
    from anchorhold.cli.imports.matches import finish_matches
    from anchorhold.importers.cutechess import read_cutechess

    finish_matches(
        read_cutechess(texts_of(inputs), bounds=bounds, model=model, time_control=time_control),
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
