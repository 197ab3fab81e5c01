"""``anchorhold import commits``: test reports in the commit messages of an engine's history.

May import: typer, anchorhold.errors, anchorhold.importers, anchorhold.cli.*.
"""

from __future__ import annotations

from typing import Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.imports.options import DryRunOption, SkipProblemsOption
from anchorhold.cli.options import AuthorOption, ConfigOption, JsonOption, RegisterOption


@fail_cleanly
def commits(
    repository: Annotated[
        str | None, typer.Argument(metavar="REPO", help="The engine's repository; bare ones too.")
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="REV", help="Leave out this revision and all before it.")
    ] = None,
    until: Annotated[str | None, typer.Option("--until", metavar="REV", help="Last revision; by default HEAD.")] = None,
    message: Annotated[
        str | None, typer.Option("--message", metavar="FILE", help="Read one message instead; - for standard input.")
    ] = None,
    smp: Annotated[
        bool, typer.Option("--smp", help="Let gains on several threads stand for a stage where none on one does.")
    ] = False,
    dry_run: DryRunOption = False,
    skip_problems: SkipProblemsOption = False,
    as_json: JsonOption = False,
    register: RegisterOption = None,
    config: ConfigOption = None,
    author: AuthorOption = None,
) -> None:
    """Read the test reports in commit messages: fishtest, OpenBench, fastchess, cutechess.

    Appends gain tests, special paths, rejected tests and retractions with their commits; a second import adds only
    what is new. What cannot be read without guessing is listed, and stops the import unless it is to be skipped.

    Example: anchorhold import commits path/to/engine --since v1.0 --until v1.1 --dry-run
    """
    from anchorhold.cli.imports.history import one_message, run
    from anchorhold.errors import BadInput

    if (repository is None) == (message is None):
        raise BadInput("give either a repository or --message FILE")
    if repository is None:
        assert message is not None
        one_message(message, dry_run=dry_run, as_json=as_json, given=since is not None or until is not None)
        return
    run(
        repository=repository,
        since=since,
        until=until,
        smp=smp,
        dry_run=dry_run,
        skip_problems=skip_problems,
        as_json=as_json,
        register=register,
        config=config,
        author=author,
    )
