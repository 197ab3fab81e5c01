"""``anchorhold gate``: says whether a merge may go on, by exit status and in one line.

May import: typer, anchorhold.config, anchorhold.gate, anchorhold.register, anchorhold.errors, anchorhold.cli.clean,
anchorhold.cli.options.
"""

from __future__ import annotations

import json

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import ConfigOption, JsonOption, RegisterOption


@fail_cleanly
def gate(
    register: RegisterOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say from the register alone whether a merge may go on.

    Exit status: 0 open, 1 held, 2 bad usage or no register, 4 register broken.

    Example: anchorhold gate --register register.db && git merge candidate
    """
    from anchorhold import config as settings
    from anchorhold import gate as rule
    from anchorhold.errors import RegisterBroken
    from anchorhold.register.store import Register

    with Register.open(settings.register_url(register, config), read_only=True) as opened:
        try:
            answer = rule.answer(opened.verify())
        except RegisterBroken as error:
            answer = rule.broken(error.what)
    typer.echo(json.dumps(answer.to_json(), ensure_ascii=False, indent=2) if as_json else answer.reason)
    raise SystemExit(answer.exit_status)
