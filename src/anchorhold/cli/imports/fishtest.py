"""``anchorhold import fishtest``: run documents of a fishtest server.

May import: typer, anchorhold.importers, anchorhold.cli.*.
"""

from __future__ import annotations

from typing import Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.imports.inputs import texts_of
from anchorhold.cli.imports.options import DryRunOption, SkipProblemsOption
from anchorhold.cli.imports.outcome import finish
from anchorhold.cli.options import AuthorOption, ConfigOption, JsonOption, RegisterOption


@fail_cleanly
def fishtest(
    inputs: Annotated[
        list[str],
        typer.Argument(metavar="FILE|URL…", help="Run documents; - for standard input; a run's page or an instance."),
    ],
    pages: Annotated[
        int, typer.Option("--pages", min=1, max=1000, help="Pages of 50 finished runs, when an instance is given.")
    ] = 1,
    dry_run: DryRunOption = False,
    skip_problems: SkipProblemsOption = False,
    as_json: JsonOption = False,
    register: RegisterOption = None,
    config: ConfigOption = None,
    author: AuthorOption = None,
) -> None:
    """Read test runs as fishtest's API gives them: one, a list, by id, or one per line.

    The short and the long run of one tested version become one gain test; failed ones are kept as rejected tests.

    Example: anchorhold import fishtest runs.json --dry-run
    """
    from anchorhold.importers.fishtest import api_urls, read_runs

    texts = texts_of(inputs, urls=lambda url: api_urls(url, pages=pages))
    finish(
        read_runs(texts),
        where=", ".join(inputs),
        register=register,
        config=config,
        author=author,
        dry_run=dry_run,
        skip_problems=skip_problems,
        as_json=as_json,
        summary={"inputs": len(texts)},
    )
