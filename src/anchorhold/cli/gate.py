"""``anchorhold gate``: says whether a merge may go on, by exit status and in one line.

May import: typer, anchorhold.config, anchorhold.gate, anchorhold.register, anchorhold.errors, anchorhold.cli.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.colour import painted
from anchorhold.cli.options import ConfigOption, JsonOption, LanguageOption, RegisterOption, SignersOption
from anchorhold.cli.reading import nothing_collected
from anchorhold.cli.register_verify import ExtendsOption, KeptHeadOption, kept_of

if TYPE_CHECKING:
    from anchorhold.config import GateSettings

PROOF_FAILED = 1
"""Exit status of ``--self-test`` when something does not hold."""


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
    from anchorhold import config as settings

    found = settings.gate_settings(
        config,
        flags={
            "allowed_signers": allowed_signers,
            "max_unaudited_elo": max_unaudited_elo,
            "max_unaudited_tests": max_unaudited_tests,
            "max_age_days": max_age_days,
        },
    )
    if self_test:
        _prove(register, config, found, language=language, as_json=as_json)
    kept = kept_of(extends, kept_head, register=register)
    with nothing_collected():
        from anchorhold.cli.reading import open_register
        from anchorhold.gate.asking import ask
        from anchorhold.gate.limits import Limits

        limits = Limits(elo=found.max_unaudited_elo, tests=found.max_unaudited_tests, days=found.max_age_days)
        with open_register(register, config) as opened:
            answer = ask(opened, signers=found.allowed_signers, limits=limits, now=datetime.now(UTC), kept=kept)
    if as_json:
        typer.echo(json.dumps(answer.to_json(), ensure_ascii=False, indent=2))
    else:
        # The colour says it before the words are read.
        from anchorhold.cli.texts import said

        first, *others = (said(line, language, config) for line in answer.lines())
        style = {"open": "good", "held": "bad", "broken": "bad"}[answer.state]
        typer.echo("\n".join((painted(first, style), *others)))
    raise SystemExit(answer.exit_status)


def _prove(
    register: str | None, config: Path | None, settings: GateSettings, *, language: str | None, as_json: bool
) -> None:
    from anchorhold.cli.reading import open_register
    from anchorhold.cli.texts import said
    from anchorhold.domain.sentences import Sentence
    from anchorhold.gate.selftest import self_test

    with open_register(register, config) as opened:
        proofs = self_test(opened, signers=settings.allowed_signers)
    holds = all(proof.holds for proof in proofs)
    if as_json:
        members = [{"claim": proof.claim, "holds": proof.holds, "found": proof.found} for proof in proofs]
        report = {"schema": "anchorhold/gate-self-test/1", "holds": holds, "proofs": members}
        typer.echo(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        for proof in proofs:
            outcome = Sentence("holds") if proof.holds else Sentence("DOES NOT HOLD")
            line = Sentence("{outcome}: {claim} ({found})", outcome=outcome, claim=proof.claim, found=proof.found)
            typer.echo(said(line, language, config))
    raise SystemExit(0 if holds else PROOF_FAILED)
