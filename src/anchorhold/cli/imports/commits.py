"""``anchorhold import commits``: test reports in the commit messages of an engine's history.

May import: typer, anchorhold.errors, anchorhold.importers, anchorhold.cli.*.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.imports.outcome import DryRunOption, SkipProblemsOption, finish
from anchorhold.cli.options import AuthorOption, ConfigOption, JsonOption, RegisterOption

if TYPE_CHECKING:
    from anchorhold.importers.commits.reader import History


@fail_cleanly
def commits(
    repository: Annotated[
        Path | None, typer.Argument(metavar="REPO", help="The engine's repository; bare ones too.")
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
    from anchorhold.errors import BadInput
    from anchorhold.importers.commits.history import commits_of
    from anchorhold.importers.commits.reader import read_history

    if (repository is None) == (message is None):
        raise BadInput("give either a repository or --message FILE")
    if repository is None:
        assert message is not None
        _one_message(message, dry_run=dry_run, as_json=as_json, given=since is not None or until is not None)
        return
    found = read_history(commits_of(repository, since=since, until=until), smp=smp)
    summary: dict[str, object] = {"commits": found.commits, "with_reports": _with_reports(found), "tests": found.tests}
    finish(
        found.as_import(),
        where=str(repository),
        register=register,
        config=config,
        author=author,
        dry_run=dry_run,
        skip_problems=skip_problems,
        as_json=as_json,
        summary=summary,
    )


def _with_reports(found: History) -> int:
    return sum(bool(one.reports) for one in found.read)


def _one_message(path: str, *, dry_run: bool, as_json: bool, given: bool) -> None:
    from anchorhold.errors import BadInput
    from anchorhold.importers.commits.document import message_document
    from anchorhold.importers.commits.reader import read_commit
    from anchorhold.importers.recount import differences

    if given:
        raise BadInput("--since and --until belong to a repository, not to --message")
    if not dry_run:
        raise BadInput("one message has no commit that an entry could name", next_step="Give --dry-run too.")
    where = "standard input" if path == "-" else path
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", where=where) from error
    read, problems = read_commit(data.decode("utf-8", "replace"), commit="message")
    if as_json:
        print(json.dumps(message_document(read, problems), indent=2, ensure_ascii=False, allow_nan=False))
        return
    for report in read.reports:
        typer.echo(f"line {report.place.line}: {report.stage}, {report.outcome}, {report.kind}")
    typer.echo(f"{read.classified.kind or 'not clear'}: {read.classified.why}")
    for one in [*problems, *(remark for report in read.reports for remark in differences(report))]:
        typer.echo(str(one), err=True)
