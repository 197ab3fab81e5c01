"""``anchorhold check list`` and ``show``: checks as the register has them.

May import: typer, anchorhold.checks, anchorhold.law, anchorhold.cli.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from anchorhold.cli.check_print import echo_json, print_diagnosis_of, print_result_of, state_json
from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import ConfigOption, JsonOption, LanguageOption, RegisterOption
from anchorhold.cli.texts import texts_of

if TYPE_CHECKING:
    from pathlib import Path

    from anchorhold.checks.state import CheckState

CheckArgument = Annotated[str | None, typer.Argument(metavar="CHECK", help="By default the last one.")]


@fail_cleanly
def list_checks(
    config: ConfigOption = None,
    register: RegisterOption = None,
    language: LanguageOption = None,
    as_json: JsonOption = False,
) -> None:
    """List all checks with their versions, attempts and verdicts, from the register alone.

    Exit status 4, with a line that says why, when the register does not hold.

    Example: anchorhold check list
    """
    checks, status = _checks(config, register)
    if as_json:
        echo_json([state_json(check) for check in checks])
        raise SystemExit(status)
    from anchorhold.cli.check_words import line_of

    texts = texts_of(language, config)
    if not checks:
        typer.echo(texts.gettext("The register holds no check."))
    for check in checks:
        typer.echo(line_of(check, texts))
    raise SystemExit(status)


@fail_cleanly
def show_check(
    check: CheckArgument = None,
    config: ConfigOption = None,
    register: RegisterOption = None,
    language: LanguageOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show one check: plan, attempt, measurements, result or what it still lacks.

    Example: anchorhold check show check-1 --json
    """
    from anchorhold.checks.closing import stored_result
    from anchorhold.checks.state import find_check

    checks, status = _checks(config, register)
    found = find_check(checks, check)
    if as_json:
        from anchorhold.law.diagnosis import diagnose

        measurements = [{"seq": entry.seq, **entry.payload} for entry in found.measurements]
        result = None if found.closed is None else stored_result(found)
        diagnosis = None if result is None else diagnose(result, pairs=found.plan.planned_pairs.long)
        echo_json(
            {
                **state_json(found),
                "opening": dict(found.opened.payload),
                "measurements": measurements,
                "result": None if result is None else result.to_json(),
                "diagnosis": None if diagnosis is None else diagnosis.to_json(),
            }
        )
        raise SystemExit(status)
    from anchorhold.cli.check_words import shown_lines

    for line in shown_lines(found, texts_of(language, config)):
        typer.echo(line)
    if found.closed is None:
        raise SystemExit(status)
    outcome = stored_result(found)
    print_result_of(outcome, found, language, config)
    print_diagnosis_of(outcome, found, language, config)
    raise SystemExit(status)


def _checks(config: Path | None, register: str | None) -> tuple[tuple[CheckState, ...], int]:
    """Return the checks and the exit status: 0, or 4 after a line that says why the register does not hold."""
    from anchorhold.checks.state import checks_of
    from anchorhold.cli.reading import open_register, warn_of_damage

    with open_register(register, config) as opened:
        status = warn_of_damage(opened)
        return checks_of(opened.entries()), status
