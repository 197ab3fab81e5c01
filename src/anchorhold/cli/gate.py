"""``anchorhold gate``: says whether a merge may go on, by exit status and in one line.

May import: typer, anchorhold.cli.
"""

from __future__ import annotations

from typing import Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.gate_answer import run
from anchorhold.cli.options import ConfigOption, JsonOption, LanguageOption, RegisterOption, SignersOption
from anchorhold.cli.register_verify import ExtendsOption, KeptHeadOption


@fail_cleanly
def gate(
    register: RegisterOption = None,
    config: ConfigOption = None,
    allowed_signers: SignersOption = None,
    max_unaudited_elo: Annotated[
        float | None, typer.Option("--max-unaudited-elo", min=0, help="Hold when more Elo are claimed and unaudited.")
    ] = None,
    max_unaudited_tests: Annotated[
        int | None, typer.Option("--max-unaudited-tests", min=0, help="Hold when more gain tests are unaudited.")
    ] = None,
    max_age_days: Annotated[
        float | None, typer.Option("--max-age-days", min=0, help="Hold when the last closing check is older.")
    ] = None,
    extends: ExtendsOption = None,
    kept_head: KeptHeadOption = None,
    self_test: Annotated[
        bool, typer.Option("--self-test", help="Prove on a copy that HALT holds and CONTINUE opens.")
    ] = False,
    language: LanguageOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say from the register alone whether a merge may go on.

    Exit status: 0 open, 1 held, 2 bad usage or no register, 4 register broken. With --self-test: 0 all proofs hold.

    Example: anchorhold gate --register register.db && git merge candidate
    """
    run(
        register=register,
        config=config,
        allowed_signers=allowed_signers,
        max_unaudited_elo=max_unaudited_elo,
        max_unaudited_tests=max_unaudited_tests,
        max_age_days=max_age_days,
        extends=extends,
        kept_head=kept_head,
        self_test=self_test,
        language=language,
        as_json=as_json,
    )
