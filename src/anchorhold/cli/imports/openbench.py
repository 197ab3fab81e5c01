"""``anchorhold import openbench``: tests of an OpenBench server.

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
def openbench(
    inputs: Annotated[
        list[str],
        typer.Argument(metavar="FILE|URL…", help="API answers or text blocks; - for standard input; a test's page."),
    ],
    dry_run: DryRunOption = False,
    skip_problems: SkipProblemsOption = False,
    as_json: JsonOption = False,
    register: RegisterOption = None,
    config: ConfigOption = None,
    author: AuthorOption = None,
) -> None:
    """Read OpenBench's tests: the answers of /api/workload/ID/info/, or the text block for commit messages.

    Tests of one tested version become one gain test; the blocks of one text file belong to one change.

    Example: anchorhold import openbench test-731.json --dry-run
    """
    from anchorhold.importers.openbench import api_urls, read_tests

    texts = texts_of(inputs, urls=api_urls)
    finish(
        read_tests(texts),
        where=", ".join(inputs),
        register=register,
        config=config,
        author=author,
        dry_run=dry_run,
        skip_problems=skip_problems,
        as_json=as_json,
        summary={"inputs": len(texts)},
    )
