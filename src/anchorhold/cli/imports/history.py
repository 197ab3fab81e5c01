"""A history of commits, or one message, read and recorded: what ``anchorhold import commits`` does.

git is started before anything slow is loaded, and writes meanwhile. May import: anchorhold.errors,
anchorhold.importers, anchorhold.cli.reading, anchorhold.cli.imports.outcome.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from anchorhold.cli.reading import nothing_collected
from anchorhold.errors import BadInput
from anchorhold.importers.commits.history import Log


def run(
    *,
    repository: str,
    since: str | None = None,
    until: str | None = None,
    smp: bool = False,
    dry_run: bool = False,
    skip_problems: bool = False,
    as_json: bool = False,
    register: str | None = None,
    config: str | Path | None = None,
    author: str | None = None,
) -> None:
    """Read a repository's history and record what it gives; see the command's options."""
    with Log(Path(repository), since=since, until=until) as log, nothing_collected():
        from anchorhold.cli.imports.outcome import finish, load_for_recording
        from anchorhold.importers.commits.reader import read_log

        if not dry_run:
            load_for_recording()
        found = read_log(log, smp=smp)
        if log.is_cut():
            print(
                f"anchorhold: {repository}: a shallow clone: what commits that are not here claimed is missing, and S "
                "may be too small. Bring them with 'git fetch --unshallow'",
                file=sys.stderr,
            )
    finish(
        found.as_import(),
        where=repository,
        register=register,
        config=None if config is None else Path(config),
        author=author,
        dry_run=dry_run,
        skip_problems=skip_problems,
        as_json=as_json,
        summary={"commits": found.commits, "with_reports": found.with_reports, "tests": found.tests},
    )


def one_message(path: str, *, dry_run: bool, as_json: bool, given: bool) -> None:
    """Print the reading of one message, of a file or of standard input; ``given``: revisions were, too."""
    from anchorhold.importers.commits.document import message_document
    from anchorhold.importers.commits.stretch import read_commit
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
        print(f"line {report.place.line}: {report.stage}, {report.outcome}, {report.kind}")
    print(f"{read.classified.kind or 'not clear'}: {read.classified.why}")
    for one in [*problems, *(remark for report in read.reports for remark in differences(report))]:
        print(str(one), file=sys.stderr)
