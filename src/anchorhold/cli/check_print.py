"""What the commands of ``anchorhold check`` print: a check's state, its opening, its result.

May import: typer, anchorhold.checks, anchorhold.law, anchorhold.register, anchorhold.report, anchorhold.cli.
"""

from __future__ import annotations

import json
import shutil
import textwrap
from typing import TYPE_CHECKING

import typer

from anchorhold.cli.status import VERDICT_STATUS
from anchorhold.cli.texts import texts_of

if TYPE_CHECKING:
    from pathlib import Path

    from anchorhold.checks.closing import Closed
    from anchorhold.checks.state import CheckState
    from anchorhold.law.result import Result
    from anchorhold.register.store import Register
    from anchorhold.report.texts import Texts


def finish(closed: Closed, *, as_json: bool, language: str | None, config: Path | None) -> None:
    """Say what came of a check, and leave with its verdict's exit status."""
    if as_json:
        echo_json(closed.result.to_json())
    else:
        print_result_of(closed.result, closed.check, language, config)
        if not closed.check.closes_window:
            typer.echo(
                texts_of(language, config).gettext(
                    "{check} leaves its window open: the next check begins with {version}.",
                    check=closed.check.id,
                    version=closed.check.plan.old.version,
                )
            )
    raise SystemExit(VERDICT_STATUS[closed.result.verdict])


def print_result_of(result: Result, check: CheckState, language: str | None, config: Path | None) -> None:
    """Print the result of a check in words and numbers."""
    from anchorhold.checks.document import contract_of
    from anchorhold.cli.language import language_of
    from anchorhold.report.terminal import print_result

    print_result(result, language=language_of(language, config), parameters=contract_of(check).parameters)


def print_diagnosis_of(result: Result, check: CheckState, language: str | None, config: Path | None) -> None:
    """Print where the difference between claims and increase went, as far as it is known."""
    from anchorhold.cli.language import language_of
    from anchorhold.law.diagnosis import diagnose
    from anchorhold.report.diagnosis import diagnosis_in_words
    from anchorhold.report.languages import check_language
    from anchorhold.report.texts import texts_in

    found = diagnose(result, pairs=check.plan.planned_pairs.long)
    if found is None:
        return
    texts = texts_in(check_language(language_of(language, config)))
    typer.echo("\n" + texts.gettext("Where the difference went") + ":")
    columns = min(max(shutil.get_terminal_size().columns, 40), 100)
    for sentence in diagnosis_in_words(found, texts=texts):
        typer.echo(textwrap.fill(sentence, columns, initial_indent="  ", subsequent_indent="    "))


def echo_json(value: object) -> None:
    """Print a document."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False))


def state_json(check: CheckState) -> dict[str, object]:
    """Return where a check stands, as a document."""
    r = None
    if check.closed is not None:
        from anchorhold.checks.closing import stored_result

        r = stored_result(check).r
    return {
        "check": check.id,
        "status": check.status,
        "verdict": check.verdict,
        "r": r,
        "attempt": check.attempt,
        "old": check.plan.old.version,
        "new": check.plan.new.version,
        "opened": {"seq": check.opened.seq, "at": check.opened.recorded_at, "hash": check.opened.hash},
        "closed": None
        if check.closed is None
        else {"seq": check.closed.seq, "at": check.closed.recorded_at, "hash": check.closed.hash},
        "abandoned": check.reason,
        "closes_window": check.closes_window,
        "window": {"after": check.plan.window.after, "until": check.opened.seq},
        "contract": {"edition": check.plan.contract.edition, "digest": check.plan.contract.digest},
        "planned_pairs": check.plan.planned_pairs.model_dump(exclude_none=True),
        "missing": [{"endpoint": endpoint, "stage": stage} for endpoint, stage in check.missing()],
        "notes": list(check.plan.notes),
    }


def say_opened(check: CheckState, texts: Texts) -> None:
    """Say what was frozen when a check was opened."""
    from anchorhold.cli.check_words import opened_lines

    for line in opened_lines(check, texts):
        typer.echo(line)


def warn_of(register: Register, check: CheckState, texts: Texts) -> None:
    """Say on stderr what can be foreseen of a check: too few pairs for a verdict, or for an estimate."""
    from anchorhold.checks.foresight import foreseen
    from anchorhold.cli.check_words import warning_lines

    for line in warning_lines(foreseen(register.entries(), check), texts):
        typer.echo(line, err=True)


def say_shard(file: Path, *, as_json: bool, texts: Texts) -> None:
    """Say where the file of a shard lies, and what to do with it."""
    if as_json:
        echo_json({"file": str(file)})
    else:
        say = texts.gettext
        typer.echo(say("The shard is complete, in {file}. Put all shards together with 'anchorhold merge'.", file=file))
