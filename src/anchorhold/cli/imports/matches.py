"""What the commands that read matches do after reading: counts shown or put into a document, entries recorded.

May import: typer, anchorhold.errors, anchorhold.importers, anchorhold.cli.*.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from anchorhold.cli.imports.counts import fill_document, from_the_side_of, show
from anchorhold.cli.imports.outcome import finish
from anchorhold.errors import BadInput
from anchorhold.importers.matches import MatchImport


def finish_matches(
    found: MatchImport,
    *,
    inputs: Sequence[str],
    engine: str | None,
    document: Path | None,
    endpoint: str,
    stage: str,
    register: str | None,
    config: Path | None,
    author: str | None,
    dry_run: bool,
    skip_problems: bool,
    as_json: bool,
) -> None:
    """Show or place the counts, and record the entries unless the counts go into a document.

    Raises
    ------
    BadInput
        There are problems and they are not to be skipped, or the document cannot take the counts.
    """
    matches = from_the_side_of(found.matches, engine)
    to_document = document is not None and not dry_run
    if document is not None and to_document:
        problems = found.drafts.problems
        if problems and not skip_problems:
            raise BadInput(
                f"{len(problems)} places could not be read, the first: {problems[0]}",
                where=", ".join(inputs),
                next_step="Nothing was written. --skip-problems goes on with the rest.",
            )
        filled = fill_document(document, matches, engine=engine, endpoint=endpoint, stage=stage)
        if not as_json:
            typer.echo(f"{document}: counts against {', '.join(filled)} as {endpoint}, {stage} stage.")
    if not as_json:
        show(matches)
    summary: dict[str, object] = {"inputs": len(inputs)}
    if as_json:
        summary["matches"] = [match.to_json() for match in matches]
    finish(
        found.drafts,
        where=", ".join(inputs),
        register=register,
        config=config,
        author=author,
        # Without an entry there is nothing to do in a register, which need not exist then.
        dry_run=dry_run or to_document or not (found.drafts.records or found.drafts.problems),
        skip_problems=skip_problems,
        as_json=as_json,
        summary=summary,
    )
