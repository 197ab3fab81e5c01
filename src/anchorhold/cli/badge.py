"""``anchorhold badge``: what the gate says, as a badge.

May import: typer, anchorhold.config, anchorhold.gate, anchorhold.register, anchorhold.report, anchorhold.web.badges,
anchorhold.errors, anchorhold.cli.
"""

from __future__ import annotations

import enum
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import ConfigOption, RegisterOption, SignersOption


class Format(enum.StrEnum):
    """What is written."""

    JSON = "json"
    SVG = "svg"


@fail_cleanly
def badge(
    format_: Annotated[
        Format, typer.Option("--format", help="json: for shields.io's endpoint; svg: a picture.")
    ] = Format.SVG,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Written anew each time; by default standard output."),
    ] = None,
    allowed_signers: SignersOption = None,
    register: RegisterOption = None,
    config: ConfigOption = None,
) -> None:
    """Write a badge of what the gate says: the last check's R and verdict, held, broken, or nothing confirmed.

    Exit status: 0 written, 2 bad usage or no register, 4 written, and the register is broken.

    Example: anchorhold badge --format json -o badge.json
    """
    from anchorhold import config as settings
    from anchorhold.cli.reading import open_register
    from anchorhold.errors import BadInput
    from anchorhold.gate.asking import ask
    from anchorhold.gate.limits import Limits
    from anchorhold.report.badge import badge_json, badge_svg
    from anchorhold.web.badges import badge_of

    found = settings.gate_settings(config, flags={"allowed_signers": allowed_signers})
    limits = Limits(elo=found.max_unaudited_elo, tests=found.max_unaudited_tests, days=found.max_age_days)
    with open_register(register, config) as opened:
        answer = ask(opened, signers=found.allowed_signers, limits=limits, now=datetime.now(UTC))
    shown = badge_of(answer)
    text = badge_svg(shown) if format_ is Format.SVG else json.dumps(badge_json(shown), ensure_ascii=False) + "\n"
    if output is None:
        typer.echo(text, nl=False)
    else:
        try:
            output.write_text(text, encoding="utf-8")
        except OSError as error:
            raise BadInput(f"cannot be written: {error.strerror}", where=str(output)) from error
    raise SystemExit(answer.exit_status if answer.state == "broken" else 0)
