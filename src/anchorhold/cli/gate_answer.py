"""The gate's answer, asked and said: what ``anchorhold gate`` does.

It stands before every merge, so nothing is loaded that the answer does not need. May import: anchorhold.config,
anchorhold.gate, anchorhold.register, anchorhold.errors, anchorhold.cli.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from anchorhold.cli.colour import painted
from anchorhold.cli.reading import nothing_collected

if TYPE_CHECKING:
    from anchorhold.config import GateSettings
    from anchorhold.gate.asking import Kept

PROOF_FAILED = 1
"""Exit status of ``--self-test`` when something does not hold."""


def run(
    *,
    register: str | None = None,
    config: str | Path | None = None,
    allowed_signers: str | None = None,
    max_unaudited_elo: float | None = None,
    max_unaudited_tests: int | None = None,
    max_age_days: float | None = None,
    extends: str | None = None,
    kept_head: str | None = None,
    self_test: bool = False,
    language: str | None = None,
    as_json: bool = False,
) -> None:
    """Ask the register, say the answer, and leave with its exit status; see the command's options."""
    from anchorhold import config as settings

    config = None if config is None else Path(config)
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
    kept: Sequence[Kept] = ()
    if extends is not None or kept_head is not None:
        from anchorhold.cli.register_verify import kept_of

        kept = kept_of(extends, kept_head, register=register)
    with nothing_collected():
        from anchorhold.cli.reading import open_register
        from anchorhold.gate.asking import ask
        from anchorhold.gate.limits import Limits

        limits = Limits(elo=found.max_unaudited_elo, tests=found.max_unaudited_tests, days=found.max_age_days)
        with open_register(register, config) as opened:
            answer = ask(opened, signers=found.allowed_signers, limits=limits, now=datetime.now(UTC), kept=kept)
    if as_json:
        print(json.dumps(answer.to_json(), ensure_ascii=False, indent=2))
    else:
        # The colour says it before the words are read.
        from anchorhold.cli.texts import said

        first, *others = (said(line, language, config) for line in answer.lines())
        style = {"open": "good", "held": "bad", "broken": "bad"}[answer.state]
        print("\n".join((painted(first, style), *others)))
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
        print(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        for proof in proofs:
            outcome = Sentence("holds") if proof.holds else Sentence("DOES NOT HOLD")
            line = Sentence("{outcome}: {claim} ({found})", outcome=outcome, claim=proof.claim, found=proof.found)
            print(said(line, language, config))
    raise SystemExit(0 if holds else PROOF_FAILED)
